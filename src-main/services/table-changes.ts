import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig, PointsEdit } from '../drivers/spi/index.ts';
import type { PointLoad, PointsChange, ProjectStore, StepFacts, StepSide } from '../persistence/repositories.ts';
import { Turns } from '../platform/turns.ts';
import type { ChannelRuntime, StagedPoints } from '../runtime/types.ts';
import type { ProjectHolder, ProjectSession } from './ports.ts';

/** Points that are changed at once: some milliseconds of work. More are prepared part by part and made in one short step. */
const AT_ONCE = 500;
/** Points that come back among more than these need the order of the whole table made anew, which takes as long as a large change. */
const REORDERED_AT_ONCE = 10_000;

/** How a change is brought to a running channel. */
export interface ChangeManner {
  /** The tasks of the channel are stopped for it, and the automatic one is started again. Means something for one channel only. */
  readonly stopsTasks?: boolean;
}

/** A change of the points of one channel. */
export interface ChannelChange {
  readonly channel: ChannelRuntime;
  readonly change: PointsChange;
}

/** What a change is in the journal: a new step, or one that is taken back or done again. */
export type Journal = StepFacts | { readonly step: number; readonly isUndone: boolean };

/**
 * Changes of point tables, one after the other in each channel, so that what a change was checked against still holds when it is made. A large
 * one is prepared beside the table and made, in file and memory, in one short step: no line waits for it, and nobody sees half of it. Its step of
 * the journal is made in the same transaction.
 */
export class TableChanges {
  readonly #projects: ProjectHolder;
  /** The last change of each channel, which the next one waits for. */
  readonly #last = new WeakMap<ChannelRuntime, Promise<unknown>>();

  constructor(projects: ProjectHolder) {
    this.#projects = projects;
  }

  /** Runs checks and change of one request; the tables are changed by nobody else meanwhile. */
  async run<Result>(channels: ChannelRuntime | readonly ChannelRuntime[], work: (turns: Turns) => Promise<Result>): Promise<Result> {
    const own = 'id' in channels ? [channels] : [...new Set(channels)];
    // all of them are taken in the same moment: two requests never wait for each other
    const before = Promise.all(own.map((channel) => this.#last.get(channel)));
    const session = this.#projects.current();
    const turns = new Turns();
    const result = before.then(async () => {
      for (const channel of own) {
        this.#requireCurrent(session, channel);
        await session.store.points.settle(channel.id, turns.breathe);
      }
      return work(turns);
    });
    const settled = result.catch(() => {});
    for (const channel of own) this.#last.set(channel, settled);
    return result;
  }

  /** Makes a checked change, all or none, within `run` of its channels; answers the added points of each in their order. Throws as the store does. */
  async make(
    given: readonly ChannelChange[],
    journal: Journal,
    turns: Turns,
    { stopsTasks = false }: ChangeManner = {},
  ): Promise<(readonly PointConfig[])[]> {
    const changes = given.filter(({ change }) => sizeOf(change) > 0);
    if (changes.length === 0) return given.map(() => []);
    const total = changes.reduce((sum, { change }) => sum + sizeOf(change), 0);
    const isReordered = changes.some(
      ({ channel, change }) => (change.restored?.length ?? 0) > 0 && channel.points.size > REORDERED_AT_ONCE,
    );
    const isAtOnce = total <= AT_ONCE && !isReordered && !changes.some(({ channel, change }) => channel.isLongToServe(change));
    const sides: StepSide[] = [];
    // a large step that is taken back or done again is in the journal already
    if (isAtOnce || 'name' in journal) for (const each of changes) sides.push(await sideOf(each, turns));
    const making: Making = { session: this.#projects.current(), changes, sides, journal, stopsTasks };
    // what was checked, and what is made at once, are some milliseconds each
    if (isAtOnce && total > POINTS_A_LOOK) await turns.next();
    const added = await (isAtOnce ? this.#atOnce(making) : this.#staged(making, turns));
    return given.map((each) => added[changes.indexOf(each)] ?? []);
  }

  async #atOnce({ session, changes, sides, journal, stopsTasks }: Making): Promise<PointConfig[][]> {
    const { store } = session;
    let made: PointConfig[][] = [];
    await this.#bring(changes, stopsTasks, () => {
      for (const { channel } of changes) this.#requireCurrent(session, channel);
      made = store.atomically(() => {
        const added = changes.map(({ channel, change }) => store.points.change(channel.id, change));
        enter(store, journal, withAdded(sides, changes, added));
        return added;
      });
      return changes.map(({ channel, change }, index) => showNow(channel, change, made[index] ?? [], sides[index]));
    });
    return made;
  }

  async #staged({ session, changes, sides, journal, stopsTasks }: Making, turns: Turns): Promise<(readonly PointConfig[])[]> {
    const { store } = session;
    const ready: { discard(): void }[] = [];
    let isMade = false;
    try {
      const loads: PointLoad[] = [];
      for (const { channel, change } of changes) {
        const load = await store.points.prepare(channel.id, change, turns.breathe, new Turns('behind').breathe);
        ready.push(load);
        loads.push(load);
      }
      const added = loads.map((load) => load.added);
      await turns.next();
      const step = 'name' in journal ? await store.steps.prepare(journal, withAdded(sides, changes, added), turns.breathe, loads) : null;
      if (step) ready.push(step);
      const staged: StagedPoints[] = [];
      for (const [index, { channel, change }] of changes.entries()) {
        staged.push(await channel.stagePoints({ ...change, added: added[index] ?? [] }, turns.breathe));
      }
      // the step has a turn of its own
      await turns.next();
      await this.#bring(changes, stopsTasks, () => {
        for (const { channel } of changes) this.#requireCurrent(session, channel);
        store.atomically(() => {
          for (const load of loads) load.confirm();
          if (step) step.confirm();
          else enter(store, journal, []);
        });
        isMade = true;
        for (const { show } of staged) show();
        return changes.map(() => undefined);
      });
      for (const { told } of staged) await told();
      return added;
    } catch (error) {
      if (isMade || !this.#isCurrent(session)) throw error;
      for (const each of ready) each.discard();
      // a removed channel takes along what was prepared for it, which is then missed in one way or another
      for (const { channel } of changes) this.#requireCurrent(session, channel);
      throw error;
    }
  }

  async #bring(changes: readonly ChannelChange[], stopsTasks: boolean, change: () => readonly (PointsEdit | undefined)[]): Promise<void> {
    const [only] = changes;
    if (stopsTasks && only) return only.channel.replacePoints(change);
    const edits = change();
    for (const [index, { channel }] of changes.entries()) channel.pointsChanged(edits[index]);
  }

  #isCurrent(session: ProjectSession): boolean {
    try {
      return this.#projects.current() === session;
    } catch {
      return false;
    }
  }

  #requireCurrent(session: ProjectSession, channel: ChannelRuntime): void {
    if (this.#projects.current() === session && session.channels.get(channel.id) === channel) return;
    throw new AppError('STATE_CONFLICT', say('service.channel_removed', { channel: channel.settings.name }));
  }
}

