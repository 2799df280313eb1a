import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '#shared/contract/channels.ts';
import type { CommandResult, Point } from '#shared/contract/points.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import type { ManualClock } from '../platform/manual-clock.ts';
import { tcpLine } from '../transport/testing/transport-conformance.ts';
import type { ByteListener, LineSettings } from '../transport/types.ts';
import { startDemo } from './demo.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';
import type { Core, CorePorts, Demo } from './types.ts';

let plant: ManualCore;
let clock: ManualClock;
let core: Core;
let ports: CorePorts;
let demo: Demo | null = null;

async function open(): Promise<void> {
  plant = await startManualCore();
  ({ core, clock, ports } = plant);
}

async function close(): Promise<void> {
  await demo?.stop();
  demo = null;
  await plant.close();
}

async function start(): Promise<void> {
  demo = await startDemo(core, ports);
  await clock.advance(1);
}

/** Leaves only these channels running, for the next `ms`: what a test does not look at would take most of its processor time. */
async function onlyWith(names: readonly string[], ms: number): Promise<void> {
  const others = (await channels()).filter(({ name }) => !names.includes(name));
  const stopped = others.map(({ id }) => core.api.call('stopDevice', { channel_id: id }));
  await clock.advance(ms);
  await Promise.all(stopped);
}

async function channels(): Promise<Channel[]> {
  return (await core.api.call('listChannels', {})).data;
}

async function channel(name: string): Promise<Channel> {
  const found = (await channels()).find((item) => item.name === name);
  if (!found) throw new Error(`There is no channel ${name}.`);
  return found;
}

async function points(name: string, search = ''): Promise<Point[]> {
  const query = { channel_id: (await channel(name)).id, page: 1, page_size: 1000, search };
  return (await core.api.call('pointTable', query)).data.items;
}

async function point(name: string, code: string): Promise<Point> {
  const found = (await points(name, code)).find((item) => item.code === code);
  if (!found) throw new Error(`There is no point ${code}.`);
  return found;
}

async function command(code: string, value: number, name = 'Demo 104 master'): Promise<CommandResult> {
  const { id, channel_id, frame_type } = await point(name, code);
  const sent = core.api.call('command', { channel_id, point_id: id, frame_type, step: 'operate', value });
  await clock.advance(3000);
  return (await sent).data;
}

async function order(code: string, value: number): Promise<Point> {
  const { id, frame_type } = await point('Demo PCS', code);
  const written = core.api.call('updatePoint', { point_id: id, frame_type, value });
  await clock.advance(10);
  return (await written).data;
}

