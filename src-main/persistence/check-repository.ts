import type { CheckPartHead, Expectation } from '#shared/contract/check.ts';
import type { CheckVerdict } from '#shared/domain/check.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { checkFileStatements } from './check-file-statements.ts';
import type { CheckMark, CheckPartEnd, CheckRepository, StoredCheck, StoredCheckEntry, StoredCheckItem } from './check-repositories.ts';
import { storedObject } from './store-error.ts';
import type { StoreFile } from './store-file.ts';

interface SessionRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly created_at: string;
  readonly cover: string;
}

interface ItemRow {
  readonly uuid: string;
  readonly place: number;
  readonly service: string;
  readonly channel_id: number;
  readonly point_id: number;
  readonly frame_type: number;
  readonly channel: string;
  readonly code: string;
  readonly name: string;
  readonly group: string;
  readonly expectation: string;
}

interface EntryRow {
  readonly id: number;
  readonly part: string;
  readonly seq: number;
  readonly order_at: string;
  readonly item: string;
  readonly verdict: string;
  readonly mapping: string;
  readonly body: string;
  readonly digest: string;
}

const ENTRY = 'id, part, seq, order_at, item, verdict, mapping, body, digest';

/** The tables of checks. That entries and parts never change is held by triggers of the file as well. */
export function checkRepository(file: StoreFile): CheckRepository {
  const { db } = file;
  const list = db.prepare<[], SessionRow>('SELECT * FROM check_sessions ORDER BY id');
  const add = db.prepare<[string, string, string, string]>(
    'INSERT INTO check_sessions (uuid, name, created_at, cover) VALUES (?, ?, ?, ?)',
  );
  const update = db.prepare<[string, string, number]>('UPDATE check_sessions SET name = ?, cover = ? WHERE id = ?');
  const remove = db.prepare<[number]>('DELETE FROM check_sessions WHERE id = ?');
  const items = db.prepare<[number], ItemRow>(
    'SELECT uuid, place, service, channel_id, point_id, frame_type, channel, code, name, "group", expectation FROM check_items WHERE session = ? ORDER BY place, uuid',
  );
  const removeItem = db.prepare<[number, string]>(
    `DELETE FROM check_items WHERE session = ? AND uuid = ?
     AND NOT EXISTS (SELECT 1 FROM check_entries e WHERE e.session = check_items.session AND e.item = check_items.uuid)`,
  );
  const putItem = db.prepare<[number, string, number, string, number, number, number, string, string, string, string, string]>(
    `INSERT OR REPLACE INTO check_items (session, uuid, place, service, channel_id, point_id, frame_type, channel, code, name, "group", expectation)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const parts = db.prepare<[number], { head: string; digest: string }>(
    'SELECT head, digest FROM check_parts WHERE session = ? ORDER BY uuid',
  );
  const addPart = db.prepare<[number, string, string, string]>('INSERT INTO check_parts (session, uuid, head, digest) VALUES (?, ?, ?, ?)');
  const ends = db.prepare<[number], { part: string; seq: number | null; order_at: string | null; digest: string }>(
    `SELECT p.uuid AS part, e.seq AS seq, coalesce(e.order_at, p.head ->> '$.not_before') AS order_at, coalesce(e.digest, p.digest) AS digest
     FROM check_parts p LEFT JOIN check_entries e ON e.session = p.session AND e.part = p.uuid
       AND e.seq = (SELECT max(seq) FROM check_entries WHERE session = p.session AND part = p.uuid)
     WHERE p.session = ? ORDER BY p.uuid`,
  );
  const append = db.prepare<[number, string, number, string, string, string, string, string, string]>(
    `INSERT INTO check_entries (session, part, seq, order_at, item, verdict, mapping, body, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const behind = db.prepare<[number, number, number], EntryRow>(
    `SELECT ${ENTRY} FROM check_entries WHERE +session = ? AND id > ? ORDER BY id LIMIT ?`,
  );
  const marks = db.prepare<[number, number, number], Omit<EntryRow, 'body' | 'digest'>>(
    'SELECT id, part, seq, order_at, item, verdict, mapping FROM check_entries WHERE +session = ? AND id > ? ORDER BY id LIMIT ?',
  );
  const count = db.prepare<[number], number>('SELECT count(*) FROM check_entries WHERE session = ?').pluck();
  const countItem = db.prepare<[number, string], number>('SELECT count(*) FROM check_entries WHERE session = ? AND item = ?').pluck();
  const ofItem = db.prepare<[number, string, number, number], EntryRow>(
    `SELECT ${ENTRY} FROM check_entries WHERE session = ? AND item = ? ORDER BY order_at DESC, part DESC, seq DESC LIMIT ? OFFSET ?`,
  );
  const one = db.prepare<[number, string, number], EntryRow>(
    `SELECT ${ENTRY} FROM check_entries WHERE session = ? AND part = ? AND seq = ?`,
  );
  const files = checkFileStatements(file);
  return {
    ...files,
    list: () => file.read(() => list.all().map(checkOf)),
    add: (check) =>
      file.change(() => {
        const { lastInsertRowid } = add.run(check.uuid, check.name, check.createdAt, JSON.stringify(check.cover));
        return { ...check, id: Number(lastInsertRowid) };
      }),
    update: ({ id, name, cover }) => void file.change(() => update.run(name, JSON.stringify(cover), id)),
    remove: (id) =>
      file.change(() => {
        if (parts.get(id)) throw new AppError('STATE_CONFLICT', say('check.session_has_results'));
        remove.run(id);
      }),
    items: (session) => file.read(() => items.all(session).map(itemOf)),
    putItems: (session, all) =>
      file.change(() => {
        for (const { uuid, place, service, channelId, pointId, frameType, channel, code, name, group, expectation } of all) {
          putItem.run(
            session,
            uuid,
            place,
            service,
            channelId,
            pointId,
            frameType,
            channel,
            code,
            name,
            group,
            JSON.stringify(expectation),
          );
        }
      }),
    removeItems: (session, gone) =>
      file.change(() => {
        for (const { uuid, code } of gone) {
          if (removeItem.run(session, uuid).changes === 0) throw new AppError('STATE_CONFLICT', say('check.item_has_results', { code }));
        }
      }),
    parts: (session) =>
      file.read(() => parts.all(session).map(({ head, digest }) => ({ head: storedObject<CheckPartHead>(head), digest }))),
    ends: (session) =>
      file.read(() =>
        ends.all(session).map(({ seq, order_at, ...end }): CheckPartEnd => ({ ...end, seq: seq ?? 0, orderAt: order_at ?? '' })),
      ),
    append: (session, entries, begun, attachments = []) =>
      file.change(() => {
        files.addAttachments(session, attachments);
        for (const { head, digest } of begun) addPart.run(session, head.id, JSON.stringify(head), digest);
        for (const { part, seq, orderAt, item, verdict, mapping, body, digest } of entries) {
          const { changes } = append.run(session, part, seq, orderAt, item, verdict, mapping, body, digest);
          if (changes === 0) throw new AppError('STATE_CONFLICT', say('check.entry_taken', { seq }));
        }
      }),
    entriesBehind: (session, after, limit) =>
      file.read(() => behind.all(session, after, limit).map((row) => ({ id: row.id, entry: entryOf(row) }))),
    marksBehind: (session, after, limit) => file.read(() => marks.all(session, after, limit).map(markOf)),
    count: (session) => file.read(() => count.get(session) ?? 0),
    ofItem: (session, item, offset, limit) =>
      file.read(() => ({
        total: countItem.get(session, item) ?? 0,
        entries: ofItem.all(session, item, limit, offset).map(entryOf),
      })),
    entry: (session, part, seq) =>
      file.read(() => {
        const row = one.get(session, part, seq);
        return row && entryOf(row);
      }),
  };
}

function checkOf({ created_at: createdAt, cover, ...row }: SessionRow): StoredCheck {
  return { ...row, createdAt, cover: storedObject<Record<string, string>>(cover) };
}

function itemOf({ channel_id: channelId, point_id: pointId, frame_type: frameType, expectation, ...row }: ItemRow): StoredCheckItem {
  return { ...row, channelId, pointId, frameType: frameType as FrameType, expectation: storedObject<Expectation>(expectation) };
}

function markOf({ order_at: orderAt, verdict, ...row }: Omit<EntryRow, 'body' | 'digest'>): CheckMark {
  return { ...row, orderAt, verdict: verdict as CheckVerdict };
}

function entryOf({ id: _, order_at: orderAt, verdict, ...row }: EntryRow): StoredCheckEntry {
  return { ...row, orderAt, verdict: verdict as CheckVerdict };
}
