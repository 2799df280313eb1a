import type { CheckEntry, CheckFile, CheckPartHead } from '#shared/contract/check.ts';
import type { RecordFacts, RecordItem } from '#shared/domain/check-record.ts';
import { say } from '#shared/messages/index.ts';
import { RecordFault } from './record-fault.ts';

/** Where something stands in a record. */
interface Place {
  readonly line: number;
  readonly part: string;
}

/** What the pieces of a record name of each other: items, files, and digests that parts go on from. None of it may be missing. */
export class RecordLinks {
  #session = '';
  #logo: string | undefined;
  readonly #codes = new Map<string, string>();
  readonly #files = new Map<string, number>();
  readonly #heads = new Set<string>();
  /** Of heads and entries: a part goes on from any of them. */
  readonly #digests = new Set<string>();
  /** Parts by a digest that they go on from. */
  readonly #parents = new Map<string, string>();

  facts({ session }: RecordFacts): void {
    this.#session = session.uuid;
    this.#logo = session.logo;
  }

  /** False for one that was there already; the session itself is none. */
  item({ uuid, code }: RecordItem): boolean {
    if (uuid === this.#session || this.#codes.has(uuid)) return false;
    this.#codes.set(uuid, code);
    return true;
  }

  /** False for one that was there already. */
  file({ sha256, size }: CheckFile): boolean {
    if (this.#files.has(sha256)) return false;
    this.#files.set(sha256, size);
    return true;
  }

  /** Throws `RecordFault` where the record has not the logo that it names. All files are known by then. */
  filesEnd(): void {
    if (this.#logo !== undefined && !this.#files.has(this.#logo)) throw new RecordFault(say('check.logo_missing'));
  }

  /** False for a part that was there already. */
  head({ id, parents }: CheckPartHead, digest: string): boolean {
    if (this.#heads.has(id)) return false;
    this.#heads.add(id);
    this.#digests.add(digest);
    for (const parent of parents) this.#parents.set(parent, id);
    return true;
  }

  /** Throws `RecordFault` for an item or a file that the record does not have. */
  entry({ item, seq, attachments = [] }: CheckEntry, digest: string, { line, part }: Place): void {
    this.#digests.add(digest);
    if (item !== this.#session && !this.#codes.has(item)) throw new RecordFault(say('check.item_missing', { line, seq, part, item }));
    const missing = attachments.find(({ sha256, size }) => this.#files.get(sha256) !== size);
    if (missing) throw new RecordFault(say('check.file_missing', { line, seq, part, name: missing.name }));
  }

  /** The code of an item as a message has it. */
  codeOf(item: string): string {
    return this.#codes.get(item) ?? item;
  }

  /** Throws `RecordFault` where a part goes on from results that the record does not have. */
  partsEnd(): void {
    for (const [digest, part] of this.#parents) {
      if (!this.#digests.has(digest)) throw new RecordFault(say('check.parent_missing', { part, digest }));
    }
  }
}
