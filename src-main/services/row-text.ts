import { english } from '#shared/messages/index.ts';
import type { Turns } from '../platform/turns.ts';
import type { PointState, PointStore } from '../runtime/values/point-table.ts';
import { JsonTime } from './json-time.ts';
import { alarmOf, detailFields, NEVER_READ, type PointTexts, pointTextsOf, valueTextOf } from './rows.ts';

/** Rows whose settings are kept as text: what a few screens look at, about a mebibyte. */
const KEPT_ROWS = 1500;
/** Larger pages are exports, which would push out what the screens look at. */
const KEPT_PAGE = 500;
/** Rows of one piece of a page of an export. */
const ROWS_A_PIECE = 100;

/** Settings of a row as the beginning of its JSON text, for one revision of its table. */
interface RowHead {
  /** Number of the table; a reference would keep the points of a closed project in memory. */
  readonly table: number;
  readonly revision: number;
  readonly text: string;
  readonly min_limit: number | null;
  readonly max_limit: number | null;
  readonly texts: PointTexts | null;
}

/** What the protocol told beside the value, as further members; few rows have any. */
function detailText(detail: PointState['detail']): string {
  return detail === null ? '' : `,${JSON.stringify(detailFields(detail)).slice(1, -1)}`;
}

/**
 * Writes pages of the point table as JSON text. A screen asks for the same page again and again while only values change, so the settings of
 * a row are turned into text once; the text equals what `pointRow` and `JSON.stringify` make.
 */
export class RowTexts {
  readonly #heads = new Map<number, RowHead>();
  /** Rows of the last page that were not kept: a second look in a row keeps them, leafing through a table does not. */
  #seen = new Set<number>();
  readonly #tables = new WeakMap<PointStore, number>();
  #lastTable = 0;
  readonly #time = new JsonTime();

  /** The JSON list of these points; ids that are gone meanwhile are left out. */
  list(points: PointStore, ids: readonly number[]): string {
    const table = this.#tableOf(points);
    const seen = this.#seen;
    this.#seen = new Set();
    return `[${this.#rows(points, table, ids, ids.length <= KEPT_PAGE && seen)}]`;
  }

  /** The same in pieces, those of a long list made in turns. A point that is edited meanwhile is told as it is then. */
  async pieces(points: PointStore, ids: readonly number[], turns: Pick<Turns, 'next' | 'breathe'>): Promise<string[]> {
    if (ids.length <= KEPT_PAGE) return [this.list(points, ids)];
    const table = this.#tableOf(points);
    const pieces = ['['];
    // several callers may ask in one turn
    await turns.next();
    for (let from = 0; from < ids.length; from += ROWS_A_PIECE) {
      const text = this.#rows(points, table, ids.slice(from, from + ROWS_A_PIECE), false);
      if (text !== '') pieces.push(pieces.length === 1 ? text : `,${text}`);
      await turns.breathe();
    }
    return [...pieces, ']'];
  }

  /** One row, apart from the pages that screens look at; null: the point is gone. */
  row(points: PointStore, id: number): string | null {
    const head = this.#head(points, this.#tableOf(points), id, false);
    return head && this.#row(head, points, id);
  }

  #rows(points: PointStore, table: number, ids: readonly number[], seen: ReadonlySet<number> | false): string {
    const rows: string[] = [];
    for (const id of ids) {
      const head = this.#head(points, table, id, seen);
      if (head) rows.push(this.#row(head, points, id));
    }
    // put together once: a text that grows by each row keeps every piece of every row in memory
    return rows.join(',');
  }

  #row(head: RowHead, points: PointStore, id: number): string {
    const state = points.state(id) ?? NEVER_READ;
    const value = Number.isFinite(state.value) ? state.value : null;
    const said = valueTextOf(state, head.texts);
    const valueText = said === '' ? '""' : JSON.stringify(said);
    const flags = state.flags.length === 0 ? '[]' : JSON.stringify(state.flags);
    const error =
      state.error === null
        ? '"error":null'
        : `"error":${JSON.stringify(english(state.error))},"error_message":${JSON.stringify(state.error)}`;
    const exponent = state.exponent === undefined ? '' : `,"exponent":${state.exponent}`;
    return (
      `${head.text},"value":${value},"raw_hex":"${state.rawHex}","value_text":${valueText},"quality":"${state.quality}","flags":${flags},` +
      `"source_time":${this.#time.of(state.sourceTime)},"updated_at":${this.#time.of(state.updatedAt)},"alarm":"${alarmOf(head, state)}",${error}${exponent}${detailText(state.detail)}}`
    );
  }

  #tableOf(points: PointStore): number {
    const known = this.#tables.get(points);
    if (known !== undefined) return known;
    this.#lastTable += 1;
    this.#tables.set(points, this.#lastTable);
    return this.#lastTable;
  }

  #head(points: PointStore, table: number, id: number, seen: ReadonlySet<number> | false): RowHead | null {
    const kept = this.#heads.get(id);
    if (kept && kept.table === table && kept.revision === points.configRevision) return kept;
    const point = points.config(id);
    if (!point) return null;
    const { min_limit: minLimit, max_limit: maxLimit } = point;
    const head: RowHead = {
      table,
      revision: points.configRevision,
      text: JSON.stringify(point).slice(0, -1),
      min_limit: minLimit,
      max_limit: maxLimit,
      texts: pointTextsOf(point),
    };
    if (seen && (kept || seen.has(id))) this.#keep(id, head);
    else if (seen) this.#seen.add(id);
    return head;
  }

  #keep(id: number, head: RowHead): void {
    this.#heads.delete(id);
    this.#heads.set(id, head);
    if (this.#heads.size <= KEPT_ROWS) return;
    const oldest = this.#heads.keys().next();
    if (!oldest.done) this.#heads.delete(oldest.value);
  }
}
