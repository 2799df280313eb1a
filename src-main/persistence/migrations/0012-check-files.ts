/**
 * Version 12: files of a check session. Attachments belong to results: as long as there are results they are neither changed nor deleted. A session has one logo at
 * most, which may go.
 */
export const checkFiles = `
CREATE TABLE check_files (
  id         INTEGER PRIMARY KEY,
  session    INTEGER NOT NULL REFERENCES check_sessions (id) ON DELETE CASCADE,
  kind       TEXT    NOT NULL CHECK (kind IN ('attachment', 'logo')),
  sha256     TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  media_type TEXT    NOT NULL,
  size       INTEGER NOT NULL,
  octets     BLOB    NOT NULL,
  UNIQUE (session, kind, sha256)
) STRICT;

CREATE UNIQUE INDEX check_files_logo ON check_files (session) WHERE kind = 'logo';

CREATE TRIGGER check_files_unchanged BEFORE UPDATE ON check_files WHEN OLD.kind = 'attachment' OR NEW.kind = 'attachment' BEGIN
  SELECT RAISE(ABORT, 'an attachment of a check is never changed');
END;
CREATE TRIGGER check_files_kept BEFORE DELETE ON check_files
WHEN OLD.kind = 'attachment' AND EXISTS (SELECT 1 FROM check_parts WHERE session = OLD.session) BEGIN
  SELECT RAISE(ABORT, 'an attachment of a check is never deleted');
END;
`;
