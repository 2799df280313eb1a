import type { CheckRun, CheckSeen } from '#shared/contract/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { StoredCheck, StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { CancelTimer } from '../../platform/clock.ts';
import { Turns } from '../../platform/turns.ts';
import type { ServiceDeps } from '../ports.ts';
import { Announcement } from './announcement.ts';
import type { CheckedPoint } from './elsewhere/checked-channel.ts';
import { EventFeed } from './event-feed.ts';
import { seenNow } from './evidence.ts';
import { finding, findingsOf, readOtherwise } from './findings.ts';
import type { ItemWatch } from './item-watch.ts';
import type { Moved } from './neighbours.ts';
import { OpenItems } from './open-items.ts';
import { presentRow } from './present-row.ts';
import { lostOf } from './reads.ts';
import { type Outcome, RunBase } from './run-base.ts';
import type { Sight } from './sight.ts';
import { goneOf } from './states.ts';

const LOOK_MS = 50;
/** Items that are looked at in one look: more would hold the lines. */
const ITEMS_A_LOOK = 2000;
/** Watches that are made between two looks at the time. */
const WATCHES_A_TURN = 20;
/** Points that moved last, and items that did not move, as the run shows them. */
const MOST_MOVED = 10;
const MOST_NOT_MOVED = 20;
/** While so many results wait for room nothing more is judged. */
const MOST_WAITING = 1000;
const RESULTS_A_CHANGE = 50;

export interface ListenOptions {
  readonly operator: string;
  readonly settleMs: number;
  readonly items: readonly StoredCheckItem[];
}

/** What has come to a conclusion, waiting to be judged. */
interface Concluded {
  readonly watched: ItemWatch;
  readonly found: CheckedPoint;
  /** Null: octets came to rest that may have to be read otherwise. */
  readonly sight: Sight | null;
}

/**
 * The listening way: people move things in any order, and each change is taken by the item that it belongs to. An item that passed is not looked at any more; one that failed is watched anew, so that
 * it can pass when it was put right. Who says what he moves (`announce`) is told when something else moves, or nothing. Reads nothing, sends nothing. Ends with its last item, when it is stopped,
 * and when another project is opened.
 */
export class ListenRun extends RunBase {
  readonly #options: ListenOptions;
  readonly #open: OpenItems;
  readonly #concluded: Concluded[] = [];
  /** Items that moved in this run. */
  readonly #moving = new Set<string>();
  #moved: readonly Moved[] = [];
  /** The watch that counted the last change. */
  #latest: ItemWatch | null = null;
  #announced: Announcement | null = null;
  #notMoved: readonly ItemWatch[] | null = null;
  /** Those that did not move have failed by it. */
  #areFailed = false;
  readonly #feed: EventFeed;
  #passed = 0;
  #isJudging = false;
  #cancel: CancelTimer = () => {};

  private constructor(deps: ServiceDeps, check: StoredCheck, options: ListenOptions) {
    super(deps, check, 'listen', options.operator);
    this.#options = options;
    this.#feed = new EventFeed(deps, this.session);
    this.#open = new OpenItems(deps, this.session, this.#feed, options.settleMs);
  }

