import type { PointFieldsKept } from '#shared/domain/point-fields.ts';
import type { Message } from '#shared/messages/message.ts';
import { type NumberColumns, numberColumns } from '../../platform/number-columns.ts';

/** Fields that are a column of numbers. */
const NUMBERS = {
  frame_type: Uint8Array,
  address: Uint32Array,
  slave_id: Float64Array,
  /** -1: null. */
  func_code: Int16Array,
  mul_coe: Float64Array,
  add_coe: Float64Array,
  /** NaN: null. */
  min_limit: Float64Array,
  /** NaN: null. */
  max_limit: Float64Array,
  /** -1: null. */
  bit: Int8Array,
  reverse: Uint8Array,
} as const satisfies Readonly<Record<PointFieldsKept<'number'>, unknown>>;

/** Fields that many points have alike: the number of the text or the settings in its pool. */
const SHARED = {
  decode: Uint32Array,
  unit: Uint32Array,
  category: Uint32Array,
  item: Uint32Array,
  command_type: Uint32Array,
  protocol: Uint32Array,
} as const satisfies Readonly<Record<PointFieldsKept<'shared'>, typeof Uint32Array>>;

/**
 * The columns of a point table: one typed array for each property, row i of every column belonging to the i-th point. Settings have the names
 * of their fields. Text of its own for each point is an offset into `PointTexts`.
 */
const LAYOUT = {
  ...NUMBERS,
  ...SHARED,
  id: Float64Array,
  channel_id: Uint32Array,
  /** Number of the rule that makes the value (engineering-value.ts). */
  rule: Uint32Array,
  /** Place of the point's texts. */
  text: Uint32Array,
  /** What the searched text consists of, as bits (point-store-signature.ts). */
  pairsLow: Uint32Array,
  pairsHigh: Uint32Array,
  charsLow: Uint32Array,
  charsHigh: Uint32Array,
  value: Float64Array,
  /** Index into QUALITIES. */
  quality: Uint8Array,
  /** 1: the value was good when it was read. */
  wasGood: Uint8Array,
  /** Reading revision at which the point began to be read as it is now. */
  readSince: Uint32Array,
  /** Bit i: QUALITY_FLAGS[i]. */
  flags: Uint32Array,
  /** What the protocol told beside the value (reading-detail.ts); 0: nothing. */
  detail: Uint32Array,
  /** -Infinity: null. */
  sourceTime: Float64Array,
  /** -Infinity: null. */
  updatedAt: Float64Array,
  /** Change (change-counter.ts) that the row was changed with last. */
  changedAt: Float64Array,
  /** First four octets of the raw value, lowest byte first. */
  rawLow: Uint32Array,
  rawHigh: Uint32Array,
  /** 0 to 8 octets in rawLow and rawHigh, RAW_ELSEWHERE: kept apart. */
  rawLength: Uint8Array,
} as const;

type ColumnName = keyof typeof LAYOUT;
type TypedColumn = InstanceType<(typeof LAYOUT)[ColumnName]>;

/** `rawLength` of a raw value that is longer than eight octets. */
export const RAW_ELSEWHERE = 255;

export type Columns = NumberColumns<typeof LAYOUT> & {
  readonly capacity: number;
  /** Enum words, strings, exact integers; mostly empty. */
  readonly valueText: string[];
  /** Why the last read failed; null where it did not. */
  readonly error: (Message | null)[];
};

const NAMES = Object.keys(LAYOUT) as ColumnName[];

/** New columns with room for `capacity` rows, all zero. */
export function allocateColumns(capacity: number): Columns {
  return { ...numberColumns(LAYOUT, capacity), capacity, valueText: [], error: [] };
}

/** Copies of all columns with room for `capacity` rows, keeping the first `size` rows. */
export function resizeColumns(from: Columns, size: number, capacity: number): Columns {
  const to = allocateColumns(capacity);
  for (const name of NAMES) to[name].set(from[name].subarray(0, size));
  for (let row = 0; row < size; row++) copyTexts(from, row, to, row);
  return to;
}

/** New columns that hold the given rows of the old ones in the given order. */
export function gatherColumns(from: Columns, rows: Uint32Array): Columns {
  const to = allocateColumns(rows.length);
  for (let start = 0, end = 0; start < rows.length; start = end) {
    const first = rows[start] ?? 0;
    end = start + 1;
    while (end < rows.length && rows[end] === first + end - start) end += 1;
    for (const name of NAMES) to[name].set(from[name].subarray(first, first + end - start), start);
  }
  for (let i = 0; i < rows.length; i++) copyTexts(from, rows[i] ?? 0, to, i);
  return to;
}

/** Columns of what was read; the others are settings. */
const STATE = [
  'value',
  'quality',
  'wasGood',
  'readSince',
  'flags',
  'detail',
  'sourceTime',
  'updatedAt',
  'changedAt',
  'rawLow',
  'rawHigh',
  'rawLength',
] as const satisfies readonly ColumnName[];

/** Rows of a table that takes over what was read of another one. */
export interface Sources {
  /** Row of the other table for each row; -1: none. */
  readonly rows: Int32Array;
  /** The rows this is about, end excluded. */
  readonly start: number;
  readonly end: number;
  /** 1 for each row of the other table that this is about; null: all of them. */
  readonly only: Uint8Array | null;
}

/** True for a row that takes something over. */
export function isTaken({ rows, only }: Sources, row: number): boolean {
  const source = rows[row] as number;
  return source >= 0 && (only === null || only[source] === 1);
}

/**
 * Copies what was read from the rows of the old columns. Column by column and number by number: where many points changed, what stays
 * together is a few rows long.
 */
export function copyState(from: Columns, sources: Sources, to: Columns): void {
  for (const name of STATE) copyColumn(from[name], sources, to[name]);
  for (let row = sources.start; row < sources.end; row++) {
    if (isTaken(sources, row)) copyTexts(from, sources.rows[row] as number, to, row);
  }
}

function copyColumn(from: TypedColumn, sources: Sources, to: TypedColumn): void {
  const { rows, end } = sources;
  for (let row = sources.start; row < end; row++) if (isTaken(sources, row)) to[row] = from[rows[row] as number] as number;
}

function copyTexts(from: Columns, source: number, to: Columns, target: number): void {
  to.valueText[target] = from.valueText[source] ?? '';
  to.error[target] = from.error[source] ?? null;
}

/** NaN and the infinities stand for "none" in the columns. */
export function numberOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
