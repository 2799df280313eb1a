import type { Quality } from '#shared/domain/enums.ts';
import { ProtoWriter, readFields } from './protobuf.ts';

/** Datatypes that are used: Sparkplug 3.0, 6.4.16. */
export const DataType = { int32: 3, int64: 4, double: 10, boolean: 11, string: 12 } as const;
type MetricType = typeof DataType.int64 | typeof DataType.double | typeof DataType.boolean;

/** Quality codes: Sparkplug 3.0, 6.4.10. */
const QUALITY_CODES: Readonly<Record<Quality, number>> = { good: 192, stale: 500, invalid: 0, never: 0 };
/** Name of the only command that is taken. */
export const REBIRTH = 'Node Control/Rebirth';
/** Octets of a command that are looked at. */
const MOST_COMMAND = 65_536;

/** A metric with its value (Sparkplug 3.0, 6.4.6). Births name it and say its datatype; data know it by its alias alone. */
export interface Metric {
  readonly name?: string;
  readonly alias?: number;
  /** UTC milliseconds. */
  readonly timestamp: number;
  /** What the value is written as; stands in the message where `name` does. */
  readonly type: MetricType;
  /** Null: there is none. */
  readonly value: number | boolean | null;
  readonly isHistorical?: boolean;
  /** Left out: as it was told last, and good where nothing was told. */
  readonly quality?: Quality;
  readonly unit?: string;
  readonly description?: string;
}

/** Fields of Payload.Metric.value by datatype. */
const LONG_VALUE = 11;
const DOUBLE_VALUE = 13;
const BOOLEAN_VALUE = 14;

/** One message: field `metrics` of a payload. */
export function encodeMetric(metric: Metric): Uint8Array {
  const { name, alias, timestamp, type, value, isHistorical, description } = metric;
  const writer = new ProtoWriter();
  if (name !== undefined) writer.text(1, name);
  if (alias !== undefined) writer.uint(2, alias);
  writer.uint(3, timestamp);
  if (name !== undefined) writer.uint(4, type);
  if (isHistorical) writer.bool(5, true);
  if (value === null) writer.bool(7, true);
  // MetaData.description
  if (description) writer.sized(8, new ProtoWriter().text(8, description).finish());
  const properties = encodeProperties(metric);
  if (properties) writer.sized(9, properties);
  if (value === null) return writer.finish();
  if (type === DataType.double) writer.double(DOUBLE_VALUE, Number(value));
  else if (type === DataType.boolean) writer.bool(BOOLEAN_VALUE, Boolean(value));
  else writer.uint(LONG_VALUE, Number(value));
  return writer.finish();
}

/** A PropertySet: keys, and as many values. `Quality` is of the standard, `engUnit` what hosts show as the unit. */
function encodeProperties({ quality, unit }: Metric): Uint8Array | null {
  const given: [string, Uint8Array][] = [];
  if (quality) given.push(['Quality', new ProtoWriter().uint(1, DataType.int32).uint(3, QUALITY_CODES[quality]).finish()]);
  if (unit) given.push(['engUnit', new ProtoWriter().uint(1, DataType.string).text(8, unit).finish()]);
  if (given.length === 0) return null;
  const writer = new ProtoWriter();
  for (const [key] of given) writer.text(1, key);
  for (const [, value] of given) writer.sized(2, value);
  return writer.finish();
}

/** A payload of metrics that were encoded. `seq` is left out of deaths of the node. */
export function encodePayload(timestamp: number, metrics: readonly Uint8Array[], seq?: number): Uint8Array {
  const writer = new ProtoWriter().uint(1, timestamp);
  for (const metric of metrics) writer.sized(2, metric);
  if (seq !== undefined) writer.uint(3, seq);
  return writer.finish();
}

/** True for the payload of an NCMD that asks for the births anew (Sparkplug 3.0, 5.17). Whatever else stands in it is left alone. */
export function asksRebirth(octets: Uint8Array): boolean {
  if (octets.length > MOST_COMMAND) return false;
  return (readFields(octets) ?? []).some(({ field, value }) => field === 2 && value instanceof Uint8Array && isRebirth(value));
}

function isRebirth(metric: Uint8Array): boolean {
  const fields = readFields(metric) ?? [];
  const last = (wanted: number) => fields.findLast(({ field }) => field === wanted)?.value;
  const name = last(1);
  return name instanceof Uint8Array && new TextDecoder().decode(name) === REBIRTH && last(BOOLEAN_VALUE) === 1;
}
