import { type FrameType, QUALITIES, QUALITY_FLAGS } from '#shared/domain/enums.ts';
import type { PointFieldsKept } from '#shared/domain/point-fields.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig, PointFailure, PointValue, ReadingDetail } from '../../drivers/spi/index.ts';
import type { OctetItem, OctetReadings } from '../../drivers/spi/octet-readings.ts';
import { BLOCK_INVALID, BLOCK_STATE, flagBits, type ReadingBlock } from '../../drivers/spi/reading-block.ts';
import { engineeringNumber, engineeringText, engineeringValue, ValueRules } from './engineering-value.ts';
import {
  allocateColumns,
  type Columns,
  copyState,
  gatherColumns,
  isTaken,
  RAW_ELSEWHERE,
  resizeColumns,
  type Sources,
} from './point-store-columns.ts';
import { SettingsPool, TextPool } from './point-store-pools.ts';
import { signatureOf } from './point-store-signature.ts';
import { PointTexts, type TextSpan } from './point-store-texts.ts';
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

/** Settings and state of points by row, over columns; rows are filled from 0 without gaps. */
export class PointRows {
  #columns: Columns = allocateColumns(0);
  #size = 0;
  #texts = new PointTexts();
  #pools = newPools();
  #rules = new ValueRules();
  /** Raw values that are too long for the columns, by point id. */
  readonly #longRaw = new Map<number, Uint8Array>();
  #details = new DetailPool();
  /** Powers of ten that came with values, by point id; those that are not 0. */
  readonly #exponents = new Map<number, number>();
  /** Device times that are invalid, as the device wrote them, by point id. */
  readonly #timeTexts = new Map<number, string>();
  #textRevision: number;

  /** `textRevision`: where its count begins; above that of the rows it will take the place of. */
  constructor(textRevision = 0) {
    this.#textRevision = textRevision;
  }

  get size(): number {
    return this.#size;
  }

  /** Rises when codes or names, or the rows that have them, change. */
  get textRevision(): number {
    return this.#textRevision;
  }

  get columns(): Columns {
    return this.#columns;
  }

  get texts(): PointTexts {
    return this.#texts;
  }

  /** Texts and settings that points share, by field. */
  get pools(): Pools {
    return this.#pools;
  }