/** One start for all: each looks at what the time before has made of it. */
describe('demo plant, looked at', () => {
  beforeAll(async () => {
    await open();
    await start();
  });
  afterAll(close);

  it('runs at once: servers, clients, values of every served point', async () => {
    expect((await channels()).map((item) => [item.name, item.status])).toEqual([
      ['Demo PCS', 'running'],
      ['Demo BMS', 'running'],
      ['Demo meter', 'running'],
      ['Demo plant', 'running'],
      ['Demo 645 line', 'running'],
      ['Demo 645 meters', 'running'],
      ['Demo 104 master', 'running'],
      ['Demo 104 station', 'running'],
      ['Demo 61850 client', 'running'],
      ['Demo 61850 bay', 'running'],
    ]);
    await clock.advance(30_000);
    for (const name of ['Demo PCS', 'Demo plant']) {
      const items = await points(name);
      expect(items.filter((item) => item.quality !== 'good').map((item) => `${item.code} ${item.quality}`)).toEqual([]);
    }
    expect((await point('Demo PCS', 'PCS_P')).value).toBe(60);
    expect((await point('Demo BMS', 'BMS4_CELL_96')).value).toBeGreaterThan(3);
  });

  it('has values that change', async () => {
    const before = new Map((await points('Demo meter')).map((item) => [item.code, item.value]));
    await clock.advance(5000);
    const changed = (await points('Demo meter')).filter((item) => item.value !== before.get(item.code)).map((item) => item.code);
    expect(changed).toEqual(expect.arrayContaining(['MTR_UA', 'MTR_P', 'MTR_F', 'MTR_E_IMP', 'MTR_E_NET']));
  });

  it('shows a view and its bits alike', async () => {
    const word = (await point('Demo PCS', 'PCS_STATUS')).value;
    expect(word & 1).toBe((await point('Demo PCS', 'PCS_RUNNING')).value);
    expect((word >> 4) & 1).toBe((await point('Demo PCS', 'PCS_DISCHARGING')).value);
    expect((await point('Demo PCS', 'PCS_ESTOP')).value).toBe(0);
  });

  it('has a slave that never answers, and goes on with the others', async () => {
    const { health } = await channel('Demo BMS');
    expect(health.suspended.map((item) => item.slave_id)).toEqual([15]);
    const silent = (await points('Demo BMS')).filter((item) => item.slave_id === 15);
    expect(silent.map((item) => item.quality)).toEqual(['never', 'never', 'never', 'never']);
    const others = (await points('Demo BMS')).filter((item) => item.slave_id !== 15);
    expect(others.every((item) => item.quality === 'good')).toBe(true);
    let task = (await core.api.call('autoReadStatus', { device_name: 'Demo BMS' })).data;
    for (let step = 0; step < 50 && task.current < task.total; step++) {
      await clock.advance(100);
      task = (await core.api.call('autoReadStatus', { device_name: 'Demo BMS' })).data;
    }
    expect(task).toMatchObject({ state: 'running', total: others.length + 4, success: others.length, fail: 4 });
  });

  it('has holes that are told, and whose neighbours are read', async () => {
    const module = (await points('Demo meter')).filter((item) => item.slave_id === 31);
    const refused = module.filter((item) => item.quality === 'invalid');
    expect(refused.map((item) => item.code)).toEqual(['IO_AI5', 'IO_AI6', 'IO_DI5']);
    expect(refused.every((item) => item.error?.includes('exception 2'))).toBe(true);
    expect(module.filter((item) => item.quality === 'good')).toHaveLength(module.length - 3);
  });

  it('has a line of eight meters, one silent and one of 1997', async () => {
    // a YK is never read
    const all = (await points('Demo 645 line')).filter((item) => item.frame_type !== 2);
    const silent = all.filter((item) => item.slave_id === 202_611_000_007);
    expect(silent.every((item) => item.quality !== 'good')).toBe(true);
    expect(all.filter((item) => item.quality !== 'good').map((item) => item.code)).toEqual(silent.map((item) => item.code));
    expect(await point('Demo 645 line', 'M8_EP')).toMatchObject({ unit: 'kWh', name: '(当前)正向有功总电能' });
    const energy = await point('Demo 645 line', 'M1_EP');
    const rates = await Promise.all([1, 2, 3, 4].map((rate) => point('Demo 645 line', `M1_EP${rate}`)));
    expect(rates.reduce((sum, rate) => sum + rate.value, 0)).toBeCloseTo(energy.value, 6);
    expect((await point('Demo 645 line', 'M1_UA')).value).toBeGreaterThan(200);
    const { id, channel_id } = await point('Demo 645 line', 'M1_RELAY');
    const trip = {
      channel_id,
      point_id: id,
      frame_type: 2 as const,
      step: 'operate' as const,
      value: 0,
      options: { reaction_timeout_ms: 0 },
    };
    const tripped = core.api.call('command', trip);
    await clock.advance(1000);
    expect((await tripped).data.outcome).toBe('accepted');
    expect((await channel('Demo 645 line')).health.suspended.map((item) => item.slave_id)).toEqual([202_611_000_007]);
  });

  it('has a bay that is read by its data sets, and that agrees with its file', async () => {
    const { id } = await channel('Demo 61850 client');
    const all = await points('Demo 61850 client');
    // a control has no value
    expect(all.filter((item) => item.quality !== 'good').map((item) => item.code)).toEqual(['BAY_CB_CTL']);
    expect((await point('Demo 61850 client', 'BAY_UA')).value).toBeCloseTo(63.8, 0);
    expect(await point('Demo 61850 client', 'BAY_CB')).toMatchObject({ value: 1, source_time: expect.any(String) });
    const model = (await core.api.call('deviceModel', { channel_id: id })).data;
    expect(model).toMatchObject({
      state: 'known',
      source: 'device',
      identity: { model: 'Demo bay controller' },
      document: { choice: 'BAY1' },
    });
    expect(model.data_sets.filter((set) => set.stale)).toEqual([]);
    expect((await core.api.call('modelDifferences', { channel_id: id })).data).toEqual({ comparable: true, items: [], more: 0 });
  });

  it('has a substation whose table the interrogation fills, counters as well', async () => {
    const items = (await points('Demo 104 master')).filter((item) => item.frame_type <= 1);
    expect(items.filter((item) => item.quality !== 'good').map((item) => item.code)).toEqual([]);
    expect((await point('Demo 104 master', 'F03_P')).value).toBeCloseTo(2.5, 0);
    expect((await point('Demo 104 master', 'F01_EP_OUT')).value).toBeGreaterThan(1_000_000);
    const before = new Map(items.map((item) => [item.code, item.value]));
    await clock.advance(8000);
    const moved = (await points('Demo 104 master')).filter((item) => before.has(item.code) && item.value !== before.get(item.code));
    expect(moved.map((item) => item.code)).toEqual(expect.arrayContaining(['F01_IA', 'BUS1_F', 'F02_EP_OUT']));
  });

  it('has a feeder that the table of the master does not have', async () => {
    const { total, items } = (await core.api.call('unknownObjects', { channel_id: (await channel('Demo 104 master')).id })).data;
    expect(total).toBe(25);
    expect(items.every((item) => item.frame_type === (item.address < 0x4001 ? 1 : 0))).toBe(true);
  });

  it('has signals of the substation that come by themselves, with their time, and not too many of them', async () => {
    const channel_id = (await channel('Demo 104 master')).id;
    await clock.advance(20_000);
    const { items } = (await core.api.call('listEvents', { channel_id, limit: 2000 })).data;
    const changes = items.filter((item) => item.kind === 'change' && item.device_time !== null);
    expect(changes.some((item) => item.frame_type === 1)).toBe(true);
    expect(changes.length).toBeGreaterThan(5);
    expect(changes.length).toBeLessThan(300);
  });
});

