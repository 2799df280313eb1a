import type { CheckFile } from '#shared/contract/check.ts';
import type { CheckRepository, StoredCheckFile } from '../../persistence/check-repositories.ts';
import type { RecordFileContent } from './record-lines.ts';

/** A file of a session in the names of the contract. */
export function fileRow({ sha256, name, mediaType, size }: StoredCheckFile): CheckFile {
  return { sha256, name, media_type: mediaType, size };
}

/** The logo of a session; null: none. */
export function logoOf(store: CheckRepository, session: number): CheckFile | null {
  const logo = store.logo(session);
  return logo ? fileRow(logo) : null;
}

/** Files of a session as its record has them, each once and one at a time in memory. */
export function* recordFiles(store: CheckRepository, session: number): Generator<RecordFileContent> {
  const digests = new Set(store.files(session).map(({ sha256 }) => sha256));
  for (const sha256 of digests) {
    const found = store.file(session, sha256);
    if (found) yield { file: fileRow(found), octets: found.octets };
  }
}
