import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { EFFECT_RULES } from '#shared/contract/effect.ts';
import type { Message } from '#shared/messages/message.ts';
import { inWords } from '../../i18n/words.ts';
import { collectSettings } from '../../ui/form/collect.ts';
import type { FormRecord } from '../../ui/form/record-form.ts';
import { type FieldSpec, fieldSpecs } from '../../ui/form/schema-field.ts';
import { isOpen } from '../write/write-rules.ts';

/** An operation of a protocol as its descriptor tells it. */
export type Operation = NonNullable<ProtocolDescriptor['operations']>[number];

/** The operations that this side of the connection has, in the order of buttons. */
export function operationsFor(descriptor: Pick<ProtocolDescriptor, 'operations'> | undefined, channel: Channel): readonly Operation[] {
  return (descriptor?.operations ?? []).filter((item) => item.conn_types.includes(channel.conn_type));
}

/** Why an operation cannot be run now; the words are in the `operations` texts under `why`. */
export type OperationObstacle = 'readOnlyService' | 'readOnlyChannel' | 'notStarted' | 'disarmed';

/** What this page and the service allow. */
export interface WriteGuards {
  readonly isServiceReadOnly: boolean;
  /** The operation needs an arming that the channel does not have. */
  readonly isDisarmed: boolean;
}

/** True for what changes something in the device: it is marked, confirmed and followed. */
export function isCommand({ effect }: Pick<Operation, 'effect'>): boolean {
  return effect === 'command';
}

/** The first thing that stands in the way of an operation, or null; its effect says what guards it. */
export function operationObstacle(operation: Operation, channel: Channel, guards: WriteGuards): OperationObstacle | null {
  const { needsWritable } = EFFECT_RULES[operation.effect];
  if (needsWritable && guards.isServiceReadOnly) return 'readOnlyService';
  if (needsWritable && channel.read_only) return 'readOnlyChannel';
  if (!isOpen(channel)) return 'notStarted';
  return guards.isDisarmed ? 'disarmed' : null;
}

/** Fields of the parameters, in the order of the schema. */
export function paramSpecs(operation: Operation): readonly FieldSpec[] {
  return fieldSpecs(operation.params_schema);
}

/** What the form starts with: the defaults of the schema. */
export function paramDefaults(operation: Operation): FormRecord {
  return Object.fromEntries(
    paramSpecs(operation).map((spec) => [spec.key, spec.kind === 'boolean' ? spec.defaultValue === true : spec.defaultValue]),
  );
}

/** The parameters that stay from one operation to the next, with what they name. */
export function stayingParams(operation: Operation): readonly (FieldSpec & { readonly names: string })[] {
  return paramSpecs(operation).flatMap((spec) => (spec.stays && spec.names !== null ? [{ ...spec, names: spec.names }] : []));
}

/** Parameters as they are sent: what is empty is left out. */
export function paramsOf(values: FormRecord, operation: Operation): FormRecord {
  return collectSettings(values, paramSpecs(operation));
}

/** One table of what an operation brought: a title, named columns, and rows of values. */
export interface ResultTable {
  /** Name of the list in the result; empty for the plain values around it. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

const isRecord = (value: unknown): value is FormRecord => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of rows for scripts: of no use beside the name in words. */
const NAMES_FOR_SCRIPTS: ReadonlySet<string> = new Set(['check']);

/** Messages beside a text, or beside a list of texts, as data. */
const messageBeside = (key: string, row: FormRecord) => row[`${key}_message`] as Message | undefined;
const messagesBeside = (key: string, row: FormRecord) => row[`${key}_messages`] as readonly Message[] | undefined;

/**
 * A row in the words of the reader: of `name_en` and `name_zh` only the one in this language stays, and a text with its message beside it is
 * said in this language.
 */
function rowInWords(row: FormRecord, language: string): FormRecord {
  const isChinese = language.startsWith('zh');
  return Object.fromEntries(
    Object.entries(row).flatMap(([key, value]): [string, unknown][] => {
      const [, word, ending] = /^(.+)_(en|zh|messages?)$/.exec(key) ?? [];
      if (word !== undefined && ending?.startsWith('message') && word in row) return [];
      if (word !== undefined && !ending?.startsWith('message')) return (ending === 'zh') === isChinese ? [[word, value]] : [];
      if ('name_en' in row && NAMES_FOR_SCRIPTS.has(key)) return [];
      const said = messageBeside(key, row);
      if (said && typeof value === 'string') return [[key, inWords(said, value)]];
      const list = messagesBeside(key, row);
      return [[key, list && Array.isArray(value) ? list.map((each, index) => inWords(each, String(value[index]))) : value]];
    }),
  );
}

function listTable(name: string, list: readonly unknown[], language: string): ResultTable {
  if (!list.every(isRecord)) return { name, columns: [name], rows: list.map((value) => [value]) };
  const rows = list.map((row) => rowInWords(row, language));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { name, columns, rows: rows.map((row) => columns.map((column) => row[column])) };
}

/** The leaves of a structure with their places: `mag.f`, `item(2).q`. */
function leavesOf(value: unknown, place: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${place}(${index})`));
  if (!isRecord(value)) return [[place, value]];
  return Object.entries(value).flatMap(([name, part]) => leavesOf(part, place === '' ? name : `${place}.${name}`));
}

/** Octets of a file, as an operation brings them. */
const OCTETS = 'base64';

/** The file that an operation brought: the octets under `base64`, its name under `name`; null where there is none. */
export function resultFile(result: FormRecord): { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> } | null {
  const { name, [OCTETS]: octets } = result;
  if (typeof octets !== 'string') return null;
  const last = typeof name === 'string' ? (name.split(/[\\/]/).findLast((part) => part !== '') ?? '') : '';
  return { name: last || 'file', bytes: Uint8Array.from(atob(octets), (letter) => letter.charCodeAt(0)) };
}

/**
 * The result of an operation as tables, in the words of `language`: its plain values in one row, each list a table of its own,
 * a structure part by part. Nothing in here knows a protocol.
 */
export function resultTables(result: FormRecord, language = 'en'): readonly ResultTable[] {
  const entries = Object.entries(rowInWords(result, language)).filter(([name]) => name !== OCTETS);
  const plain = entries.filter(([, value]) => typeof value !== 'object' || value === null);
  const structures = entries.flatMap(([name, value]) =>
    isRecord(value) ? [{ name, columns: ['part', 'value'], rows: leavesOf(value, '') }] : [],
  );
  const lists = entries.flatMap(([name, value]) => (Array.isArray(value) ? [listTable(name, value, language)] : []));
  return [
    ...(plain.length > 0 ? [{ name: '', columns: plain.map(([key]) => key), rows: [plain.map(([, value]) => value)] }] : []),
    ...structures,
    ...lists,
  ];
}
