import type { CheckFileType } from '#shared/domain/check.ts';
import type { CheckFileContent, CheckRepository, StoredCheckFile } from './check-repositories.ts';
import type { StoreFile } from './store-file.ts';

interface FileRow {
  readonly kind: string;
  readonly sha256: string;
  readonly name: string;
  readonly media_type: string;
  readonly size: number;
}

type Files = Pick<CheckRepository, 'files' | 'logo' | 'file' | 'addAttachments' | 'setLogo'>;

const FACTS = 'kind, sha256, name, media_type, size';

/** The table of files of check sessions. That attachments never change is held by triggers of the file as well. */
export function checkFileStatements(file: StoreFile): Files {
  const { db } = file;
  const all = db.prepare<[number], FileRow>(`SELECT ${FACTS} FROM check_files WHERE session = ? ORDER BY sha256, kind`);
  const logo = db.prepare<[number], FileRow>(`SELECT ${FACTS} FROM check_files WHERE session = ? AND kind = 'logo'`);
  const one = db.prepare<[number, string], FileRow & { octets: Buffer }>(
    `SELECT ${FACTS}, octets FROM check_files WHERE session = ? AND sha256 = ? ORDER BY kind LIMIT 1`,
  );
  const add = db.prepare<[number, string, string, string, string, number, Uint8Array]>(
    'INSERT INTO check_files (session, kind, sha256, name, media_type, size, octets) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const removeLogo = db.prepare<[number]>("DELETE FROM check_files WHERE session = ? AND kind = 'logo'");
  const put = (session: number, kind: StoredCheckFile['kind'], { sha256, name, mediaType, size, octets }: CheckFileContent) =>
    add.run(session, kind, sha256, name, mediaType, size, octets);
  return {
    files: (session) => file.read(() => all.all(session).map(fileOf)),
    logo: (session) =>
      file.read(() => {
        const row = logo.get(session);
        return row && fileOf(row);
      }),
    file: (session, sha256) =>
      file.read(() => {
        const row = one.get(session, sha256);
        return row && { ...fileOf(row), octets: row.octets };
      }),
    addAttachments: (session, files) =>
      file.change(() => {
        for (const each of files) put(session, 'attachment', each);
      }),
    setLogo: (session, content) =>
      file.change(() => {
        removeLogo.run(session);
        if (content) put(session, 'logo', content);
      }),
  };
}

function fileOf({ kind, sha256, name, media_type, size }: FileRow): StoredCheckFile {
  return { kind: kind as StoredCheckFile['kind'], sha256, name, mediaType: media_type as CheckFileType, size };
}
