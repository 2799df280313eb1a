/** Version 1: channels, points, settings of the service, audit of writes. Column names are the contract's. */
export const initial = `
CREATE TABLE channels (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  name           TEXT    NOT NULL UNIQUE,
  protocol_type  INTEGER NOT NULL,
  conn_type      INTEGER NOT NULL,
  ip             TEXT    NOT NULL,
  port           INTEGER NOT NULL,
  com_port       TEXT,
  baud_rate      INTEGER NOT NULL,
  data_bits      INTEGER NOT NULL,
  stop_bits      INTEGER NOT NULL,
  parity         TEXT    NOT NULL,
  timeout_ms     INTEGER NOT NULL,
  retries        INTEGER NOT NULL,
  request_gap_ms INTEGER,
  max_gap        INTEGER NOT NULL,
  address_base   INTEGER NOT NULL,
  auto_reconnect INTEGER NOT NULL,
  auto_start     INTEGER NOT NULL,
  read_only      INTEGER NOT NULL,
  note           TEXT    NOT NULL,
  protocol       TEXT    NOT NULL
) STRICT;

CREATE TABLE points (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  channel_id   INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  frame_type   INTEGER NOT NULL,
  code         TEXT    NOT NULL,
  name         TEXT    NOT NULL,
  address      INTEGER NOT NULL,
  slave_id     INTEGER NOT NULL,
  func_code    INTEGER,
  decode       TEXT    NOT NULL,
  mul_coe      REAL    NOT NULL,
  add_coe      REAL    NOT NULL,
  unit         TEXT    NOT NULL,
  min_limit    REAL,
  max_limit    REAL,
  bit          INTEGER,
  reverse      INTEGER NOT NULL,
  reference    TEXT    NOT NULL,
  category     TEXT    NOT NULL,
  item         TEXT    NOT NULL,
  related_code TEXT    NOT NULL,
  command_type TEXT    NOT NULL,
  note         TEXT    NOT NULL,
  protocol     TEXT    NOT NULL,
  UNIQUE (channel_id, code)
) STRICT;

CREATE INDEX points_by_channel ON points (channel_id);

CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  at           TEXT    NOT NULL,
  closed_at    TEXT,
  channel_id   INTEGER NOT NULL,
  channel_name TEXT    NOT NULL,
  point_id     INTEGER NOT NULL,
  frame_type   INTEGER NOT NULL,
  code         TEXT    NOT NULL,
  step         TEXT    NOT NULL,
  value        REAL,
  source       TEXT    NOT NULL,
  outcome      TEXT    NOT NULL,
  detail       TEXT    NOT NULL
) STRICT;

CREATE INDEX audit_by_channel ON audit (channel_id);
`;
