import { ChannelSettings } from '#shared/contract/channels.ts';
import { AppError, issueMessage } from '#shared/domain/errors.ts';
import { FieldWords } from '#shared/messages/field-words.ts';
import { say } from '#shared/messages/index.ts';
import type { ChannelSums } from './channel-sums.ts';
import type { RemovedRows } from './removed-rows.ts';
import type { ChannelRepository, StoredChannel } from './repositories.ts';
import { type Cell, RowSum } from './row-sum.ts';
import { isUniqueViolation, storeError } from './store-error.ts';
import type { StoreFile } from './store-file.ts';

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
  'group',
] as const satisfies readonly (keyof ChannelSettings)[];

/** Named here, and not as the file has it: SQLite finds a column whatever the case of its name, which damage may have changed. */
const SELECTED = ['id', ...COLUMNS].map((column) => `"${column}" AS "${column}"`).join(', ');

/** For SQL, which has a word `group` of its own. */
const NAMES = COLUMNS.map((column) => `"${column}"`);

type ChannelRow = Record<(typeof COLUMNS)[number], Cell> & { id: number };

/** The channels table, and the rows that the checksums of the channels begin with. */
export function channelRepository(
  file: StoreFile,
  sums: ChannelSums,
  removedRows: RemovedRows,
): ChannelRepository & { cells(id: number): Cell[] | null } {
  const { db, path } = file;
  const list = db.prepare<[], ChannelRow>(`SELECT ${SELECTED} FROM channels ORDER BY id`);
  const one = db.prepare<[number], ChannelRow>(`SELECT ${SELECTED} FROM channels WHERE id = ?`);
  const insert = db.prepare<Cell[]>(`INSERT INTO channels (${NAMES.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`);
  const update = db.prepare<Cell[]>(`UPDATE channels SET ${NAMES.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`);
  const naming = <Result>(name: string, operation: () => Result): Result => {
    try {
      return operation();
    } catch (thrown) {
      throw isUniqueViolation(thrown) ? new AppError('STATE_CONFLICT', say('store.name_taken', { name })) : thrown;
    }
  };
  const present = (id: number): Cell[] => {
    const row = one.get(id);
    if (!row) throw new AppError('CONFIG_NOT_FOUND', say('store.no_channel', { id }));
    return cellsOf(row);
  };
  return {
    list: () =>
      file.read(() =>
        list
          .all()
          .filter(isKnown)
          .map((row) => fromRow(path, row)),
      ),
    unknown: () =>
      file.read(() => {
        const rows = list.all().filter((row) => !isKnown(row));
        return rows.map(({ id, name, protocol_type }) => ({ id, name: String(name), protocol: Number(protocol_type) }));
      }),
    cells: (id) =>
      file.read(() => {
        const row = one.get(id);
        return row ? cellsOf(row) : null;
      }),
    add: (settings) =>
      file.change(() => {
        const cells = toCells(settings);
        const id = Number(naming(settings.name, () => insert.run(...cells)).lastInsertRowid);
        const sum = new RowSum();
        sum.toggle(summed([id, ...cells]));
        sums.accept(id, sum);
        return { ...settings, id };
      }),
    update: (channel) =>
      file.change(() => {
        const cells = toCells(channel);
        const before = present(channel.id);
        naming(channel.name, () => update.run(...cells, channel.id));
        sums.toggle(channel.id, [before, summed([channel.id, ...cells])]);
      }),
    remove(id, breathe) {
      file.read(() => present(id));
      removedRows.removeChannel(id);
      sums.settled(id);
      void removedRows.sweep(breathe);
    },
  };
}

function isKnown({ protocol_type }: ChannelRow): boolean {
  return ChannelSettings.shape.protocol_type.safeParse(protocol_type).success;
}

function cellsOf(row: ChannelRow): Cell[] {
  return summed([row.id, ...COLUMNS.map((column) => row[column])]);
}

/** The cells of a channel that its checksum is made of: sums from before there were groups hold for channels without one. */
function summed(cells: Cell[]): Cell[] {
  return cells.at(-1) === '' ? cells.slice(0, -1) : cells;
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
  const words = new FieldWords();
  const stored = {
    ...row,
    auto_reconnect: row.auto_reconnect === 1,
    auto_start: row.auto_start === 1,
    read_only: row.read_only === 1,
    protocol: JSON.parse(String(row.protocol)),
  };
  const parsed = ChannelSettings.safeParse(stored, words.options);
  if (parsed.success) return { ...parsed.data, id: row.id };
  const [first] = parsed.error.issues.map((issue) => words.issue(issue.path.join('.'), issue));
  const wrong = { place: first?.path ?? '', message: first ? issueMessage(first) : '' };
  throw storeError(path, say('store.wrong_setting', { channel: Number(row.id), ...wrong }));
}
