/** Devices that behave legally and unhelpfully: nothing passes by anything but the point's own movement while it is checked. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckRun, Expectation } from '#shared/contract/check.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';
import { RawStation } from './testing/raw-station.ts';

let plant: ManualCore;
let session: number;

beforeEach(async () => {
  plant = await startManualCore();
  api = plant.core.api;
});
afterEach(() => plant.close());

let api: ManualCore['core']['api'];
const signal = (code: string, address: number): PointInput => ({ frame_type: 1, code, address, decode: '0x20' });
const measured = (code: string, address: number, decode = '0x21'): PointInput => ({ frame_type: 0, code, address, decode });

async function sessionOver(channel: number, expectations: Readonly<Record<string, Expectation>> = {}): Promise<void> {
  session = (await api.call('addCheck', { name: 'Visit' })).data.id;
  await api.call('addCheckItems', { session_id: session, channel_id: channel });
  for (const { item, code } of await items()) {
    const expectation = expectations[code];
    if (expectation) await api.call('editCheckItems', { session_id: session, items: [item], expectation });
  }
}
const items = async () => (await api.call('checkItems', { session_id: session })).data.items;
const states = async () => (await items()).map(({ state }) => state);
const begin = (options: Partial<InputOf<'startCheck'>> = {}) => api.call('startCheck', { session_id: session, operator: 'Li', ...options });
async function run(): Promise<CheckRun> {
  const found = (await api.call('checkRun', {})).data.run;
  return found ?? expect.fail('no run');
}
const step = async (action: 'pass' | 'skip' | 'repeat') => api.call('checkStep', { item: (await run()).item?.item ?? '', action });
/** Both ways that look on: what passes nothing in one passes nothing in the other. */
const WAYS = ['guided', 'listen'] as const;
const nought = (value: number): Expectation => ({ kind: 'values', references: [{ value, tolerance: 0.5, percent: 0 }] });

describe('a device that is read', () => {
  async function open(points: PointInput[], task: Partial<InputOf<'startAutoRead'>> = {}, expectations = {}): Promise<GatedReader> {
    const reader = await GatedReader.open(plant, { protocol: ProtocolType.modbusTcp, client: {}, served: points, read: points });
    await api.call('startAutoRead', { device_name: 'Device', cycle_interval_ms: 1000, ...task });
    await sessionOver(reader.id, expectations);
    await plant.clock.advance(20_000);
    return reader;
  }

  it('passes no item by what moved in front of it, however late that is read', async () => {
    const points = [measured('A', 1), signal('B', 50)];
    const reader = await open(points, { mode: 'single', cycle_interval_ms: 10_000, request_interval_ms: 4000 });
    await begin();
    await plant.clock.advance(20_000);
    const { updated_at } = await reader.row('B');
    for (let turn = 0; turn < 300 && (await reader.row('B')).updated_at === updated_at; turn++) await plant.clock.advance(100);
    // B is wired to A as well: both move at once, and B is read 4 s behind A
    await reader.serve('A', 1);
    await reader.serve('B', 1);
    for (let turn = 0; turn < 300 && (await reader.row('A')).value !== 1; turn++) await plant.clock.advance(100);
    expect((await reader.row('B')).value).toBe(0);
    await step('pass');
    expect((await run()).item).toMatchObject({ code: 'B', is_ready: false });
    await plant.clock.advance(60_000);
    expect((await run()).item).toMatchObject({ code: 'B', is_ready: true, changes: 0 });
    for (const state of [0, 1]) {
      await reader.serve('B', state);
      await plant.clock.advance(30_000);
    }
    expect(await states()).toEqual(['passed', 'passed']);
  });

  it.each(WAYS)('passes nothing by an answer to a request from before, %s', async (way) => {
    const reader = await open([signal('S', 1)]);
    reader.gate.state = 'held';
    const { asked } = reader.gate;
    for (let turn = 0; turn < 30 && reader.gate.asked === asked; turn++) await plant.clock.advance(50);
    // the device has answered 0, and the answer is on its way; then it moves
    await reader.serve('S', 1);
    await begin({ way });
    await plant.clock.advance(700);
    reader.gate.open();
    await plant.clock.advance(10_000);
    expect(await run()).toMatchObject({ state: 'running', done: 0, moved: [] });
    await reader.serve('S', 0);
    await plant.clock.advance(4000);
    expect(await run(), 'where it stood was not entered').toMatchObject({ state: 'running', done: 0 });
  });

  it.each(WAYS)('passes nothing by starting anew in the middle, %s', async (way) => {
    const reader = await open([signal('S', 1), measured('U', 30)], {}, { U: nought(40) });
    await reader.serve('S', 1);
    await reader.serve('U', 40);
    await plant.clock.advance(3000);
    await begin({ way });
    await plant.clock.advance(5000);
    // it is switched off, has zeros for 2 s, and reads its inputs then
    reader.gate.state = 'shut';
    await plant.clock.advance(15_000);
    await reader.serve('S', 0);
    await reader.serve('U', 0);
    reader.gate.open();
    for (let turn = 0; turn < 900 && (await reader.row('S')).quality !== 'good'; turn++) await plant.clock.advance(100);
    await plant.clock.advance(1500);
    await reader.serve('S', 1);
    await reader.serve('U', 40);
    await plant.clock.advance(60_000);
    expect(await run()).toMatchObject({ state: 'running', done: 0 });
    expect((await items()).every(({ state }) => state === 'not_checked')).toBe(true);
  });

  it.each(WAYS)('passes a value only once it was received behind the settling time, %s', async (way) => {
    const reader = await open([measured('U', 1)], { cycle_interval_ms: 10_000 }, { U: nought(40) });
    await begin({ way });
    await plant.clock.advance(25_000);
    await reader.serve('U', 40);
    for (let turn = 0; turn < 300 && (await reader.row('U')).value !== 40; turn++) await plant.clock.advance(100);
    await plant.clock.advance(8000);
    expect((await run()).done).toBe(0);
    await plant.clock.advance(3000);
    expect((await run()).results).toMatchObject([{ verdict: 'passed' }]);
  });

  it('goes on when our own clock is set back in the middle', async () => {
    const reader = await open([signal('S', 1)]);
    await begin();
    await plant.clock.advance(3000);
    plant.clock.setWall(-3_600_000);
    for (const state of [1, 0]) {
      await reader.serve('S', state);
      await plant.clock.advance(4000);
    }
    expect((await run()).results).toMatchObject([{ verdict: 'passed' }]);
  });
});

