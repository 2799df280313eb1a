import { MOST_CHECK_FILE_OCTETS } from '#shared/domain/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CheckRepository } from '../../persistence/check-repositories.ts';
import { readRecord } from './record-file.ts';
import type { RecordFacts } from './record-lines.ts';

/**
 * Takes the files of a record that are not here, in front of the results that name them: attachments, and the logo where there is none. Answers how many. Throws
 * `STATE_CONFLICT` where there would be too many.
 */
export async function takeFiles(
  store: CheckRepository,
  id: number,
  path: string,
  { facts, attached }: { readonly facts: RecordFacts; readonly attached: ReadonlySet<string> },
): Promise<number> {
  const attachments = new Set<string>();
  for (const { kind, sha256 } of store.files(id)) if (kind === 'attachment') attachments.add(sha256);
  const wantsLogo = store.logo(id) === undefined;
  let taken = 0;
  for await (const piece of readRecord(path)) {
    if (piece.is === 'part') break;
    if (piece.is !== 'file') continue;
    const { sha256, name, media_type: mediaType, size } = piece.file;
    const content = { sha256, name, mediaType, size, octets: piece.octets };
    const isLogo = wantsLogo && sha256 === facts.session.logo;
    const isAttachment = attached.has(sha256) && !attachments.has(sha256);
    if (!isLogo && !isAttachment) continue;
    requireRoom(store, id, size);
    if (isLogo) store.setLogo(id, { kind: 'logo', ...content });
    if (isAttachment) store.addAttachments(id, [{ kind: 'attachment', ...content }]);
    taken += 1;
  }
  return taken;
}

/** Throws `STATE_CONFLICT` where a session would have more files than it may. */
export function requireRoom(store: CheckRepository, id: number, octets: number): void {
  const there = store.files(id).reduce((sum, { size }) => sum + size, 0);
  if (there + octets <= MOST_CHECK_FILE_OCTETS) return;
  const megabytes = (value: number) => Math.round(value / 1024 / 1024);
  throw new AppError('STATE_CONFLICT', say('check.files_full', { most: megabytes(MOST_CHECK_FILE_OCTETS), there: megabytes(there) }));
}
