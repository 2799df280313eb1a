import type { InputOf } from '#shared/contract/index.ts';
import type { RuntimePorts } from '../../runtime/types.ts';
import type { Core } from '../types.ts';
import type { PlantSimulation } from './simulation.ts';

/** What the demo takes of the world outside. */
export type DemoPorts = Pick<RuntimePorts, 'clock' | 'transports' | 'logger'>;

/** Number of a channel of the demo. */
export type DemoIds = (name: string) => number;

/** A channel of the demo as it is added. */
export interface NewChannel {
  readonly channel: InputOf<'addChannel'>;
  readonly points: InputOf<'addPoints'>['points'];
  /** SCL file of the channel. */
  readonly file?: File;
}

/** Adds the channels that are named, then their files, then their points: numbers are given in this order. */
export async function addChannels(core: Core, names: ReadonlySet<string>, all: readonly NewChannel[]): Promise<void> {
  const added: (NewChannel & { readonly id: number })[] = [];
  for (const each of all) {
    if (names.has(each.channel.name)) added.push({ ...each, id: (await core.api.call('addChannel', each.channel)).data.id });
  }
  for (const { id, file } of added) if (file) await core.api.call('storeDocument', { channel_id: id, mode: 'store', file });
  for (const { id, points } of added) await core.api.call('addPoints', { channel_id: id, points });
}

/** One simulated site: the channel that serves it on loopback, and those that read it. */
export interface DemoPart {
  /** Names of its channels. */
  readonly names: readonly string[];
  /** Adds those of its channels that are named, with their points. */
  fill(core: Core, names: ReadonlySet<string>): Promise<void>;
  /** Starts its channels, which are filled, and their tasks. Null: nothing in it moves by itself. */
  start(core: Core, ports: DemoPorts, idOf: DemoIds): Promise<PlantSimulation | null>;
}

/** Begins to simulate, then what belongs to it; where that fails the simulation ends. */
export async function simulate(simulation: PlantSimulation, rest: () => Promise<void>): Promise<PlantSimulation> {
  await simulation.start();
  try {
    await rest();
    return simulation;
  } catch (error) {
    await simulation.stop();
    throw error;
  }
}
