import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { likeRecords } from '#shared/domain/like-records.ts';
import {
  POINT_FIELD_KEYS,
  POINT_FIELDS,
  type PointField,
  type PointFieldKey,
  type PointFieldKind,
  type PointSettings,
  pointFieldsWhere,
} from '#shared/domain/point-fields.ts';
import { say } from '#shared/messages/index.ts';
import type { NormalPoint, PointConfig } from '../drivers/spi/index.ts';
import type { ChannelSums } from './channel-sums.ts';
import { PointLoads } from './point-loads.ts';
import { withPending } from './point-overlay.ts';
import type { RemovedRows } from './removed-rows.ts';
import type { PointRepository } from './repositories.ts';
import { type Cell, RowSum } from './row-sum.ts';
import { isForeignKeyViolation, isUniqueViolation, storeError } from './store-error.ts';
import type { StoreFile } from './store-file.ts';

/** Columns of the table in the order of its cells and of its checksums. */
const COLUMNS = ['channel_id', ...POINT_FIELD_KEYS] as const;

/** Named here, and not as the file has it: SQLite finds a column whatever the case of its name, which damage may have changed. */
const SELECTED = ['id', ...COLUMNS].map((column) => `"${column}" AS "${column}"`).join(', ');
const makeRow = likeRecords(['id', ...COLUMNS]);

type PointRow = { readonly id: number; readonly channel_id: number } & { readonly [Key in PointFieldKey]: CellOf<PointSettings[Key]> };
type CellOf<Value> = Value extends boolean ? number : Value extends object ? string : Value;

const FRAME_TYPES: ReadonlySet<number> = new Set(Object.values(FrameType));

/** Place of the code in a row with its id. */
const CODE_CELL = 1 + COLUMNS.indexOf('code');

/** Rows that are fetched at once; between the fetches the file is free for changes. */
const CHUNK = 1_000;

/** The points table. `channelCells` answers the row of a channel, which its checksum covers as well. */
export function pointRepository(
  file: StoreFile,
  sums: ChannelSums,
  removedRows: RemovedRows,
  channelCells: (id: number) => Cell[] | null,
): PointRepository {
  const { db } = file;
  const chunk = db.prepare<[number, number, number], PointRow>(
    `SELECT ${SELECTED} FROM points WHERE channel_id = ? AND id > ? ORDER BY id LIMIT ?`,
  );
  const one = db.prepare<[number, number], PointRow>(`SELECT ${SELECTED} FROM points WHERE id = ? AND channel_id = ?`);
  const count = db.prepare<[number], number>('SELECT count(*) FROM points WHERE channel_id = ?').pluck();
  const insert = db.prepare<Cell[]>(`INSERT INTO points (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`);
  const update = db.prepare<Cell[]>(
    `UPDATE points SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND channel_id = ?`,
  );
  const remove = db.prepare<[number, number]>('DELETE FROM points WHERE id = ? AND channel_id = ?');

  const present = (id: number, channelId: number): Cell[] => {
    const row = one.get(id, channelId);
    if (!row) throw new AppError('CONFIG_NOT_FOUND', say('store.no_point', { point: id, channel: channelId }));
    return cellsOf(row);
  };
  const insertWithId = db.prepare<Cell[]>(
    `INSERT INTO points (id, ${COLUMNS.join(', ')}) VALUES (?, ${COLUMNS.map(() => '?').join(', ')})`,
  );
  const insertAll = (channelId: number, points: readonly NormalPoint[], toggled: (readonly Cell[])[]): PointConfig[] => {
    // what is left of a removed channel may still have its codes
    if (points.length > 0 && !channelCells(channelId)) throw noChannel(channelId);
    return points.map((point) => {
      const cells = toCells(channelId, point);
      const id = Number(named(channelId, point.code, () => insert.run(...cells)).lastInsertRowid);
      toggled.push([id, ...cells]);
      return { ...point, channel_id: channelId, id };
    });
  };
  const removeAll = (channelId: number, ids: readonly number[], toggled: (readonly Cell[])[]): void => {
    for (const id of new Set(ids)) {
      toggled.push(present(id, channelId));
      remove.run(id, channelId);
    }
  };
  const insertRow = (channelId: number, row: readonly Cell[], toggled: (readonly Cell[])[]): void => {
    named(channelId, String(row[CODE_CELL]), () => insertWithId.run(...row));
    toggled.push(row);
  };
  const updateOne = (point: PointConfig, toggled: (readonly Cell[])[]): void => {
    const cells = toCells(point.channel_id, point);
    toggled.push(present(point.id, point.channel_id), [point.id, ...cells]);
    named(point.channel_id, point.code, () => update.run(...cells, point.id, point.channel_id));
  };
  /** One change with the checksum of the rows that it takes out and in. */
  const change = <Result>(channelId: number, operation: (toggled: (readonly Cell[])[]) => Result): Result => {
    loads.finish(channelId);
    return file.change(() => {
      const toggled: (readonly Cell[])[] = [];
      const result = operation(toggled);
      sums.toggle(channelId, toggled);
      return result;
    });
  };
  const loads = new PointLoads(
    file,
    {
      rowOf,
      isRow,
      pointOf: (row) => fromRow(file.path, makeRow((_, index) => row[index]) as unknown as PointRow),
      apply(channelId, { removed, changed, rows }) {
        const toggled: (readonly Cell[])[] = [];
        removeAll(channelId, removed, toggled);
        for (const point of changed) updateOne(point, toggled);
        for (const row of rows) insertRow(channelId, row, toggled);
        sums.toggle(channelId, toggled);
      },
    },
    removedRows,
  );
  loads.recover();
  const rowsOf = (channelId: number) => rowsInChunks((last) => file.read(() => chunk.all(channelId, last, CHUNK)));

  /** The rows of the table as they lie in it, compared with their checksum when all were read. */
  function* compared(channelId: number): IterableIterator<PointConfig> {
    const { changes } = sums;
    const sum = new RowSum();
    for (const row of rowsOf(channelId)) {
      sum.toggle(cellsOf(row));
      yield file.read(() => fromRow(file.path, row));
    }
    const channel = channelCells(channelId);
    if (channel) sum.toggle(channel);
    if (channel && sums.changes === changes) sums.compare(channelId, sum);
  }

  return {
    *iterate(channelId) {
      const pending = loads.pending(channelId);
      if (channelCells(channelId)) yield* pending.length > 0 ? withPending(compared(channelId), pending) : compared(channelId);
    },
    count(channelId) {
      const pending = loads.pending(channelId);
      if (!channelCells(channelId)) return 0;
      const rows = file.read(() => count.get(channelId) ?? 0);
      return pending.reduce((sum, { added, removed }) => sum + added.length - removed.length, rows);
    },
    add: (channelId, points) => change(channelId, (toggled) => insertAll(channelId, points, toggled)),
    update: (point) => change(point.channel_id, (toggled) => updateOne(point, toggled)),
    remove: (channelId, ids) => change(channelId, (toggled) => removeAll(channelId, ids, toggled)),
    change: (channelId, { removed, changed, added, restored = [] }) =>
      change(channelId, (toggled) => {
        removeAll(channelId, removed, toggled);
        for (const point of changed) updateOne(point, toggled);
        for (const point of restored) insertRow(channelId, rowOf(point), toggled);
        return insertAll(channelId, added, toggled);
      }),
    prepare: (channelId, change, ...breathe) => loads.prepare(channelId, change, ...breathe),
    lastId: () => loads.lastId,
    settle: (channelId, breathe) => loads.settle(channelId, breathe),
    accept(channelId) {
      loads.finish(channelId);
      file.change(() => {
        const sum = new RowSum();
        for (const row of rowsOf(channelId)) sum.toggle(cellsOf(row));
        sum.toggle(channelCells(channelId) ?? []);
        sums.accept(channelId, sum);
      });
      sums.settled(channelId);
    },
  };
}

