import type Database from 'better-sqlite3';
import type { AuditEntry } from '#shared/contract/events.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { AuditRepository, NewAudit } from './repositories.ts';
import { guarded } from './store-error.ts';

/**
 * The audit table. An entry is made before its write is sent; when the program is killed before the outcome is known it stays
 * `open`, for ever: nobody can say later what the device did.
 */
export function auditRepository(path: string, db: Database.Database): AuditRepository {
  const open = db.prepare<NewAudit>(
    `INSERT INTO audit (at, channel_id, channel_name, point_id, frame_type, code, step, value, source, outcome, detail)
     VALUES (@at, @channel_id, @channel_name, @point_id, @frame_type, @code, @step, @value, @source, 'open', '')`,
  );
  const close = db.prepare<[string, string, string, number]>(
    `UPDATE audit SET outcome = ?, detail = ?, closed_at = ? WHERE id = ? AND outcome = 'open'`,
  );
  const countAll = db.prepare<[], number>('SELECT count(*) FROM audit').pluck();
  const countOne = db.prepare<[number], number>('SELECT count(*) FROM audit WHERE channel_id = ?').pluck();
  const listAll = db.prepare<[number, number], AuditEntry>('SELECT * FROM audit ORDER BY id DESC LIMIT ? OFFSET ?');
  const listOne = db.prepare<[number, number, number], AuditEntry>(
    'SELECT * FROM audit WHERE channel_id = ? ORDER BY id DESC LIMIT ? OFFSET ?',
  );
  return {
    open: (entry) => guarded(path, () => Number(open.run(entry).lastInsertRowid)),
    close: (id, outcome, detail, closedAt) =>
      guarded(path, () => {
        const { changes } = close.run(outcome, detail, closedAt, id);
        if (changes === 0) throw new AppError('CONFIG_NOT_FOUND', `There is no open audit entry ${id}.`);
      }),
    list: ({ channelId, offset, limit }) =>
      guarded(path, () =>
        channelId === undefined
          ? { total: countAll.get() ?? 0, items: listAll.all(limit, offset) }
          : { total: countOne.get(channelId) ?? 0, items: listOne.all(channelId, limit, offset) },
      ),
  };
}
