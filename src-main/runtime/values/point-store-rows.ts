import type { FrameType } from '#shared/domain/enums.ts';
import type { PointFieldsKept } from '#shared/domain/point-fields.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { ValueRules } from './engineering-value.ts';
import { allocateColumns, type Columns, gatherColumns, numberOrNull, resizeColumns } from './point-store-columns.ts';
import { SettingsPool, TextPool } from './point-store-pools.ts';
import { signatureOf } from './point-store-signature.ts';
import { PointTexts, type TextSpan } from './point-store-texts.ts';
import { RowReadings } from './row-readings.ts';

/** Settings of points by row, over columns that hold what was read as well; rows are filled from 0 without gaps. */
export class PointRows {
  #columns: Columns = allocateColumns(0);
  #size = 0;
  #texts = new PointTexts();
  #pools = newPools();
  #rules = new ValueRules();
  #textRevision: number;
  /** What was read of the rows. */
  readonly readings = new RowReadings(this);

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

  /** What makes values of raw numbers, by the column `rule`. */
  get rules(): ValueRules {
    return this.#rules;
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
    if (needed <= this.#columns.capacity) return;
    this.#columns = resizeColumns(this.#columns, this.#size, needed + (this.#size >>> 3));
    this.#texts.reserve(this.#columns.capacity - this.#size);
  }

  /** Adds a row that was never read; readings planned before `readSince` are not its own. */
  push(point: PointConfig, readSince: number): void {
    this.reserve(1);
    const row = this.#size;
    this.#size += 1;
    this.#textRevision += 1;
    this.#write(row, point);
    this.readings.forget(row, readSince);
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
      this.readings.drop(row);
    }
    this.#columns = gatherColumns(old, rows);
    this.#textRevision += 1;
    this.#size = rows.length;
    if (rows.length === 0) this.#forgetTexts();
    else this.#compactTexts();
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

/** -1 stands for "none" in the columns. */
function notNegative(value: number | undefined): number | null {
  return value === undefined || value < 0 ? null : value;
}
