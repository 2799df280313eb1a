import type { Message } from '#shared/messages/message.ts';

/** What the last read of one data set left (service document 2.5). */
export interface DataSetState {
  /** Last successfully read values by reference, `LD/LN$FC$DO$DA`; a failed read keeps them. */
  readonly values: ReadonlyMap<string, unknown>;
  /** UTC milliseconds of the last successful read; null: never. */
  readonly updatedAt: number | null;
  /** True when no read has happened yet or the last one failed. */
  readonly isStale: boolean;
  /** Error of the last read; null when it succeeded. */
  readonly lastError: Message | null;
}

const NEVER_READ: DataSetState = { values: new Map(), updatedAt: null, isStale: true, lastError: null };

/** `[MX]` or `(MX)` at the end of a reference, as some tools write the functional constraint. */
const TRAILING_CONSTRAINT = /\s*(?:\[([A-Z]{2})\]|\(([A-Z]{2})\))$/;

/**
 * The one spelling under which a reference is kept, `LD/LN$FC$DO$DA`: dots and dollar signs are the same, and a functional
 * constraint in brackets at the end takes its place behind the logical node (service document 2.5 rule 1).
 */
export function canonicalReference(reference: string): string {
  const trimmed = reference.trim();
  const trailing = TRAILING_CONSTRAINT.exec(trimmed);
  const constraint = trailing?.[1] ?? trailing?.[2];
  const plain = constraint === undefined ? trimmed : trimmed.replace(TRAILING_CONSTRAINT, '');
  const slash = plain.indexOf('/') + 1;
  const parts = plain.slice(slash).split(/[.$]/);
  if (constraint !== undefined && parts[1] !== constraint) parts.splice(1, 0, constraint);
  return plain.slice(0, slash) + parts.join('$');
}

/**
 * The data sets of one device as dataset-mode tasks read them. Queries answer from here and never cause I/O. Batch reads and
 * reports do not touch it.
 */
export class DataSetSnapshots {
  readonly #sets = new Map<string, DataSetState>();
  #knownNames: readonly string[] = [];

  /** Names the device had when it was last asked, as it writes them; what a round without connection fails. */
  get knownNames(): readonly string[] {
    return this.#knownNames;
  }

  /** A data set that the device had and has no more is forgotten; no names at all mean that the device is not known. */
  set knownNames(names: readonly string[]) {
    const present = new Set(names.map(canonicalReference));
    const gone = names.length === 0 ? [] : this.#knownNames.map(canonicalReference).filter((key) => !present.has(key));
    for (const key of gone) this.#sets.delete(key);
    this.#knownNames = names;
  }

  /** Every data set that was read or is known, in the one spelling. */
  names(): string[] {
    return [...new Set([...this.#knownNames.map(canonicalReference), ...this.#sets.keys()])];
  }

  /** The data sets are those of another device from now on, of which nothing is known. */
  forget(): void {
    this.#sets.clear();
    this.#knownNames = [];
  }

  /** Takes over the values of a successful read. */
  succeed(name: string, values: ReadonlyMap<string, unknown>, atWallMs: number): void {
    const kept = new Map<string, unknown>();
    for (const [reference, value] of values) kept.set(canonicalReference(reference), value);
    this.#sets.set(canonicalReference(name), { values: kept, updatedAt: atWallMs, isStale: false, lastError: null });
  }

  /** A failed read: values and their time stay, the data set is stale (service document 2.5 rule 2). */
  fail(name: string, error: Message): void {
    this.#sets.set(canonicalReference(name), { ...this.get(name), isStale: true, lastError: error });
  }

  /** One data set, whatever its spelling; never read when there was no read of it. */
  get(name: string): DataSetState {
    return this.#sets.get(canonicalReference(name)) ?? NEVER_READ;
  }

  /** Value of one reference, whatever its spelling; undefined when no data set holds it. */
  value(reference: string): unknown {
    const key = canonicalReference(reference);
    for (const set of this.#sets.values()) {
      if (set.values.has(key)) return set.values.get(key);
    }
    return undefined;
  }

  /** All data sets of the device together: newest read, stale when any is, the error of one that is. */
  device(): DataSetState {
    if (this.#sets.size === 0) return NEVER_READ;
    const values = new Map<string, unknown>();
    let updatedAt: number | null = null;
    let lastError: Message | null = null;
    let isStale = false;
    for (const set of this.#sets.values()) {
      for (const [reference, value] of set.values) values.set(reference, value);
      if (set.updatedAt !== null) updatedAt = Math.max(updatedAt ?? 0, set.updatedAt);
      isStale ||= set.isStale;
      lastError = set.lastError ?? lastError;
    }
    return { values, updatedAt, isStale, lastError };
  }
}
