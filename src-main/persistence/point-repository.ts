import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { NormalPoint, PointConfig } from '../drivers/spi/index.ts';
import type { ChannelSums } from './channel-sums.ts';
import { PointLoads } from './point-loads.ts';
import type { RemovedRows } from './removed-rows.ts';
import type { PointRepository } from './repositories.ts';
import { type Cell, RowSum } from './row-sum.ts';
import { isForeignKeyViolation, isUniqueViolation, storeError } from './store-error.ts';
import type { StoreFile } from './store-file.ts';

const COLUMNS = [
  'channel_id',
  'frame_type',
  'code',
  'name',
  'address',
  'slave_id',
  'func_code',
  'decode',
  'mul_coe',
  'add_coe',
  'unit',
  'min_limit',
  'max_limit',
  'bit',
  'reverse',
  'reference',
  'category',
  'item',
  'related_code',
  'command_type',
  'note',
  'protocol',
] as const;

interface PointRow {
  readonly id: number;
  readonly channel_id: number;
  readonly frame_type: FrameType;
  readonly code: string;
  readonly name: string;
  readonly address: number;
  readonly slave_id: number;
  readonly func_code: number | null;
  readonly decode: string;
  readonly mul_coe: number;
  readonly add_coe: number;
  readonly unit: string;
  readonly min_limit: number | null;
  readonly max_limit: number | null;
  readonly bit: number | null;
  readonly reverse: number;
  readonly reference: string;
  readonly category: string;
  readonly item: string;
  readonly related_code: string;
  readonly command_type: string;
  readonly note: string;
  readonly protocol: string;
}

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
  const chunk = db.prepare<[number, number, number], PointRow>('SELECT * FROM points WHERE channel_id = ? AND id > ? ORDER BY id LIMIT ?');
  const one = db.prepare<[number, number], PointRow>('SELECT * FROM points WHERE id = ? AND channel_id = ?');
  const count = db.prepare<[number], number>('SELECT count(*) FROM points WHERE channel_id = ?').pluck();
  const insert = db.prepare<Cell[]>(`INSERT INTO points (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`);
  const update = db.prepare<Cell[]>(
    `UPDATE points SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND channel_id = ?`,
  );
  const remove = db.prepare<[number, number]>('DELETE FROM points WHERE id = ? AND channel_id = ?');

  const present = (id: number, channelId: number): Cell[] => {
    const row = one.get(id, channelId);
    if (!row) throw new AppError('CONFIG_NOT_FOUND', `There is no point ${id} in channel ${channelId}.`);
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
      return { ...point, channelId, id };
    });
  };
  const removeAll = (channelId: number, ids: readonly number[], toggled: (readonly Cell[])[]): void => {
    for (const id of new Set(ids)) {
      toggled.push(present(id, channelId));
      remove.run(id, channelId);
    }
  };
  const updateOne = (point: PointConfig, toggled: (readonly Cell[])[]): void => {
    const cells = toCells(point.channelId, point);
    toggled.push(present(point.id, point.channelId), [point.id, ...cells]);
    named(point.channelId, point.code, () => update.run(...cells, point.id, point.channelId));
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
      rowOf: (point) => [point.id, ...toCells(point.channelId, point)],
      apply(channelId, { removed, changed, rows }) {
        const toggled: (readonly Cell[])[] = [];
        removeAll(channelId, removed, toggled);
        for (const point of changed) updateOne(point, toggled);
        for (const row of rows) {
          named(channelId, String(row[CODE_CELL]), () => insertWithId.run(...row));
          toggled.push(row);
        }
        sums.toggle(channelId, toggled);
      },
    },
    removedRows,
  );
  loads.recover();
  const rowsOf = (channelId: number) => rowsInChunks((last) => file.read(() => chunk.all(channelId, last, CHUNK)));

  return {
    *iterate(channelId) {
      loads.finish(channelId);
      if (!channelCells(channelId)) return;
      const { changes } = sums;
      const sum = new RowSum();
      for (const row of rowsOf(channelId)) {
        sum.toggle(cellsOf(row));
        yield file.read(() => fromRow(file.path, row));
      }
      const channel = channelCells(channelId);
      if (channel) sum.toggle(channel);
      if (channel && sums.changes === changes) sums.compare(channelId, sum);
    },
    count(channelId) {
      loads.finish(channelId);
      return channelCells(channelId) ? file.read(() => count.get(channelId) ?? 0) : 0;
    },
    add: (channelId, points) => change(channelId, (toggled) => insertAll(channelId, points, toggled)),
    update: (point) => change(point.channelId, (toggled) => updateOne(point, toggled)),
    remove: (channelId, ids) => change(channelId, (toggled) => removeAll(channelId, ids, toggled)),
    change: (channelId, { removed, changed, added }) =>
      change(channelId, (toggled) => {
        removeAll(channelId, removed, toggled);
        for (const point of changed) updateOne(point, toggled);
        return insertAll(channelId, added, toggled);
      }),
    prepare: (channelId, change, ...breathe) => loads.prepare(channelId, change, ...breathe),
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
      throw new AppError('STATE_CONFLICT', `Point code "${code}" is taken; codes are unique in their channel.`, { data: { code } });
    }
    throw isForeignKeyViolation(thrown) ? noChannel(channelId) : thrown;
  }
}

function noChannel(channelId: number): AppError {
  return new AppError('CONFIG_NOT_FOUND', `There is no channel ${channelId}.`);
}

/** The cells of a row in the order of the columns, its id first: what its checksum is made of. */
function cellsOf(row: PointRow): Cell[] {
  return [row.id, ...COLUMNS.map((column) => row[column])];
}

function toCells(channelId: number, point: NormalPoint): Cell[] {
  return [
    channelId,
    point.frameType,
    point.code,
    point.name,
    point.address,
    point.slaveId,
    point.funcCode,
    point.decode,
    point.mulCoe,
    point.addCoe,
    point.unit,
    point.minLimit,
    point.maxLimit,
    point.bit,
    point.reverse ? 1 : 0,
    point.reference,
    point.category,
    point.item,
    point.relatedCode,
    point.commandType,
    point.note,
    JSON.stringify(point.protocol),
  ];
}

/** A row that cannot be a point at all refuses the file; what else is not as it was stored, the checksum tells. */
function fromRow(path: string, row: PointRow): PointConfig {
  if (!FRAME_TYPES.has(row.frame_type)) throw storeError(path, `point ${row.id} has the frame type ${row.frame_type}; open a backup`);
  return {
    id: row.id,
    channelId: row.channel_id,
    frameType: row.frame_type,
    code: row.code,
    name: row.name,
    address: row.address,
    slaveId: row.slave_id,
    funcCode: row.func_code,
    decode: row.decode,
    mulCoe: row.mul_coe,
    addCoe: row.add_coe,
    unit: row.unit,
    minLimit: row.min_limit,
    maxLimit: row.max_limit,
    bit: row.bit,
    reverse: row.reverse === 1,
    reference: row.reference,
    category: row.category,
    item: row.item,
    relatedCode: row.related_code,
    commandType: row.command_type,
    note: row.note,
    protocol: JSON.parse(row.protocol) as Record<string, unknown>,
  };
}
