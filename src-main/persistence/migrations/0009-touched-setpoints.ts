/**
 * Version 9: setpoints that were written since somebody last said that they are right, with their value before the first of these writes. `device` and
 * `place` say which device and which value of it was written, so that an edited point is another row.
 */
export const touchedSetpoints = `
CREATE TABLE touched_setpoints (
  channel_id INTEGER NOT NULL,
  point_id   INTEGER NOT NULL,
  device     TEXT    NOT NULL,
  place      TEXT    NOT NULL,
  point      TEXT    NOT NULL,
  before     REAL,
  before_at  TEXT,
  value      REAL    NOT NULL,
  sent_at    TEXT    NOT NULL,
  outcome    TEXT    NOT NULL,
  audit_id   INTEGER NOT NULL,
  PRIMARY KEY (channel_id, point_id, device, place)
) STRICT, WITHOUT ROWID;
`;