function* rowsInChunks(read: (last: number) => PointRow[]): IterableIterator<PointRow> {
  for (let last = 0; ; ) {
    const rows = read(last);
    yield* rows;
    if (rows.length < CHUNK) return;
    last = rows.at(-1)?.id ?? 0;
  }
}

function named<Result>(channelId: number, code: string, operation: () => Result): Result {
  try {
    return operation();
  } catch (thrown) {
    if (isUniqueViolation(thrown)) {
      throw new AppError('STATE_CONFLICT', say('store.code_taken', { code }), { data: { code } });
    }
    throw isForeignKeyViolation(thrown) ? noChannel(channelId) : thrown;
  }
}

function noChannel(channelId: number): AppError {
  return new AppError('CONFIG_NOT_FOUND', say('store.no_channel', { id: channelId }));
}

/** The cells of a row in the order of the columns, its id first: what its checksum is made of. */
function cellsOf(row: PointRow): Cell[] {
  return [row.id, ...COLUMNS.map((column) => row[column])];
}

function toCells(channelId: number, point: NormalPoint): Cell[] {
  const cells: Cell[] = [channelId];
  for (const key of POINT_FIELD_KEYS) cells.push(toCell(point[key]));
  return cells;
}

/** The row of a point, its id first. */
function rowOf(point: PointConfig): Cell[] {
  return [point.id, ...toCells(point.channel_id, point)];
}

/** Fields that SQLite has no type for: 1 and 0 stand for yes and no, JSON for an object. */
const FLAGS = pointFieldsWhere(({ kind }) => kind.is === 'yesNo');
const OBJECTS = pointFieldsWhere(({ kind }) => kind.is === 'settings');

function toCell(value: NormalPoint[PointFieldKey]): Cell {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

const IS_CELL: Readonly<Record<PointFieldKind['is'], (cell: unknown) => boolean>> = {
  type: Number.isSafeInteger,
  whole: Number.isSafeInteger,
  yesNo: Number.isSafeInteger,
  number: Number.isFinite,
  text: (cell) => typeof cell === 'string',
  decode: (cell) => typeof cell === 'string',
  settings: (cell) => typeof cell === 'string' && cell.startsWith('{'),
};

/** True for cells that the table takes; whether they are what was stored, the checksum tells. */
function isRow([id, channel, ...cells]: readonly unknown[]): boolean {
  if (!Number.isSafeInteger(id) || !Number.isSafeInteger(channel) || cells.length !== POINT_FIELD_KEYS.length) return false;
  return POINT_FIELD_KEYS.every((key, at) => {
    const { kind, isNullable }: PointField = POINT_FIELDS[key];
    return cells[at] === null ? isNullable === true : IS_CELL[kind.is](cells[at]);
  });
}

/** A row that cannot be a point at all refuses the file; what else is not as it was stored, the checksum tells. */
function fromRow(path: string, row: PointRow): PointConfig {
  if (!FRAME_TYPES.has(row.frame_type)) throw storeError(path, say('store.wrong_frame_type', { point: row.id, type: row.frame_type }));
  const point: Record<string, unknown> = { ...row };
  for (const key of FLAGS) point[key] = row[key] === 1;
  for (const key of OBJECTS) point[key] = JSON.parse(String(row[key]));
  return point as unknown as PointConfig;
}
