import { QUALITIES } from '#shared/domain/enums.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointFailure, PointValue, ReadingDetail } from '../../drivers/spi/index.ts';
import type { OctetItem, OctetReadings } from '../../drivers/spi/octet-readings.ts';
import { BLOCK_INVALID, BLOCK_STATE, flagBits, flagsOfBits, littleEndian, type ReadingBlock } from '../../drivers/spi/reading-block.ts';
import { engineeringNumber, engineeringText, engineeringValue, type ValueRules } from './engineering-value.ts';
import { type Columns, copyState, isTaken, numberOrNull, RAW_ELSEWHERE, type Sources } from './point-store-columns.ts';
import type { PointState } from './point-table.ts';
import { DetailPool, hasTimeText } from './reading-detail.ts';

export const NEVER = QUALITIES.indexOf('never');
const GOOD = QUALITIES.indexOf('good');
const STALE = QUALITIES.indexOf('stale');
const INVALID = QUALITIES.indexOf('invalid');
/** Octets of a raw value that fit into the columns. */
const INLINE_OCTETS = 8;
const NO_OCTETS = new Uint8Array(0);
const NO_EXPONENT = {};

/** What was read of the points of a table, by row of its columns. */
export class RowReadings {
  readonly #rows: { readonly columns: Columns; readonly rules: ValueRules };
  /** Raw values that are too long for the columns, by point id. */
  readonly #longRaw = new Map<number, Uint8Array>();
  #details = new DetailPool();
  /** Powers of ten that came with values, by point id; those that are not 0. */
  readonly #exponents = new Map<number, number>();
  /** Device times that are invalid, as the device wrote them, by point id. */
  readonly #timeTexts = new Map<number, string>();
  /** Change that rows are marked with now. */
  #change = 0;
  #lastChange = 0;

  constructor(rows: { readonly columns: Columns; readonly rules: ValueRules }) {
    this.#rows = rows;
  }

  /** Rows that change from now on are marked with this change. `last`: the last one of rows that were taken over. */
  beginChange(change: number, last = this.#lastChange): void {
    this.#change = change;
    this.#lastChange = last;
  }

  /** The change that a row was marked with last; 0: none was. */
  get lastChange(): number {
    return this.#lastChange;
  }

  /** Marks a row as changed. */
  mark(row: number): void {
    this.#rows.columns.changedAt[row] = this.#change;
    this.#lastChange = this.#change;
  }

  /** Makes a row one that was never read. */
  forget(row: number, readSince: number): void {
    const columns = this.#rows.columns;
    this.mark(row);
    columns.value[row] = 0;
    columns.quality[row] = NEVER;
    columns.wasGood[row] = 0;
    columns.flags[row] = 0;
    columns.readSince[row] = readSince;
    columns.sourceTime[row] = Number.NEGATIVE_INFINITY;
    columns.updatedAt[row] = Number.NEGATIVE_INFINITY;
    columns.valueText[row] = '';
    columns.error[row] = null;
    this.#setDetail(row, undefined);
    this.#setExponent(row, 0);
    this.#setRaw(row, NO_OCTETS, 0, 0);
  }