describe('a station that sends by itself', () => {
  const HOUR = 3_600_000;
  let station: RawStation;
  let channel: number;
  /** The time on the clock of the station, which is an hour wrong. */
  const stationTime = () => plant.clock.wallMs() + HOUR;

  async function open(points: PointInput[], expectations = {}): Promise<void> {
    station = new RawStation(plant);
    for (const { address = 0, frame_type } of points) (frame_type === 1 ? station.signals : station.values).set(address, 0);
    const settings = {
      name: 'Device',
      protocol_type: ProtocolType.iec104,
      conn_type: ConnType.tcpClient,
      port: station.port,
      protocol: { time_zone: 'UTC' },
    };
    channel = (await api.call('addChannel', settings)).data.id;
    await api.call('addPoints', { channel_id: channel, points });
    await Promise.all([api.call('startDevice', { channel_id: channel }), plant.clock.advance(1000)]);
    await sessionOver(channel, expectations);
    await plant.clock.advance(20_000);
  }
  /** It moves, and the station says so at once. */
  async function move(address: number, state: number, ms = 3000): Promise<void> {
    station.signals.set(address, state);
    station.signal(address, state, { time: stationTime() });
    await plant.clock.advance(ms);
  }
  const status = async () => (await api.call('listChannels', {})).data.find(({ id }) => id === channel)?.status;
  /** The line breaks; `behind` is sent behind the new STARTDT. */
  async function reconnect(behind: () => void = () => undefined): Promise<void> {
    station.onStarted = behind;
    station.hangUp();
    await plant.clock.advance(100);
    for (let turn = 0; turn < 600 && (await status()) !== 'running'; turn++) await plant.clock.advance(100);
    await plant.clock.advance(20_000);
  }
  const untouched = async () => {
    expect(await run()).toMatchObject({ state: 'running', done: 0, moved: [] });
    if ((await run()).item) expect((await run()).item).toMatchObject({ changes: 0 });
  };
  const one = [signal('S', 1)];

  it.each(WAYS)('passes nothing by events that it kept while the line was lost, %s', async (way) => {
    await open(one);
    await begin({ way });
    await plant.clock.advance(1000);
    const before = stationTime() - 5000;
    await reconnect(() => {
      for (const [at, state] of [1, 0, 1, 0].entries()) station.signal(1, state, { time: before + at * 10 });
    });
    await untouched();
    await move(1, 1);
    await move(1, 0);
    expect((await run()).results).toMatchObject([{ verdict: 'passed' }]);
  });

  it.each(WAYS)('passes nothing by where it stands behind a lost line, %s', async (way) => {
    await open(one);
    await begin({ way });
    await plant.clock.advance(1000);
    station.signals.set(1, 1);
    await reconnect();
    await untouched();
    await move(1, 0);
    expect((await run()).done).toBe(0);
    await move(1, 1);
    expect((await run()).results).toMatchObject([{ verdict: 'passed' }]);
  });

  it.each(WAYS)('passes nothing by events that come late over a line that stands, %s', async (way) => {
    await open(one);
    // an event that came at once tells how far the clock of the station is off
    await move(1, 1);
    await move(1, 0, 10_000);
    const before = stationTime() - 4000;
    await begin({ way });
    await plant.clock.advance(1000);
    for (const [at, state] of [1, 0, 1, 0].entries()) {
      station.signal(1, state, { time: before + at * 100 });
      await plant.clock.advance(200);
    }
    await plant.clock.advance(5000);
    await untouched();
    await move(1, 1);
    await move(1, 0);
    expect((await run()).results).toMatchObject([{ verdict: 'passed' }]);
  });

  it.each(WAYS)('passes nothing by events that come twice, %s', async (way) => {
    await open(one);
    const times = [stationTime() - 1000, stationTime() - 900];
    const twice = () => {
      station.signal(1, 1, { time: times[0] ?? 0 });
      station.signal(1, 0, { time: times[1] ?? 0 });
    };
    twice();
    await plant.clock.advance(10_000);
    await begin({ way });
    await plant.clock.advance(1000);
    for (let times = 0; times < 3; times++) {
      twice();
      await plant.clock.advance(500);
    }
    await reconnect(twice);
    await untouched();
  });

  it.each(WAYS)('passes nothing by a state that is said again with another quality, %s', async (way) => {
    await open(one);
    await move(1, 1);
    await move(1, 0, 10_000);
    await begin({ way });
    await plant.clock.advance(1000);
    for (const quality of [0x40, 0, 0x10, 0, 0x80, 0, 0x20, 0]) {
      station.signal(1, 0, { time: stationTime(), quality });
      await plant.clock.advance(500);
    }
    station.signal(1, 1, { time: stationTime(), quality: 0x80 });
    await plant.clock.advance(5000);
    await untouched();
  });

  it.each(WAYS)('passes nothing by test data, by an answer that says no, and by NaN, %s', async (way) => {
    await open([signal('S', 1), measured('U', 2, '0x42')], { U: nought(0) });
    station.values.set(2, 50);
    station.value(2, 50, { time: stationTime() });
    await plant.clock.advance(5000);
    await begin({ way });
    await plant.clock.advance(1000);
    for (const state of [1, 0]) {
      station.test(1, state, stationTime());
      station.refusal(1, state, stationTime());
      await plant.clock.advance(500);
    }
    if (way === 'guided') await step('skip');
    await plant.clock.advance(4000);
    const { done } = await run();
    station.value(2, Number.NaN, { time: stationTime() });
    await plant.clock.advance(5000);
    expect([(await run()).done, await states()]).toEqual([done, ['not_checked', 'not_checked']]);
  });

  it('tells its changes in two messages, without and with time: each change is one', async () => {
    await open(one);
    await begin();
    await plant.clock.advance(1000);
    for (const state of [1, 0]) {
      station.signal(1, state);
      station.signal(1, state, { time: stationTime() });
      await plant.clock.advance(400);
    }
    await plant.clock.advance(3000);
    expect((await run()).results).toMatchObject([{ verdict: 'passed', seen: [{ value: 1 }, { value: 0 }] }]);
  });

  it('whose clock is set back is believed again after two minutes', async () => {
    await open(one);
    await move(1, 1);
    await move(1, 0, 10_000);
    await begin();
    await plant.clock.advance(1000);
    const moveAtWrongTime = async (state: number) => {
      station.signals.set(1, state);
      station.signal(1, state, { time: stationTime() - 2 * HOUR });
      await plant.clock.advance(65_000);
    };
    for (const state of [1, 0, 1]) await moveAtWrongTime(state);
    expect((await run()).done).toBe(0);
    for (const state of [0, 1]) await moveAtWrongTime(state);
    expect((await run()).results).toMatchObject([{ verdict: 'passed' }]);
  });

  it('shows the octets of a pulse, and not those of the table behind it', async () => {
    await open([{ ...signal('S', 1), protocol: { type_id: 30 } }]);
    await begin();
    await plant.clock.advance(1000);
    station.signal(1, 1, { time: stationTime(), quality: 0 });
    station.signal(1, 0, { time: stationTime() + 15 });
    // a quality behind the pulse: what the table has now
    station.signal(1, 0, { time: stationTime() + 20, quality: 0 });
    await plant.clock.advance(5000);
    const [result] = (await run()).results;
    expect(result).toMatchObject({
      verdict: 'passed',
      seen: [
        { value: 1, raw_hex: '01' },
        { value: 0, raw_hex: '00' },
      ],
    });
  });
});

