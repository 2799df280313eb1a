import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ProjectSession } from '../ports.ts';
import type { Comparison } from './comparison.ts';

/** What is kept of a project as long as it is open; the oldest give way. */
const MOST_FILES = 8;
const MOST_FILE_OCTETS = 64 * 1024 * 1024;
const MOST_COMPARISONS = 8;
/** Rows of all comparisons together. */
const MOST_ROWS = 250_000;

/** A file that was given in to be compared. */
export interface KeptFile {
  readonly id: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Files to be compared, and comparisons that were made, of one project. */
export class Kept {
  readonly #files = new Map<string, KeptFile>();
  readonly #comparisons = new Map<string, Comparison>();

  giveFile(file: KeptFile): void {
    this.#files.set(file.id, file);
    dropOldest(this.#files, MOST_FILES, MOST_FILE_OCTETS, ({ bytes }) => bytes.length);
  }

  /** Throws `CONFIG_NOT_FOUND`. */
  file(id: string): KeptFile {
    const file = this.#files.get(id);
    if (!file) throw new AppError('CONFIG_NOT_FOUND', say('table.no_file', { id }));
    return file;
  }

  keep(comparison: Comparison): void {
    this.#comparisons.set(comparison.id, comparison);
    dropOldest(this.#comparisons, MOST_COMPARISONS, MOST_ROWS, ({ rows }) => rows.length);
  }

  /** Throws `CONFIG_NOT_FOUND`. */
  comparison(id: string): Comparison {
    const comparison = this.#comparisons.get(id);
    if (!comparison) throw new AppError('CONFIG_NOT_FOUND', say('table.no_comparison', { id }));
    return comparison;
  }
}

/** The last one stays, however large it is by itself. */
function dropOldest<Item>(items: Map<string, Item>, most: number, mostSize: number, sizeOf: (item: Item) => number): void {
  let size = [...items.values()].reduce((sum, item) => sum + sizeOf(item), 0);
  for (const [id, item] of items) {
    if (items.size === 1 || (items.size <= most && size <= mostSize)) return;
    items.delete(id);
    size -= sizeOf(item);
  }
}

const kept = new WeakMap<ProjectSession, Kept>();

/** What is kept of a project that is open. */
export function keptOf(session: ProjectSession): Kept {
  const known = kept.get(session) ?? new Kept();
  kept.set(session, known);
  return known;
}