  /** A row is going to leave the table. One that gave way to an earlier one of its id was never read, and must not take that one's octets along. */
  drop(row: number): void {
    const { id, rawLength, detail, updatedAt } = this.#rows.columns;
    if (rawLength[row] === RAW_ELSEWHERE) this.#longRaw.delete(id[row] ?? 0);
    if (hasTimeText(detail[row] ?? 0)) this.#timeTexts.delete(id[row] ?? 0);
    if (this.#exponents.size > 0 && (updatedAt[row] ?? 0) > 0) this.#exponents.delete(id[row] ?? 0);
  }

  /** Takes over what was read of rows of another table, whose details this one shares from then on. */
  take(from: RowReadings, sources: Sources): void {
    this.#details = from.#details;
    copyState(from.#rows.columns, sources, this.#rows.columns);
    for (let row = sources.start; row < sources.end; row++) if (isTaken(sources, row)) this.#takeApart(from, row);
  }

  /** What does not fit into the columns; what was taken over before gives way. */
  #takeApart(from: RowReadings, row: number): void {
    const { id, rawLength, detail } = this.#rows.columns;
    if (rawLength[row] === RAW_ELSEWHERE) this.#longRaw.set(id[row] ?? 0, from.#longRaw.get(id[row] ?? 0) ?? NO_OCTETS);
    else if (this.#longRaw.size > 0) this.#longRaw.delete(id[row] ?? 0);
    if (hasTimeText(detail[row] ?? 0)) this.#timeTexts.set(id[row] ?? 0, from.#timeTexts.get(id[row] ?? 0) ?? '');
    else if (this.#timeTexts.size > 0) this.#timeTexts.delete(id[row] ?? 0);
    if (from.#exponents.size + this.#exponents.size > 0) this.#setExponent(row, from.#exponents.get(id[row] ?? 0) ?? 0);
  }

  /** Rows without a source in another table begin at this reading revision. */
  beginAt(readSince: number, sources: Int32Array): void {
    const column = this.#rows.columns.readSince;
    for (let row = 0; row < sources.length; row++) if ((sources[row] as number) < 0) column[row] = readSince;
  }

  state(row: number): PointState {
    const columns = this.#rows.columns;
    const exponent = this.#exponents.size === 0 ? undefined : this.#exponents.get(columns.id[row] ?? 0);
    return {
      value: columns.value[row] ?? 0,
      valueText: columns.valueText[row] ?? '',
      rawHex: this.#rawHex(row),
      quality: QUALITIES[columns.quality[row] ?? NEVER] ?? 'never',
      flags: flagsOfBits(columns.flags[row] ?? 0),
      sourceTime: numberOrNull(columns.sourceTime[row]),
      detail: this.#details.unpack(columns.detail[row] ?? 0, this.#timeTexts.get(columns.id[row] ?? 0)),
      updatedAt: numberOrNull(columns.updatedAt[row]),
      error: columns.error[row] ?? null,
      ...(exponent === undefined ? NO_EXPONENT : { exponent }),
    };
  }

  /** Makes the value of the point out of what the device sent. */
  setValue(row: number, reading: PointValue, atWallMs: number): void {
    const columns = this.#rows.columns;
    const rule = this.#rows.rules.get(columns.rule[row] ?? 0);
    const value = engineeringValue(rule, reading);
    const text = engineeringText(rule, reading, value);
    const flags = reading.flags.length === 0 ? 0 : flagBits(reading.flags);
    const sourceTime = reading.sourceTime ?? Number.NEGATIVE_INFINITY;
    const error = reading.remark ?? null;
    const { detail, value: numbers, quality } = columns;
    const [number, mark, packed] = [numbers[row], quality[row], detail[row] ?? 0];
    const isOther =
      columns.valueText[row] !== text ||
      columns.flags[row] !== flags ||
      columns.sourceTime[row] !== sourceTime ||
      columns.error[row] !== error;
    putNumber(columns, row, value, reading.quality === 'good');
    columns.valueText[row] = text;
    columns.flags[row] = flags;
    columns.sourceTime[row] = sourceTime;
    this.#setDetail(row, reading.detail);
    columns.updatedAt[row] = atWallMs;
    columns.error[row] = error;
    this.#setExponent(row, reading.exponent ?? 0);
    if (isOther || numbers[row] !== number || quality[row] !== mark || detail[row] !== packed || hasTimeText(packed)) this.mark(row);
    this.#setRaw(row, reading.raw, 0, reading.raw.length);
  }

  /**
   * As `setValue`, for each value of a block; `rows` has their rows, -1 for one that is not taken. Column by column: a loop over few columns runs
   * twice as fast as one over all of them.
   */
  setBlock(block: ReadingBlock, rows: Int32Array, atWallMs: number): void {
    const { columns, rules } = this.#rows;
    const { rule, flags, sourceTime, updatedAt, rawLow, rawHigh, rawLength, detail, error, id } = columns;
    const { length } = block;
    for (let at = 0; at < length; at++) {
      const row = rows[at] as number;
      if (row < 0) continue;
      const form = block.form[at] as number;
      const number = engineeringNumber(rules.get(rule[row] as number), block.value[at] as number, (form & BLOCK_STATE) !== 0);
      if (putNumber(columns, row, number, (form & BLOCK_INVALID) === 0)) this.mark(row);
    }
    const packed = block.detail === undefined ? 0 : this.#details.pack(block.detail);
    for (let at = 0; at < length; at++) {
      const row = rows[at] as number;
      if (row < 0) continue;
      const time = Number.isNaN(block.sourceTime[at]) ? Number.NEGATIVE_INFINITY : (block.sourceTime[at] as number);
      if (flags[row] !== block.flags[at] || sourceTime[row] !== time) this.mark(row);
      flags[row] = block.flags[at] as number;
      sourceTime[row] = time;
      updatedAt[row] = atWallMs;
    }
    for (let at = 0; at < length; at++) {
      const row = rows[at] as number;
      if (row < 0) continue;
      if (rawLength[row] === RAW_ELSEWHERE) this.#longRaw.delete(id[row] as number);
      if (rawLow[row] !== block.rawLow[at] || rawHigh[row] !== block.rawHigh[at] || rawLength[row] !== block.rawLength[at]) this.mark(row);
      rawLow[row] = block.rawLow[at] as number;
      rawHigh[row] = block.rawHigh[at] as number;
      rawLength[row] = block.rawLength[at] as number;
    }
    for (let at = 0; at < length; at++) {
      const row = rows[at] as number;
      if (row < 0) continue;
      if (error[row] === null && detail[row] === packed) continue;
      this.mark(row);
      error[row] = null;
      this.#putDetail(row, packed);
    }
  }

  /** As `setValue`, for numbers out of the octets of one answer. */
  setOctets({ items, octets, stride }: OctetReadings, rows: Int32Array, atWallMs: number): void {
    const { columns, rules } = this.#rows;
    const { rule, flags, sourceTime, detail, updatedAt, error } = columns;
    for (let at = 0; at < items.length; at++) {
      const row = rows[at] as number;
      if (row < 0) continue;
      const { decoder, offset } = items[at] as OctetItem;
      const place = offset * stride;
      const raw = decoder.read(octets, place);
      if (typeof raw !== 'number') {
        this.setValue(row, decoder.value(octets, place), atWallMs);
        continue;
      }
      const isOther = flags[row] !== 0 || sourceTime[row] !== Number.NEGATIVE_INFINITY || error[row] !== null || detail[row] !== 0;
      if (putNumber(columns, row, engineeringNumber(rules.get(rule[row] as number), raw, false), true) || isOther) this.mark(row);
      updatedAt[row] = atWallMs;
      if (isOther) {
        flags[row] = 0;
        sourceTime[row] = Number.NEGATIVE_INFINITY;
        error[row] = null;
        this.#putDetail(row, 0);
      }
      this.#setRaw(row, octets, place, decoder.size);
    }
  }

  /** The value stays, and with it the time it was taken at: its age is what a reader has to know. */
  setFailure(row: number, failure: PointFailure): void {
    const { quality } = this.#rows.columns;
    const before = quality[row];
    if (failure.error.code.startsWith('DEVICE_')) quality[row] = INVALID;
    else this.#age(row);
    this.#setError(row, failure.error.said, quality[row] !== before);
  }

  /** There is no news of the point any more; one that nothing is known of has nothing to lose. */
  setStale(row: number, message: Message): void {
    const { quality } = this.#rows.columns;
    const before = quality[row];
    this.#age(row);
    this.#setError(row, message, quality[row] !== before);
  }

  /** The reasons of a line that is down are made anew at each read; the same sentence once more is no change. */
  #setError(row: number, said: Message, isChanged: boolean): void {
    const { error } = this.#rows.columns;
    const before = error[row] ?? null;
    error[row] = said;
    if (isChanged || (before !== said && (before === null || !isSameMessage(before, said)))) this.mark(row);
  }

  /** Stale is only what was good once: without an answer `never` stays `never`, and what was invalid is no better for it. */
  #age(row: number): void {
    const columns = this.#rows.columns;
    if (columns.wasGood[row] === 1) columns.quality[row] = STALE;
  }

  #setDetail(row: number, detail: ReadingDetail | undefined): void {
    this.#putDetail(row, detail === undefined ? 0 : this.#details.pack(detail));
    if (detail?.sourceTimeText !== undefined) this.#timeTexts.set(this.#rows.columns.id[row] ?? 0, detail.sourceTimeText);
  }

  #putDetail(row: number, packed: number): void {
    const { detail, id } = this.#rows.columns;
    if (hasTimeText(detail[row] ?? 0)) this.#timeTexts.delete(id[row] ?? 0);
    detail[row] = packed;
  }

