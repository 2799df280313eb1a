import { CodeIndex } from './point-store-pools.ts';
import { PointRows } from './point-store-rows.ts';
import type { TableChange } from './point-table.ts';
import { isReadAlike } from './reading-settings.ts';

/** Rows that are made before other work gets its turn. */
const ROWS_A_TURN = 500;

/** A table that is made beside the one in use, without what was read. */
export interface StagedRows {
  readonly rows: PointRows;
  readonly codes: CodeIndex;
  /** Row of the table in use whose readings each row takes over; -1 for one that begins anew. */
  readonly sources: Int32Array;
  /** Rows of the table in use whose points are read otherwise now. */
  readonly otherwise: readonly number[];
}

/** Makes the table that comes out of a change of another one, which must not be changed meanwhile. */
export async function stageRows(present: PointRows, change: TableChange, breathe: () => Promise<void>): Promise<StagedRows> {
  const removed = new Set(change.removed);
  const changed = new Map(change.changed.map((point) => [point.id, point]));
  const rows = new PointRows(present.textRevision + 1);
  const most = present.size + change.added.length;
  rows.reserve(most);
  const codes = new CodeIndex();
  codes.reserve(most);
  const sources = new Int32Array(most).fill(-1);
  const otherwise: number[] = [];
  const index = async () => {
    codes.extend(rows.texts, rows.columns.text.subarray(0, rows.size), indexed);
    indexed = rows.size;
    await breathe();
  };
  let indexed = 0;
  for (let row = 0; row < present.size; row++) {
    const id = present.columns.id[row] ?? 0;
    if (removed.has(id)) continue;
    const before = present.config(row);
    const point = changed.get(id) ?? before;
    if (point === before || isReadAlike(before, point)) sources[rows.size] = row;
    else otherwise.push(row);
    rows.push(point, 0);
    if (rows.size - indexed >= ROWS_A_TURN) await index();
  }
  for (const point of change.added) {
    rows.push(point, 0);
    if (rows.size - indexed >= ROWS_A_TURN) await index();
  }
  await index();
  rows.trim();
  return { rows, codes, sources: sources.subarray(0, rows.size), otherwise };
}
