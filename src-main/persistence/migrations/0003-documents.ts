/** Version 3: the document of a channel (an SCL file), packed, with what was found in it when it was taken over. */
export const documents = `
CREATE TABLE documents (
  channel_id INTEGER PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
  name       TEXT    NOT NULL,
  stored_at  TEXT    NOT NULL,
  octets     INTEGER NOT NULL,
  summary    TEXT    NOT NULL,
  packed     BLOB    NOT NULL
) STRICT;
`;
