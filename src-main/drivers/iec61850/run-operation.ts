/** Runs the operations of the client: each of them few requests, a refusal of the device a result. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CommandStage, ExchangeContext } from '../spi/index.ts';
import type { OperationResult } from '../spi/operations.ts';
import type { MmsClient } from './association/mms-client.ts';
import { refusalOf } from './association/refusals.ts';
import { variableOf } from './binding.ts';
import type { ChannelMemory } from './channel-memory.ts';
import { listFiles, readFile, recordHeader } from './files/file-operations.ts';
import { logBlocks } from './logs/log-blocks.ts';
import { queryLog } from './logs/query-log.ts';
import { parseReference, type Reference } from './model/references.ts';
import { valueFromText } from './model/text-values.ts';
import { jsonScalar } from './model/values.ts';
import { wordsAt } from './model/words.ts';
import type { ModelSession } from './model-session.ts';
import { dataSetObject } from './object-names.ts';
import { OPERATIONS, PARAMS } from './operations.ts';
import { readAttributeValue } from './read-attribute.ts';
import { requireReadable } from './reads.ts';
import type { Reports } from './reports/reports.ts';
import { activateSettingGroup, editSettingGroup } from './setting-group-edit.ts';
import { settingGroups } from './setting-groups.ts';
import { attributeOf, requireGoing, requireWritable, typeOfAttribute, writeAttribute } from './writing.ts';

/** Parts without a value that a result lists. */
const MOST_LEFT_OUT = 100;
/** A data set that only matches its name; scope 0 of DeleteNamedVariableList. */
const SPECIFIC = 0;

export interface OperationOptions {
  readonly clock: Clock;
  readonly client: Pick<MmsClient, 'request' | 'negotiated'>;
  readonly memory: ChannelMemory;
  readonly session: ModelSession;
  readonly reports: Reports;
  /** Time limit of requests with long answers, in milliseconds. */
  readonly timeoutMs: number;
}

/** What an operation brings: words for its stage, the result, and whether the device took it. */
interface Done {
  readonly detail: Message;
  readonly result: Readonly<Record<string, unknown>>;
  readonly isRefused?: boolean;
}

/** Runs one operation. Throws when nothing could be sent, and what ended the association before the device answered. */
export async function runOperation(
  name: string,
  params: Readonly<Record<string, unknown>>,
  options: OperationOptions,
  context: ExchangeContext,
): Promise<OperationResult> {
  requireGoing(context);
  const { clock } = options;
  const stage = (word: string, detail: Message): CommandStage => ({ name: word, at: clock.wallMs(), detail });
  try {
    const { detail, result, isRefused = false } = await run(name, params, options, context);
    return { outcome: isRefused ? 'rejected' : 'accepted', stages: [stage(isRefused ? 'rejected' : 'done', detail)], result };
  } catch (thrown) {
    const error = toAppError(thrown);
    const refusal = refusalOf(error);
    if (refusal) return { outcome: 'rejected', stages: [stage('rejected', refusal.detail)], result: {} };
    if (error.code === 'TIMEOUT_RESPONSE') return { outcome: 'unknown', stages: [stage('unanswered', error.said)], result: {} };
    throw error;
  }
}

function run(name: string, params: Readonly<Record<string, unknown>>, options: OperationOptions, context: ExchangeContext): Promise<Done> {
  switch (name) {
    case 'identify':
      return identify(options, context);
    case 'browse':
      return browse(options);
    case 'read_attribute':
      return readAttribute(options, PARAMS.read_attribute.parse(params).reference, context);
    case 'write_attribute':
      return write(options, PARAMS.write_attribute.parse(params), context);
    case 'create_data_set':
      return createDataSet(options, PARAMS.create_data_set.parse(params), context);
    case 'delete_data_set':
      return deleteDataSet(options, PARAMS.delete_data_set.parse(params).name, context);
    case 'setting_groups':
      return settingGroups(options, PARAMS.setting_groups.parse(params).logical_device, context);
    case 'edit_setting_group':
      return editSettingGroup(options, PARAMS.edit_setting_group.parse(params), context);
    case 'activate_setting_group':
      return activateSettingGroup(options, PARAMS.activate_setting_group.parse(params), context);
    case 'report_blocks':
    case 'enable_report':
    case 'disable_report':
    case 'interrogate_report':
    case 'purge_report':
      return options.reports.run(name, params, context);
    case 'log_blocks':
      return logBlocks(options, PARAMS.log_blocks.parse(params).logical_device, context);
    case 'query_log':
      return queryLog(options, PARAMS.query_log.parse(params), context);
    case 'list_files':
      return listFiles(options, PARAMS.list_files.parse(params), context.signal);
    case 'read_file':
      return readFile(options, PARAMS.read_file.parse(params), context.signal);
    case 'record_header':
      return recordHeader(options, PARAMS.record_header.parse(params), context.signal);
    default:
      throw new AppError('CONFIG_INVALID', say('iec61850.no_operation', { name, names: OPERATIONS.map((item) => item.name).join(', ') }));
  }
}

