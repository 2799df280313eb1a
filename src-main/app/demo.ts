import type { Channel } from '#shared/contract/channels.ts';
import { bayController } from './demo/bay.ts';
import { meterLine } from './demo/meter-line.ts';
import type { DemoPart, DemoPorts } from './demo/part.ts';
import { storagePlant } from './demo/plant.ts';
import { substation } from './demo/substation.ts';
import type { Core, Demo, MarkOf } from './types.ts';

/** What the channels of the demo are known by when nobody has changed them: their marks, by name (`ProjectStore.markOf`). */
export type DemoMarks = Readonly<Record<string, string>>;

/** What a start is given beside the world outside. */
export interface DemoStart {
  /** Of the demo as the build made it; null: it was not built, its channels are made anew at each start. */
  readonly marks: DemoMarks | null;
  /** Of the channels of the open project. */
  readonly markOf: MarkOf;
}

const NOT_BUILT: DemoStart = { marks: null, markOf: () => null };

/** Channels and points get their numbers in this order. */
const parts = (): DemoPart[] => [storagePlant(), meterLine(), substation(), bayController()];

/**
 * Restores the demo plant in the open project and starts it: a served simulated plant, a line of simulated meters, a substation and a bay
 * controller on loopback, and client channels that read them by automatic tasks. When one of its channels is not as the build made it, or not
 * stopped, all of them are removed and added anew; all others stay. Call it after the core listens.
 */
export async function startDemo(core: Core, ports: DemoPorts, { marks, markOf } = NOT_BUILT): Promise<Demo> {
  const all = parts();
  const ids = (marks && (await untouched(core, all, marks, markOf))) ?? (await fillDemo(core, all));
  const idOf = (name: string) => ids.get(name) ?? missing(name);
  const ended = await Promise.allSettled(all.map((part) => part.start(core, ports, idOf)));
  const stop = async () => {
    await Promise.all(ended.map((each) => (each.status === 'fulfilled' ? each.value?.stop() : undefined)));
  };
  const failed = ended.find((each) => each.status === 'rejected');
  if (!failed) return { stop };
  await stop();
  throw failed.reason;
}

/** Puts the channels of the demo with their points into the open project, in the place of those that are there; answers their ids by name. */
export async function fillDemo(core: Core, all: readonly DemoPart[] = parts()): Promise<ReadonlyMap<string, number>> {
  for (const { id } of await channelsOf(core, all)) await core.api.call('deleteChannel', { channel_id: id });
  for (const part of all) await part.fill(core);
  return byName(await channelsOf(core, all));
}

/** Ids of the channels of the demo by name when all are there as the build made them; null otherwise. */
async function untouched(
  core: Core,
  all: readonly DemoPart[],
  marks: DemoMarks,
  markOf: MarkOf,
): Promise<ReadonlyMap<string, number> | null> {
  const channels = await channelsOf(core, all);
  const isAsMade = ({ id, name, status }: Channel) => status === 'stopped' && marks[name] !== undefined && markOf(id) === marks[name];
  return channels.length === all.flatMap(({ names }) => names).length && channels.every(isAsMade) ? byName(channels) : null;
}

async function channelsOf(core: Core, all: readonly DemoPart[]): Promise<Channel[]> {
  const names = new Set(all.flatMap((part) => part.names));
  return (await core.api.call('listChannels', {})).data.filter(({ name }) => names.has(name));
}

function byName(channels: readonly Channel[]): ReadonlyMap<string, number> {
  return new Map(channels.map(({ name, id }) => [name, id]));
}

function missing(name: string): never {
  throw new RangeError(`The demo has no channel ${name}.`);
}
