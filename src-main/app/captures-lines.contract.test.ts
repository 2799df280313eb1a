/** Exports of lines without a network (Modbus RTU and ASCII, DL/T 645) become recorded values, and a master of ours reads them from the served replay. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { finish as finishOn, type ManualCore, startManualCore } from './testing/manual-core.ts';

/** Time between two rounds of values in a capture. */
const ROUND_MS = 2000;

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

/** Awaits what takes time of a line. */
const finish = <Value>(work: Promise<Value>) => finishOn(plant.clock, work, 10);

type NewPoints = InputOf<'addPoints'>['points'];
/** What a channel speaks. */
interface Spoken {
  readonly protocol_type: 2 | 4;
  readonly protocol: Readonly<Record<string, unknown>>;
}

/** A served device and a client of it over TCP, with the same points, both started. */
async function aPair(name: string, spoken: Spoken, served: NewPoints, asked: NewPoints) {
  const { api } = plant.core;
  const channel = { ...spoken, ip: '127.0.0.1', port: plant.network.freePort() } as const;
  const ids: number[] = [];
  for (const [conn_type, points] of [
    [1, served],
    [2, asked],
  ] as const) {
    const { id } = (await api.call('addChannel', { ...channel, name: `${name} ${conn_type}`, conn_type })).data;
    await api.call('addPoints', { channel_id: id, points });
    if (conn_type === 1) await api.call('setSimulation', { channel_id: id, period_ms: 50, is_on: false });
    await finish(api.call('startDevice', { channel_id: id }));
    ids.push(id);
  }
  const [serverId = 0, clientId = 0] = ids;
  return { serverId, clientId };
}

async function pointsOf(channel_id: number) {
  return (await plant.core.api.call('pointTable', { channel_id, page: 1, page_size: 100 })).data.items;
}

/** Sets the points of a device to each of these values, one after the other, and reads all of them each time; the frames of the client as a capture. */
async function aCapture(spoken: Spoken, points: NewPoints, rounds: readonly (readonly number[])[]): Promise<File> {
  const { api } = plant.core;
  const { serverId, clientId } = await aPair('Device', spoken, points, points);
  const [served, asked] = [await pointsOf(serverId), await pointsOf(clientId)];
  for (const values of rounds) {
    for (const [at, value] of values.entries()) {
      const { id: point_id = 0, frame_type = 0 } = served[at] ?? {};
      await api.call('updatePoint', { point_id, frame_type, value });
    }
    for (const { id: point_id, frame_type } of asked)
      await finish(api.call('readSinglePoint', { channel_id: clientId, point_id, frame_type }));
    await plant.clock.advance(ROUND_MS);
  }
  const file = (await api.call('framesFile', { channel_id: clientId, format: 'pcapng' })).data as DownloadedFile;
  return new File([new Uint8Array(file.bytes)], 'line.pcapng');
}

const REGISTERS: NewPoints = [
  { frame_type: 3, code: 'A', address: 100, slave_id: 3, decode: '0x20' },
  { frame_type: 3, code: 'B', address: 200, slave_id: 3, decode: '0x20' },
];
const NUMBERS = [
  [11, 500],
  [12, 500],
  [65_535, 501],
  [12, 0],
];
const CASES: readonly (readonly [string, Spoken, string, NewPoints, readonly (readonly number[])[]])[] = [
  ['Modbus RTU', { protocol_type: 2, protocol: {} }, 'mbrtu', REGISTERS, NUMBERS],
  ['Modbus ASCII', { protocol_type: 2, protocol: { framing: 'ascii' } }, 'Modbus ASCII', REGISTERS, NUMBERS],
  [
    'DL/T 645',
    { protocol_type: 4, protocol: {} },
    'DL/T 645',
    [
      { frame_type: 0, code: 'UA', address: 0x02010100, slave_id: 12_345_678 },
      { frame_type: 0, code: 'E', address: 0x00010000, slave_id: 12_345_678 },
    ],
    [
      [220.5, 1000.25],
      [221.4, 1000.25],
      [220.5, 1000.26],
      [0, 1000.27],
    ],
  ],
];

describe('a capture of a line', () => {
  it.each(CASES)('is served again: the values that the device had, in their order: %s', async (_, spoken, line, points, rounds) => {
    const { api } = plant.core;
    const file = await aCapture(spoken, points, rounds);
    expect((await api.call('lookCapture', { file })).data.conversations).toMatchObject([{ carrier: 'line', line, roles_by: 'export' }]);
    const taken = (await api.call('takeCapture', { file, once: 'true' })).data;
    expect([taken.protocol_type, taken.protocol]).toEqual([spoken.protocol_type, spoken.protocol]);
    expect(
      taken.points.map(({ address, slave_id }) => ({ address, slave_id })).sort((a, b) => (a.address ?? 0) - (b.address ?? 0)),
    ).toEqual(points.map(({ address, slave_id }) => ({ address, slave_id })).sort((a, b) => (a.address ?? 0) - (b.address ?? 0)));
    const asked = taken.points.map((point) => ({ ...point, protocol: {} }));
    const { serverId, clientId } = await aPair('Replay', { ...spoken, protocol: taken.protocol }, taken.points, asked);
    await api.call('setSimulation', { channel_id: serverId, is_on: true, anew: true });
    const replayed = await pointsOf(clientId);
    const seen = new Map<number, number[]>();
    const began = plant.clock.monotonicMs();
    while (plant.clock.monotonicMs() - began < taken.series.seconds * 1000 + ROUND_MS) {
      for (const { id: point_id, frame_type, address } of replayed) {
        const { value } = (await finish(api.call('readSinglePoint', { channel_id: clientId, point_id, frame_type }))).data;
        const values = seen.get(address) ?? [];
        if (values.at(-1) !== value) seen.set(address, [...values, value]);
      }
    }
    const expected = points.map(({ address }, at) => [
      address,
      rounds.flatMap((values) => values[at] ?? []).filter((value, index, all) => value !== all[index - 1]),
    ]);
    expect([...seen].sort(([a], [b]) => a - b)).toEqual(expected.sort(([a], [b]) => Number(a) - Number(b)));
    const { faults } = (await api.call('simulation', { channel_id: serverId })).data;
    expect(faults).toEqual([]);
  });
});