describe('an IED that reports', () => {
  it.each(WAYS)('passes nothing by the reports that it kept while the line was lost, %s', async (way) => {
    const points: PointInput[] = [{ frame_type: 0, code: 'U', reference: 'BAY1MEAS/MMXU1.PhV.phsA.cVal.mag.f[MX]' }];
    const reader = await GatedReader.open(plant, {
      protocol: ProtocolType.iec61850,
      client: { keep_alive_s: 0, reports_at_start: ['BAY1LD0/LLN0.brcbMeas[BR]'], report_check_s: 0 },
      served: points,
      read: points,
      document: 'bay.cid',
    });
    await plant.clock.advance(10_000);
    await reader.serve('U', 20);
    await plant.clock.advance(1000);
    await sessionOver(reader.id, { U: nought(40) });
    await plant.clock.advance(10_000);
    await begin({ way });
    await plant.clock.advance(2000);
    plant.network.isSilent = true;
    plant.network.breakLines();
    await plant.clock.advance(200);
    for (let times = 0; times < 6; times++) {
      for (const value of [40, 20]) {
        await reader.serve('U', value);
        await plant.clock.advance(60);
      }
    }
    await reader.serve('U', 40);
    plant.network.isSilent = false;
    await plant.clock.advance(60_000);
    expect((await reader.row('U')).value).toBe(40);
    expect(await run()).toMatchObject({ state: 'running', done: 0, moved: [] });
    for (const value of [20, 40]) {
      await reader.serve('U', value);
      await plant.clock.advance(way === 'guided' ? 500 : 1000);
    }
    await plant.clock.advance(5000);
    expect((await run()).results[0]).toMatchObject({ verdict: 'passed', seen: [{ value: 40 }] });
  });
});

