/**
 * The columns of a point table: one typed array for each property, row i of every column belonging to the i-th point.
 * Text of few different spellings is a number of a pool, text of its own for each point is an offset into `PointTexts`.
 */
const LAYOUT = {
  id: Float64Array,
  channelId: Uint32Array,
  frameType: Uint8Array,
  slaveId: Float64Array,
  address: Uint32Array,
  /** -1: null. */
  funcCode: Int16Array,
  /** -1: null. */
  bit: Int8Array,
  reverse: Uint8Array,
  mulCoe: Float64Array,
  addCoe: Float64Array,
  /** NaN: null. */
  minLimit: Float64Array,
  /** NaN: null. */
  maxLimit: Float64Array,
  decode: Uint32Array,
  unit: Uint32Array,
  category: Uint32Array,
  item: Uint32Array,
  commandType: Uint32Array,
  protocol: Uint32Array,
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

export type Columns = { readonly [Name in ColumnName]: InstanceType<(typeof LAYOUT)[Name]> } & {
  readonly capacity: number;
  /** Enum words, strings, exact integers; mostly empty. */
  readonly valueText: string[];
  /** Why the last read failed; null where it did not. */
  readonly error: (string | null)[];
};

const NAMES = Object.keys(LAYOUT) as ColumnName[];

/** New columns with room for `capacity` rows, all zero. */
export function allocateColumns(capacity: number): Columns {
  const arrays = Object.fromEntries(NAMES.map((name) => [name, new LAYOUT[name](capacity)])) as Record<ColumnName, TypedColumn>;
  return { ...arrays, capacity, valueText: [], error: [] } as unknown as Columns;
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
  'rawLow',
  'rawHigh',
  'rawLength',
] as const satisfies readonly ColumnName[];

/** Copies what was read from row `sources[i]` of the old columns to row i, for each source that is not negative. */
export function copyState(from: Columns, sources: Int32Array, to: Columns): void {
  for (let start = 0, end = 0; start < sources.length; start = end) {
    const first = sources[start] ?? -1;
    end = start + 1;
    if (first < 0) continue;
    while (end < sources.length && sources[end] === first + end - start) end += 1;
    for (const name of STATE) to[name].set(from[name].subarray(first, first + end - start), start);
    for (let row = start; row < end; row++) copyTexts(from, first + row - start, to, row);
  }
}

function copyTexts(from: Columns, source: number, to: Columns, target: number): void {
  to.valueText[target] = from.valueText[source] ?? '';
  to.error[target] = from.error[source] ?? null;
}
