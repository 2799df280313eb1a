import { RevisionCache } from './point-store-cache.ts';
import type { Columns } from './point-store-columns.ts';
import { filterRows } from './point-store-filter.ts';
import { NumberOrder, orderedWindow, type PositionOrder, TextOrder } from './point-store-order.ts';
import type { PointRows } from './point-store-rows.ts';
import type { TableFilter, TablePage, TableSort } from './types.ts';

/** Row numbers of remembered filters: four of a table of 100,000 points. */
const FILTER_WEIGHT = 400_000;
/** Ids of remembered pages. */
const PAGE_WEIGHT = 20_000;

/** What a page is asked for. */
export interface PageQuery {
  readonly filter: TableFilter;
  readonly sort: TableSort;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

/**
 * Answers pages of a table and remembers them as long as the revisions stand: the settings' one, and the values' one only
 * for filters and sorts that depend on values.
 */
export class PointPager {
  readonly #filters = new RevisionCache<Uint32Array | null>(FILTER_WEIGHT);
  readonly #pages = new RevisionCache<TablePage>(PAGE_WEIGHT);

  page(rows: PointRows, query: PageQuery, configRevision: number, valueRevision: number): TablePage {
    const { filter, sort } = query;
    const offset = Math.max(0, query.offset);
    const end = offset + Math.max(0, query.limit);
    const filterKey = keyOf(filter);
    if (filterKey === '' && sort === 'id') return pageOf(rows, null, query.order, offset, end);
    const filterRevision = filter.quality === undefined ? `${configRevision}` : `${configRevision}/${valueRevision}`;
    const isByValue = sort === 'value' || sort === 'quality' || sort === 'updated_at';
    const find = () => this.#filters.get(filterKey, filterRevision, () => filterRows(rows, filter), weighRows);
    if (sort === 'id') return pageOf(rows, find(), query.order, offset, end);
    return this.#pages.get(
      `${sort} ${query.order} ${offset} ${end} ${filterKey}`,
      isByValue ? `${configRevision}/${valueRevision}` : filterRevision,
      () => sortedPage(rows, filterKey === '' ? null : find(), sort, query.order, offset, end),
      weighPage,
    );
  }

  /** Forgets everything, when the rows were moved. */
  clear(): void {
    this.#filters.clear();
    this.#pages.clear();
  }
}

/** Empty where nothing is filtered. */
function keyOf(filter: TableFilter): string {
  const { frameType, slaveId, search, quality, category, item } = filter;
  const asked = frameType !== undefined || slaveId !== undefined || quality !== undefined || search || category || item;
  return asked ? JSON.stringify([frameType, slaveId, quality, search?.toLowerCase(), category, item]) : '';
}

function weighRows(rows: Uint32Array | null): number {
  return rows?.length ?? 0;
}

function weighPage(page: TablePage): number {
  return page.ids.length + 10;
}

/** A page in id order; `listed` null stands for all rows. */
function pageOf(rows: PointRows, listed: Uint32Array | null, order: 'asc' | 'desc', offset: number, end: number): TablePage {
  const total = listed?.length ?? rows.size;
  const ids: number[] = [];
  for (let place = offset; place < Math.min(end, total); place++) {
    const index = order === 'asc' ? place : total - 1 - place;
    ids.push(rows.columns.id[listed ? (listed[index] ?? 0) : index] ?? 0);
  }
  return { total, ids };
}

function sortedPage(
  rows: PointRows,
  listed: Uint32Array | null,
  sort: Exclude<TableSort, 'id'>,
  order: 'asc' | 'desc',
  offset: number,
  end: number,
): TablePage {
  const total = listed?.length ?? rows.size;
  const { columns } = rows;
  const direction = order === 'asc' ? 1 : -1;
  const positions: PositionOrder =
    sort === 'code' || sort === 'name'
      ? new TextOrder(rows.texts, placesOf(columns, rows.size, listed), sort, direction)
      : new NumberOrder(keysOf(numericColumn(columns, sort), total, listed, direction));
  const window = orderedWindow(positions, offset, end);
  return { total, ids: Array.from(window, (position) => columns.id[listed ? (listed[position] ?? 0) : position] ?? 0) };
}

function numericColumn(columns: Columns, sort: Exclude<TableSort, 'id' | 'code' | 'name'>): Float64Array | Uint32Array | Uint8Array {
  switch (sort) {
    case 'address':
      return columns.address;
    case 'slave_id':
      return columns.slaveId;
    case 'frame_type':
      return columns.frameType;
    case 'value':
      return columns.value;
    case 'quality':
      return columns.quality;
    case 'updated_at':
      return columns.updatedAt;
  }
}

/** Keys that sort upwards in either direction. */
function keysOf(column: ArrayLike<number>, total: number, listed: Uint32Array | null, direction: 1 | -1): Float64Array {
  const keys = new Float64Array(total);
  for (let i = 0; i < total; i++) keys[i] = direction * (column[listed ? (listed[i] as number) : i] as number);
  return keys;
}

function placesOf(columns: Columns, size: number, listed: Uint32Array | null): Uint32Array {
  return listed ? listed.map((row) => columns.text[row] ?? 0) : columns.text.subarray(0, size);
}
