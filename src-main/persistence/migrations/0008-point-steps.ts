/**
 * Version 8: the journal of changes of point tables. `state`: 0 written and not confirmed, 1 done, 2 undone, -1 forgotten and to be deleted bit by
 * bit. A step of several channels is one that moved points. `change` of a part is packed; a step without parts was too large to be kept.
 */
export const pointSteps = `
CREATE TABLE point_steps (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  at      TEXT    NOT NULL,
  source  TEXT    NOT NULL,
  name    TEXT    NOT NULL,
  added   INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  octets  INTEGER NOT NULL,
  state   INTEGER NOT NULL
) STRICT;

CREATE TABLE point_step_channels (
  step_id    INTEGER NOT NULL REFERENCES point_steps (id) ON DELETE CASCADE,
  channel_id INTEGER NOT NULL,
  PRIMARY KEY (step_id, channel_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX point_steps_by_channel ON point_step_channels (channel_id);

CREATE TABLE point_step_parts (
  step_id    INTEGER NOT NULL REFERENCES point_steps (id) ON DELETE CASCADE,
  part       INTEGER NOT NULL,
  channel_id INTEGER NOT NULL,
  change     BLOB    NOT NULL,
  PRIMARY KEY (step_id, part)
) STRICT;
`;
