import type { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig, Readings } from '../../drivers/spi/index.ts';
import { OctetReadings } from '../../drivers/spi/octet-readings.ts';
import { BLOCK_CAPACITY, ReadingBlock } from '../../drivers/spi/reading-block.ts';
import { ChangeCounter } from './change-counter.ts';
import { PointDeletions } from './point-deletions.ts';
import { PointPager } from './point-store-pager.ts';
import { CodeIndex } from './point-store-pools.ts';
import { PointRows } from './point-store-rows.ts';
import { stageRows } from './point-store-staging.ts';
import type { PointState, PointStore, TableChange, TableFilter, TablePage, TableSort, Visit, VisitTake } from './point-table.ts';
import { isReadAlike } from './reading-settings.ts';
import { NEVER } from './row-readings.ts';

/** Points that are taken in before other work gets its turn. */
const POINTS_A_TURN = 500;

/**
 * The point table of one channel in columns; about 250 octets a point with short Chinese names. Rows lie in id order.
 *
 * Readings: a value replaces value, text, octets, flags, time tag and quality, and clears the error. A failure keeps all of
 * these but sets the error and the quality: `invalid` for `DEVICE_*` codes; for all others `stale` where the value was good once, else the quality
 * stays, so that a point without any answer is `never`. `updatedAt` is the time of the value: a failure does not touch it. The alarm is not
 * kept: readers derive it from value and limits.
 *
 * A reading belongs to the settings it was planned for (reading-settings.ts). The reading revision rises when any point begins to be read
 * otherwise; such a point is `never` again and takes no reading that was planned before. With another device all points are `never` again.
 *
 * Pages: texts sort by code point with letter case ignored, qualities in the order of QUALITIES, a missing time before all
 * times; equal rows stand in id order, whatever the direction. An empty search, category or item filters nothing.
 */
export class ColumnPointStore implements PointStore {
  #rows = new PointRows();
  #codes = new CodeIndex();
  /** Text revision the codes were indexed at. */
  #codesRevision = 0;
  readonly #pager = new PointPager();
  #configRevision = 0;
  #valueRevision = 0;
  #readingRevision = 0;
  /** Points that lost a value by an edit, until somebody asks. */
  #renewed = new Set<number>();
  /** Row that was found last; readings mostly come in table order. */
  #lastRow = -1;
  /** Rows of values that come together, -1 for one that is not taken. */
  #foundRows = new Int32Array(BLOCK_CAPACITY);
  /** What comes is still read from a device that was left. */
  #isLeft = false;
  /** 1 for each row that was read while a change of the table is prepared; null while none is. */
  #touched: Uint8Array | null = null;
  readonly #changes: ChangeCounter;
  readonly #deletions = new PointDeletions();

  /** `changes`: shared by the tables of a project. */
  constructor(changes = new ChangeCounter()) {
    this.#changes = changes;
  }

  get size(): number {
    return this.#rows.size;
  }

  get configRevision(): number {
    return this.#configRevision;
  }

  get valueRevision(): number {
    return this.#valueRevision;
  }

  get readingRevision(): number {
    return this.#readingRevision;
  }

  get lastChange(): number {
    return this.#rows.readings.lastChange;
  }

  changedSince(change: number, types?: ReadonlySet<FrameType>): number[] {
    if (this.lastChange <= change) return [];
    const { id, changedAt, frame_type } = this.#rows.columns;
    const ids: number[] = [];
    for (let row = 0; row < this.#rows.size; row++) {
      if ((changedAt[row] as number) > change && (!types || types.has(frame_type[row] as FrameType))) ids.push(id[row] as number);
    }
    return ids;
  }

