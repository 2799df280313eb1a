import type { CheckEntry, CheckPartHead } from '#shared/contract/check.ts';
import { type CheckPlace, decidingOf, orderTime } from '#shared/domain/check-order.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type {
  CheckRepository,
  StoredCheck,
  StoredCheckEntry,
  StoredCheckItem,
  StoredCheckPart,
} from '../../persistence/check-repositories.ts';
import { Turns } from '../../platform/turns.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { canonical, entryDigest, headDigest } from './chain.ts';

/** Entries that are looked at between two turns of the lines. */
const ENTRIES_A_LOOK = 200;

/** The result that the state of an item follows from. */
export interface Mark extends CheckPlace {
  /** Canonical text of what the point was. */
  readonly mapping: string;
}

/** An entry as it is given in, without what its place in the chain says. */
export type NewEntry = Omit<CheckEntry, 'seq' | 'at' | 'running_ms'>;

/** The end of the part that this run of the program appends to. */
interface OwnPart {
  readonly id: string;
  readonly seq: number;
  readonly orderAt: string;
  readonly digest: string;
}

/** What is known of one session beside its file. */
interface Known {
  items: readonly StoredCheckItem[];
  readonly marks: Map<string, Mark>;
  /** Number of the last entry that is in the marks. */
  seen: number;
  /** Entries of each item, remarks among them. */
  readonly counts: Map<string, number>;
  own: OwnPart | null;
}

const books = new WeakMap<ProjectSession, CheckBook>();

/** The check sessions of a project: what lasts lies in its file, and what follows from that is kept here as long as the project is open. */
export class CheckBook {
  readonly #deps: ServiceDeps;
  readonly #checks: CheckRepository;
  readonly #known = new Map<number, Known>();

  private constructor(deps: ServiceDeps, session: ProjectSession) {
    this.#deps = deps;
    this.#checks = session.store.checks;
  }

  /** The book of the project that is open. */
  static of(deps: ServiceDeps): CheckBook {
    const session = deps.projects.current();
    const known = books.get(session) ?? new CheckBook(deps, session);
    books.set(session, known);
    return known;
  }

  get store(): CheckRepository {
    return this.#checks;
  }

  list(): StoredCheck[] {
    return this.#checks.list();
  }

  /** Throws `CONFIG_NOT_FOUND`. */
  find(id: number): StoredCheck {
    const found = this.#checks.list().find((check) => check.id === id);
    if (!found) throw new AppError('CONFIG_NOT_FOUND', say('check.no_session', { id }));
    return found;
  }

  /** Items in the order of the session. */
  items(id: number): readonly StoredCheckItem[] {
    return this.#of(id).items;
  }

  /** Throws `CONFIG_NOT_FOUND`. */
  item(id: number, uuid: string): StoredCheckItem {
    const found = this.items(id).find((item) => item.uuid === uuid);
    if (!found) throw new AppError('CONFIG_NOT_FOUND', say('check.no_item', { item: uuid }));
    return found;
  }

  /** Call after items were changed in the file. */
  itemsChanged(id: number): void {
    this.#of(id).items = this.#checks.items(id);
  }

  /** What is appended from here on comes behind all that was merged: it begins a part of its own. */
  merged(id: number): void {
    this.#of(id).own = null;
  }

  /** Session that a check is under way in; null: none. Its items stay as long as it is. */
  inRun: (() => number | null) | null = null;

  /** Throws `STATE_CONFLICT` while a check of this session is under way. */
  requireAtRest(id: number): void {
    if (this.inRun?.() === id) throw new AppError('STATE_CONFLICT', say('check.in_run'));
  }

  /** Forgets what is known of a session that is gone. */
  forget(id: number): void {
    this.#known.delete(id);
  }

  /** The deciding results of a session by item, a long list bit by bit. */
  async marks(id: number): Promise<ReadonlyMap<string, Mark>> {
    const known = this.#of(id);
    const turns = new Turns();
    for (;;) {
      const more = this.#checks.marksBehind(id, known.seen, ENTRIES_A_LOOK);
      for (const each of more) {
        if (each.id <= known.seen) continue;
        known.seen = each.id;
        known.counts.set(each.item, (known.counts.get(each.item) ?? 0) + 1);
        CheckBook.note(known.marks, each.item, each);
      }
      if (more.length < ENTRIES_A_LOOK) return known.marks;
      await turns.breathe();
    }
  }

  /** Entries of each item; as of the last `marks`. */
  counts(id: number): ReadonlyMap<string, number> {
    return this.#of(id).counts;
  }

  /** Digests that the parts end with. */
  heads(id: number): string[] {
    return this.#checks.ends(id).map(({ digest }) => digest);
  }

  /** Appends what somebody found out. Throws `STATE_STORE` and its like; nothing is appended then. */
  append(check: StoredCheck, entry: NewEntry): StoredCheckEntry {
    return this.appendAll(check, [entry])[0] as StoredCheckEntry;
  }

  /** Appends several results, all or none, in one change. The first entry of a run of the program begins a part. */
  appendAll(check: StoredCheck, entries: readonly NewEntry[]): StoredCheckEntry[] {
    const known = this.#of(check.id);
    const begun = known.own === null ? this.#newPart(check) : null;
    let own = known.own ?? { id: begun?.head.id ?? '', seq: 0, orderAt: begun?.head.not_before ?? '', digest: begun?.digest ?? '' };
    const stored: StoredCheckEntry[] = [];
    for (const entry of entries) {
      const next = this.#chained(own, entry);
      stored.push(next);
      own = { id: own.id, seq: next.seq, orderAt: next.orderAt, digest: next.digest };
    }
    this.#checks.append(check.id, stored, begun ? [begun] : []);
    known.own = own;
    return stored;
  }

  #chained(own: OwnPart, entry: NewEntry): StoredCheckEntry {
    const { clock } = this.#deps;
    const whole: CheckEntry = { ...entry, seq: own.seq + 1, at: isoTime(clock.wallMs()), running_ms: Math.round(clock.monotonicMs()) };
    const body = canonical(whole);
    const { item, verdict, seq } = whole;
    const [orderAt, mapping] = [orderTime(own.orderAt, whole), canonical(whole.mapping)];
    return { part: own.id, seq, orderAt, item, verdict, mapping, body, digest: entryDigest(own.digest, body) };
  }

  /** Takes an entry as the deciding one of its item where it is the latest. */
  static note(marks: Map<string, Mark>, item: string, mark: Mark): void {
    const deciding = decidingOf(marks.get(item), mark);
    if (deciding) marks.set(item, deciding);
  }

  #newPart(check: StoredCheck): StoredCheckPart {
    const { clock, facts } = this.#deps;
    const ends = this.#checks.ends(check.id);
    const head: CheckPartHead = {
      id: facts.newId(),
      session: check.uuid,
      parents: ends.map(({ digest }) => digest),
      not_before: ends.reduce((latest, { orderAt }) => (orderAt > latest ? orderAt : latest), ''),
      computer: facts.computer,
      program: facts.version,
      started_at: isoTime(clock.wallMs()),
    };
    return { head, digest: headDigest(head) };
  }

  #of(id: number): Known {
    const known = this.#known.get(id) ?? { items: this.#checks.items(id), marks: new Map(), seen: 0, counts: new Map(), own: null };
    this.#known.set(id, known);
    return known;
  }
}