describe('references that are not of now', () => {
  const servedId = async () => (await api.call('listChannels', {})).data.find(({ name }) => name === 'Served')?.id ?? 0;
  const found = async () =>
    Object.fromEntries((await items()).map(({ code, state, last }) => [code, [state, ...(last?.findings ?? []).map(({ name }) => name)]]));

  it('of a gateway that is read slowly pass no crossed signal by what stood there in a round before', async () => {
    const served = [signal('Y', 1), signal('X', 2)];
    // X has the wires of Y, and is read 4 s behind it
    const reader = await GatedReader.open(plant, {
      protocol: ProtocolType.modbusTcp,
      client: {},
      served,
      read: [signal('Y', 1), signal('X', 1)],
    });
    await api.call('startAutoRead', { device_name: 'Device', mode: 'single', cycle_interval_ms: 8000, request_interval_ms: 4000 });
    await sessionOver(reader.id);
    await plant.clock.advance(20_000);
    // Y is read next
    const { updated_at } = await reader.row('X');
    for (let turn = 0; turn < 300 && (await reader.row('X')).updated_at === updated_at; turn++) await plant.clock.advance(100);
    await api.call('traceCheck', { session_id: session, operator: 'script', reference_channel_id: await servedId(), within_ms: 20_000 });
    for (let turn = 0; turn < 40 && (await run()).state === 'running'; turn++) await plant.clock.advance(5000);
    expect(await found()).toEqual({ Y: ['passed'], X: ['failed', 'crossed'] });
  });

  it('of a channel that nobody reads are read once, and pass nothing by what they were', async () => {
    const points = [measured('U', 1)];
    const reader = await GatedReader.open(plant, { protocol: ProtocolType.modbusTcp, client: {}, served: points, read: points });
    // the reference is another device that is read as well
    const port = plant.network.freePort();
    const add = async (name: string, conn_type: 1 | 2) => {
      const { id } = (await api.call('addChannel', { name, protocol_type: ProtocolType.modbusTcp, conn_type, port })).data;
      await api.call('addPoints', { channel_id: id, points });
      await Promise.all([api.call('startDevice', { channel_id: id }), plant.clock.advance(1000)]);
      return id;
    };
    const other = await add('Other', 1);
    const reference = await add('Reference', 2);
    const row = (await api.call('pointTable', { channel_id: other, page: 1, page_size: 1 })).data.items[0];
    const set = (value: number) => api.call('updatePoint', { point_id: row?.id ?? 0, frame_type: 0, value });
    await set(230);
    await api.call('manualRead', { device_name: 'Reference' });
    await plant.clock.advance(5000);
    await set(110);
    await reader.serve('U', 230);
    await sessionOver(reader.id);
    const compare = async () => {
      await api.call('compareCheck', { session_id: session, operator: 'script', reference_channel_id: reference, timeout_ms: 10_000 });
      await plant.clock.advance(15_000);
      return run();
    };
    expect((await compare()).results[0]).toMatchObject({ verdict: 'failed', seen: [{ value: 110, is_reference: true }, { value: 230 }] });
    await Promise.all([api.call('stopDevice', { channel_id: reference }), plant.clock.advance(10_000)]);
    await reader.serve('U', 110);
    expect((await compare()).results[0]).toMatchObject({ verdict: 'blocked', remark: expect.stringContaining('Reference') });
  });
});