/** One start for all: each works on another part of the plant. */
describe('demo plant, commanded', () => {
  beforeAll(async () => {
    await open();
    await start();
    await clock.advance(10_000);
  });
  afterAll(close);

  it('switches a breaker of the substation, select before operate; its state answers and its power is gone', async () => {
    const { outcome, stages, reaction } = await command('F01_BREAKER', 0);
    expect([outcome, stages.map((stage) => stage.name)]).toEqual([
      'accepted',
      ['select_sent', 'selected', 'sent', 'confirmed', 'terminated'],
    ]);
    expect(reaction).toMatchObject({ code: 'F01_QF', before: 1, after: 0, delay_ms: 500 });
    await clock.advance(4000);
    expect((await point('Demo 104 master', 'F01_P')).value).toBe(0);
    expect((await command('F01_BREAKER', 1)).reaction).toMatchObject({ after: 1 });
    await clock.advance(2000);
    expect((await point('Demo 104 master', 'F01_SPRING')).value).toBe(0);
    expect((await command('TR1_TAP_MOVE', 1)).reaction).toMatchObject({ code: 'TR1_TAP', before: 9, after: 10 });
  });

  it('takes set points of the substation, and goes where they say', async () => {
    expect((await command('F02_P_SET', 4.5)).reaction).toMatchObject({ code: 'F02_P', after: 4.5 });
    await clock.advance(5000);
    expect(Math.abs((await point('Demo 104 master', 'F02_P')).value - 4.5)).toBeLessThan(0.3);
  });

  it('follows a setpoint that a client writes', async () => {
    expect((await order('PCS_P_SET', -80.04)).value).toBe(-80);
    await clock.advance(15_000);
    expect((await point('Demo PCS', 'PCS_P')).value).toBe(-80);
    expect((await point('Demo PCS', 'PCS_CHARGING')).value).toBe(1);
    expect((await point('Demo plant', 'PCS_P_SET')).value).toBe(-80);
  });

  it('opens its breaker on command, and the power is gone', async () => {
    await order('PCS_BREAKER', 0);
    await clock.advance(4000);
    for (const code of ['PCS_QF', 'PCS_P', 'PCS_IA', 'PCS_IDC']) expect((await point('Demo PCS', code)).value, code).toBe(0);
    expect((await point('Demo BMS', 'BMS1_I')).value).toBe(0);
  });
});

