/** What a person or script may ask a device for by name. */
import { z } from 'zod';
import type { Effect } from '#shared/contract/effect.ts';
import { ConnType } from '#shared/domain/enums.ts';
import type { SettingMeta } from '#shared/domain/setting-meta.ts';
import type { DriverOperation } from '../spi/operations.ts';
import { LOG_PARAMS } from './logs/params.ts';
import { REPORT_PARAMS } from './reports/params.ts';

const connTypes = [ConnType.tcpClient];
const reference = z.string().min(1).max(220).describe('attribute or object with its functional constraint: LD/LN.DO.DA[FC]');
const attribute = reference.meta({ names: 'attribute', stays: true } satisfies SettingMeta);
const dataSet = z
  .string()
  .min(1)
  .max(220)
  .describe('LD/LLN0$name; @name lives as long as the association')
  .meta({ names: 'data_set', stays: true } satisfies SettingMeta);

const fileName = z
  .string()
  .min(1)
  .max(255)
  .meta({ names: 'file', stays: true } satisfies SettingMeta);

const logicalDevice = z.string().min(1).max(64).describe('logical device with the groups');

/** Octets of a file that one operation brings at most. */
export const LARGEST_FILE = 1024 * 1024;

export const PARAMS = {
  identify: z.object({}),
  browse: z.object({}),
  create_data_set: z.object({
    name: dataSet,
    members: z.array(reference).min(1).max(1000).describe('members in order: data objects or attributes with functional constraint'),
  }),
  delete_data_set: z.object({ name: dataSet }),
  read_attribute: z.object({ reference: attribute }),
  write_attribute: z.object({
    reference: attribute,
    value: z
      .union([z.string().max(1000), z.number(), z.boolean()])
      .describe(
        'number, true or false, text, word of an enumeration, quality in words, bits like 0110, octets in hexadecimal, time in ISO 8601',
      ),
  }),
  ...REPORT_PARAMS,
  ...LOG_PARAMS,
  setting_groups: z.object({ logical_device: z.string().max(64).default('').describe('one logical device; empty: all that have groups') }),
  edit_setting_group: z.object({
    logical_device: logicalDevice,
    group: z.int().min(1).max(255).describe('number of the group that is edited'),
    values: z
      .array(z.string().min(3).max(500))
      .min(1)
      .max(200)
      .describe('LD/LN.DO.DA = value, one a line, as write_attribute takes values; all of this logical device'),
    activate: z.boolean().default(false).describe('make the group the active one afterwards'),
  }),
  activate_setting_group: z.object({
    logical_device: logicalDevice,
    group: z.int().min(1).max(255).describe('number of the group that becomes the active one'),
  }),
  list_files: z.object({
    directory: z.string().max(255).default('').describe('directory; empty: the root'),
    after: z.string().max(255).default('').describe('name behind which the list goes on; empty: from the beginning'),
  }),
  read_file: z.object({
    name: fileName,
    position: z.int().min(0).max(0x7fff_ffff).default(0).describe('first octet'),
    max_octets: z.int().min(1).max(LARGEST_FILE).default(65_536),
  }),
  record_header: z.object({ name: fileName.describe('configuration (.cfg) or whole record (.cff)') }),
};
export type OperationName = keyof typeof PARAMS;

const operation = (name: OperationName, summary: string, effect: Effect): DriverOperation => ({
  name,
  summary,
  params: PARAMS[name],
  effect,
  connTypes,
});

/** Operations in the order of buttons. */
export const OPERATIONS: readonly DriverOperation[] = [
  operation('identify', 'Ask the device for its vendor, model and revision', 'repeatable'),
  operation('browse', 'Learn the information model of the device anew', 'repeatable'),
  operation('read_attribute', 'Read one attribute or object, with the names of its members', 'repeatable'),
  operation('write_attribute', 'Write one attribute that is no control object', 'command'),
  operation('create_data_set', 'Create a data set in the device', 'command'),
  operation('delete_data_set', 'Delete a data set that was created', 'command'),
  operation('setting_groups', 'Read the setting group control blocks', 'repeatable'),
  operation('edit_setting_group', 'Select a setting group for editing, write values, and confirm', 'command'),
  operation('activate_setting_group', 'Make a setting group the active one', 'command'),
  operation('report_blocks', 'Read the report control blocks: who owns them, and what they send', 'repeatable'),
  operation('enable_report', 'Reserve, set and enable a report control block', 'command'),
  operation('disable_report', 'Disable a report control block, and put back what was changed', 'command'),
  operation('interrogate_report', 'Ask for all values of a block that is enabled', 'command'),
  operation('purge_report', 'Empty the buffer of a buffered report control block', 'command'),
  operation('log_blocks', 'Read the log control blocks: what they enter into which log', 'repeatable'),
  operation('query_log', 'Read entries of a log, by time or behind an entry', 'repeatable'),
  operation('list_files', 'List the files of the device', 'repeatable'),
  operation('read_file', 'Read the beginning of a file of the device', 'repeatable'),
  operation('record_header', 'Read what the header of a disturbance record (COMTRADE) says', 'repeatable'),
];