  isChangedSince(id: number, change: number): boolean {
    const row = this.#rowOf(id);
    return row >= 0 && (this.#rows.columns.changedAt[row] ?? 0) > change;
  }

  visit({ afterId, rows, change, readAt }: Visit, take: VisitTake): number | null {
    const { id, value, quality, updatedAt, changedAt } = this.#rows.columns;
    const { size } = this.#rows;
    let low = 0;
    for (let high = size; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((id[middle] as number) > afterId) high = middle;
      else low = middle + 1;
    }
    const end = Math.min(size, low + rows);
    for (let row = low; row < end; row++) {
      if ((changedAt[row] as number) <= change && !((updatedAt[row] as number) >= readAt)) continue;
      take(id[row] as number, value[row] as number, quality[row] as number, updatedAt[row] as number);
    }
    return end < size ? (id[end - 1] as number) : null;
  }

  deletedSince(change: number): number[] | null {
    return this.#deletions.since(change)?.filter((id) => this.#rowOf(id) < 0) ?? null;
  }

  config(id: number): PointConfig | undefined {
    const row = this.#rowOf(id);
    return row < 0 ? undefined : this.#rows.config(row);
  }

  state(id: number): PointState | undefined {
    const row = this.#rowOf(id);
    return row < 0 ? undefined : this.#rows.readings.state(row);
  }

  configs(from = 0, count = this.#rows.size): PointConfig[] {
    const length = Math.max(0, Math.min(count, this.#rows.size - from));
    return Array.from({ length }, (_, index) => this.#rows.config(from + index));
  }

  /** The id of the point with exactly this code. */
  byCode(code: string): number | undefined {
    if (this.#codesRevision !== this.#rows.textRevision) {
      this.#codes.rebuild(this.#rows.texts, this.#places());
      this.#codesRevision = this.#rows.textRevision;
    }
    const row = this.#codes.find(this.#rows.texts, this.#places(), code);
    return row < 0 ? undefined : this.#rows.columns.id[row];
  }

  /** Adds points that were never read; a point whose id is there already is updated. */
  add(points: Iterable<PointConfig>): void {
    const wasEmpty = this.#rows.size === 0;
    this.#beginChange();
    this.#append(points);
    if (wasEmpty) this.#rows.trim();
  }

  #append(points: Iterable<PointConfig>): void {
    const from = this.#rows.size;
    const areCodesCurrent = this.#codesRevision === this.#rows.textRevision;
    if (Array.isArray(points)) this.#rows.reserve(points.length);
    const readSince = this.#nextReadingRevision();
    let last = from === 0 ? Number.NEGATIVE_INFINITY : (this.#rows.columns.id[from - 1] ?? 0);
    let isAscending = true;
    for (const point of points) {
      if (point.id <= last) isAscending = false;
      last = point.id;
      this.#rows.push(point, readSince);
    }
    if (this.#rows.size === from) return;
    if (!isAscending) this.#restoreOrder();
    else if (areCodesCurrent) {
      this.#codes.extend(this.#rows.texts, this.#places(), from);
      this.#codesRevision = this.#rows.textRevision;
    }
    this.#configRevision += 1;
  }

  /** A table that nobody uses yet, with points in id order: taken in bit by bit, `breathe` between the bits. `count`: about so many. */
  static async load(
    points: Iterable<PointConfig>,
    count: number,
    breathe: () => Promise<void>,
    changes?: ChangeCounter,
  ): Promise<ColumnPointStore> {
    const store = new ColumnPointStore(changes);
    store.#beginChange();
    store.#rows.reserve(count);
    store.#codes.reserve(count);
    let part: PointConfig[] = [];
    for (const point of points) {
      part.push(point);
      if (part.length < POINTS_A_TURN) continue;
      store.#append(part);
      part = [];
      await breathe();
    }
    store.#append(part);
    store.#rows.trim();
    return store;
  }

  /** Replaces the settings of a point. Its state stays while it is read in the same way; an unknown id is ignored. */
  update(point: PointConfig): void {
    const row = this.#rowOf(point.id);
    if (row < 0) return;
    this.#beginChange();
    this.#replace(row, point, () => this.#nextReadingRevision());
    this.#configRevision += 1;
  }

  takeRenewed(): number[] {
    const ids = [...this.#renewed].filter((id) => this.#rowOf(id) >= 0);
    this.#renewed = new Set();
    return ids;
  }

  /** Removes points with their state; unknown ids are ignored. */
  remove(ids: readonly number[]): void {
    const leaving = new Set(ids);
    const { columns, size } = this.#rows;
    const kept = new Uint32Array(size);
    let count = 0;
    for (let row = 0; row < size; row++) if (!leaving.has(columns.id[row] ?? 0)) kept[count++] = row;
    if (count === size) return;
    this.#deletions.add(
      this.#changes.next(),
      ids.filter((id) => this.#rowOf(id) >= 0),
    );
    this.#rearrange(kept.subarray(0, count));
    this.#configRevision += 1;
  }

  async stage(change: TableChange, breathe: () => Promise<void>): Promise<() => void> {
    const revision = this.#configRevision;
    const old = this.#rows;
    const { rows, codes, sources, otherwise, changed } = await stageRows(old, change, breathe);
    const removed = change.removed.filter((id) => this.#rowOf(id) >= 0);
    // What was read is taken over beforehand as well; only what is read from now on is left for the step that shows the new table.
    const touched = new Uint8Array(old.size);
    this.#touched = touched;
    for (let start = 0; start < rows.size; start += POINTS_A_TURN) {
      rows.readings.take(old.readings, { rows: sources, start, end: Math.min(start + POINTS_A_TURN, rows.size), only: null });
      await breathe();
    }
    return () => {
      if (this.#configRevision !== revision || this.#touched !== touched) {
        throw new AppError('INTERNAL', say('runtime.table_changed'));
      }
      this.#touched = null;
      for (const row of otherwise) {
        if (old.columns.updatedAt[row] !== Number.NEGATIVE_INFINITY) this.#renewed.add(old.columns.id[row] ?? 0);
      }
      if (touched.includes(1)) rows.readings.take(old.readings, { rows: sources, start: 0, end: rows.size, only: touched });
      rows.readings.beginAt(this.#nextReadingRevision(), sources);
      const number = this.#changes.next();
      rows.readings.beginChange(number, old.readings.lastChange);
      for (const row of changed) rows.readings.mark(row);
      this.#deletions.add(number, removed);
      this.#rows = rows;
      this.#codes = codes;
      this.#codesRevision = rows.textRevision;
      this.#lastRow = -1;
      this.#pager.clear();
      this.#configRevision += 1;
    };
  }

  apply(readings: Readings, atWallMs: number, plannedAt = this.#readingRevision): void {
    if (this.#isLeft) return;
    this.#beginChange();
    if (readings instanceof ReadingBlock) {
      if (this.#findRows(readings.pointId, readings.length, plannedAt)) this.#rows.readings.setBlock(readings, this.#foundRows, atWallMs);
      return;
    }
    if (readings instanceof OctetReadings) {
      if (this.#findRows(readings.pointId, readings.length, plannedAt)) this.#rows.readings.setOctets(readings, this.#foundRows, atWallMs);
      return;
    }
    const { readSince } = this.#rows.columns;
    let changed = 0;
    for (const reading of readings) {
      const row = this.#rowOf(reading.pointId);
      if (row < 0 || (readSince[row] ?? 0) > plannedAt) continue;
      if (reading.kind === 'value') this.#rows.readings.setValue(row, reading, atWallMs);
      else this.#rows.readings.setFailure(row, reading);
      this.#touch(row);
      changed += 1;
    }
    if (changed > 0) this.#valueRevision += 1;
  }

  /** Finds the rows of values that are going to be taken in; false when there are none. */
  #findRows(ids: ArrayLike<number>, length: number, plannedAt: number): boolean {
    const { readSince } = this.#rows.columns;
    if (this.#foundRows.length < length) this.#foundRows = new Int32Array(2 * length);
    const rows = this.#foundRows;
    const { id } = this.#rows.columns;
    const { size } = this.#rows;
    let changed = 0;
    let row = this.#lastRow;
    for (let at = 0; at < length; at++) {
      // values mostly come in table order
      row = row + 1 < size && id[row + 1] === ids[at] ? row + 1 : this.#rowOf(ids[at] as number);
      const isTaken = row >= 0 && (readSince[row] as number) <= plannedAt;
      rows[at] = isTaken ? row : -1;
      if (!isTaken) continue;
      changed += 1;
      if (this.#touched) this.#touched[row] = 1;
    }
    if (changed > 0) this.#valueRevision += 1;
    return changed > 0;
  }

  isReadSince(id: number, plannedAt: number): boolean {
    const row = this.#rowOf(id);
    return !this.#isLeft && row >= 0 && (this.#rows.columns.readSince[row] ?? 0) <= plannedAt;
  }

  forgetSince(id: number, plannedAt: number): boolean {
    const row = this.#rowOf(id);
    const readSince = this.#rows.columns.readSince[row] ?? 0;
    if (row < 0 || readSince <= plannedAt) return false;
    this.#beginChange();
    this.#rows.readings.forget(row, readSince);
    this.#touch(row);
    this.#valueRevision += 1;
    return true;
  }

  get isLeft(): boolean {
    return this.#isLeft;
  }

  leaveDevice(): void {
    this.#isLeft = true;
    this.#beginChange();
    const { readSince } = this.#rows.columns;
    for (let row = 0; row < this.#rows.size; row++) {
      this.#rows.readings.forget(row, readSince[row] ?? 0);
      this.#touch(row);
    }
    this.#valueRevision += 1;
  }

  meetDevice(): void {
    this.#isLeft = false;
  }

  markAllStale(reason: Message): void {
    const { columns, size } = this.#rows;
    this.#beginChange();
    let changed = 0;
    for (let row = 0; row < size; row++) {
      if (columns.quality[row] === NEVER) continue;
      this.#rows.readings.setStale(row, reason);
      this.#touch(row);
      changed += 1;
    }
    if (changed > 0) this.#valueRevision += 1;
  }

  page(filter: TableFilter, sort: TableSort, order: 'asc' | 'desc', offset: number, limit: number): TablePage {
    return this.#pager.page(this.#rows, { filter, sort, order, offset, limit }, this.#configRevision, this.#valueRevision);
  }

  #beginChange(): void {
    this.#rows.readings.beginChange(this.#changes.next());
  }

  #touch(row: number): void {
    if (this.#touched) this.#touched[row] = 1;
  }

  #places(): Uint32Array {
    return this.#rows.columns.text.subarray(0, this.#rows.size);
  }

  /** Row of an id, or -1. */
  #rowOf(id: number): number {
    const ids = this.#rows.columns.id;
    const { size } = this.#rows;
    const next = this.#lastRow + 1;
    if (next < size && ids[next] === id) {
      this.#lastRow = next;
      return next;
    }
    let low = 0;
    let high = size - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = ids[middle] ?? 0;
      if (found === id) {
        this.#lastRow = middle;
        return middle;
      }
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** After points were added in any order: sorts the rows by id, and lets a repeated id take over its first row. */
  #restoreOrder(): void {
    const { columns, size } = this.#rows;
    const firstRow = new Map<number, number>();
    for (let row = 0; row < size; row++) {
      const id = columns.id[row] ?? 0;
      const first = firstRow.get(id);
      if (first === undefined) firstRow.set(id, row);
      else this.#replace(first, this.#rows.config(row), () => this.#readingRevision);
    }
    this.#rearrange(Uint32Array.from(firstRow.values()).sort((a, b) => (columns.id[a] ?? 0) - (columns.id[b] ?? 0)));
  }

  #replace(row: number, point: PointConfig, readSince: () => number): void {
    const isAlike = isReadAlike(this.#rows.config(row), point);
    this.#rows.replace(row, point);
    this.#rows.readings.mark(row);
    if (isAlike) return;
    if (this.#rows.columns.updatedAt[row] !== Number.NEGATIVE_INFINITY) this.#renewed.add(point.id);
    this.#rows.readings.forget(row, readSince());
  }

  #nextReadingRevision(): number {
    this.#readingRevision += 1;
    return this.#readingRevision;
  }

  #rearrange(rows: Uint32Array): void {
    this.#rows.keep(rows);
    this.#lastRow = -1;
    this.#pager.clear();
  }
}