  /** Gets ready to listen, a long list bit by bit; `begin` begins. Throws `STATE_CONFLICT` where there is nothing to listen for. */
  static async prepare(deps: ServiceDeps, check: StoredCheck, options: ListenOptions): Promise<ListenRun> {
    const run = new ListenRun(deps, check, options);
    const turns = new Turns();
    for (const [at, item] of options.items.entries()) {
      if (at % WATCHES_A_TURN === 0) await turns.breathe();
      run.requireHere();
      run.#open.watch(item);
    }
    if (run.#open.size === 0) throw new AppError('STATE_CONFLICT', say('check.nothing_to_hear'));
    return run;
  }

  begin(): void {
    this.#lookLater();
  }

  protected ended(): void {
    this.#cancel();
    this.#announced = null;
    this.#notMoved = this.#open.all().filter(({ item }) => !this.#moving.has(item.uuid));
  }

  protected refusal() {
    return say('check.listening');
  }

  snapshot(): CheckRun {
    const announced = this.#announced;
    const now = this.deps.clock.monotonicMs();
    const latest = this.#latest;
    return this.row({
      total: this.#open.size + this.#passed,
      position: this.#passed,
      ...this.#notMovedRow(),
      item: announced && presentRow(this.session, announced.watched, announced.others(), Math.round(now - announced.begunAt)),
      latest: latest && presentRow(this.session, latest, [], Math.round(now - latest.begunAt)),
      moved: [...this.#moved],
    });
  }

  #notMovedRow(): Pick<CheckRun, 'not_moved' | 'not_ready'> {
    const items: NonNullable<CheckRun['not_moved']>['items'] = [];
    let total = 0;
    let notReady = 0;
    for (const watched of this.#open.all()) {
      const { item } = watched;
      if (!watched.isReady) notReady += 1;
      if (this.#moving.has(item.uuid)) continue;
      total += 1;
      if (total > MOST_NOT_MOVED) continue;
      const found = watched.locate();
      const { code, name } = found?.point ?? item;
      items.push({ item: item.uuid, code, name, channel: found?.channel.settings.name ?? item.channel });
    }
    return { not_moved: { total, items }, not_ready: notReady };
  }

  /** Somebody moves this item now. Throws `STATE_CONFLICT` for one that is not listened for. */
  override announce(uuid: string, withinMs: number): void {
    const watched = this.#open.get(uuid);
    if (!watched) {
      const code = this.#options.items.find((item) => item.uuid === uuid)?.code ?? uuid;
      throw new AppError('STATE_CONFLICT', say('check.not_listened', { code }));
    }
    this.#announced = new Announcement(watched, this.deps.clock.monotonicMs(), withinMs);
  }

  /** Appends that items which did not move failed by it, a long list bit by bit. */
  override async failUnmoved(): Promise<void> {
    const all = this.#areFailed ? [] : (this.#notMoved ?? []);
    this.#areFailed = true;
    await this.work(() => this.#failAll(all));
  }

  async #failAll(all: readonly ItemWatch[]): Promise<void> {
    const turns = new Turns();
    for (let at = 0; at < all.length; at += RESULTS_A_CHANGE) {
      await turns.breathe();
      const entries = all.slice(at, at + RESULTS_A_CHANGE).map((watched) => {
        const seconds = Math.round((this.deps.clock.monotonicMs() - watched.begunAt) / 1000);
        const lost = this.#lost(watched, this.deps.clock.monotonicMs());
        return this.entryOf({
          item: watched.item,
          verdict: lost ? 'blocked' : 'failed',
          findings: lost ? [] : [finding('dead', say('check.found_dead', { seconds }))],
          remark: lost ? english(lost) : '',
          seen: this.#seen(watched),
          frames: [],
          place: watched.facts,
          begunAt: watched.begunAt,
        });
      });
      this.append(entries, () => {});
    }
  }

  /** Why nothing could be seen of an item since then (monotonic milliseconds): its point is gone, or its line is or was lost. Null: it could. */
  #lost(watched: ItemWatch, since: number): Message | null {
    const channel = watched.locate()?.channel;
    if (!channel) return goneOf(this.session, watched.item);
    const isNew = channel.connectedAt !== null && channel.connectedAt > since;
    return lostOf(channel) ?? (isNew ? say('check.line_lost', { channel: channel.settings.name }) : null);
  }

  #seen(watched: ItemWatch): CheckSeen[] {
    const found = watched.locate();
    return found ? [seenNow(found)] : [];
  }

