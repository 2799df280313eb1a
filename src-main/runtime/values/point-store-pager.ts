import { runInTurns } from '../../platform/steps.ts';
import { Turns } from '../../platform/turns.ts';
import { RevisionCache } from './point-store-cache.ts';
import type { Columns } from './point-store-columns.ts';
import { filterQuality, filterRows, type SettingsFilter } from './point-store-filter.ts';
import { NumberOrder, orderedWindow, TextOrder, windowUpTo } from './point-store-order.ts';
import { rankSteps } from './point-store-ranks.ts';
import type { PointRows } from './point-store-rows.ts';
import type { TableFilter, TablePage, TableSort } from './point-table.ts';

/** Row numbers of remembered filters: four of a table of 100,000 points. */
const FILTER_WEIGHT = 400_000;
/** Ids of remembered pages. */
const PAGE_WEIGHT = 20_000;
/** A window that ends up to here is looked for again behind the key where it lay before. */
const NEAR_START = 500;
/** How many places behind the window that key is taken from: so many rows may leave the window before it has to be found anew. */
const RESERVE = 50;

/** Windows in text order that are worth no ranking of all rows. */
const COMPARED_WINDOWS = 2;

/** What a page is asked for. */
export interface PageQuery {
  readonly filter: TableFilter;
  readonly sort: TableSort;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

/** A remembered page, and for orders by a number the key a little behind it. */
interface KnownPage {
  readonly page: TablePage;
  readonly keyBehind: number | null;
}

/** Ranks of all rows by code or name, once they pay. */
interface TextRanks {
  readonly revision: number;
  /** Windows that were found by comparing texts. */
  compared: number;
  /** Null until they are made. */
  ranks: Uint32Array | null;
}

const UNRANKED = { revision: -1, compared: 0, ranks: null } as const;

/**
 * Answers pages of a table and remembers them as long as the revisions stand: the settings' one, and the values' one only
 * for filters and sorts that depend on values. What a filter asks of the settings is remembered apart, so that changing values
 * cost no second search.
 */
export class PointPager {
  readonly #filters = new RevisionCache<Uint32Array | null>(FILTER_WEIGHT);
  readonly #pages = new RevisionCache<KnownPage>(PAGE_WEIGHT);
  readonly #ranks: Record<'code' | 'name', TextRanks> = { code: { ...UNRANKED }, name: { ...UNRANKED } };

  page(rows: PointRows, query: PageQuery, configRevision: number, valueRevision: number): TablePage {
    const { sort, order } = query;
    const { quality, ...filter } = query.filter;
    const offset = Math.max(0, query.offset);
    const end = offset + Math.max(0, query.limit);
    const filterKey = keyOf(filter);
    if (filterKey === '' && quality === undefined && sort === 'id') return pageOf(rows, null, order, offset, end);
    const isByValue = quality !== undefined || sort === 'value' || sort === 'quality' || sort === 'updated_at';
    const compute = (outdated: KnownPage | undefined): KnownPage => {
      const found = filterKey === '' ? null : this.#filters.get(filterKey, `${configRevision}`, () => filterRows(rows, filter), weighRows);
      const listed = quality === undefined ? found : filterQuality(rows, found, quality);
      if (sort === 'id') return { page: pageOf(rows, listed, order, offset, end), keyBehind: null };
      return sortedPage(rows, listed, this.#orderOf(rows, listed, sort, order), { offset, end, keyBehind: outdated?.keyBehind ?? null });
    };
    const revision = isByValue ? `${configRevision}/${valueRevision}` : `${configRevision}`;
    return this.#pages.get(`${sort} ${order} ${offset} ${end} ${quality} ${filterKey}`, revision, compute, weighPage).page;
  }

  /** Forgets everything, when the rows were moved. */
  clear(): void {
    this.#filters.clear();
    this.#pages.clear();
    this.#ranks.code = { ...UNRANKED };
    this.#ranks.name = { ...UNRANKED };
  }

  #orderOf(rows: PointRows, listed: Uint32Array | null, sort: Exclude<TableSort, 'id'>, order: 'asc' | 'desc'): NumberOrder | TextOrder {
    const direction = order === 'asc' ? 1 : -1;
    const length = listed?.length ?? rows.size;
    if (sort !== 'code' && sort !== 'name') {
      return new NumberOrder({ column: numericColumn(rows.columns, sort), rows: listed, length }, direction);
    }
    const ranks = this.#ranksOf(rows, sort);
    if (ranks) return new NumberOrder({ column: ranks, rows: listed, length }, direction);
    return new TextOrder(rows.texts, placesOf(rows.columns, rows.size, listed), sort, direction);
  }

