/** The demo plant with a fault planted in each of eight places of its tables and devices: each is found, and named. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Expectation } from '#shared/contract/check.ts';
import type { InputOf } from '#shared/contract/index.ts';
import type { Point } from '#shared/contract/points.ts';
import { startDemo } from './demo.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';
import type { Demo } from './types.ts';

let plant: ManualCore;
let demo: Demo;

const DEVICE = 'Demo plant';
const METER = 'Demo meter';
const PCS = 'Demo PCS';

async function channelOf(name: string): Promise<number> {
  return (await plant.core.api.call('listChannels', {})).data.find((each) => each.name === name)?.id ?? expect.fail(`no channel ${name}`);
}
async function pointOf(name: string, code: string): Promise<Point> {
  const query = { channel_id: await channelOf(name), search: code, page: 1, page_size: 100 };
  return (await plant.core.api.call('pointTable', query)).data.items.find((each) => each.code === code) ?? expect.fail(`no point ${code}`);
}
/** Plants a fault in the table of a channel that reads. */
async function plantIn(name: string, code: string, fault: Partial<InputOf<'editPoint'>>): Promise<void> {
  const { id, frame_type } = await pointOf(name, code);
  await plant.core.api.call('editPoint', { point_id: id, frame_type, ...fault });
}
/** Has a contact of the plant in another state, as somebody moves it. */
async function move(code: string, value: number): Promise<void> {
  const { id, frame_type } = await pointOf(DEVICE, code);
  await plant.core.api.call('updatePoint', { point_id: id, frame_type, value });
  await plant.clock.advance(1000);
}
const run = async () => (await plant.core.api.call('checkRun', {})).data.run ?? expect.fail('no run');

/** A session over points of a channel. */
class Session {
  readonly id: number;

  private constructor(id: number) {
    this.id = id;
  }

  static async over(name: string, codes: readonly string[]): Promise<Session> {
    const { api } = plant.core;
    const session = new Session((await api.call('addCheck', { name: `${name}: ${codes.join()}` })).data.id);
    await api.call('addCheckItems', { session_id: session.id, channel_id: await channelOf(name) });
    const others = (await session.items()).filter(({ code }) => !codes.includes(code)).map(({ item }) => item);
    await api.call('removeCheckItems', { session_id: session.id, items: others });
    return session;
  }

  async items() {
    return (await plant.core.api.call('checkItems', { session_id: this.id, page_size: 1000 })).data.items;
  }

  async expects(code: string, expectation: Expectation): Promise<string> {
    const { item } = (await this.items()).find((each) => each.code === code) ?? expect.fail(`no item ${code}`);
    await plant.core.api.call('editCheckItems', { session_id: this.id, items: [item], expectation });
    return item;
  }

  /** State and findings by code. */
  async found(): Promise<Record<string, readonly string[]>> {
    const items = await this.items();
    return Object.fromEntries(items.map(({ code, state, last }) => [code, [state, ...(last?.findings ?? []).map(({ name }) => name)]]));
  }
}

beforeAll(async () => {
  plant = await startManualCore();
  demo = await startDemo(plant.core, plant.ports);
  await plant.clock.advance(5000);
});
afterAll(async () => {
  await demo.stop();
  await plant.close();
});

