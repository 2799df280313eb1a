import type { PointConfig } from '../drivers/spi/index.ts';
import type { SetpointRepository, SetpointTouch, TouchedSetpoint } from './repositories.ts';
import { storedObject } from './store-error.ts';
import type { StoreFile } from './store-file.ts';

interface SetpointRow {
  readonly point: string;
  readonly device: string;
  readonly place: string;
  readonly before: number | null;
  readonly before_at: string | null;
  readonly value: number;
  readonly sent_at: string;
  readonly outcome: TouchedSetpoint['outcome'];
  readonly audit_id: number;
}

/** The table of touched setpoints. `begin` and `end` run inside the change of the audit entry that they belong to. */
export interface SetpointTable extends SetpointRepository {
  /** A write is about to be sent. */
  begin(auditId: number, touch: SetpointTouch): void;
  /** It has ended. */
  end(auditId: number, touch: SetpointTouch, outcome: 'accepted' | 'rejected' | 'unknown' | 'failed'): void;
}

/** Channel, point, device and place as the key of a row. */
type KeyCells = [number, number, string, string];
/** The key, the point's settings, value and time from before, outcome, audit entry. */
type TouchCells = [...KeyCells, string, number | null, string | null, string, number];

const KEY = 'channel_id = ? AND point_id = ? AND device = ? AND place = ?';
/** A write under way, or interrupted by a kill, is told in place of the one before it. */
const LIST = `SELECT t.point, t.device, t.place, t.before, t.before_at, coalesce(w.value, t.value) AS value, coalesce(w.at, t.sent_at) AS sent_at,
    coalesce(w.outcome, t.outcome) AS outcome, coalesce(w.id, t.audit_id) AS audit_id
  FROM touched_setpoints AS t LEFT JOIN audit AS w ON w.id = t.begun_id AND w.outcome = 'open'`;
/** Value and time of a write stand in its audit entry, which is the last of the parameters. One of a channel that was removed meanwhile leaves nothing. */
const INSERT = `INSERT INTO touched_setpoints (channel_id, point_id, device, place, point, before, before_at, outcome, audit_id, begun_id, value, sent_at)
  SELECT ?, ?, ?, ?, ?, ?, ?, ?, id, id, value, at FROM audit
  WHERE id = ? AND channel_id IN (SELECT id FROM channels)`;

/** One row a setpoint and place, with the value from before the first write, whatever is written behind. */
export function setpointTable(file: StoreFile): SetpointTable {
  const { db } = file;
  const listAll = db.prepare<[], SetpointRow>(`${LIST} ORDER BY t.channel_id, t.point_id, t.audit_id`);
  const listOne = db.prepare<[number], SetpointRow>(`${LIST} WHERE t.channel_id = ? ORDER BY t.point_id, t.audit_id`);
  const forget = db.prepare<[number, number]>('DELETE FROM touched_setpoints WHERE channel_id = ? AND point_id = ?');
  const begin = db.prepare<TouchCells>(`${INSERT} ON CONFLICT DO UPDATE SET begun_id = excluded.begun_id`);
  const done = db.prepare<TouchCells>(
    `${INSERT} ON CONFLICT DO UPDATE
     SET value = excluded.value, sent_at = excluded.sent_at, outcome = excluded.outcome, audit_id = excluded.audit_id`,
  );
  const settle = db.prepare<[...KeyCells, number]>(`DELETE FROM touched_setpoints WHERE ${KEY} AND before = ?`);
  const undone = db.prepare<[number]>(`DELETE FROM touched_setpoints WHERE audit_id = ? AND outcome = 'open' AND begun_id = audit_id`);
  /** The first write came to nothing, and another one was begun behind it. */
  const passed = db.prepare<[number]>(`UPDATE touched_setpoints SET audit_id = begun_id WHERE audit_id = ? AND outcome = 'open'`);
  const keyOf = ({ point, device, place }: SetpointTouch): KeyCells => [point.channel_id, point.id, device, place];
  const cells = (auditId: number, touch: SetpointTouch, outcome: string): TouchCells => {
    return [...keyOf(touch), JSON.stringify(touch.point), touch.before, touch.beforeAt, outcome, auditId];
  };
  return {
    list: (channelId) => file.read(() => (channelId === undefined ? listAll.all() : listOne.all(channelId)).map(setpointOf)),
    forget: (channelId, pointIds) => file.change(() => pointIds.reduce((sum, id) => sum + forget.run(channelId, id).changes, 0)),
    settle: (touch, value) => void file.change(() => settle.run(...keyOf(touch), value)),
    begin: (auditId, touch) => void begin.run(...cells(auditId, touch, 'open')),
    end(auditId, touch, outcome) {
      if (outcome !== 'rejected' && outcome !== 'failed') done.run(...cells(auditId, touch, outcome));
      else if (undone.run(auditId).changes === 0) passed.run(auditId);
    },
  };
}

function setpointOf({ point, before_at: beforeAt, sent_at: sentAt, audit_id: auditId, ...row }: SetpointRow): TouchedSetpoint {
  return { ...row, point: storedObject<PointConfig>(point), beforeAt, sentAt, auditId };
}