  /** The first windows after a change of texts are found by comparing; who goes on asking gets the rows ranked once, in turns, and windows by comparing until then. */
  #ranksOf(rows: PointRows, part: 'code' | 'name'): Uint32Array | null {
    if (this.#ranks[part].revision !== rows.textRevision) this.#ranks[part] = { ...UNRANKED, revision: rows.textRevision };
    const known = this.#ranks[part];
    if (known.compared === COMPARED_WINDOWS) {
      void this.#rank(known, rows, part);
    }
    known.compared += 1;
    return known.ranks;
  }

  async #rank(known: TextRanks, rows: PointRows, part: 'code' | 'name'): Promise<void> {
    const turns = new Turns();
    await turns.next();
    if (this.#ranks[part] !== known || known.revision !== rows.textRevision) return;
    // of texts that change meanwhile they are dropped with what they are for
    known.ranks = await runInTurns(rankSteps(rows.texts, rows.columns.text.subarray(0, rows.size), part), turns.breathe);
  }
}

/** Empty where nothing is filtered. */
function keyOf({ frameType, slaveId, search, category, item }: SettingsFilter): string {
  const isAsked = frameType !== undefined || slaveId !== undefined || search || category || item;
  return isAsked ? JSON.stringify([frameType, slaveId, search?.toLowerCase(), category, item]) : '';
}

function weighRows(rows: Uint32Array | null): number {
  return rows?.length ?? 0;
}

function weighPage({ page }: KnownPage): number {
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

interface SortedWindow {
  readonly offset: number;
  readonly end: number;
  /** Key behind this window at an earlier revision. */
  readonly keyBehind: number | null;
}

function sortedPage(rows: PointRows, listed: Uint32Array | null, order: NumberOrder | TextOrder, window: SortedWindow): KnownPage {
  const { offset, end, keyBehind } = window;
  const { id } = rows.columns;
  const toPage = (positions: Uint32Array): TablePage => ({
    total: order.length,
    ids: Array.from(positions, (position) => id[listed ? (listed[position] ?? 0) : position] ?? 0),
  });
  if (order instanceof TextOrder) return { page: toPage(orderedWindow(order, offset, end)), keyBehind: null };
  const quick = keyBehind === null ? null : windowUpTo(order, keyBehind, offset, end + RESERVE);
  const positions = quick ?? orderedWindow(order, offset, end + RESERVE);
  const behind = positions.at(-1);
  const isNearStart = behind !== undefined && end <= NEAR_START;
  return { page: toPage(positions.subarray(0, end - offset)), keyBehind: isNearStart ? order.key(behind) : null };
}

function numericColumn(columns: Columns, sort: Exclude<TableSort, 'id' | 'code' | 'name'>): Float64Array | Uint32Array | Uint8Array {
  switch (sort) {
    case 'address':
      return columns.address;
    case 'slave_id':
      return columns.slave_id;
    case 'frame_type':
      return columns.frame_type;
    case 'value':
      return columns.value;
    case 'quality':
      return columns.quality;
    case 'updated_at':
      return columns.updatedAt;
  }
}

function placesOf(columns: Columns, size: number, listed: Uint32Array | null): Uint32Array {
  return listed ? listed.map((row) => columns.text[row] ?? 0) : columns.text.subarray(0, size);
}
