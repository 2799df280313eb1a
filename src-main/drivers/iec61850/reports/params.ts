/** What a person or script may ask of the reports of a device, by name. */
import { z } from 'zod';
import type { SettingMeta } from '#shared/domain/setting-meta.ts';
import { OPTION, type Option, TRIGGER, type Trigger } from './bits.ts';

const MOST_MS = 0xffff_ffff;
const LONGEST_ID = 129;
const MOST_RESERVED_S = 32_767;

const block = z
  .string()
  .min(1)
  .max(220)
  .describe('report control block: LD/LLN0.name[RP] unbuffered, LD/LLN0.name[BR] buffered')
  .meta({ names: 'attribute', stays: true } satisfies SettingMeta);
const milliseconds = z.int().min(0).max(MOST_MS).nullable().default(null);

export const REPORT_PARAMS = {
  report_blocks: z.object({ logical_device: z.string().max(64).default('').describe('one logical device; empty: all') }),
  enable_report: z.object({
    block,
    data_set: z.string().max(220).default('').describe('data set to send, LD/LLN0$name; empty: that of the block'),
    report_id: z.string().max(LONGEST_ID).default('').describe('RptID; empty: as it is'),
    triggers: z
      .array(z.enum(Object.keys(TRIGGER) as [Trigger, ...Trigger[]]))
      .default([])
      .describe('TrgOps: data_change, quality_change, data_update, integrity, general_interrogation; empty: as they are'),
    option_fields: z
      .array(z.enum(Object.keys(OPTION) as [Option, ...Option[]]))
      .default([])
      .describe(
        'OptFlds: sequence_number, time_stamp, reason, data_set, data_reference, buffer_overflow, entry_id, revision, segmentation; empty: as they are',
      ),
    integrity_ms: milliseconds.describe('IntgPd; 0: no integrity reports; null: as it is'),
    buffer_ms: milliseconds.describe('BufTm: how long changes are collected; null: as it is'),
    from: z
      .enum(['last', 'oldest', 'now'])
      .default('last')
      .describe(
        'buffered blocks: behind the last entry that came, else from the oldest; from the oldest; from now on, which empties the buffer',
      ),
    interrogate: z.boolean().default(true).describe('ask for all values at once (GI)'),
    reserve_s: z
      .int()
      .min(1)
      .max(MOST_RESERVED_S)
      .default(60)
      .describe('buffered blocks of edition 2: how long a lost connection keeps the block for us, seconds'),
  }),
  disable_report: z.object({ block }),
  interrogate_report: z.object({ block }),
  purge_report: z.object({ block }),
};