  #lookLater(): void {
    this.#cancel = this.deps.clock.after(LOOK_MS, () => {
      if (!this.isRunning) return;
      if (this.isElsewhere()) {
        this.stop();
        return;
      }
      // judged results are kept while they cannot be appended; more of them than these are not made
      if (this.waiting < MOST_WAITING) this.#look();
      if (this.isRunning) this.#lookLater();
    });
  }

  #look(): void {
    const now = this.deps.clock.monotonicMs();
    this.#takeEvents(now);
    for (let turn = 0; turn < Math.min(ITEMS_A_LOOK, this.#open.size); turn++) {
      const next = this.#open.next();
      if (next) this.#lookAt(next, now);
    }
    this.#followAnnounced(now);
  }

  /** What devices sent by themselves, each for the items of its point. */
  #takeEvents(now: number): void {
    for (const taken of this.#feed.take(now)) {
      for (const watched of this.#open.at(taken)) {
        const found = watched.locate();
        const before = watched.changes;
        if (found) watched.takeEvent(found, taken, taken.rawHex());
        if (watched.changes > before) this.#noteMoved(watched, now);
      }
    }
  }

  #lookAt(watched: ItemWatch, now: number): void {
    const found = watched.locate();
    if (!found) return;
    if (watched.isElsewhere) {
      // edited meanwhile: what was seen is of another place
      this.#open.watch(watched.item);
      return;
    }
    const before = watched.changes;
    if (this.#feed.isDrained(found.channel)) watched.takeTable(found, now);
    if (watched.changes > before) this.#noteMoved(watched, now);
    // what moved in the place of another one says nothing of itself
    if (this.#announced?.isSuspect(watched)) return;
    const sight = watched.look(now);
    if (sight) {
      this.#anew(watched, sight.verdict);
      this.#conclude({ watched, found, sight });
    } else if (watched.haveOctetsRested(now)) this.#conclude({ watched, found, sight: null });
  }

  #noteMoved(watched: ItemWatch, now: number): void {
    const { item, change } = watched;
    this.#moving.add(item.uuid);
    this.#latest = watched;
    if (!change) return;
    const moved: Moved = { item: item.uuid, code: item.code, ...change };
    this.#moved = [moved, ...this.#moved.filter((other) => other.item !== item.uuid)].slice(0, MOST_MOVED);
    this.#announced?.note(moved, now);
  }

  /** What came of an announcement: another item moved in its place, or none. */
  #followAnnounced(now: number): void {
    const announced = this.#announced;
    if (!announced) return;
    const { watched, begunAt } = announced;
    // passed, failed by its own value, or edited meanwhile
    if (this.#open.get(watched.item.uuid) !== watched) {
      this.#announced = null;
      return;
    }
    const findings = announced.judge(now, this.#options.settleMs);
    if (!findings) return;
    this.#announced = null;
    // nothing came over a line that was lost meanwhile: that says nothing of the point
    const lost = findings.some(({ name }) => name === 'dead') ? this.#lost(watched, begunAt) : null;
    for (const uuid of [...announced.suspects(), watched.item.uuid]) {
      const item = this.#open.get(uuid)?.item;
      if (item) this.#open.watch(item);
    }
    const said = lost ? { verdict: 'blocked' as const, findings: [], remark: english(lost) } : { verdict: 'failed' as const, findings };
    void this.work(() => this.#append(watched, { ...said, seen: this.#seen(watched) }, begunAt)).catch(this.fault);
  }

  /** What has concluded concludes once: a failed item is watched anew from what stands now. */
  #anew({ item }: ItemWatch, verdict: 'passed' | 'failed'): void {
    if (verdict === 'failed') this.#open.watch(item);
    else {
      this.#open.delete(item.uuid);
      this.#passed += 1;
    }
  }

  #conclude(concluded: Concluded): void {
    this.#concluded.push(concluded);
    if (!this.#isJudging) void this.work(() => this.#judgeAll()).catch(this.fault);
  }

  /** Judges what has concluded, one after the other: a search in a large table is one at a time. */
  async #judgeAll(): Promise<void> {
    this.#isJudging = true;
    try {
      for (let next = this.#concluded.shift(); next; next = this.#concluded.shift()) await this.#judge(next).catch(this.fault);
    } finally {
      this.#isJudging = false;
    }
    if (this.#open.size === 0) this.stop();
  }

  async #judge({ watched, found, sight }: Concluded): Promise<void> {
    const { item, begunAt, last } = watched;
    if (sight) {
      const findings = await findingsOf(found, item.expectation, sight);
      await this.#append(watched, { verdict: sight.verdict, findings, seen: sight.seen }, begunAt);
      return;
    }
    // octets in the wrong order may be a value that hardly moves, or no number at all
    const findings = last ? await readOtherwise(found, item.expectation, last) : [];
    if (!last || findings.length === 0 || this.#open.get(item.uuid) !== watched) return;
    this.#moving.add(item.uuid);
    this.#latest = watched;
    this.#anew(watched, 'failed');
    await this.#append(watched, { verdict: 'failed', findings, seen: [last] }, begunAt);
  }

  async #append(
    { item, facts: place }: ItemWatch,
    said: Pick<Outcome, 'verdict' | 'findings' | 'remark' | 'seen'>,
    begunAt: number,
  ): Promise<void> {
    const frames = await this.framesOf(item);
    this.append([this.entryOf({ item, ...said, frames, place, begunAt })], () => {});
  }
}
