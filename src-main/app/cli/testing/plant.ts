import type { InputOf } from '#shared/contract/index.ts';
import { type Pair, type RunningCore, startCore, startPair } from '../../testing/running-core.ts';

type Points = InputOf<'addPoints'>['points'];

/** Points of a device, as it serves them and as it is read. */
export const POINTS: Points = [
  { frame_type: 0, code: 'P', name: '有功功率', address: 0, decode: '0x21', unit: 'kW' },
  { frame_type: 0, code: 'Q', address: 1, decode: '0x21' },
  { frame_type: 3, code: 'S', name: 'setpoint', address: 2, decode: '0x21' },
];

/** A service with the device `PCS 1`, which serves and is read, and `Other`, which serves the code `Q` too. */
export interface Plant {
  readonly running: RunningCore;
  readonly pair: Pair;
  /** Options that lead to the service. */
  readonly place: readonly string[];
  /** Sets what the device serves. */
  serve(code: string, value: number): Promise<void>;
}

export async function startPlant(
  config: Parameters<typeof startCore>[0] = {},
  overrides: Parameters<typeof startCore>[1] = {},
): Promise<Plant> {
  const running = await startCore(config, overrides);
  const { api } = running.core;
  const pair = await startPair({ ...running, api }, { served: POINTS, read: POINTS }, { name: 'PCS 1' });
  const other = (await api.call('addChannel', { name: 'Other', protocol_type: 1, conn_type: 1, port: pair.port })).data;
  await api.call('addPoints', { channel_id: other.id, points: [{ frame_type: 0, code: 'ONLY', address: 0, decode: '0x21' }] });
  return {
    running,
    pair,
    place: ['--data', running.dir],
    async serve(code, value) {
      const { items } = (await api.call('readPoints', { points: [{ code, channel_id: pair.serverId }] })).data;
      const [point] = items;
      if (point) await api.call('updatePoint', { point_id: point.id, frame_type: point.frame_type, value });
    },
  };
}
