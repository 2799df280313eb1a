import type { SeriesRepository, StoredSeries } from './repositories.ts';
import type { StoreFile } from './store-file.ts';

interface SeriesRow {
  readonly id: number;
  readonly name: string;
  readonly row_count: number;
}

interface ColumnRow {
  readonly series_id: number;
  readonly name: string;
  readonly gaps: number;
}

/** Files of recorded values: a row for the times, one for each column. */
export function seriesTable(file: StoreFile): SeriesRepository {
  const { db } = file;
  const list = db.prepare<[], SeriesRow>('SELECT id, name, row_count FROM series ORDER BY name');
  const listColumns = db.prepare<[], ColumnRow>('SELECT series_id, name, gaps FROM series_columns ORDER BY series_id, place');
  const find = db.prepare<[string], { readonly id: number; readonly times: Uint8Array }>('SELECT id, times FROM series WHERE name = ?');
  const columnsOf = db.prepare<[number], { readonly name: string; readonly numbers: Uint8Array }>(
    'SELECT name, numbers FROM series_columns WHERE series_id = ? ORDER BY place',
  );
  const remove = db.prepare<[string]>('DELETE FROM series WHERE name = ?');
  const insert = db.prepare<[string, number, Uint8Array]>('INSERT INTO series (name, row_count, times) VALUES (?, ?, ?)');
  const insertColumn = db.prepare<[number, number, string, number, Uint8Array]>(
    'INSERT INTO series_columns (series_id, place, name, gaps, numbers) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    list: () =>
      file.read(() => {
        const columns = Map.groupBy(listColumns.all(), ({ series_id }) => series_id);
        return list.all().map(({ id, name, row_count: rows }): StoredSeries => {
          return { name, rows, columns: (columns.get(id) ?? []).map((column) => ({ name: column.name, gaps: column.gaps })) };
        });
      }),
    read: (name) =>
      file.read(() => {
        const found = find.get(name);
        if (!found) return undefined;
        const columns = columnsOf.all(found.id).map((column): [string, Float64Array] => [column.name, doublesOf(column.numbers)]);
        return { times: doublesOf(found.times), columns: new Map(columns) };
      }),
    write: (name, { times, columns }) =>
      file.change(() => {
        remove.run(name);
        const id = Number(insert.run(name, times.length, octetsOf(times)).lastInsertRowid);
        for (const [place, [column, numbers]] of [...columns].entries()) {
          insertColumn.run(id, place, column, gapsIn(numbers), octetsOf(numbers));
        }
      }),
    remove: (name) => file.change(() => remove.run(name).changes > 0),
  };
}

/** In octets of their own: what SQLite answers may begin anywhere. */
function doublesOf(octets: Uint8Array): Float64Array {
  return new Float64Array(octets.slice().buffer);
}

function octetsOf(doubles: Float64Array): Uint8Array {
  return new Uint8Array(doubles.buffer, doubles.byteOffset, doubles.byteLength);
}

function gapsIn(numbers: Float64Array): number {
  let gaps = 0;
  for (const number of numbers) if (Number.isNaN(number)) gaps += 1;
  return gaps;
}
