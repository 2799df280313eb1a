import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointLoad, ProjectStore, StoredChannel } from '../../persistence/repositories.ts';
import { Turns } from '../../platform/turns.ts';
import type { ProjectHolder, ProjectSession } from '../ports.ts';
import type { ChannelPlan } from './text-work.ts';

/** Setting with the ids of channels that are being added: a kill leaves them in the file without their points. */
const UNFINISHED = 'unfinished_channels';

/**
 * Adds channels with their points to the open project, all or none. The points are written beside the tables, in turns; one short change makes everything last.
 * Throws `STATE_CONFLICT` for a name that was taken meanwhile, and as the store does.
 */
export async function addChannels(projects: ProjectHolder, plans: readonly ChannelPlan[]): Promise<void> {
  const session = projects.current();
  const { store } = session;
  const turns = new Turns();
  const added = store.atomically(() => {
    const channels = plans.map(({ settings }) => store.channels.add(settings));
    store.settings.write(UNFINISHED, [...unfinished(store), ...channels.map(({ id }) => id)]);
    return channels;
  });
  const loads: PointLoad[] = [];
  let isMade = false;
  try {
    for (const [index, { points }] of plans.entries()) {
      const { id } = added[index] as StoredChannel;
      loads.push(await store.points.prepare(id, { removed: [], changed: [], added: points }, turns.breathe, new Turns('behind').breathe));
      requireOpen(projects, session);
    }
    const filled = added.map((channel, index) => ({ channel, points: loads[index]?.added ?? [] }));
    const show = await session.channels.stage(filled, turns.breathe);
    requireOpen(projects, session);
    // from the commit to the channels in operation there is no turn: nobody finds one without its points
    store.atomically(() => {
      for (const load of loads) load.confirm();
      finish(store, added);
    });
    isMade = true;
    show();
  } catch (error) {
    if (!isMade && isOpen(projects, session)) undo(store, added);
    throw error;
  }
}

/**
 * Removes the channels that a killed process was adding. Call it before the channels of an opened project are taken into operation: those whose ids it answers
 * are left out. They could not be removed now, `onLeft` is told why, and go at another opening.
 */
export function removeUnfinished(store: ProjectStore, onLeft: (error: unknown) => void): readonly number[] {
  const ids = unfinished(store);
  if (ids.length === 0) return [];
  const there = new Set(store.channels.list().map(({ id }) => id));
  try {
    for (const id of ids) if (there.has(id)) store.channels.remove(id);
    store.settings.write(UNFINISHED, []);
    return [];
  } catch (error) {
    onLeft(error);
    return ids;
  }
}

function unfinished(store: ProjectStore): number[] {
  const ids = store.settings.read(UNFINISHED);
  return Array.isArray(ids) ? ids.filter((id) => Number.isInteger(id)) : [];
}

function finish(store: ProjectStore, channels: readonly StoredChannel[]): void {
  const finished = new Set(channels.map(({ id }) => id));
  store.settings.write(
    UNFINISHED,
    unfinished(store).filter((id) => !finished.has(id)),
  );
}

/** What a full disk keeps here goes at the next opening. */
function undo(store: ProjectStore, channels: readonly StoredChannel[]): void {
  try {
    for (const { id } of channels) store.channels.remove(id);
    finish(store, channels);
  } catch {
    // the list of unfinished channels still has them
  }
}

function isOpen(projects: ProjectHolder, session: ProjectSession): boolean {
  try {
    return projects.current() === session;
  } catch {
    return false;
  }
}

function requireOpen(projects: ProjectHolder, session: ProjectSession): void {
  if (!isOpen(projects, session)) throw new AppError('STATE_CONFLICT', say('service.other_project'));
}
