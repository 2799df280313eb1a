import type { PointConfig } from '../drivers/spi/index.ts';
import type { SetpointRepository, SetpointTouch, TouchedSetpoint } from './repositories.ts';
import type { StoreFile } from './store-file.ts';

interface SetpointRow {
  readonly point: string;
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

/** Channel, point, its settings, value and time from before, outcome, audit entry. */
type TouchCells = [number, number, string, number | null, string | null, string, number];

const COLUMNS = 'point, before, before_at, value, sent_at, outcome, audit_id';
/** Value and time of a write stand in its audit entry, which is the last of the parameters. */
const INSERT = `INSERT INTO touched_setpoints (channel_id, point_id, point, before, before_at, outcome, audit_id, value, sent_at)
  SELECT ?, ?, ?, ?, ?, ?, id, value, at FROM audit WHERE id = ?`;

/** One row a setpoint, so the table is never longer than the point tables. Value and settings from before stay, whatever is written behind. */
export function setpointTable(file: StoreFile): SetpointTable {
  const { db } = file;
  const listAll = db.prepare<[], SetpointRow>(`SELECT ${COLUMNS} FROM touched_setpoints ORDER BY channel_id, point_id`);
  const listOne = db.prepare<[number], SetpointRow>(`SELECT ${COLUMNS} FROM touched_setpoints WHERE channel_id = ? ORDER BY point_id`);
  const forget = db.prepare<[number, number]>('DELETE FROM touched_setpoints WHERE channel_id = ? AND point_id = ?');
  const begin = db.prepare<TouchCells>(`${INSERT} ON CONFLICT DO NOTHING`);
  const done = db.prepare<TouchCells>(
    `${INSERT} ON CONFLICT DO UPDATE
     SET value = excluded.value, sent_at = excluded.sent_at, outcome = excluded.outcome, audit_id = excluded.audit_id`,
  );
  const restored = db.prepare<[number, number]>('DELETE FROM touched_setpoints WHERE channel_id = ? AND point_id = ? AND value IS before');
  const undone = db.prepare<[number]>(`DELETE FROM touched_setpoints WHERE audit_id = ? AND outcome = 'open'`);
  const cells = (auditId: number, { point, before, beforeAt }: SetpointTouch, outcome: string): TouchCells => {
    return [point.channel_id, point.id, JSON.stringify(point), before, beforeAt, outcome, auditId];
  };
  return {
    list: (channelId) => file.read(() => (channelId === undefined ? listAll.all() : listOne.all(channelId)).map(setpointOf)),
    forget: (channelId, pointIds) => file.change(() => pointIds.reduce((sum, id) => sum + forget.run(channelId, id).changes, 0)),
    begin: (auditId, touch) => void begin.run(...cells(auditId, touch, 'open')),
    end(auditId, touch, outcome) {
      if (outcome === 'rejected' || outcome === 'failed') undone.run(auditId);
      else done.run(...cells(auditId, touch, outcome));
      if (outcome === 'accepted') restored.run(touch.point.channel_id, touch.point.id);
    },
  };
}

function setpointOf({
  point,
  before,
  before_at: beforeAt,
  value,
  sent_at: sentAt,
  outcome,
  audit_id: auditId,
}: SetpointRow): TouchedSetpoint {
  return { point: JSON.parse(point) as PointConfig, before, beforeAt, value, sentAt, outcome, auditId };
}