interface Making {
  readonly session: ProjectSession;
  readonly changes: readonly ChannelChange[];
  /** What each change takes away and edits; what it adds is not known before it has ids. */
  readonly sides: readonly StepSide[];
  readonly journal: Journal;
  readonly stopsTasks: boolean;
}

function sizeOf({ removed, changed, added, restored = [] }: PointsChange): number {
  return removed.length + changed.length + added.length + restored.length;
}

/** Points between two questions whether the lines should have their turn. */
const POINTS_A_LOOK = 64;

async function sideOf({ channel, change }: ChannelChange, turns: Turns): Promise<StepSide> {
  const removed: PointConfig[] = [];
  for (const [index, id] of change.removed.entries()) {
    const before = channel.points.config(id);
    if (before) removed.push(before);
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
  }
  const changed: { before: PointConfig; after: PointConfig }[] = [];
  for (const [index, after] of change.changed.entries()) {
    const before = channel.points.config(after.id);
    if (before) changed.push({ before, after });
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
  }
  return { channelId: channel.id, removed, changed, added: [] };
}

function withAdded(
  sides: readonly StepSide[],
  changes: readonly ChannelChange[],
  added: readonly (readonly PointConfig[])[],
): readonly StepSide[] {
  return sides.map((side, index) => ({ ...side, added: [...(changes[index]?.change.restored ?? []), ...(added[index] ?? [])] }));
}

/** Enters a change into the journal; within the change. */
function enter(store: ProjectStore, journal: Journal, sides: readonly StepSide[]): void {
  if ('name' in journal) store.steps.record(journal, sides);
  else store.steps.mark(journal.step, journal.isUndone);
}

/** Brings a small change into the table in memory; answers what a connection has to know of it. */
function showNow(
  { points }: ChannelRuntime,
  { removed, changed, restored = [] }: PointsChange,
  made: readonly PointConfig[],
  side: StepSide | undefined,
): PointsEdit | undefined {
  if (removed.length > 0) points.remove(removed);
  for (const point of changed) points.update(point);
  if (restored.length + made.length > 0) points.add([...restored, ...made]);
  // a connection takes added points to be behind all others
  if (restored.length > 0) return undefined;
  return { before: [...(side?.removed ?? []), ...(side?.changed ?? []).map(({ before }) => before)], after: [...changed, ...made] };
}