  /** Makes room for `more` rows at once. */
  reserve(more: number): void {
    const needed = this.#size + more;
    if (needed > this.#columns.capacity) this.#columns = resizeColumns(this.#columns, this.#size, needed + (this.#size >>> 3));
  }

  /** Adds a row that was never read; readings planned before `readSince` are not its own. */
  push(point: PointConfig, readSince: number): void {
    this.reserve(1);
    const row = this.#size;
    this.#size += 1;
    this.#textRevision += 1;
    this.#write(row, point);
    this.forget(row, readSince);
  }

  /** Makes a row one that was never read. */
  forget(row: number, readSince: number): void {
    const columns = this.#columns;
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

  /** Replaces the settings of a row and keeps its state. */
  replace(row: number, point: PointConfig): void {
    const place = this.#columns.text[row] ?? 0;
    const { code, name } = this.#texts.read(place);
    if (code !== point.code || name !== point.name) this.#textRevision += 1;
    this.#texts.discard(place);
    this.#write(row, point);
    this.#compactTexts();
  }

  /** Keeps the listed rows only, in the listed order. */
  keep(rows: Uint32Array): void {
    const old = this.#columns;
    const isKept = new Uint8Array(this.#size);
    for (const row of rows) isKept[row] = 1;
    for (let row = 0; row < this.#size; row++) {
      if (isKept[row] === 1) continue;
      this.#texts.discard(old.text[row] ?? 0);
      // A row that gave way to an earlier one of its id was never read and must not take that one's octets along.
      if (old.rawLength[row] === RAW_ELSEWHERE) this.#longRaw.delete(old.id[row] ?? 0);
      if (hasTimeText(old.detail[row] ?? 0)) this.#timeTexts.delete(old.id[row] ?? 0);
      if (this.#exponents.size > 0 && (old.updatedAt[row] ?? 0) > 0) this.#exponents.delete(old.id[row] ?? 0);
    }
    this.#columns = gatherColumns(old, rows);
    this.#textRevision += 1;
    this.#size = rows.length;
    if (rows.length === 0) this.#forgetTexts();
    else this.#compactTexts();
  }

  /** Takes over what was read of rows of another table, whose details this one shares from then on. */
  takeState(from: PointRows, sources: Sources): void {
    this.#details = from.#details;
    copyState(from.#columns, sources, this.#columns);
    for (let row = sources.start; row < sources.end; row++) if (isTaken(sources, row)) this.#takeApart(from, row);
  }

  /** What does not fit into the columns; what was taken over before gives way. */
  #takeApart(from: PointRows, row: number): void {
    const { id, rawLength, detail } = this.#columns;
    if (rawLength[row] === RAW_ELSEWHERE) this.#longRaw.set(id[row] ?? 0, from.#longRaw.get(id[row] ?? 0) ?? NO_OCTETS);
    else if (this.#longRaw.size > 0) this.#longRaw.delete(id[row] ?? 0);
    if (hasTimeText(detail[row] ?? 0)) this.#timeTexts.set(id[row] ?? 0, from.#timeTexts.get(id[row] ?? 0) ?? '');
    else if (this.#timeTexts.size > 0) this.#timeTexts.delete(id[row] ?? 0);
    if (from.#exponents.size + this.#exponents.size > 0) this.#setExponent(row, from.#exponents.get(id[row] ?? 0) ?? 0);
  }

  /** Rows without a source in another table begin at this reading revision. */
  beginAt(readSince: number, sources: Int32Array): void {
    const column = this.#columns.readSince;
    for (let row = 0; row < this.#size; row++) if ((sources[row] as number) < 0) column[row] = readSince;
  }

  /** Gives back memory that was kept for more points. */
  trim(): void {
    this.#texts.trim();
    if (this.#columns.capacity > this.#size) this.#columns = resizeColumns(this.#columns, this.#size, this.#size);
  }

  /** Spelled out, in the order of the contract: a loop over the fields takes two and a half times as long. */
  config(row: number): PointConfig {
    const columns = this.#columns;
    const pools = this.#pools;
    const texts = this.#texts.read(columns.text[row] ?? 0);
    return {
      id: columns.id[row] ?? 0,
      channel_id: columns.channel_id[row] ?? 0,
      frame_type: (columns.frame_type[row] ?? 0) as FrameType,
      code: texts.code,
      name: texts.name,
      address: columns.address[row] ?? 0,
      slave_id: columns.slave_id[row] ?? 0,
      func_code: notNegative(columns.func_code[row]),
      decode: pools.decode.text(columns.decode[row] ?? 0),
      mul_coe: columns.mul_coe[row] ?? 1,
      add_coe: columns.add_coe[row] ?? 0,
      unit: pools.unit.text(columns.unit[row] ?? 0),
      min_limit: numberOrNull(columns.min_limit[row]),
      max_limit: numberOrNull(columns.max_limit[row]),
      bit: notNegative(columns.bit[row]),
      reverse: columns.reverse[row] === 1,
      reference: texts.reference,
      category: pools.category.text(columns.category[row] ?? 0),
      item: pools.item.text(columns.item[row] ?? 0),
      related_code: texts.related_code,
      command_type: pools.command_type.text(columns.command_type[row] ?? 0),
      note: texts.note,
      protocol: pools.protocol.value(columns.protocol[row] ?? 0),
    };
  }

  state(row: number): PointState {
    const columns = this.#columns;
    const exponent = this.#exponents.size === 0 ? undefined : this.#exponents.get(columns.id[row] ?? 0);
    return {
      value: columns.value[row] ?? 0,
      valueText: columns.valueText[row] ?? '',
      rawHex: this.#rawHex(row),
      quality: QUALITIES[columns.quality[row] ?? NEVER] ?? 'never',
      flags: flagsOf(columns.flags[row] ?? 0),
      sourceTime: numberOrNull(columns.sourceTime[row]),
      detail: this.#details.unpack(columns.detail[row] ?? 0, this.#timeTexts.get(columns.id[row] ?? 0)),
      updatedAt: numberOrNull(columns.updatedAt[row]),
      error: columns.error[row] ?? null,
      ...(exponent === undefined ? NO_EXPONENT : { exponent }),
    };
  }

  /** Makes the value of the point out of what the device sent. One that is not finite is kept as 0 and `invalid`: a page must never show NaN. */
  setValue(row: number, reading: PointValue, atWallMs: number): void {
    const columns = this.#columns;
    const rule = this.#rules.get(columns.rule[row] ?? 0);
    const value = engineeringValue(rule, reading);
    const isNumber = Number.isFinite(value);
    columns.value[row] = isNumber ? value : 0;
    columns.valueText[row] = engineeringText(rule, reading, value);
    const isGood = isNumber && reading.quality === 'good';
    columns.quality[row] = isGood ? GOOD : INVALID;
    columns.wasGood[row] = isGood ? 1 : 0;
    columns.flags[row] = reading.flags.length === 0 ? 0 : flagBits(reading.flags);
    columns.sourceTime[row] = reading.sourceTime ?? Number.NEGATIVE_INFINITY;
    this.#setDetail(row, reading.detail);
    columns.updatedAt[row] = atWallMs;
    columns.error[row] = reading.remark ?? null;
    this.#setExponent(row, reading.exponent ?? 0);
    this.#setRaw(row, reading.raw, 0, reading.raw.length);
  }

  /** As `setValue`, for each value of a block; `rows` has their rows, -1 for one that is not taken. */
  setBlock(block: ReadingBlock, rows: Int32Array, atWallMs: number): void {
    const { rule, value, quality, wasGood, flags, sourceTime, updatedAt, valueText, error } = this.#columns;
    const details = block.details.map((detail) => (detail === undefined ? 0 : this.#details.pack(detail)));
    for (let at = 0; at < block.length; at++) {
      const row = rows[at] as number;
      if (row < 0) continue;
      const form = block.form[at] as number;
      const number = engineeringNumber(this.#rules.get(rule[row] as number), block.value[at] as number, (form & BLOCK_STATE) !== 0);
      const isNumber = Number.isFinite(number);
      const isGood = isNumber && (form & BLOCK_INVALID) === 0;
      const time = block.sourceTime[at] as number;
      value[row] = isNumber ? number : 0;
      quality[row] = isGood ? GOOD : INVALID;
      wasGood[row] = isGood ? 1 : 0;
      flags[row] = block.flags[at] as number;
      sourceTime[row] = Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
      updatedAt[row] = atWallMs;
      const text = isNumber ? '' : String(number);
      if (valueText[row] !== text) valueText[row] = text;
      if (error[row] !== null) error[row] = null;
      this.#setBlockDetail(row, details[block.detail[at] as number] as number);
      this.#setBlockRaw(row, block, at);
    }
  }

  /** As `setValue`, for numbers out of the octets of one answer. */
  setOctets({ items, octets, stride }: OctetReadings, rows: Int32Array, atWallMs: number): void {
    const { rule, value, quality, wasGood, flags, sourceTime, detail, updatedAt, valueText, error } = this.#columns;
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
      const number = engineeringNumber(this.#rules.get(rule[row] as number), raw, false);
      const isNumber = Number.isFinite(number);
      value[row] = isNumber ? number : 0;
      quality[row] = isNumber ? GOOD : INVALID;
      wasGood[row] = isNumber ? 1 : 0;
      flags[row] = 0;
      sourceTime[row] = Number.NEGATIVE_INFINITY;
      updatedAt[row] = atWallMs;
      const text = isNumber ? '' : String(number);
      if (valueText[row] !== text) valueText[row] = text;
      if (error[row] !== null) error[row] = null;
      if (detail[row] !== 0) this.#setBlockDetail(row, 0);
      this.#setRaw(row, octets, place, decoder.size);
    }
  }

  #setBlockDetail(row: number, detail: number): void {
    const { detail: column, id } = this.#columns;
    const old = column[row] as number;
    if (old === detail) return;
    if (hasTimeText(old)) this.#timeTexts.delete(id[row] as number);
    column[row] = detail;
  }

  #setBlockRaw(row: number, block: ReadingBlock, at: number): void {
    const { rawLow, rawHigh, rawLength, id } = this.#columns;
    if (rawLength[row] === RAW_ELSEWHERE) this.#longRaw.delete(id[row] as number);
    rawLow[row] = block.rawLow[at] as number;
    rawHigh[row] = block.rawHigh[at] as number;
    rawLength[row] = block.rawLength[at] as number;
  }

  /** The value stays, and with it the time it was taken at: its age is what a reader has to know. */
  setFailure(row: number, failure: PointFailure): void {
    if (failure.error.code.startsWith('DEVICE_')) this.#columns.quality[row] = INVALID;
    else this.#age(row);
    this.#columns.error[row] = failure.error.said;
  }

  /** There is no news of the point any more; one that nothing is known of has nothing to lose. */
  setStale(row: number, message: Message): void {
    this.#age(row);
    this.#columns.error[row] = message;
  }

  /** Stale is only what was good once: without an answer `never` stays `never`, and what was invalid is no better for it. */
  #age(row: number): void {
    const columns = this.#columns;
    if (columns.wasGood[row] === 1) columns.quality[row] = STALE;
  }

  #write(row: number, point: PointConfig): void {
    const columns = this.#columns;
    columns.id[row] = point.id;
    columns.channel_id[row] = point.channel_id;
    columns.frame_type[row] = point.frame_type;
    columns.address[row] = point.address;
    columns.slave_id[row] = point.slave_id;
    columns.func_code[row] = point.func_code ?? -1;
    columns.mul_coe[row] = point.mul_coe;
    columns.add_coe[row] = point.add_coe;
    columns.min_limit[row] = point.min_limit ?? Number.NaN;
    columns.max_limit[row] = point.max_limit ?? Number.NaN;
    columns.bit[row] = point.bit ?? -1;
    columns.reverse[row] = point.reverse ? 1 : 0;
    columns.rule[row] = this.#rules.add(point);
    const pools = this.#pools;
    columns.decode[row] = pools.decode.add(point.decode);
    columns.unit[row] = pools.unit.add(point.unit);
    columns.category[row] = pools.category.add(point.category);
    columns.item[row] = pools.item.add(point.item);
    columns.command_type[row] = pools.command_type.add(point.command_type);
    columns.protocol[row] = pools.protocol.add(point.protocol);
    const place = this.#texts.append(point);
    columns.text[row] = place;
    const span: TextSpan = { start: 0, end: 0 };
    this.#texts.lowerSpan(place, 'both', span);
    const signature = signatureOf(this.#texts.octets, span.start, span.end);
    columns.pairsLow[row] = signature.pairsLow;
    columns.pairsHigh[row] = signature.pairsHigh;
    columns.charsLow[row] = signature.charsLow;
    columns.charsHigh[row] = signature.charsHigh;
  }

  #setDetail(row: number, detail: ReadingDetail | undefined): void {
    const columns = this.#columns;
    const old = columns.detail[row] ?? 0;
    if (detail === undefined && old === 0) return;
    if (hasTimeText(old)) this.#timeTexts.delete(columns.id[row] ?? 0);
    columns.detail[row] = detail === undefined ? 0 : this.#details.pack(detail);
    if (detail?.sourceTimeText !== undefined) this.#timeTexts.set(columns.id[row] ?? 0, detail.sourceTimeText);
  }

  #setExponent(row: number, exponent: number): void {
    const id = this.#columns.id[row] ?? 0;
    if (exponent !== 0) this.#exponents.set(id, exponent);
    else if (this.#exponents.size > 0) this.#exponents.delete(id);
  }

  /** Keeps `length` octets from `at` on. */
  #setRaw(row: number, octets: Uint8Array, at: number, length: number): void {
    const columns = this.#columns;
    const id = columns.id[row] ?? 0;
    if (columns.rawLength[row] === RAW_ELSEWHERE) this.#longRaw.delete(id);
    if (length > INLINE_OCTETS) {
      columns.rawLength[row] = RAW_ELSEWHERE;
      this.#longRaw.set(id, Uint8Array.from(octets.subarray(at, at + length)));
      return;
    }
    let low = 0;
    let high = 0;
    for (let i = 0; i < length; i++) {
      if (i < 4) low |= (octets[at + i] ?? 0) << (8 * i);
      else high |= (octets[at + i] ?? 0) << (8 * (i - 4));
    }
    columns.rawLow[row] = low;
    columns.rawHigh[row] = high;
    columns.rawLength[row] = length;
  }

  #rawHex(row: number): string {
    const columns = this.#columns;
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

  #compactTexts(): void {
    if (this.#texts.isSparse) this.#texts = this.#texts.copyOf(this.#columns.text.subarray(0, this.#size));
  }

  #forgetTexts(): void {
    this.#texts = new PointTexts();
    this.#pools = newPools();
    this.#rules = new ValueRules();
  }
}

type Pools = { readonly [Key in PointFieldsKept<'shared'>]: Key extends 'protocol' ? SettingsPool : TextPool };

function newPools(): Pools {
  const text = () => new TextPool();
  return { decode: text(), unit: text(), category: text(), item: text(), command_type: text(), protocol: new SettingsPool() };
}

const HEX = Array.from({ length: 256 }, (_, octet) => octet.toString(16).toUpperCase().padStart(2, '0'));

function flagsOf(bits: number): readonly string[] {
  return bits === 0 ? NO_FLAGS : QUALITY_FLAGS.filter((_, bit) => (bits & (1 << bit)) !== 0);
}

const NO_FLAGS: readonly string[] = [];

/** -1 stands for "none" in the columns. */
function notNegative(value: number | undefined): number | null {
  return value === undefined || value < 0 ? null : value;
}

/** NaN and the infinities stand for "none" in the columns. */
function numberOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
