import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
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

/** What this window and the service allow. */
export interface WriteGuards {
  readonly isServiceReadOnly: boolean;
  readonly isArmed: boolean;
}

/** The first thing that stands in the way of an operation, or null. Only operations that write are guarded like writes. */
export function operationObstacle(operation: Operation, channel: Channel, guards: WriteGuards): OperationObstacle | null {
  if (operation.writes && guards.isServiceReadOnly) return 'readOnlyService';
  if (operation.writes && channel.read_only) return 'readOnlyChannel';
  if (!isOpen(channel)) return 'notStarted';
  return operation.writes && !isServing(channel.conn_type) && !guards.isArmed ? 'disarmed' : null;
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

function listTable(name: string, list: readonly unknown[]): ResultTable {
  if (!list.every(isRecord)) return { name, columns: [name], rows: list.map((value) => [value]) };
  const columns = [...new Set(list.flatMap((row) => Object.keys(row)))];
  return { name, columns, rows: list.map((row) => columns.map((column) => row[column])) };
}

/** The result of an operation as tables: its plain values in one row, each list a table of its own. Nothing in here knows a protocol. */
export function resultTables(result: FormRecord): readonly ResultTable[] {
  const entries = Object.entries(result);
  const plain = entries.filter(([, value]) => !Array.isArray(value));
  const lists = entries.flatMap(([name, value]) => (Array.isArray(value) ? [listTable(name, value)] : []));
  return [
    ...(plain.length > 0 ? [{ name: '', columns: plain.map(([key]) => key), rows: [plain.map(([, value]) => value)] }] : []),
    ...lists,
  ];
}
