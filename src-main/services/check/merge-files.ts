import { MOST_CHECK_FILE_OCTETS } from '#shared/domain/check.ts';
import type { RecordFacts } from '#shared/domain/check-record.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CheckRepository, StoredCheckFile } from '../../persistence/check-repositories.ts';
import { readRecord } from './record-file.ts';

/** What a record says of its files. */
interface NamedFiles {
  readonly facts: RecordFacts;
  /** Digests of those that results name. */
  readonly attached: ReadonlySet<string>;
}

/** Throws `STATE_CONFLICT` where the files of a record would be too many for its session, before anything of it is taken over. `id` null: the session is not here. */
export function requireFileRoom(
  store: CheckRepository,
  id: number | null,
  { facts, attached, sizes }: NamedFiles & { readonly sizes: ReadonlyMap<string, number> },
): void {
  const here = id === null ? [] : store.files(id);
  const wanted = wantedFiles(here, id !== null && store.logo(id) !== undefined, { facts, attached });
  const octets = [...sizes].reduce(
    (sum, [sha256, size]) => sum + (wanted.attachments.has(sha256) ? size : 0) + (wanted.logo === sha256 ? size : 0),
    0,
  );
  const there = here.reduce((sum, { size }) => sum + size, 0);
  if (there + octets > MOST_CHECK_FILE_OCTETS)
    throw new AppError('STATE_CONFLICT', say('check.merge_files_full', megabytes({ there, more: octets })));
}

/** Files that are not here: attachments by their digests, and the logo where there is none; null: none is wanted. */
function wantedFiles(here: readonly StoredCheckFile[], hasLogo: boolean, { facts, attached }: NamedFiles) {
  const kept = new Set(here.flatMap(({ kind, sha256 }) => (kind === 'attachment' ? [sha256] : [])));
  return { attachments: new Set([...attached].filter((sha256) => !kept.has(sha256))), logo: hasLogo ? null : (facts.session.logo ?? null) };
}

/**
 * Takes the files of a record that are not here, in front of the results that name them: attachments, and the logo where there is none. Answers how many.
 */
export async function takeFiles(store: CheckRepository, id: number, path: string, named: NamedFiles): Promise<number> {
  const wanted = wantedFiles(store.files(id), store.logo(id) !== undefined, named);
  let taken = 0;
  for await (const piece of readRecord(path)) {
    if (piece.is === 'part') break;
    if (piece.is !== 'file') continue;
    const { sha256, name, media_type: mediaType, size } = piece.file;
    const content = { sha256, name, mediaType, size, octets: piece.octets };
    const isLogo = sha256 === wanted.logo;
    const isAttachment = wanted.attachments.has(sha256);
    if (isLogo) store.setLogo(id, { kind: 'logo', ...content });
    if (isAttachment) store.addAttachments(id, [{ kind: 'attachment', ...content }]);
    if (isLogo || isAttachment) taken += 1;
  }
  return taken;
}

/** Throws `STATE_CONFLICT` where a session would have more files than it may. */
export function requireRoom(store: CheckRepository, id: number, octets: number): void {
  const there = store.files(id).reduce((sum, { size }) => sum + size, 0);
  if (there + octets > MOST_CHECK_FILE_OCTETS) throw new AppError('STATE_CONFLICT', say('check.files_full', megabytes({ there })));
}

/** Figures of a message, and the bound, in MiB. */
function megabytes<Figure extends string>(octets: Readonly<Record<Figure, number>>): Record<Figure | 'most', number> {
  const rounded = Object.entries<number>({ ...octets, most: MOST_CHECK_FILE_OCTETS }).map(([name, value]) => [
    name,
    Math.ceil(value / 1024 / 1024),
  ]);
  return Object.fromEntries(rounded) as Record<Figure | 'most', number>;
}