async function identify({ client, memory }: OperationOptions, { signal }: ExchangeContext): Promise<Done> {
  const { vendor, model, revision } = await client.request({ service: 'identify' }, { signal });
  memory.model.identify({ vendor, model, revision });
  return { detail: quoted([vendor, model, revision].filter((text) => text !== '').join(' ')), result: { vendor, model, revision } };
}

/** Learning goes on behind the answer: it takes longer than an exchange may. */
async function browse({ session, memory }: OperationOptions): Promise<Done> {
  void session.begin(true);
  return { detail: say('iec61850.learning_begun'), result: { state: memory.model.status.state } };
}

async function readAttribute(options: OperationOptions, text: string, context: ExchangeContext): Promise<Done> {
  const reading = await readAttributeValue(options, attributeOf(parsed(text)), context);
  const [first, ...more] = reading.leftOut;
  if (!('value' in reading)) return { detail: first?.reason ?? say('iec61850.nothing_read'), result: {}, isRefused: true };
  const { value, requests } = reading;
  if (!first) return { detail: requests === 1 ? say('iec61850.read') : say('iec61850.read_parts', { count: requests }), result: { value } };
  const parts = more.length === 0 ? first.reference : say('common.and_more', { parts: first.reference, count: more.length });
  const detail = say('iec61850.read_without', { count: requests, parts, reason: first.reason });
  return { detail, result: { value, left_out: reading.leftOut.slice(0, MOST_LEFT_OUT) } };
}

async function write(
  options: OperationOptions,
  { reference, value }: { readonly reference: string; readonly value: string | number | boolean },
  context: ExchangeContext,
): Promise<Done> {
  const attribute = attributeOf(parsed(reference));
  requireWritable(attribute);
  const type = await typeOfAttribute(options, attribute, context.signal);
  const { domain, node, constraint, path } = attribute;
  const words = wordsAt(options.memory.model.index, domain, node, constraint, path);
  const made = valueFromText(type, String(value), words);
  if ('reason' in made) throw new AppError('CONFIG_RANGE', say('iec61850.not_fitting', { reference, reason: made.reason }));
  requireGoing(context);
  const refusal = await writeAttribute(options, attribute, made, { signal: context.signal });
  return refusal === null
    ? { detail: say('iec61850.taken'), result: { value: jsonScalar(made, words, path.at(-1)) } }
    : { detail: refusal, result: {}, isRefused: true };
}

async function createDataSet(
  options: OperationOptions,
  { name, members }: { readonly name: string; readonly members: readonly string[] },
  { signal }: ExchangeContext,
): Promise<Done> {
  const object = dataSetObject(name);
  const items = members.map((member) => {
    const { domain, node, constraint, path } = attributeOf(parsed(member));
    const item = variableOf(domain, node, constraint, path);
    requireReadable(item);
    return item;
  });
  await options.client.request({ service: 'define-named-variable-list', name: object, items }, { signal });
  if (object.scope === 'domain') await options.session.refreshDataSets(object.domain);
  return { detail: say('iec61850.created', { count: members.length }), result: { name, members: members.length } };
}

async function deleteDataSet(options: OperationOptions, name: string, { signal }: ExchangeContext): Promise<Done> {
  const object = dataSetObject(name);
  const request = { service: 'delete-named-variable-list', scope: SPECIFIC, names: [object] } as const;
  const { matched, deleted } = await options.client.request(request, { signal });
  if (deleted === 0) {
    const detail = matched === 0 ? say('iec61850.set_none', { name }) : say('iec61850.set_fixed', { name });
    return { detail, result: { matched, deleted }, isRefused: true };
  }
  if (object.scope === 'domain') await options.session.refreshDataSets(object.domain);
  return { detail: say('iec61850.set_deleted'), result: { matched, deleted } };
}

function parsed(text: string): Reference {
  const reference = parseReference(text);
  if (reference && reference.node !== '') return reference;
  throw new AppError('CONFIG_INVALID', say('iec61850.no_reference', { reference: text.slice(0, 80) }));
}
