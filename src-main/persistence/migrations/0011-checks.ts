/**
 * Version 11: point-to-point checks. A session has items, and parts: what one run of the program appended, each a chain of digests over its entries.
 * `order_at` is the time of an entry as its part counts it, never before the entry in front of it; `mapping` says what the point was then. An entry that is there
 * is never changed and never goes. The audit names the session that a command was sent in.
 */
export const checks = `
ALTER TABLE audit ADD COLUMN check_session TEXT;

CREATE TABLE check_sessions (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid       TEXT    NOT NULL UNIQUE,
  name       TEXT    NOT NULL,
  created_at TEXT    NOT NULL,
  cover      TEXT    NOT NULL
) STRICT;

CREATE TABLE check_items (
  session     INTEGER NOT NULL REFERENCES check_sessions (id) ON DELETE CASCADE,
  uuid        TEXT    NOT NULL,
  place       REAL    NOT NULL,
  channel_id  INTEGER NOT NULL,
  point_id    INTEGER NOT NULL,
  frame_type  INTEGER NOT NULL,
  channel     TEXT    NOT NULL,
  code        TEXT    NOT NULL,
  name        TEXT    NOT NULL,
  "group"     TEXT    NOT NULL,
  expectation TEXT    NOT NULL,
  PRIMARY KEY (session, uuid)
) STRICT, WITHOUT ROWID;

CREATE INDEX check_items_place ON check_items (session, place);

CREATE TABLE check_parts (
  session INTEGER NOT NULL REFERENCES check_sessions (id),
  uuid    TEXT    NOT NULL,
  head    TEXT    NOT NULL,
  digest  TEXT    NOT NULL,
  PRIMARY KEY (session, uuid)
) STRICT, WITHOUT ROWID;

CREATE TABLE check_entries (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  session  INTEGER NOT NULL REFERENCES check_sessions (id),
  part     TEXT    NOT NULL,
  seq      INTEGER NOT NULL,
  order_at TEXT    NOT NULL,
  item     TEXT    NOT NULL,
  verdict  TEXT    NOT NULL,
  mapping  TEXT    NOT NULL,
  body     TEXT    NOT NULL,
  digest   TEXT    NOT NULL,
  UNIQUE (session, part, seq)
) STRICT;

CREATE INDEX check_entries_item ON check_entries (session, item);

CREATE TRIGGER check_entries_unchanged BEFORE UPDATE ON check_entries BEGIN
  SELECT RAISE(ABORT, 'a result of a check is never changed');
END;
CREATE TRIGGER check_entries_kept BEFORE DELETE ON check_entries BEGIN
  SELECT RAISE(ABORT, 'a result of a check is never deleted');
END;
CREATE TRIGGER check_parts_unchanged BEFORE UPDATE ON check_parts BEGIN
  SELECT RAISE(ABORT, 'a part of a check is never changed');
END;
CREATE TRIGGER check_parts_kept BEFORE DELETE ON check_parts BEGIN
  SELECT RAISE(ABORT, 'a part of a check is never deleted');
END;
`;
