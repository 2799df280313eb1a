/** A large table that is served changes while its channel runs: what is made when, and what its clients see. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { iec104Driver } from '../drivers/iec104/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import type { DriverConnection, ProtocolDriver, ServerIo } from '../drivers/spi/index.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { finish, type ManualCore, startManualCore } from './testing/manual-core.ts';

type Points = InputOf<'addPoints'>['points'];

const COUNT = 1_200;
/** For what hangs, however busy the computer is. */
const LIMIT = { timeout: 120_000 };
const MORE = 700;
const KINDS = [
  { name: 'Modbus', driver: modbusTcpDriver, protocol: ProtocolType.modbusTcp, more: { decode: '0x20' } },
  { name: 'IEC 104', driver: iec104Driver, protocol: ProtocolType.iec104, more: { protocol: { type_id: 11 } } },
] as const;

/** The driver, with a note of each table that its connections are told. */
function noted(driver: ProtocolDriver) {
  const notes: string[] = [];
  let turns = 0;
  const watched = (connection: DriverConnection): DriverConnection => {
    const whole = connection.pointsChanged.bind(connection);
    const stage = connection.stageTable?.bind(connection) ?? expect.fail('nothing is made aside');
    connection.pointsChanged = (points) => {
      notes.push(`whole ${points.length}`);
      whole(points);
    };
    connection.stageTable = async (points, breathe) => {
      notes.push(`made ${points.length}`);
      const { takeOver, ...rest } = await stage(points, async () => {
        turns += 1;
        await breathe();
      });
      return {
        ...rest,
        takeOver: () => {
          notes.push(`served ${points.length}`);
          takeOver();
        },
      };
    };
    return connection;
  };
  const { serveSteps } = driver;
  const own: ProtocolDriver = {
    ...driver,
    *serveSteps(io: ServerIo) {
      return watched(yield* serveSteps?.(io) ?? expect.fail('it has no steps'));
    },
  };
  return { driver: own, notes, turns: () => turns };
}

let plant: ManualCore;
afterEach(() => plant.close());

describe.each(KINDS)('a large table of $name that is served, and changed while it is', ({ driver, protocol, more }) => {
  it('is made aside in turns, one change behind the other, and clients see both', async () => {
    const watched = noted(driver);
    plant = await startManualCore({ drivers: createDriverRegistry([watched.driver]) });
    const { api } = plant.core;
    const port = plant.network.freePort();
    const add = async (name: string, conn_type: ConnType) =>
      (await api.call('addChannel', { name, protocol_type: protocol, conn_type, port, timeout_ms: 500 })).data.id;
    const pointAt = (at: number): Points[number] => ({ frame_type: 0, code: `P${at}`, address: 1 + at, ...more });
    const points = (from: number, count: number) => Array.from({ length: count }, (_, at) => pointAt(from + at));
    const soon = <Value>(work: Promise<Value>) => finish(plant.clock, work, 20);

    const channel_id = await add('Served', ConnType.tcpServer);
    await api.call('addPoints', { channel_id, points: points(0, COUNT) });
    await soon(api.call('startDevice', { channel_id }));
    const { items } = (await api.call('pointTable', { channel_id, page: 1, page_size: COUNT })).data;
    const ids = items.map(({ id }) => id);
    const set = (at: number, value: number) => api.call('updatePoint', { point_id: ids[at] ?? 0, frame_type: 0, value });
    for (const at of [0, 700, COUNT - 1]) await soon(set(at, at + 1));

    const deleted = api.call('deletePoints', { channel_id, point_ids: ids.slice(0, 600) });
    const added = api.call('addPoints', { channel_id, points: points(COUNT, MORE) });
    const written = set(COUNT - 1, 77);
    await soon(Promise.all([deleted, added, written]));
    expect(watched.notes).toEqual(['made 600', 'served 600', 'made 1300', 'served 1300']);
    expect(watched.turns()).toBeGreaterThan(4);

    const client = await add('Client', ConnType.tcpClient);
    const read = [0, 700, COUNT - 1, COUNT + MORE - 1];
    await api.call('addPoints', { channel_id: client, points: read.map(pointAt) });
    await soon(api.call('startDevice', { channel_id: client }));
    await soon(api.call('manualRead', { device_name: 'Client', mode: 'batch', cycle_interval_ms: 1_000 }));
    await vi.waitUntil(async () => {
      await plant.clock.advance(50);
      return (await api.call('manualReadStatus', { device_name: 'Client' })).data.state !== 'running';
    }, LIMIT);
    const seen = (await api.call('pointTable', { channel_id: client, page: 1, page_size: 10 })).data.items;
    expect(seen.map(({ value, quality }) => (quality === 'good' ? value : 'none'))).toEqual(['none', 701, 77, 0]);
  });
});
