import type Database from 'better-sqlite3';
import type { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { NormalPoint, PointConfig } from '../drivers/spi.ts';
import type { PointRepository, PointsChange } from './repositories.ts';
import { guarded, isForeignKeyViolation, isUniqueViolation } from './store-error.ts';

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

type Cell = string | number | null;

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

/** Rows that are fetched at once; between the fetches the file is free for changes. */
const CHUNK = 1_000;

/** The points table. */
export function pointRepository(path: string, db: Database.Database): PointRepository {
  const chunk = db.prepare<[number, number, number], PointRow>('SELECT * FROM points WHERE channel_id = ? AND id > ? ORDER BY id LIMIT ?');
  const count = db.prepare<[number], number>('SELECT count(*) FROM points WHERE channel_id = ?').pluck();
  const insert = db.prepare<Cell[]>(`INSERT INTO points (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`);
  const update = db.prepare<Cell[]>(
    `UPDATE points SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND channel_id = ?`,
  );
  const remove = db.prepare<[number, number]>('DELETE FROM points WHERE id = ? AND channel_id = ?');

  const insertAll = db.transaction((channelId: number, points: readonly NormalPoint[]): PointConfig[] =>
    points.map((point) => {
      const { lastInsertRowid } = named(channelId, point.code, () => insert.run(...toCells(channelId, point)));
      return { ...point, channelId, id: Number(lastInsertRowid) };
    }),
  );
  const removeAll = db.transaction((channelId: number, ids: ReadonlySet<number>): void => {
    for (const id of ids) requireOne(id, channelId, remove.run(id, channelId).changes);
  });

  const updateOne = (point: PointConfig): void => {
    const cells = toCells(point.channelId, point);
    const { changes } = named(point.channelId, point.code, () => update.run(...cells, point.id, point.channelId));
    requireOne(point.id, point.channelId, changes);
  };
  const changeAll = db.transaction((channelId: number, { removed, changed, added }: PointsChange): PointConfig[] => {
    removeAll(channelId, new Set(removed));
    for (const point of changed) updateOne(point);
    return insertAll(channelId, added);
  });

  return {
    iterate: (channelId) => iterate(path, channelId, chunk),
    count: (channelId) => guarded(path, () => count.get(channelId) ?? 0),
    add: (channelId, points) => guarded(path, () => insertAll.immediate(channelId, points)),
    update: (point) => guarded(path, () => updateOne(point)),
    remove: (channelId, ids) => guarded(path, () => removeAll.immediate(channelId, new Set(ids))),
    change: (channelId, change) => guarded(path, () => changeAll.immediate(channelId, change)),
  };
}

function* iterate(
  path: string,
  channelId: number,
  chunk: Database.Statement<[number, number, number], PointRow>,
): IterableIterator<PointConfig> {
  for (let last = 0; ; ) {
    const rows = guarded(path, () => chunk.all(channelId, last, CHUNK));
    for (const row of rows) yield guarded(path, () => fromRow(row));
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
    if (isForeignKeyViolation(thrown)) throw new AppError('CONFIG_NOT_FOUND', `There is no channel ${channelId}.`);
    throw thrown;
  }
}

function requireOne(id: number, channelId: number, changes: number): void {
  if (changes === 0) throw new AppError('CONFIG_NOT_FOUND', `There is no point ${id} in channel ${channelId}.`);
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

function fromRow(row: PointRow): PointConfig {
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
