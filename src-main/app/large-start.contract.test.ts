/** A channel that serves a large table is started: what happens to it meanwhile, and what its clients see. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { manyDevices } from '../drivers/iec61850/model/testing/large.ts';
import type { DriverConnection, ServerIo } from '../drivers/spi/index.ts';
import type { Steps } from '../platform/steps.ts';
import { bayFile } from './demo/bay.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { finish, type ManualCore, startManualCore } from './testing/manual-core.ts';

type Points = InputOf<'addPoints'>['points'];

const COUNT = 1_200;
const CHECKED = 20;
const LAST = COUNT - 1;
/** Steps behind which a start waits, where a test asks for it: in the middle of its work. */
const HALFWAY = 60;
/** For what hangs, however busy the computer is. */
const LIMIT = { timeout: 120_000 };

const pointAt = (at: number, more: object = {}): Points[number] => ({
  frame_type: 0,
  code: `P${at}`,
  reference: `LD${at % 4}/GGIO${at % 3}.AnIn${at}.mag.f[MX]`,
  ...more,
});
const TABLE: Points = Array.from({ length: COUNT }, (_, at) => pointAt(at, { protocol: { start_value: at } }));

/** IEC 61850 whose starts wait halfway as long as they are held. */
class HeldStarts {
  isHeld = false;
  /** What a start meets halfway; throws for a fault. */
  onHalfway: () => void = () => undefined;
  /** Starts that are halfway. */
  waiting = 0;
  /** Tables that were told whole, in one go. */
  toldWhole = 0;

  readonly driver = { ...iec61850Driver, serveSteps: (io: ServerIo) => this.#steps(io) };

  *#steps(io: ServerIo): Steps<DriverConnection> {
    const steps = iec61850Driver.serveSteps?.(io) ?? expect.fail('it has no steps');
    try {
      for (let at = 0; at < HALFWAY; at++) {
        if (steps.next().done) expect.fail('it is made already');
        yield;
      }
      this.waiting += 1;
      this.onHalfway();
      while (this.isHeld) yield;
      this.waiting -= 1;
      const made = yield* steps;
      const whole = made.pointsChanged.bind(made);
      made.pointsChanged = (points) => {
        this.toldWhole += 1;
        whole(points);
      };
      return made;
    } finally {
      // ends the inner steps as well, wherever this ended
      steps.return(undefined as never);
    }
  }
}

let starts: HeldStarts;
let plant: ManualCore;
let port: number;
let server: number;
beforeEach(async () => {
  starts = new HeldStarts();
  plant = await startManualCore({ drivers: createDriverRegistry([starts.driver]) });
  port = plant.network.freePort();
  server = await add('Served', ConnType.tcpServer);
  await plant.core.api.call('addPoints', { channel_id: server, points: TABLE });
});
afterEach(() => plant.close());

async function add(name: string, conn_type: ConnType): Promise<number> {
  const channel = { name, protocol_type: ProtocolType.iec61850, conn_type, port, timeout_ms: 500 } as const;
  return (await plant.core.api.call('addChannel', channel)).data.id;
}

const soon = <Value>(work: Promise<Value>) => finish(plant.clock, work, 20);
const start = (channel_id = server) => plant.core.api.call('startDevice', { channel_id });
const statusOf = async (channel_id = server) => (await plant.core.api.call('listChannels', {})).data.find(({ id }) => id === channel_id);

/** Begins a start, and waits until it is halfway. */
async function halfway(): Promise<{ readonly started: Promise<unknown> }> {
  starts.isHeld = true;
  const started = start();
  started.catch(() => undefined);
  await vi.waitUntil(() => starts.waiting > 0, LIMIT);
  expect(await statusOf()).toMatchObject({ status: 'starting' });
  return { started };
}

/** What a client reads of these points of the table. */
async function readBy(name: string, points: Points): Promise<(number | string)[]> {
  const client = await add(name, ConnType.tcpClient);
  await plant.core.api.call('addPoints', { channel_id: client, points });
  await soon(start(client));
  await soon(plant.core.api.call('manualRead', { device_name: name, mode: 'batch', cycle_interval_ms: 1_000 }));
  await vi.waitUntil(async () => {
    await plant.clock.advance(50);
    return (await plant.core.api.call('manualReadStatus', { device_name: name })).data.state !== 'running';
  }, LIMIT);
  const { items } = (await plant.core.api.call('pointTable', { channel_id: client, page: 1, page_size: 100 })).data;
  await soon(plant.core.api.call('deleteChannel', { channel_id: client }));
  return items.map(({ value, quality, error }) => (quality === 'good' ? value : `${quality} ${error}`));
}

const some = (from = COUNT - CHECKED) =>
  TABLE.slice(from, from + CHECKED).map(({ code, frame_type, reference = '' }) => ({ code, frame_type, reference }));
const valuesOf = (from = COUNT - CHECKED) => Array.from({ length: CHECKED }, (_, at) => from + at);

describe('a served file of many logical devices that is started', () => {
  it('is made in turns also for a table of few points: stopped meanwhile it leaves nothing, and is whole behind the next start', async () => {
    const served = await add('File', ConnType.tcpServer);
    const file = new File([manyDevices(150)], 'many.scd');
    await plant.core.api.call('storeDocument', { channel_id: served, mode: 'store', file });
    starts.isHeld = true;
    const started = start(served);
    started.catch(() => undefined);
    await vi.waitUntil(() => starts.waiting > 0, LIMIT);
    expect(await statusOf(served)).toMatchObject({ status: 'starting' });
    await soon(plant.core.api.call('stopDevice', { channel_id: served }));
    await expect(started).rejects.toMatchObject({ status: 409 });
    expect(await statusOf(served)).toMatchObject({ status: 'stopped', last_error: null });
    starts.isHeld = false;
    await soon(start(served));
    const last = { code: 'A', frame_type: 1, reference: 'STATIONLD149/GGIO10.Ind8.stVal[ST]' } as const;
    expect(await readBy('later', [last])).toEqual([0]);
  });
});

