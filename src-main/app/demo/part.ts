import type { InputOf } from '#shared/contract/index.ts';
import type { RuntimePorts } from '../../runtime/types.ts';
import type { Core } from '../types.ts';
import type { PlantSimulation } from './simulation.ts';

/** What the demo takes of the world outside. */
export type DemoPorts = Pick<RuntimePorts, 'clock' | 'transports' | 'logger'>;

/** Ids of the channels of the demo by name. */
export type DemoIds = (name: string) => number;

/** Adds a channel; answers its id. */
export async function addChannel(core: Core, input: InputOf<'addChannel'>): Promise<number> {
  return (await core.api.call('addChannel', input)).data.id;
}

/** One simulated site: the channel that serves it on loopback, and those that read it. */
export interface DemoPart {
  /** Names of its channels. */
  readonly names: readonly string[];
  /** Adds its channels with their points. */
  fill(core: Core): Promise<void>;
  /** Starts its channels, which are filled, and their tasks. Null: nothing in it moves by itself. */
  start(core: Core, ports: DemoPorts, idOf: DemoIds): Promise<PlantSimulation | null>;
}
