import type Database from 'better-sqlite3';
import { ChannelSettings } from '#shared/contract/channels.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { ChannelRepository, StoredChannel } from './repositories.ts';
import { guarded, isUniqueViolation, storeError } from './store-error.ts';

/** Columns beside the id; the names are those of the contract. */
const COLUMNS = [
  'name',
  'protocol_type',
  'conn_type',
  'ip',
  'port',
  'com_port',
  'baud_rate',
  'data_bits',
  'stop_bits',
  'parity',
  'timeout_ms',
  'retries',
  'request_gap_ms',
  'max_gap',
  'address_base',
  'auto_reconnect',
  'auto_start',
  'read_only',
  'note',
  'protocol',
] as const satisfies readonly (keyof ChannelSettings)[];

type Cell = string | number | null;
type ChannelRow = Record<(typeof COLUMNS)[number], Cell> & { id: number };

/** The channels table. */
export function channelRepository(path: string, db: Database.Database): ChannelRepository {
  const list = db.prepare<[], ChannelRow>('SELECT * FROM channels ORDER BY id');
  const insert = db.prepare<Cell[]>(`INSERT INTO channels (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`);
  const update = db.prepare<Cell[]>(`UPDATE channels SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`);
  const remove = db.prepare<[number]>('DELETE FROM channels WHERE id = ?');
  const naming = <Result>(name: string, operation: () => Result): Result =>
    guarded(path, () => {
      try {
        return operation();
      } catch (thrown) {
        throw isUniqueViolation(thrown) ? new AppError('STATE_CONFLICT', `Channel name "${name}" is taken; choose another one.`) : thrown;
      }
    });
  const requireOne = (id: number, changes: number): void => {
    if (changes === 0) throw new AppError('CONFIG_NOT_FOUND', `There is no channel ${id}.`);
  };
  return {
    list: () => guarded(path, () => list.all().map((row) => fromRow(path, row))),
    add: (settings) =>
      naming(settings.name, () => {
        const { lastInsertRowid } = insert.run(...toCells(settings));
        return { ...settings, id: Number(lastInsertRowid) };
      }),
    update: (channel) => naming(channel.name, () => requireOne(channel.id, update.run(...toCells(channel), channel.id).changes)),
    remove: (id) => guarded(path, () => requireOne(id, remove.run(id).changes)),
  };
}

function toCells(settings: ChannelSettings): Cell[] {
  return COLUMNS.map((column) => {
    const value = settings[column];
    if (typeof value === 'boolean') return value ? 1 : 0;
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  });
}

/** Checked on the way in: what another program wrote into the file must not reach a device as a setting. */
function fromRow(path: string, row: ChannelRow): StoredChannel {
  const parsed = ChannelSettings.safeParse({
    ...row,
    auto_reconnect: row.auto_reconnect === 1,
    auto_start: row.auto_start === 1,
    read_only: row.read_only === 1,
    protocol: JSON.parse(String(row.protocol)),
  });
  if (parsed.success) return { ...parsed.data, id: row.id };
  const issue = parsed.error.issues[0];
  throw storeError(path, `channel ${row.id} has a setting that cannot be: ${issue?.path.join('.')} ${issue?.message}; open a backup`);
}
