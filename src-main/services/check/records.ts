import { createWriteStream } from 'node:fs';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CheckVerification } from '#shared/contract/check.ts';
import { CHECK_RECORD_FORMAT, CHECK_RECORD_TYPE, CHECK_RECORD_VERSION } from '#shared/domain/check.ts';
import { AppError, invalidField, toAppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { CheckRepository, StoredCheck, StoredCheckItem } from '../../persistence/check-repositories.ts';
import { Turns } from '../../platform/turns.ts';
import { FileOnDisk } from '../file-on-disk.ts';
import { FileAnswer, type Handlers } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { CheckBook } from './check-book.ts';
import { fileName, recordFiles } from './files.ts';
import { mergeRecord } from './merge.ts';
import { RecordFault } from './record-fault.ts';
import { readRecord } from './record-file.ts';
import { type RecordItem, recordLines } from './record-lines.ts';

/** Lines between two looks at the clock; those of files are long. */
const LINES_A_LOOK = 50;
const LONG_LINE = 64 * 1024;

/** The record of a session: written, proved, and taken over from another copy. */
export function checkRecordHandlers(deps: ServiceDeps): Pick<Handlers, 'checkRecord' | 'verifyRecord' | 'mergeCheck'> {
  return {
    async checkRecord({ session_id }) {
      const check = CheckBook.of(deps).find(session_id);
      const path = deps.projectFiles.newDraft();
      try {
        await pipeline(Readable.from(writtenRecord(deps, check)), createWriteStream(path, { mode: 0o600 }));
      } catch (thrown) {
        throw isFull(thrown) ? new AppError('STATE_STORE_FULL', say('check.record_no_room'), { cause: thrown }) : thrown;
      }
      return new FileAnswer(`${fileName(check.name)}.json`, CHECK_RECORD_TYPE, path);
    },
    verifyRecord: ({ file }) => verifyRecord(pathOf(file)),
    async mergeCheck({ file }) {
      try {
        return await mergeRecord(deps, pathOf(file));
      } catch (thrown) {
        if (thrown instanceof RecordFault) throw invalidField('file', say('check.record_refused', { reason: thrown.said }));
        throw thrown;
      }
    },
  };
}

/** Whether a record is as it was written; a fault of the file system is thrown. */
export async function verifyRecord(path: string): Promise<CheckVerification> {
  const found = { parts: 0, entries: 0, files: 0, heads: [] as string[], sha256: null as string | null };
  try {
    for await (const piece of readRecord(path)) {
      if (piece.is === 'part') found.parts += 1;
      else if (piece.is === 'entry') found.entries += 1;
      else if (piece.is === 'file') found.files += 1;
      else if (piece.is === 'part_end') found.heads.push(piece.digest);
      else if (piece.is === 'end') found.sha256 = piece.sha256;
    }
    return { is_whole: true, ...found, fault: null };
  } catch (thrown) {
    if (!(thrown instanceof RecordFault)) throw thrown;
    return { is_whole: false, ...found, fault: { said: thrown.said, text: english(thrown.said) } };
  }
}

async function* writtenRecord(deps: ServiceDeps, check: StoredCheck): AsyncGenerator<string> {
  const { store } = deps.projects.current();
  const { checks } = store;
  // what is appended from here on belongs to the next record
  const ends = new Map(checks.ends(check.id).map((end) => [end.part, end]));
  const logo = checks.logo(check.id);
  const source = {
    facts: {
      format: CHECK_RECORD_FORMAT,
      version: CHECK_RECORD_VERSION,
      session: {
        uuid: check.uuid,
        name: check.name,
        created_at: check.createdAt,
        cover: { ...check.cover },
        ...(logo && { logo: logo.sha256 }),
      },
      project: basename(store.path, extname(store.path)),
      program: deps.facts.version,
      written_at: isoTime(deps.clock.wallMs()),
    },
    items: recordItems(CheckBook.of(deps).items(check.id)),
    files: recordFiles(checks, check.id),
    parts: checks.parts(check.id).map(({ head, digest }) => ({ head, digest, end: ends.get(head.id)?.digest ?? digest })),
    entries: (part: string) => entriesOf(checks, check.id, part, ends.get(part)?.seq ?? 0),
  } as const;
  const turns = new Turns();
  let at = 0;
  for (const line of recordLines(source)) {
    at += 1;
    if (at % LINES_A_LOOK === 0 || line.length > LONG_LINE) await turns.breathe();
    yield line;
  }
}

function* recordItems(items: readonly StoredCheckItem[]): Generator<RecordItem> {
  for (const { channelId: _, pointId: __, ...item } of items) yield item;
}

function* entriesOf(checks: CheckRepository, session: number, part: string, last: number) {
  for (let seq = 1; seq <= last; seq++) {
    const entry = checks.entry(session, part, seq);
    if (!entry) throw new AppError('STATE_STORE', say('check.entry_gone', { part, seq }));
    yield entry;
  }
}

/** Uploads of records are written to the disk as they arrive. */
function pathOf(file: File): string {
  if (file instanceof FileOnDisk) return file.path;
  throw invalidField('file', say('check.no_record'));
}

function isFull(thrown: unknown): boolean {
  return (
    (toAppError(thrown).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC' ||
    (thrown as NodeJS.ErrnoException).code === 'ENOSPC'
  );
}