describe('a feedback', () => {
  const QF = signal('QF', 1);
  const CTL: PointInput = { frame_type: 2, code: 'CTL', address: 11, decode: '0x20', related_code: 'QF' };
  /** A command of Modbus, whose feedback the test moves. */
  async function sendTo(points: PointInput[], meanwhile: (reader: GatedReader) => Promise<void>): Promise<CheckRun> {
    const reader = await GatedReader.open(plant, { protocol: ProtocolType.modbusTcp, client: {}, served: points, read: points });
    await reader.poll();
    const expectation: Expectation = { kind: 'command', value: 1, feedback: 1, within_ms: 3000 };
    await sessionOver(reader.id, { CTL: expectation });
    await plant.clock.advance(3000);
    const item = (await items()).find(({ code }) => code === 'CTL')?.item ?? '';
    await begin({ commands: true, items: [item] });
    const sending = api.call('sendCheckCommand', { item });
    await plant.clock.advance(500);
    await meanwhile(reader);
    await plant.clock.advance(30_000);
    await sending;
    return run();
  }

  it('that goes there and does not stay fails the command', async () => {
    const { results } = await sendTo([QF, CTL], async (reader) => {
      await reader.serve('QF', 1);
      await plant.clock.advance(600);
      await reader.serve('QF', 0);
    });
    expect(results).toMatchObject([{ verdict: 'failed', findings: [{ name: 'chatter', said: { code: 'check.found_feedback_left' } }] }]);
  });

  it('that stays passes it', async () => {
    const { results } = await sendTo([QF, CTL], async (reader) => {
      await plant.clock.advance(1000);
      await reader.serve('QF', 1);
    });
    expect(results).toMatchObject([{ verdict: 'passed', seen: [{ code: 'QF', value: 0 }, { value: 1 }] }]);
  });

  it('whose point is edited meanwhile is not known: another place passes nothing', async () => {
    const { results } = await sendTo([QF, signal('OTHER', 2), CTL], async (reader) => {
      await reader.serve('OTHER', 1);
      await reader.edit('QF', { address: 2 });
    });
    expect(results).toMatchObject([
      { verdict: 'failed', findings: [{ name: 'not_known', said: { code: 'check.found_feedback_edited' } }] },
    ]);
  });

  it('whose line is lost is not known', async () => {
    const { results } = await sendTo([QF, CTL], async (reader) => {
      reader.gate.state = 'shut';
      await plant.clock.advance(20_000);
      reader.gate.open();
    });
    expect(results).toMatchObject([
      { verdict: 'failed', findings: [{ name: 'not_known', said: { code: 'check.found_feedback_unread' } }] },
    ]);
  });
});