describe('demo plant, worked on', () => {
  beforeEach(open);
  afterEach(close);

  it('trips its bay on an overcurrent, closes it again, and does not when its setting is higher', async () => {
    await start();
    await onlyWith(['Demo 61850 client', 'Demo 61850 bay'], 88_500);
    expect(await point('Demo 61850 client', 'BAY_TRIP')).toMatchObject({ value: 1 });
    expect(await point('Demo 61850 client', 'BAY_CB')).toMatchObject({ value: 0 });
    await clock.advance(10_000);
    expect(await point('Demo 61850 client', 'BAY_CB')).toMatchObject({ value: 1 });
    expect((await point('Demo 61850 client', 'BAY_OPS')).value).toBe(130);
    const served = await point('Demo 61850 bay', 'BAY_OC_SET');
    const written = core.api.call('updatePoint', { point_id: served.id, frame_type: served.frame_type, value: 2000 });
    await clock.advance(10);
    await written;
    await clock.advance(80_500);
    expect((await point('Demo 61850 client', 'BAY_IA')).value).toBeGreaterThan(700);
    expect(await point('Demo 61850 client', 'BAY_TRIP')).toMatchObject({ value: 0 });
  });

  it('opens the breaker of its bay on command, tells its way, and leaves it open until the next one', async () => {
    await start();
    const bay = 'Demo 61850 client';
    await onlyWith([bay, 'Demo 61850 bay'], 3000);
    const opened = await command('BAY_CB_CTL', 0, bay);
    expect(opened).toMatchObject({ outcome: 'accepted', reaction: { code: 'BAY_POS', before: 1, after: 0 } });
    expect(opened.stages.map(({ name }) => name)).toContain('terminated');
    const events = (await core.api.call('listEvents', { channel_id: (await channel('Demo 61850 bay')).id })).data.items;
    const way = events.filter(({ code }) => code === 'BAY_POS').map(({ value }) => value);
    expect(way.slice(-2)).toEqual([2, 0]);
    expect(events.find(({ code }) => code === 'BAY_CB_CTL')).toMatchObject({ value: 0 });
    await clock.advance(95_000);
    for (const code of ['BAY_CB', 'BAY_POS', 'BAY_IA', 'BAY_P']) expect((await point(bay, code)).value, code).toBe(0);
    expect(await command('BAY_CB_CTL', 0, bay)).toMatchObject({ outcome: 'rejected' });
    expect(await command('BAY_CB_CTL', 1, bay)).toMatchObject({ outcome: 'accepted' });
    await clock.advance(3000);
    expect((await point(bay, 'BAY_IA')).value).toBeGreaterThan(100);
  });

  it('goes on where it was when its server is stopped and started', async () => {
    await start();
    await onlyWith(['Demo PCS', 'Demo plant'], 5000);
    await order('PCS_P_SET', 30);
    await clock.advance(1000);
    const { id } = await channel('Demo plant');
    const stopped = core.api.call('stopDevice', { channel_id: id });
    await clock.advance(3000);
    await stopped;
    expect((await channel('Demo PCS')).status).toBe('reconnecting');
    await core.api.call('startDevice', { channel_id: id });
    await clock.advance(45_000);
    expect((await point('Demo PCS', 'PCS_P')).value).toBe(30);
    expect((await point('Demo PCS', 'PCS_P_SET')).value).toBe(30);
  });

  it('is made anew at every start, and leaves other channels alone', async () => {
    await start();
    const own = { name: 'My meter', protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpClient };
    const { data: kept } = await core.api.call('addChannel', own);
    const first = await channel('Demo PCS');
    await demo?.stop();
    const again = startDemo(core, ports);
    await clock.advance(10_000);
    demo = await again;
    const now = await channels();
    const names = [
      'Demo 104 master',
      'Demo 104 station',
      'Demo 61850 bay',
      'Demo 61850 client',
      'Demo 645 line',
      'Demo 645 meters',
      'Demo BMS',
      'Demo PCS',
      'Demo meter',
      'Demo plant',
      'My meter',
    ];
    expect(now.map((item) => item.name).sort()).toEqual(names);
    expect(now.find((item) => item.name === 'My meter')?.id).toBe(kept.id);
    expect((await channel('Demo PCS')).id).not.toBe(first.id);
  });

  it('takes another port when its own is in use', async () => {
    const listener = ports.transports.listener(tcpLine(15_020));
    await listener.listen(() => {});
    await start();
    const { bound_port } = await channel('Demo plant');
    expect(bound_port).not.toBe(15_020);
    expect((await channel('Demo PCS')).port).toBe(bound_port);
    expect((await channel('Demo PCS')).status).toBe('running');
    await listener.close();
  });

  it('takes other ports when somebody was faster than its servers of the plant, the meters, the station and the bay', async () => {
    const preferred = [15_020, 18_899, 12_404, 10_102];
    const rivals = preferred.map((port) => ports.transports.listener(tcpLine(port)));
    for (const rival of rivals) await rival.listen(() => {});
    // each port is found free once, and then it is not
    const unseen = new Set(preferred);
    const { transports } = ports;
    const found = (port: number): ByteListener => ({ boundPort: port, listen: async () => {}, close: async () => {} });
    const listener = (line: LineSettings) => (unseen.delete(line.port) ? found(line.port) : transports.listener(line));
    demo = await startDemo(core, { ...ports, transports: { ...transports, listener } });
    expect(unseen.size).toBe(0);
    expect((await channels()).map((item) => [item.status, preferred.includes(item.port)])).toEqual(Array(10).fill(['running', false]));
    for (const rival of rivals) await rival.close();
  });
});
