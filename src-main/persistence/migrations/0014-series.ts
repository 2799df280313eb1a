/** Version 14: files of recorded values, which simulated points follow. Numbers are doubles as this computer has them, little-endian; a gap is not a number. */
export const series = `
CREATE TABLE series (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  row_count INTEGER NOT NULL,
  times BLOB NOT NULL
);
CREATE TABLE series_columns (
  series_id INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  name TEXT NOT NULL,
  gaps INTEGER NOT NULL,
  numbers BLOB NOT NULL,
  PRIMARY KEY (series_id, place)
);
`;
