import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { LongList } from './json-guard.ts';

/** Entries that are made of the text together. */
const ENTRIES_A_PART = 250;

/** The refusal of a text that `JSON.parse` threw at. */
export function notJson(error: unknown): AppError {
  return new AppError('CONFIG_NOT_JSON', say('http.not_json', { detail: error instanceof Error ? error.message : String(error) }));
}

/**
 * A long list of a body that is text still. Its entries are made part by part by whoever checks them, and are gone behind that: all of them at once
 * would be carried through the memory twice, each point beside what was made of it.
 */
export class ListText {
  readonly #octets: Buffer;
  readonly #list: LongList;

  constructor(octets: Buffer, list: LongList) {
    this.#octets = octets;
    this.#list = list;
  }

  get length(): number {
    return this.#list.commas.length + 1;
  }

  /** The entries, some hundred at a time. Throws `CONFIG_NOT_JSON` where the text is none. */
  *parts(): Generator<readonly unknown[]> {
    const { open, close, commas } = this.#list;
    for (let first = 0; first < this.length; first += ENTRIES_A_PART) {
      const count = Math.min(ENTRIES_A_PART, this.length - first);
      const from = first === 0 ? open + 1 : (commas[first - 1] ?? 0) + 1;
      const part = this.#parsed(from, commas[first + count - 1] ?? close);
      if (part.length !== count) throw notJson('two commas without an entry between them');
      yield part;
    }
  }

  /** All entries, `breathe` between the parts. */
  async entries(breathe: () => Promise<void>): Promise<unknown[]> {
    const entries: unknown[] = [];
    for (const part of this.parts()) {
      for (const entry of part) entries.push(entry);
      await breathe();
    }
    return entries;
  }

  #parsed(from: number, to: number): unknown[] {
    try {
      return JSON.parse(`[${this.#octets.toString('utf8', from, to)}]`);
    } catch (error) {
      throw notJson(error);
    }
  }
}