describe('a served table of many points that is started', () => {
  it('is refused to a client before all of it is there, and whole from then on', async () => {
    const { started } = await halfway();
    const early = await add('early', ConnType.tcpClient);
    await expect(soon(start(early))).rejects.toMatchObject({ status: 503 });
    starts.isHeld = false;
    await soon(started);
    expect(await readBy('later', some())).toEqual(valuesOf());
    const { items } = (await plant.core.api.call('pointTable', { channel_id: server, page: 1, page_size: 10_000 })).data;
    expect(items.map(({ value, quality }) => `${value} ${quality}`)).toEqual(TABLE.map((_, at) => `${at} good`));
  });

  it('is stopped meanwhile: at once, with nothing left; the next start serves all', async () => {
    const { started } = await halfway();
    await soon(plant.core.api.call('stopDevice', { channel_id: server }));
    await expect(started).rejects.toMatchObject({ status: 409 });
    expect(await statusOf()).toMatchObject({ status: 'stopped', last_error: null });
    starts.isHeld = false;
    await soon(start());
    expect(await readBy('later', some())).toEqual(valuesOf());
  });

  it('is deleted meanwhile, and its port is free', async () => {
    const { started } = await halfway();
    await soon(plant.core.api.call('deleteChannel', { channel_id: server }));
    await expect(started).rejects.toMatchObject({ status: expect.any(Number) });
    const other = await add('Other', ConnType.tcpServer);
    await plant.core.api.call('addPoints', { channel_id: other, points: TABLE.slice(0, CHECKED) });
    await soon(start(other));
    expect(await readBy('later', some(0))).toEqual(valuesOf(0));
  });

  it('is edited meanwhile: the edit is answered behind the start, and served then, in turns', async () => {
    const { started } = await halfway();
    const { data } = await plant.core.api.call('pointTable', { channel_id: server, page: 1, page_size: COUNT });
    const ids = data.items.map(({ id }) => id);
    let edits = 0;
    const edit = async (work: Promise<unknown>) => {
      await work;
      edits += 1;
    };
    const edited = Promise.all([
      edit(plant.core.api.call('editPoint', { point_id: ids[LAST] ?? 0, frame_type: 0, reference: 'LD9/MMXU1.TotW.mag.f[MX]' })),
      edit(plant.core.api.call('addPoints', { channel_id: server, points: [pointAt(COUNT, { reference: 'LD9/MMXU1.TotVAr.mag.f[MX]' })] })),
      edit(plant.core.api.call('deletePoints', { channel_id: server, point_ids: ids.slice(0, 1) })),
    ]);
    await plant.clock.advance(5_000);
    expect(edits).toBe(0);
    starts.isHeld = false;
    await soon(Promise.all([started, edited]));
    expect(starts.toldWhole, 'that takes long in one go').toBe(0);
    const changed = [TABLE[0], TABLE[LAST], pointAt(0, { code: 'moved', reference: 'LD9/MMXU1.TotW.mag.f[MX]' })] as Points;
    const asked = changed.map(({ code, frame_type, reference = '' }) => ({ code, frame_type, reference }));
    const [first, last, moved] = await readBy('later', [...asked, ...some().slice(0, 1)]);
    expect([first, last]).toEqual([expect.stringMatching(/^invalid/), expect.stringMatching(/^invalid/)]);
    expect(moved).toBe(0);
  });

  it('fails meanwhile: the channel says why, nothing of it is left, and it can be started again', async () => {
    starts.onHalfway = () => {
      throw new TypeError('no such model');
    };
    await expect(soon(start())).rejects.toMatchObject({ status: 500 });
    expect(await statusOf()).toMatchObject({ status: 'error' });
    expect(plant.clock.pending).toBeLessThan(10);
    starts.onHalfway = () => undefined;
    await soon(start());
    expect(await readBy('later', some())).toEqual(valuesOf());
  });

  it('survives starts and stops that come faster than it begins', { timeout: 60_000 }, async () => {
    const work: Promise<unknown>[] = [];
    for (let round = 0; round < 10; round++) {
      const started = start();
      started.catch(() => undefined);
      work.push(started);
      for (let turn = 0; turn < round; turn++) await plant.clock.advance(1);
      work.push(plant.core.api.call('stopDevice', { channel_id: server }));
    }
    await soon(Promise.allSettled(work));
    expect(await statusOf()).toMatchObject({ status: 'stopped', last_error: null });
    await soon(start());
    expect(await readBy('later', some())).toEqual(valuesOf());
  });
});

describe('a model that cannot be served', () => {
  it('is told by the start, and the channel can be started when it is mended', async () => {
    const { api } = plant.core;
    await api.call('storeDocument', { channel_id: server, mode: 'store', file: bayFile() });
    await api.call('updateChannel', { channel_id: server, protocol: { ied_name: 'NOBODY' } });
    await expect(soon(start())).rejects.toMatchObject({ message: expect.stringContaining('NOBODY') });
    expect(await statusOf()).toMatchObject({ status: 'error', last_error: expect.stringContaining('NOBODY') });
    await api.call('updateChannel', { channel_id: server, protocol: {} });
    await soon(start());
    expect(await statusOf()).toMatchObject({ status: 'running', last_error: null });
  });
});
