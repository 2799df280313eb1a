/**
 * Version 5: large changes of a point table, written part by part and confirmed in one step. A confirmed one is carried over into the table behind
 * that, at the next opening at the latest; one that is not confirmed is forgotten there.
 */
export const pointLoads = `
CREATE TABLE point_loads (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  channel_id   INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  is_confirmed INTEGER NOT NULL
) STRICT;

CREATE INDEX point_loads_by_channel ON point_loads (channel_id);

CREATE TABLE point_load_parts (
  load_id INTEGER NOT NULL REFERENCES point_loads (id) ON DELETE CASCADE,
  part    INTEGER NOT NULL,
  change  TEXT    NOT NULL,
  PRIMARY KEY (load_id, part)
) STRICT, WITHOUT ROWID;
`;
