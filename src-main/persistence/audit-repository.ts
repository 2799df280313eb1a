import type { AuditEntry } from '#shared/contract/events.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { AuditRepository, NewAudit } from './repositories.ts';
import type { SetpointTable } from './setpoint-table.ts';
import { storedObject } from './store-error.ts';
import type { StoreFile } from './store-file.ts';

/** Old entries that go with one change at most, so that none holds the thread; the rest goes with the next ones. */
const GIVEN_WAY_AT_ONCE = 2000;

/** A row of the table: an operation as JSON, and NULL nowhere else than there and in `value`, `closed_at`, `detail_message`, `check_session` and `caller`. */
type AuditRow = Omit<AuditEntry, 'operation' | 'point_id' | 'frame_type' | 'detail_message' | 'check_session' | 'caller'> & {
  readonly caller: string | null;
  readonly check_session: string | null;
  readonly operation: string | null;
  readonly detail_message: string | null;
  readonly point_id: number;
  readonly frame_type: 0 | 1 | 2 | 3;
};

/**
 * The audit table. An entry is made before its write is sent; when the program is killed before the outcome is known it stays
 * `open`, for ever: nobody can say later what the device did.
 */
export function auditRepository(file: StoreFile, setpoints: SetpointTable): AuditRepository {
  const open = file.db.prepare<Omit<AuditRow, 'id' | 'closed_at' | 'outcome' | 'detail' | 'detail_message'>>(
    `INSERT INTO audit (at, channel_id, channel_name, point_id, frame_type, code, operation, step, value, source, caller, outcome, detail, check_session)
     VALUES (@at, @channel_id, @channel_name, @point_id, @frame_type, @code, @operation, @step, @value, @source, @caller, 'open', '', @check_session)`,
  );
  const close = file.db.prepare<[string, string, string, string, number]>(
    `UPDATE audit SET outcome = ?, detail = ?, detail_message = ?, closed_at = ? WHERE id = ? AND outcome = 'open'`,
  );
  const countAll = file.db.prepare<[], number>('SELECT count(*) FROM audit').pluck();
  const countOne = file.db.prepare<[number], number>('SELECT count(*) FROM audit WHERE channel_id = ?').pluck();
  const listAll = file.db.prepare<[number, number], AuditRow>('SELECT * FROM audit ORDER BY id DESC LIMIT ? OFFSET ?');
  const listOne = file.db.prepare<[number, number, number], AuditRow>(
    'SELECT * FROM audit WHERE channel_id = ? ORDER BY id DESC LIMIT ? OFFSET ?',
  );
  const newest = file.db.prepare<[], number | null>('SELECT max(id) FROM audit').pluck();
  const removeOld = file.db.prepare<[number, number]>(
    'DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE id <= ? ORDER BY id LIMIT ?)',
  );
  let kept = Number.POSITIVE_INFINITY;
  /** Numbers of entries follow each other, so the newest one tells which are too many. */
  const giveWay = (newestId: number) => {
    if (newestId > kept) removeOld.run(newestId - kept, GIVEN_WAY_AT_ONCE);
  };
  return {
    open: (entry, touch) =>
      file.change(() => {
        const id = Number(open.run(rowOf(entry)).lastInsertRowid);
        if (touch) setpoints.begin(id, touch);
        giveWay(id);
        return id;
      }),
    keep(count) {
      kept = count;
    },
    trim() {
      const last = file.read(() => newest.get() ?? 0);
      if (last > kept) file.change(() => giveWay(last));
    },
    close: (id, outcome, detail, closedAt, touch) =>
      file.change(() => {
        const { changes } = close.run(outcome, english(detail), JSON.stringify(detail), closedAt, id);
        if (changes === 0) throw new AppError('CONFIG_NOT_FOUND', say('store.no_audit_entry', { id }));
        if (touch) setpoints.end(id, touch, outcome);
      }),
    list: ({ channelId, offset, limit }) =>
      file.read(() =>
        channelId === undefined
          ? { total: countAll.get() ?? 0, items: listAll.all(limit, offset).map(entryOf) }
          : { total: countOne.get(channelId) ?? 0, items: listOne.all(channelId, limit, offset).map(entryOf) },
      ),
  };
}

function rowOf(entry: NewAudit) {
  const { operation, point_id, frame_type } = entry;
  const check_session = entry.check_session ?? null;
  const caller = entry.caller ?? null;
  return {
    ...entry,
    point_id: point_id ?? 0,
    frame_type: frame_type ?? 0,
    operation: operation && JSON.stringify(operation),
    check_session,
    caller,
  } as const;
}

function entryOf({ operation, detail_message: said, check_session, caller, ...plain }: AuditRow): AuditEntry {
  const row = { ...plain, ...(check_session === null ? {} : { check_session }), ...(caller === null ? {} : { caller }) };
  const detail = { detail: row.detail, ...(said === null ? {} : { detail_message: storedObject<Message>(said) }) };
  if (operation === null) return { ...row, ...detail, operation };
  return { ...row, ...detail, point_id: null, frame_type: null, operation: storedObject<NonNullable<AuditEntry['operation']>>(operation) };
}
