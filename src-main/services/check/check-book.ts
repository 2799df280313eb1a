import type { CheckEntry, CheckPartHead } from '#shared/contract/check.ts';
import { type CheckPlace, decidingOf, orderTime } from '#shared/domain/check-order.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type {
  CheckFileContent,
  CheckRepository,
  StoredCheck,
  StoredCheckEntry,
  StoredCheckItem,
  StoredCheckPart,
} from '../../persistence/check-repositories.ts';
import type { AsideFile } from '../../persistence/repositories.ts';
import { serially } from '../../platform/serially.ts';
import { Turns } from '../../platform/turns.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { canonical, entryDigest, headDigest, type NewEntry } from './chain.ts';
import { ItemList } from './item-list.ts';
import { readAside, setAside } from './set-aside.ts';

/** Last results of an item among which one that lay beside the project may be already. */
const LAST_LOOKED_AT = 50;
/** Entries that are looked at between two turns of the lines. */
const ENTRIES_A_LOOK = 200;
/** Items that go into the file in one change: more would hold the lines. */
const ITEMS_A_CHANGE = 500;

/** The result that the state of an item follows from. */
export interface Mark extends CheckPlace {
  /** Canonical text of what the point was. */
  readonly mapping: string;
}

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
  readonly #aside: AsideFile;
  readonly #known = new Map<number, Known>();

  /** Why what lies beside the project is not in it; null: nothing lies there. */
  asideTrouble: { readonly path: string; readonly detail: Message } | null = null;

  private constructor(deps: ServiceDeps, session: ProjectSession) {
    this.#deps = deps;
    this.#checks = session.store.checks;
    this.#aside = session.store.aside;
  }

  /** The book of the project that is open. What had no room when the project was left comes into it first. */
  static of(deps: ServiceDeps): CheckBook {
    const session = deps.projects.current();
    const known = books.get(session);
    if (known) return known;
    const book = new CheckBook(deps, session);
    books.set(session, book);
    book.#takeAside();
    return book;
  }

  /** Appends what lies beside the project. Where that is not possible yet it stays there, and is tried again when the project is opened again. */
  #takeAside(): void {
    try {
      const left = readAside(this.#aside);
      if (left.length === 0) return;
      for (const { session, entries } of left) {
        const check = this.#checks.list().find(({ uuid }) => uuid === session);
        if (!check) throw new AppError('CONFIG_NOT_FOUND', say('check.no_session', { id: 0 }));
        // a kill behind the change, or no room for the next session, leaves what is in it already
        const missing = entries.filter((entry) => !this.#isThere(check.id, entry));
        if (missing.length > 0) this.appendAll(check, missing);
      }
      this.#aside.remove();
      this.#deps.logger.info({ path: this.#aside.path }, 'results that lay beside the project are in it');
    } catch (thrown) {
      this.asideTrouble = { path: this.#aside.path, detail: toAppError(thrown).said };
      this.#deps.logger.error({ err: thrown, path: this.#aside.path }, 'results that lie beside the project could not be appended');
    }
  }

  /** Whether the last results of the item have this one, under whatever number. */
  #isThere(id: number, entry: NewEntry): boolean {
    const wanted = canonical(entry);
    const { entries } = this.#checks.ofItem(id, entry.item, 0, LAST_LOOKED_AT);
    return entries.some(({ body }) => {
      const { seq: _seq, running_ms: _running, ...kept } = JSON.parse(body) as CheckEntry;
      return canonical(kept) === wanted;
    });
  }

  /** Keeps results beside the project that have no room in it. Throws `STATE_STORE_FULL` and its like. */
  setAside(check: StoredCheck, entries: readonly NewEntry[]): void {
    const at = isoTime(this.#deps.clock.wallMs());
    setAside(this.#aside, { session: check.uuid, entries: entries.map((entry) => ({ at, ...entry })) });
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
    const whole: CheckEntry = {
      ...entry,
      seq: own.seq + 1,
      at: entry.at ?? isoTime(clock.wallMs()),
      running_ms: Math.round(clock.monotonicMs()),
    };
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