describe('unattended, against the plant itself', () => {
  it('finds a crossed pair, a factor of 10, a byte order, a sign and a dead point, and passes what is right', async () => {
    const [room, humidity] = [await pointOf(METER, 'IO_T_ROOM'), await pointOf(METER, 'IO_RH')];
    await plantIn(METER, 'IO_T_ROOM', { address: Number(humidity.address) });
    await plantIn(METER, 'IO_RH', { address: Number(room.address) });
    await plantIn(METER, 'MTR_F', { mul_coe: 0.01 });
    await plantIn(METER, 'MTR_UB', { decode: '0x45' });
    await plantIn(METER, 'IO_SUPPLY', { mul_coe: -0.01 });
    await plantIn(METER, 'MTR_UC', { address: 500 });
    const session = await Session.over(METER, ['IO_T_ROOM', 'IO_RH', 'MTR_F', 'MTR_UB', 'IO_SUPPLY', 'MTR_UC', 'MTR_UA', 'IO_LEVEL']);
    const input = { session_id: session.id, operator: 'Li', reference_channel_id: await channelOf(DEVICE), percent: 2, timeout_ms: 10_000 };
    await plant.core.api.call('compareCheck', input);
    await plant.clock.advance(15_000);
    expect(await run()).toMatchObject({ state: 'ended', done: 8, error: null });
    expect(await session.found()).toEqual({
      IO_T_ROOM: ['failed', 'crossed'],
      IO_RH: ['failed', 'crossed'],
      MTR_F: ['failed', 'factor'],
      MTR_UB: ['failed', 'byte_order'],
      IO_SUPPLY: ['failed', 'sign'],
      MTR_UC: ['failed', 'dead'],
      MTR_UA: ['passed'],
      IO_LEVEL: ['passed'],
    });
    const crossed = (await session.items()).find(({ code }) => code === 'IO_T_ROOM');
    expect(crossed?.last?.findings).toMatchObject([{ said: { params: { code: 'IO_RH' } } }]);
  });
});

describe('listening', () => {
  it('finds a contact that chatters, contacts that are crossed, and one that is wired to nothing', async () => {
    const [smoke, power] = [await pointOf(METER, 'IO_SMOKE'), await pointOf(METER, 'IO_AC_OK')];
    await plantIn(METER, 'IO_SMOKE', { address: Number(power.address) });
    await plantIn(METER, 'IO_AC_OK', { address: Number(smoke.address) });
    const session = await Session.over(METER, ['IO_DOOR', 'IO_SMOKE', 'IO_AC_OK', 'IO_FAN_ON']);
    await plant.core.api.call('startCheck', { session_id: session.id, operator: 'Li', way: 'listen' });
    await plant.clock.advance(3000);
    for (const state of [1, 0, 1, 0]) await move('IO_DOOR', state);
    await plant.clock.advance(4000);
    const itemOf = async (code: string) => (await session.items()).find((each) => each.code === code)?.item ?? '';
    await plant.core.api.call('announceCheck', { item: await itemOf('IO_SMOKE'), within_ms: 10_000 });
    await move('IO_SMOKE', 1);
    await plant.clock.advance(4000);
    await plant.core.api.call('announceCheck', { item: await itemOf('IO_FAN_ON'), within_ms: 10_000 });
    await plant.clock.advance(12_000);
    await plant.core.api.call('stopCheck', {});
    expect(await session.found()).toEqual({
      IO_DOOR: ['failed', 'chatter'],
      IO_SMOKE: ['failed', 'crossed'],
      IO_AC_OK: ['not_checked'],
      IO_FAN_ON: ['failed', 'dead'],
    });
  });
});

describe('commands of the guided way', () => {
  const command = { kind: 'command', value: 1, feedback: 1, within_ms: 3000 } as const;

  /** Sends one command and answers what was found. */
  async function sent(name: string, code: string, expectation: Expectation): Promise<readonly string[]> {
    const session = await Session.over(name, [code]);
    const item = await session.expects(code, expectation);
    await plant.core.api.call('startCheck', { session_id: session.id, operator: 'Li', commands: true });
    const sending = plant.core.api.call('sendCheckCommand', { item });
    await Promise.all([sending, plant.clock.advance(12_000)]);
    return (await session.found())[code] ?? [];
  }

  it('pass a light that follows', async () => {
    expect(await sent(METER, 'IO_LIGHT', command)).toEqual(['passed']);
  });

  it('find a breaker whose feedback is sluggish', async () => {
    expect(await sent(PCS, 'PCS_BREAKER', { ...command, value: 0, feedback: 0, within_ms: 800 })).toEqual(['failed', 'late']);
  });

  it('find a breaker whose open and closed are swapped', async () => {
    await plantIn(PCS, 'PCS_QF', { reverse: true });
    await plant.clock.advance(3000);
    expect(await sent(PCS, 'PCS_BREAKER', command)).toEqual(['failed', 'swapped']);
  });
});
