import type { Channel } from '#shared/contract/channels.ts';
import { bayController } from './demo/bay.ts';
import { type DemoMarks, type DemoStore, forgetNote, KeptDemo } from './demo/kept-demo.ts';
import { meterLine } from './demo/meter-line.ts';
import type { DemoPart, DemoPorts } from './demo/part.ts';
import { storagePlant } from './demo/plant.ts';
import { substation } from './demo/substation.ts';
import type { Core, Demo } from './types.ts';

/** What a start is given beside the world outside. */
export interface DemoStart {
  /** Of the demo as the build made it; null: it was not built, its channels are made anew at each start. */
  readonly marks: DemoMarks | null;
  /** The open project; null: nothing is kept in it. */
  readonly store: DemoStore | null;
}

const NOT_BUILT: DemoStart = { marks: null, store: null };

/** Channels and points get their numbers in this order. */
const parts = (): DemoPart[] => [storagePlant(), meterLine(), substation(), bayController()];

/**
 * Restores the demo plant in the open project and starts it: a served simulated plant, a line of simulated meters, a substation and a bay
 * controller on loopback, and client channels that read them by automatic tasks. A channel that somebody changed stays, stopped and under another name, and the demo has its own again. All
 * other channels stay. Call it after the core listens.
 */
export async function startDemo(core: Core, ports: DemoPorts, { marks, store } = NOT_BUILT): Promise<Demo> {
  const all = parts();
  const kept = marks && store ? new KeptDemo(store, marks) : null;
  if (kept) {
    await restore(core, all, kept);
    // what ends before the sites run is no change of anybody
    note(ports, all, kept);
  } else {
    await fillDemo(core, all);
    if (store) forgetNote(store);
  }
  const ids = new Map((await channelsOf(core, all)).map(({ name, id }) => [name, id]));
  const idOf = (name: string) => ids.get(name) ?? missing(name);
  const ended = await Promise.allSettled(all.map((part) => part.start(core, ports, idOf)));
  const stop = async () => {
    await Promise.all(ended.map((each) => (each.status === 'fulfilled' ? each.value?.stop() : undefined)));
  };
  if (kept) {
    // ports may have moved, also where another site failed: the channels are known by what they are now
    for (const channel of await channelsOf(core, all)) kept.made(channel);
    note(ports, all, kept);
  }
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { stop };
}

/** Puts the channels of the demo with their points into the open project, in the place of those that are there; answers their ids by name. */
export async function fillDemo(core: Core, all: readonly DemoPart[] = parts()): Promise<ReadonlyMap<string, number>> {
  for (const { id } of await channelsOf(core, all)) await core.api.call('deleteChannel', { channel_id: id });
  for (const part of all) await part.fill(core, new Set(part.names));
  return new Map((await channelsOf(core, all)).map(({ name, id }) => [name, id]));
}

/** Brings the channels of the demo that are missing or were changed, and all of them where they are those of another version. */
async function restore(core: Core, all: readonly DemoPart[], kept: KeptDemo): Promise<void> {
  const there = await channelsOf(core, all);
  await stopAll(core, there);
  const states = there.map((channel) => kept.stateOf(channel));
  if (kept.origin === 'unknown' && !(there.length === namesOf(all).length && states.every((state) => state === 'as made'))) {
    // of a version that noted nothing: whether it was changed cannot be known
    await fillDemo(core, all);
    for (const channel of await channelsOf(core, all)) kept.made(channel);
    return;
  }
  for (const [place, channel] of there.entries()) {
    const state = states[place];
    if (state === 'changed') await setAside(core, channel);
    else if (state === 'damaged' || kept.origin === 'other') await core.api.call('deleteChannel', { channel_id: channel.id });
  }
  const left = new Set((await channelsOf(core, all)).map(({ name }) => name));
  const missing = new Set(namesOf(all).filter((name) => !left.has(name)));
  for (const part of all) if (part.names.some((name) => missing.has(name))) await part.fill(core, missing);
  for (const channel of await channelsOf(core, all)) if (missing.has(channel.name)) kept.made(channel);
}

function note({ logger }: DemoPorts, all: readonly DemoPart[], kept: KeptDemo): void {
  try {
    kept.note(namesOf(all));
  } catch (error) {
    logger.warn({ err: error }, 'what the demo was made of could not be kept');
  }
}

/** The channel stays, stopped and under another name. */
async function setAside(core: Core, { id, name }: Channel): Promise<void> {
  const taken = new Set((await core.api.call('listChannels', {})).data.map((channel) => channel.name));
  let [aside, count] = [`${name} (changed)`, 1];
  while (taken.has(aside)) aside = `${name} (changed ${++count})`;
  await core.api.call('updateChannel', { channel_id: id, name: aside });
}

async function stopAll(core: Core, channels: readonly Channel[]): Promise<void> {
  const started = channels.filter(({ status }) => status !== 'stopped');
  await Promise.all(started.map(({ id }) => core.api.call('stopDevice', { channel_id: id })));
}

function namesOf(all: readonly DemoPart[]): string[] {
  return all.flatMap(({ names }) => names);
}

async function channelsOf(core: Core, all: readonly DemoPart[]): Promise<Channel[]> {
  const names = new Set(namesOf(all));
  return (await core.api.call('listChannels', {})).data.filter(({ name }) => names.has(name));
}

function missing(name: string): never {
  throw new RangeError(`The demo has no channel ${name}.`);
}
