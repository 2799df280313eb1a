import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { BesideFile } from '../beside-file.ts';
import type { BufferNews, BufferRead, BufferRun, BufferStore, BufferWrite, BufferWritten } from '../buffer-repositories.ts';
import { SeenTime } from '../seen-time.ts';
import { BUFFER } from './buffer-db.ts';
import { BufferTables } from './buffer-tables.ts';
import { decodeChunk, encodeChunk } from './chunk.ts';

/** Records of one chunk: what is read, dropped and damaged at once. */
const RECORDS_A_CHUNK = 500;
/** Pages that lie empty in the file before some are given back, and how many at a time; 4096 octets each. */
const MOST_EMPTY_PAGES = 1024;
const PAGES_AT_A_TIME = 256;

const OCTETS_A_MB = 1024 * 1024;
/** What is left free on the drive, in MiB: the project needs room, or every command is refused; and so does the log by which records go. */
const LEFT_FREE_MB = 64;

/** Octets that the log of the file may keep when it is not needed. */
const MOST_LOG = 4 * OCTETS_A_MB;

/** A stretch in which the time was not noted and that is no longer counts in full, in milliseconds. */
const REST_MS = 150_000;

function begin(db: Database.Database) {
  db.pragma(`journal_size_limit = ${MOST_LOG}`);
  const tables = new BufferTables(db);
  return { db, tables, seen: new SeenTime(db, REST_MS, (until) => tables.newest(until)) };
}

/** The file of waiting records. `freeOctets`: what is free on the drive of a folder; null: nobody knows. */
export class BufferEngine implements BufferStore {
  readonly path: string;
  readonly #file: BesideFile<ReturnType<typeof begin>>;
  readonly #freeOctets: (folder: string) => number | null;

  constructor(path: string, project: string, freeOctets = freeOn) {
    this.path = path;
    this.#file = new BesideFile(BUFFER, path, project, begin);
    this.#freeOctets = freeOctets;
  }

  exists(): boolean {
    return this.#file.exists();
  }

  async write(what: BufferWrite): Promise<BufferNews & BufferWritten> {
    const chunks: Buffer[] = [];
    for (let from = 0; from < what.add.length; from += RECORDS_A_CHUNK)
      chunks.push(encodeChunk(what.add.slice(from, from + RECORDS_A_CHUNK)));
    return this.#file.work(({ db, tables, seen }) => {
      const free = what.add.length > 0 ? this.#freeOctets(dirname(this.path)) : null;
      if (free !== null && free < LEFT_FREE_MB * OCTETS_A_MB) {
        // what was taken goes all the same: so there is room again
        const takenAlone = {
          ...what,
          add: [],
          limit: { ...what.limit, octets: Number.POSITIVE_INFINITY, ageMs: Number.POSITIVE_INFINITY },
        };
        db.transaction(() => written(tables, seen, takenAlone, [])).immediate();
        throw new AppError('STATE_STORE_FULL', say('buffer.disk_low', { path: this.path, mb: LEFT_FREE_MB }));
      }
      const status = db.transaction(() => written(tables, seen, what, chunks)).immediate();
      if ((db.pragma('freelist_count', { simple: true }) as number) > MOST_EMPTY_PAGES) db.pragma(`incremental_vacuum(${PAGES_AT_A_TIME})`);
      return status;
    });
  }

  async read(publisher: number, after: number, want: number): Promise<BufferNews & BufferRead> {
    if (this.#file.isNone) return { ...this.#file.news(), session: '', runs: [], damaged: 0 };
    return this.#file.work(({ db, tables }) => {
      const runs: BufferRun[] = [];
      let [found, damaged, place] = [0, 0, after];
      while (found < want) {
        const chunk = tables.chunkBehind(publisher, place);
        if (!chunk) break;
        place = chunk.last;
        // of the first one a part may have been read
        const from = Math.max(0, after + 1 - chunk.first);
        try {
          const records = decodeChunk(chunk.data);
          if (records.length !== chunk.last - chunk.first + 1) throw new RangeError('damaged');
          runs.push({ first: chunk.first + from, records: records.slice(from) });
          found += records.length - from;
        } catch {
          damaged += chunk.last - chunk.first + 1 - from;
          db.transaction(() => {
            const row = tables.publisher(publisher);
            if (!row) return;
            tables.drop(row, chunk);
            tables.setPublisher(publisher, row);
          }).immediate();
        }
      }
      return { session: tables.publisher(publisher)?.session ?? '', runs, damaged };
    });
  }

  async keepOnly(publishers: readonly number[]): Promise<BufferNews> {
    if (this.#file.isNone) return this.#file.news();
    return this.#file.work(({ db, tables }) => {
      const gone = tables.ids().filter((id) => !publishers.includes(id));
      if (gone.length > 0) db.transaction(() => tables.removeAll(gone)).immediate();
      return {};
    });
  }

  async close(): Promise<void> {
    this.#file.leave();
  }

  /** For tests of a full disk: pages that the file may have, of 4096 octets. */
  mostPages(count: number): void {
    this.#file.open?.db.pragma(`max_page_count = ${count}`);
  }
}

function freeOn(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Enters what was taken, adds, and lets go what is over the limits. */
function written(tables: BufferTables, seen: SeenTime, what: BufferWrite, chunks: readonly Buffer[]): BufferWritten {
  const { publisher, newSession, taken, skip, add, limit, now } = what;
  seen.note(now);
  const row = tables.publisher(publisher) ?? { session: newSession, last: 0, gone: 0, dropped: 0, waiting: 0, octets: 0 };
  const isSame = row.session === taken.session;
  if (isSame && taken.upTo > row.gone) tables.take(publisher, row, Math.min(taken.upTo, row.last));
  if (add.length > 0) {
    row.last += skip;
    row.dropped += skip;
  }
  for (const [index, data] of chunks.entries()) {
    const count = Math.min(RECORDS_A_CHUNK, add.length - index * RECORDS_A_CHUNK);
    tables.add(publisher, row, { count, foundAt: now, data });
  }
  const before = row.dropped;
  const keepFrom = seen.keepFrom(now, limit.ageMs);
  let droppedUpTo = 0;
  for (;;) {
    // what is on its way belongs to the session it was read of
    const chunk = tables.oldestBehind(publisher, isSame ? limit.busyUpTo : 0);
    if (!chunk || (row.octets <= limit.octets && chunk.foundAt >= keepFrom)) break;
    tables.drop(row, chunk);
    droppedUpTo = chunk.last;
  }
  tables.setPublisher(publisher, row);
  const { session, last, gone, dropped, waiting, octets } = row;
  const oldest = tables.oldestBehind(publisher, 0)?.foundAt ?? null;
  return { session, last, gone, dropped, waiting, octets, oldest, droppedNow: dropped - before, droppedUpTo };
}
