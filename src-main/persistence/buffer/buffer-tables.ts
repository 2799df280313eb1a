import type Database from 'better-sqlite3';

/** Octets that a chunk is counted with beside its data: its row and its place in the index. */
const OCTETS_OF_ROW = 64;

/** A publisher as the file knows it; what waits and its octets are counted along. */
export interface PublisherRow {
  readonly session: string;
  last: number;
  gone: number;
  dropped: number;
  waiting: number;
  octets: number;
}

/** Where a chunk stands. */
interface ChunkPlace {
  readonly id: number;
  readonly first: number;
  readonly last: number;
  readonly octets: number;
  readonly foundAt: number;
}

type Values = [id: number, session: string, last: number, gone: number, dropped: number, waiting: number, octets: number];

/** The statements on the file of waiting records. What changes a row of a publisher changes it in memory; `setPublisher` writes it. */
export class BufferTables {
  readonly #publisher: Database.Statement<[number], PublisherRow>;
  readonly #setPublisher: Database.Statement<Values>;
  readonly #ids: Database.Statement<[], number>;
  readonly #add: Database.Statement<[number, number, number, number, number, Buffer]>;
  readonly #upTo: Database.Statement<[number, number], ChunkPlace>;
  readonly #removeChunk: Database.Statement<[number]>;
  readonly #behind: Database.Statement<[{ readonly publisher: number; readonly sequence: number }], ChunkPlace & { readonly data: Buffer }>;
  readonly #oldest: Database.Statement<[number, number], ChunkPlace>;
  readonly #newest: Database.Statement<[number], number | null>;
  readonly #removeAll: readonly Database.Statement<[number]>[];

  constructor(db: Database.Database) {
    const place = 'id, first, last, octets, found_at AS foundAt';
    this.#publisher = db.prepare('SELECT session, last, gone, dropped, waiting, octets FROM publishers WHERE id = ?');
    this.#setPublisher = db.prepare(
      'INSERT OR REPLACE INTO publishers (id, session, last, gone, dropped, waiting, octets) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#ids = db.prepare<[], number>('SELECT id FROM publishers').pluck();
    this.#add = db.prepare('INSERT INTO chunks (publisher, first, last, found_at, octets, data) VALUES (?, ?, ?, ?, ?, ?)');
    this.#upTo = db.prepare(`SELECT ${place} FROM chunks WHERE publisher = ? AND first <= ? ORDER BY first`);
    this.#removeChunk = db.prepare('DELETE FROM chunks WHERE id = ?');
    // the chunks of a publisher do not overlap, so the last one that begins at or before a sequence is the only one that may reach behind it
    this.#behind = db.prepare(`SELECT ${place}, data FROM chunks WHERE publisher = @publisher AND last > @sequence
      AND first >= coalesce((SELECT max(first) FROM chunks WHERE publisher = @publisher AND first <= @sequence + 1), 0) ORDER BY first LIMIT 1`);
    this.#oldest = db.prepare(`SELECT ${place} FROM chunks WHERE publisher = ? AND first > ? ORDER BY first LIMIT 1`);
    this.#newest = db.prepare<[number], number | null>('SELECT max(found_at) FROM chunks WHERE found_at <= ?').pluck();
    this.#removeAll = [db.prepare('DELETE FROM chunks WHERE publisher = ?'), db.prepare('DELETE FROM publishers WHERE id = ?')];
  }

  publisher(id: number): PublisherRow | undefined {
    return this.#publisher.get(id);
  }

  setPublisher(id: number, { session, last, gone, dropped, waiting, octets }: PublisherRow): void {
    this.#setPublisher.run(id, session, last, gone, dropped, waiting, octets);
  }

  ids(): number[] {
    return this.#ids.all();
  }

  /** Adds records behind the last sequence. */
  add(
    publisher: number,
    row: PublisherRow,
    { count, foundAt, data }: { readonly count: number; readonly foundAt: number; readonly data: Buffer },
  ): void {
    const octets = data.length + OCTETS_OF_ROW;
    this.#add.run(publisher, row.last + 1, row.last + count, foundAt, octets, data);
    row.last += count;
    row.waiting += count;
    row.octets += octets;
  }

  /** Everything up to `sequence` was taken; chunks of which nothing is left go. */
  take(publisher: number, row: PublisherRow, sequence: number): void {
    for (const chunk of this.#upTo.all(publisher, sequence)) {
      row.waiting -= Math.min(chunk.last, sequence) - Math.max(chunk.first - 1, row.gone);
      if (chunk.last <= sequence) this.#remove(row, chunk);
    }
    row.gone = sequence;
  }

  /** A chunk gives way with what waits in it. */
  drop(row: PublisherRow, chunk: ChunkPlace): void {
    const waiting = chunk.last - Math.max(chunk.first - 1, row.gone);
    row.waiting -= waiting;
    row.dropped += waiting;
    this.#remove(row, chunk);
  }

  /** The oldest one with a sequence behind this one. */
  chunkBehind(publisher: number, sequence: number): (ChunkPlace & { readonly data: Buffer }) | undefined {
    return this.#behind.get({ publisher, sequence });
  }

  /** The oldest one that begins behind this sequence. */
  oldestBehind(publisher: number, sequence: number): ChunkPlace | undefined {
    return this.#oldest.get(publisher, sequence);
  }

  /** When the newest one was found, up to a time; null: there is none. */
  newest(until: number): number | null {
    return this.#newest.get(until) ?? null;
  }

  /** All of these publishers. */
  removeAll(publishers: readonly number[]): void {
    for (const id of publishers) for (const statement of this.#removeAll) statement.run(id);
  }

  #remove(row: PublisherRow, { id, octets }: ChunkPlace): void {
    this.#removeChunk.run(id);
    row.octets -= octets;
  }
}
