import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CHECK_RECORD_FORMAT, CHECK_RECORD_TYPES, recordVersion } from '#shared/domain/check.ts';
import { AppError, invalidField, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CheckRepository, StoredCheck } from '../../persistence/check-repositories.ts';
import { Turns } from '../../platform/turns.ts';
import { fileName } from '../file-name.ts';
import { FileOnDisk } from '../file-on-disk.ts';
import { FileAnswer, type Handlers } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { CheckBook } from './check-book.ts';
import { recordFiles } from './files.ts';
import { mergeRecord } from './merge.ts';
import { recordDevices, recordItems } from './record-facts.ts';
import { RecordFault } from './record-fault.ts';
import { recordLines } from './record-lines.ts';

/** Lines between two looks at the clock; those of files are long. */
const LINES_A_LOOK = 50;
const LONG_LINE = 64 * 1024;

/** The record of a session: written, proved, and taken over from another copy. */
export function checkRecordHandlers(deps: ServiceDeps): Pick<Handlers, 'checkRecord' | 'verifyRecord' | 'mergeCheck'> {
  return {
    async checkRecord({ session_id, format, lang: language }) {
      const check = CheckBook.of(deps).find(session_id);
      const json = deps.projectFiles.newDraft();
      const path = format === 'json' ? json : deps.projectFiles.newDraft();
      try {
        await pipeline(Readable.from(writtenRecord(deps, check)), createWriteStream(json, { mode: 0o600 }));
        if (format !== 'json') await deps.records.make({ format, from: json, to: path, language });
      } catch (thrown) {
        for (const draft of [json, path]) await rm(draft, { force: true });
        throw isFull(thrown) ? new AppError('STATE_STORE_FULL', say('check.record_no_room'), { cause: thrown }) : thrown;
      }
      if (format !== 'json') await rm(json, { force: true });
      return new FileAnswer(`${fileName(check.name, 'check')}.${format}`, CHECK_RECORD_TYPES[format], path);
    },
    verifyRecord: ({ file }) => deps.records.verify(pathOf(file)),
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

async function* writtenRecord(deps: ServiceDeps, check: StoredCheck): AsyncGenerator<string> {
  const session = deps.projects.current();
  const { store } = session;
  const { checks } = store;
  const wallMs = deps.clock.wallMs();
  // what is appended from here on belongs to the next record
  const ends = new Map(checks.ends(check.id).map((end) => [end.part, end]));
  const items = await recordItems(deps, check);
  const logo = checks.logo(check.id);
  const source = {
    facts: {
      format: CHECK_RECORD_FORMAT,
      version: recordVersion(items.some(({ service }) => service !== undefined)),
      session: {
        uuid: check.uuid,
        name: check.name,
        created_at: check.createdAt,
        cover: { ...check.cover },
        ...(logo && { logo: logo.sha256 }),
      },
      project: basename(store.path, extname(store.path)),
      program: deps.facts.version,
      utc_offset_min: 0 - new Date(wallMs).getTimezoneOffset(),
      devices: await recordDevices(session, items),
    },
    items,
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

/** True for a fault of a full disk. */
export function isFull(thrown: unknown): boolean {
  return (
    (toAppError(thrown).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC' ||
    (thrown as NodeJS.ErrnoException).code === 'ENOSPC'
  );
}
