import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig, PointsEdit } from '../drivers/spi/index.ts';
import type { PointsChange } from '../persistence/repositories.ts';
import { Turns } from '../platform/turns.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { ProjectHolder, ProjectSession } from './ports.ts';

/** Points that are changed at once: some milliseconds of work. More are prepared part by part and made in one short step. */
const AT_ONCE = 500;

/** How a change is brought to a running channel. */
export interface ChangeManner {
  /** The tasks of the channel are stopped for it, and the automatic one is started again. */
  readonly stopsTasks?: boolean;
}

/**
 * Changes of point tables, one after the other in each channel, so that what a change was checked against still holds when it is made. A large
 * one is prepared beside the table and made, in file and memory, in one short step: no line waits for it, and nobody sees half of it.
 */
export class TableChanges {
  readonly #projects: ProjectHolder;
  readonly #last = new Map<ChannelRuntime, Promise<unknown>>();

  constructor(projects: ProjectHolder) {
    this.#projects = projects;
  }

  /** Runs checks and change of one request; the table is changed by nobody else meanwhile. */
  async run<Result>(channel: ChannelRuntime, work: (turns: Turns) => Promise<Result>): Promise<Result> {
    const before = this.#last.get(channel) ?? Promise.resolve();
    const session = this.#projects.current();
    const turns = new Turns();
    const result = before.then(async () => {
      this.#requireCurrent(session, channel);
      await session.store.points.settle(channel.id, turns.breathe);
      return work(turns);
    });
    const settled = result.catch(() => {});
    this.#last.set(channel, settled);
    void settled.then(() => {
      if (this.#last.get(channel) === settled) this.#last.delete(channel);
    });
    return result;
  }

  /** Makes a checked change, all or none, within `run`; answers the added points in their order. Throws as the store does. */
  async make(
    channel: ChannelRuntime,
    change: PointsChange,
    turns: Turns,
    { stopsTasks = false }: ChangeManner = {},
  ): Promise<PointConfig[]> {
    const session = this.#projects.current();
    const { removed, changed, added } = change;
    if (removed.length + changed.length + added.length <= AT_ONCE) {
      let made: PointConfig[] = [];
      await this.#bring(channel, stopsTasks, () => {
        this.#requireCurrent(session, channel);
        const before = [...removed, ...changed.map(({ id }) => id)].flatMap((id) => channel.points.config(id) ?? []);
        made = session.store.points.change(channel.id, change);
        if (removed.length > 0) channel.points.remove(removed);
        for (const point of changed) channel.points.update(point);
        if (made.length > 0) channel.points.add(made);
        return { before, after: [...changed, ...made] };
      });
      return made;
    }
    const load = await session.store.points.prepare(channel.id, change, turns.breathe, new Turns('behind').breathe);
    try {
      const show = await channel.points.stage({ removed, changed, added: load.added }, turns.breathe);
      await this.#bring(channel, stopsTasks, () => {
        this.#requireCurrent(session, channel);
        load.confirm();
        show();
        return undefined;
      });
    } catch (error) {
      if (this.#isCurrent(session, channel)) load.discard();
      throw error;
    }
    return [...load.added];
  }

  async #bring(channel: ChannelRuntime, stopsTasks: boolean, change: () => PointsEdit | undefined): Promise<void> {
    if (stopsTasks) return channel.replacePoints(change);
    channel.pointsChanged(change());
  }

  #isCurrent(session: ProjectSession, channel: ChannelRuntime): boolean {
    return this.#projects.current() === session && session.channels.get(channel.id) === channel;
  }

  #requireCurrent(session: ProjectSession, channel: ChannelRuntime): void {
    if (this.#isCurrent(session, channel)) return;
    throw new AppError('STATE_CONFLICT', say('service.channel_removed', { channel: channel.settings.name }));
  }
}