  #setExponent(row: number, exponent: number): void {
    const id = this.#rows.columns.id[row] ?? 0;
    if (exponent !== 0) this.#exponents.set(id, exponent);
    else if (this.#exponents.size > 0) this.#exponents.delete(id);
  }

  /** Keeps `length` octets from `at` on. */
  #setRaw(row: number, octets: Uint8Array, at: number, length: number): void {
    const columns = this.#rows.columns;
    const id = columns.id[row] ?? 0;
    const before = columns.rawLength[row] === RAW_ELSEWHERE ? this.#longRaw.get(id) : undefined;
    if (length > INLINE_OCTETS) {
      const raw = Uint8Array.from(octets.subarray(at, at + length));
      if (!before || Buffer.compare(before, raw) !== 0) this.mark(row);
      columns.rawLength[row] = RAW_ELSEWHERE;
      this.#longRaw.set(id, raw);
      return;
    }
    if (before) this.#longRaw.delete(id);
    const low = littleEndian(octets, at, length);
    const high = littleEndian(octets, at + 4, length - 4);
    if (columns.rawLow[row] !== low || columns.rawHigh[row] !== high || columns.rawLength[row] !== length) this.mark(row);
    columns.rawLow[row] = low;
    columns.rawHigh[row] = high;
    columns.rawLength[row] = length;
  }

  #rawHex(row: number): string {
    const columns = this.#rows.columns;
    const length = columns.rawLength[row] ?? 0;
    if (length === RAW_ELSEWHERE) {
      const raw = this.#longRaw.get(columns.id[row] ?? 0);
      return raw ? Buffer.from(raw).toString('hex').toUpperCase() : '';
    }
    let hex = '';
    for (let i = 0; i < length; i++) {
      const word = (i < 4 ? columns.rawLow[row] : columns.rawHigh[row]) ?? 0;
      hex += HEX[(word >>> (8 * (i & 3))) & 0xff] ?? '';
    }
    return hex;
  }
}

const HEX = Array.from({ length: 256 }, (_, octet) => octet.toString(16).toUpperCase().padStart(2, '0'));

/** One that is not finite is kept as 0 and `invalid`: a page must never show NaN. Answers whether anything is otherwise than before. */
function putNumber({ value, quality, wasGood, valueText }: Columns, row: number, number: number, isGood: boolean): boolean {
  const isNumber = Number.isFinite(number);
  const kept = isNumber ? number : 0;
  const mark = isNumber && isGood ? GOOD : INVALID;
  const text = isNumber ? '' : String(number);
  const isOther = value[row] !== kept || quality[row] !== mark || valueText[row] !== text;
  value[row] = kept;
  quality[row] = mark;
  wasGood[row] = isNumber && isGood ? 1 : 0;
  if (valueText[row] !== text) valueText[row] = text;
  return isOther;
}

function isSameMessage(a: Message, b: Message): boolean {
  return a.code === b.code && JSON.stringify(a.params) === JSON.stringify(b.params);
}
