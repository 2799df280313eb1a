import type { CheckEntry, CheckPartHead } from '#shared/contract/check.ts';
import type { CheckVerdict } from '#shared/domain/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type {
  CheckFileContent,
  CheckRepository,
  StoredCheck,
  StoredCheckEntry,
  StoredCheckItem,
  StoredCheckPart,
} from '../../persistence/check-repositories.ts';
import { serially } from '../../platform/serially.ts';
import { Turns } from '../../platform/turns.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { canonical, entryDigest, headDigest, orderTime } from './chain.ts';
import { ItemList } from './item-list.ts';

/** Entries that are looked at between two turns of the lines. */
const ENTRIES_A_LOOK = 200;
/** Items that go into the file in one change: more would hold the lines. */
const ITEMS_A_CHANGE = 500;

/** The result that the state of an item follows from. */
export interface Mark {
  readonly part: string;
  readonly seq: number;
  readonly orderAt: string;
  readonly verdict: CheckVerdict;
  /** Canonical text of what the point was. */
  readonly mapping: string;
}

/** An entry as it is given in, without what its place in the chain says. */
export type NewEntry = Omit<CheckEntry, 'seq' | 'at' | 'running_ms'>;

/** Verdicts that leave the state of an item as it is. */
const LEAVES_STATE: readonly CheckVerdict[] = ['skipped', 'remark'];

/** The end of the part that this run of the program appends to. */
interface OwnPart {
  readonly id: string;
  readonly seq: number;
  readonly orderAt: string;
  readonly digest: string;
}

/** What is known of one session beside its file. */
interface Known {
  /** Null: to be read again. */
  items: ItemList | null;
  readonly marks: Map<string, Mark>;
  /** Number of the last entry that is in the marks. */
  seen: number;
  own: OwnPart | null;
  readonly changing: ReturnType<typeof serially>;
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
    return this.#list(id).all;
  }

  /** Throws `CONFIG_NOT_FOUND`. */
  item(id: number, uuid: string): StoredCheckItem {
    const found = this.#list(id).get(uuid);
    if (!found) throw new AppError('CONFIG_NOT_FOUND', say('check.no_item', { item: uuid }));
    return found;
  }

  /** Runs a change of a session behind those of it that are under way: what it looks at is as they left it. */
  changing<Result>(id: number, work: () => Promise<Result>): Promise<Result> {
    return this.#of(id).changing(work);
  }

  /**
   * Adds items, or changes those that are there. They go into the file in slices: a kill between them leaves those that are there, and a repeated request adds the
   * rest. Within `changing`.
   */
  putItems(id: number, items: readonly StoredCheckItem[]): Promise<void> {
    return this.#inSlices(
      id,
      items,
      (slice) => this.#checks.putItems(id, slice),
      () => this.#list(id).with(items),
    );
  }

  /** Takes items out, in slices as well; no result is appended to them from now on. Within `changing`. Throws `STATE_CONFLICT` for one that has results. */
  removeItems(id: number, items: readonly StoredCheckItem[]): Promise<void> {
    const after = this.#list(id).with([], new Set(items.map(({ uuid }) => uuid)));
    this.#of(id).items = after;
    return this.#inSlices(
      id,
      items,
      (slice) => this.#checks.removeItems(id, slice),
      () => after,
    );
  }

  async #inSlices(
    id: number,
    items: readonly StoredCheckItem[],
    change: (slice: readonly StoredCheckItem[]) => void,
    after: () => ItemList,
  ): Promise<void> {
    const turns = new Turns();
    const known = this.#of(id);
    try {
      for (let at = 0; at < items.length; at += ITEMS_A_CHANGE) {
        await turns.breathe();
        change(items.slice(at, at + ITEMS_A_CHANGE));
      }
      if (items.length > ITEMS_A_CHANGE) await turns.next();
      known.items = after();
    } catch (thrown) {
      known.items = null;
      throw thrown;
    }
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
        CheckBook.note(known.marks, each.item, each);
      }
      if (more.length < ENTRIES_A_LOOK) return known.marks;
      await turns.breathe();
    }
  }

  /** Digests that the parts end with. */
  heads(id: number): string[] {
    return this.#checks.ends(id).map(({ digest }) => digest);
  }

  /** Appends what somebody found out. Throws `CONFIG_NOT_FOUND` for an item that is gone, `STATE_STORE` and its like; nothing is appended then. */
  append(check: StoredCheck, entry: NewEntry, attachments: readonly CheckFileContent[] = []): StoredCheckEntry {
    return this.appendAll(check, [entry], attachments)[0] as StoredCheckEntry;
  }

  /** Appends several results, all or none, in one change, with the files they name. The first entry of a run of the program begins a part. */
  appendAll(check: StoredCheck, entries: readonly NewEntry[], attachments: readonly CheckFileContent[] = []): StoredCheckEntry[] {
    for (const { item } of entries) if (item !== check.uuid) this.item(check.id, item);
    const known = this.#of(check.id);
    const begun = known.own === null ? this.#newPart(check) : null;
    let own = known.own ?? { id: begun?.head.id ?? '', seq: 0, orderAt: begun?.head.not_before ?? '', digest: begun?.digest ?? '' };
    const stored: StoredCheckEntry[] = [];
    for (const entry of entries) {
      const next = this.#chained(own, entry);
      stored.push(next);
      own = { id: own.id, seq: next.seq, orderAt: next.orderAt, digest: next.digest };
    }
    this.#checks.append(check.id, stored, begun ? [begun] : [], attachments);
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
    if (LEAVES_STATE.includes(mark.verdict)) return;
    const last = marks.get(item);
    if (last === undefined || isBehind(mark, last)) marks.set(item, mark);
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
    const known = this.#known.get(id) ?? { items: null, marks: new Map(), seen: 0, own: null, changing: serially() };
    this.#known.set(id, known);
    return known;
  }

  #list(id: number): ItemList {
    const known = this.#of(id);
    known.items ??= new ItemList(this.#checks.items(id));
    return known.items;
  }
}

/** By time; within a part by number, which its times never contradict. */
function isBehind(one: Mark, other: Mark): boolean {
  if (one.orderAt !== other.orderAt) return one.orderAt > other.orderAt;
  return one.part === other.part ? one.seq > other.seq : one.part > other.part;
}
