import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckRun, Expectation } from '#shared/contract/check.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { ProtocolType } from '#shared/domain/enums.ts';
import { GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

let plant: ManualCore;
let reader: GatedReader;
let session: number;

beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

const { modbusTcp, iec104 } = ProtocolType;
const yc = (code: string, address: number, rest: Partial<PointInput> = {}): PointInput => ({
  frame_type: 0,
  code,
  address,
  decode: '0x21',
  ...rest,
});
const yx = (code: string, address: number, rest: Partial<PointInput> = {}): PointInput => ({
  frame_type: 1,
  code,
  address,
  decode: '0x20',
  ...rest,
});

/** A device whose table is right, and a reader with whatever is wrong; polled once a second, with a session over all points. */
async function open(served: PointInput[], read: PointInput[], protocol: ProtocolType = modbusTcp) {
  reader = await GatedReader.open(plant, { protocol, client: {}, served, read });
  await reader.poll();
  const { api } = plant.core;
  session = (await api.call('addCheck', { name: 'Visit' })).data.id;
  await api.call('addCheckItems', { session_id: session, channel_id: (await reader.rows())[0]?.channel_id ?? 0 });
  await plant.clock.advance(1500);
}
const items = async () => (await plant.core.api.call('checkItems', { session_id: session })).data.items;
async function expectOf(code: string, expectation: Expectation) {
  const item = (await items()).find((each) => each.code === code)?.item ?? '';
  await plant.core.api.call('editCheckItems', { session_id: session, items: [item], expectation });
}
/** Begins, and waits until the program knows where the first item stands. */
async function start(options: Partial<InputOf<'startCheck'>> = {}) {
  await plant.core.api.call('startCheck', { session_id: session, operator: 'Li', ...options });
  await plant.clock.advance(3000);
  return run();
}
async function run(): Promise<CheckRun> {
  const { run: found } = (await plant.core.api.call('checkRun', {})).data;
  if (!found) throw new Error('no run');
  return found;
}
/** Serves a value and lets time pass. */
async function serve(code: string, value: number, ms = 4000) {
  await reader.serve(code, value);
  await plant.clock.advance(ms);
}
const step = async (action: 'pass' | 'fail' | 'block' | 'skip' | 'repeat' | 'back', remark = '') =>
  (await plant.core.api.call('checkStep', { item: (await run()).item?.item ?? '', action, remark })).data;
const reference = (value: number, tolerance = 0.5) => ({ value, tolerance, percent: 0 });
const stateOf = async (code: string) => (await items()).find((each) => each.code === code)?.state;

describe('a guided check', () => {
  it('waits for the change, lets it settle, passes the item and goes on by itself; nothing passes by waiting', async () => {
    await open([yc('U', 10), yx('S', 20)], [yc('U', 10, { unit: 'V' }), yx('S', 20)]);
    await expectOf('U', { kind: 'values', references: [reference(0), reference(230)] });
    expect(await start()).toMatchObject({ state: 'running', total: 2, position: 0, item: { code: 'U', is_watched: true } });
    await plant.clock.advance(60_000);
    expect(await run()).toMatchObject({
      position: 0,
      done: 0,
      item: {
        wanted: [
          { value: 0, is_seen: true },
          { value: 230, is_seen: false },
        ],
      },
    });
    await serve('U', 230);
    expect(await run()).toMatchObject({ position: 1, done: 1, item: { code: 'S' } });
    await plant.clock.advance(60_000);
    expect((await run()).done).toBe(1);
    await serve('S', 1);
    expect(await run()).toMatchObject({ done: 1, item: { wanted: [{ is_seen: false }, { is_seen: true }], changes: 1 } });
    await serve('S', 0);
    const ended = await run();
    expect(ended).toMatchObject({ state: 'ended', done: 2, item: null });
    const [last, first] = ended.results;
    expect(first).toMatchObject({
      verdict: 'passed',
      way: 'guided',
      operator: 'Li',
      seen: [{ value: 0 }, { value: 230, unit: 'V', raw_hex: '00E6' }],
    });
    expect(last?.seen.map(({ value }) => value)).toEqual([1, 0]);
    expect(first?.frames.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['tx', 'rx']));
    expect(first?.took_ms).toBeGreaterThan(60_000);
    expect(await stateOf('U')).toBe('passed');
  });

  it('names a factor, a sign, an order of octets, an address beside, and what is none of them', async () => {
    const float = { decode: '0x42' } as const;
    await open(
      [yc('F', 10), yc('N', 11), yc('B', 12, float), yc('A', 20), yc('W', 30)],
      [
        yc('F', 10, { mul_coe: 10 }),
        yc('N', 11, { mul_coe: -1 }),
        yc('B', 12, { decode: '0x45' }),
        yc('A', 21),
        yc('BESIDE', 20),
        yc('W', 30),
      ],
    );
    for (const code of ['F', 'N', 'B', 'A', 'W']) await expectOf(code, { kind: 'values', references: [reference(123)] });
    await start();
    for (const code of ['F', 'N', 'B']) await serve(code, 123, 6000);
    // the neighbour has what was asked for; the point itself moves elsewhere
    await reader.serve('A', 123);
    await plant.clock.advance(2000);
    expect(await run()).toMatchObject({ position: 3, item: { code: 'A' } });
    const found = (await run()).results.map(({ findings }) => findings.map(({ name }) => name));
    expect(found).toEqual([['byte_order'], ['sign'], ['factor']]);
    expect((await run()).results[0]?.findings[0]?.text).toContain('ABCD');
    await step('fail');
    expect((await run()).results[0]?.findings.map(({ name }) => name)).toEqual(['dead']);
    await step('skip');
    await plant.clock.advance(2000);
    await serve('W', 77, 6000);
    expect((await run()).results[0]).toMatchObject({ verdict: 'failed', findings: [{ name: 'wrong_value' }] });
  });

  it('shows what else moves, and names it as crossed where the item stood still', async () => {
    await open([yx('S1', 1), yx('S2', 2)], [yx('S1', 2), yx('S2', 1)]);
    await start();
    await serve('S1', 1);
    const { item } = await run();
    expect(item).toMatchObject({ code: 'S1', changes: 0, others: [{ code: 'S2', before: 0, after: 1 }] });
    const after = await step('fail', 'terminals 4 and 5');
    expect(after.results[0]).toMatchObject({
      verdict: 'failed',
      remark: 'terminals 4 and 5',
      findings: [{ name: 'crossed', said: { params: { code: 'S2' } } }],
    });
  });

  it('suspects a wrong bit where another one of the same register changed', async () => {
    await open([yx('B3', 5, { func_code: 3, bit: 3 })], [yx('B3', 5, { func_code: 3, bit: 2 })]);
    await start();
    await serve('B3', 1);
    expect((await run()).item).toMatchObject({ changes: 0, hint: [{ name: 'wrong_bit', said: { params: { bit: 3 } } }] });
    expect((await step('fail')).results[0]?.findings.map(({ name }) => name)).toEqual(['wrong_bit']);
  });

  it('sees a pulse that is shorter than any cycle, and chatter, where the device sends its events', async () => {
    await open([yx('P', 1), yx('C', 2)], [yx('P', 1), yx('C', 2)], iec104);
    await start();
    await reader.serve('P', 1);
    await plant.clock.advance(10);
    await reader.serve('P', 0);
    await plant.clock.advance(4000);
    expect((await run()).results[0]).toMatchObject({ verdict: 'passed', seen: [{ value: 1 }, { value: 0 }] });
    for (const state of [1, 0, 1, 0, 1]) {
      await reader.serve('C', state);
      await plant.clock.advance(30);
    }
    await plant.clock.advance(4000);
    expect((await run()).results[0]).toMatchObject({
      verdict: 'failed',
      findings: [{ name: 'chatter', said: { params: { changes: 5 } } }],
    });
  });

  it('repeats, goes back, is blocked and skipped by a person; the last result of an item counts, and both stay', async () => {
    await open([yx('A', 1), yx('B', 2)], [yx('A', 1), yx('B', 2)]);
    await start();
    await step('block', 'no key');
    expect((await step('back')).item).toMatchObject({ code: 'A', is_ready: false });
    await plant.clock.advance(2000);
    expect((await run()).item).toMatchObject({ code: 'A', is_ready: true });
    await serve('A', 1);
    await serve('A', 0);
    expect(await stateOf('A')).toBe('passed');
    await serve('B', 1);
    expect((await step('repeat')).item).toMatchObject({ code: 'B', changes: 0, waiting_ms: 0 });
    expect((await step('skip')).state).toBe('ended');
    expect(await stateOf('B')).toBe('not_checked');
    const { item } = (await items())[0] ?? { item: '' };
    expect((await plant.core.api.call('checkHistory', { session_id: session, item })).data.total).toBe(2);
  });

  it('takes no word for an item that is not shown any more, nor a pass without a good value', async () => {
    await open([yc('U', 10), yx('S', 20)], [yc('U', 10), yx('S', 20)]);
    const { item } = await start();
    expect(item).toMatchObject({ code: 'U', is_watched: false });
    expect((await step('pass')).results[0]).toMatchObject({ verdict: 'passed', seen: [{ value: 0, quality: 'good' }] });
    await expect(plant.core.api.call('checkStep', { item: item?.item ?? '', action: 'pass' })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('S'),
    });
    reader.gate.state = 'shut';
    await plant.clock.advance(20_000);
    await expect(step('pass')).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('not up to date') });
    expect((await run()).item?.code).toBe('S');
  });

  it('knows nothing of values that a lost line brings back, and goes on when it stands again', async () => {
    await open([yx('S', 20)], [yx('S', 20)]);
    await start();
    reader.gate.state = 'shut';
    await serve('S', 1, 20_000);
    expect((await run()).item).toMatchObject({ changes: 0, is_ready: false });
    reader.gate.open();
    await plant.clock.advance(120_000);
    expect((await run()).item).toMatchObject({ changes: 0, is_ready: true });
    await serve('S', 0);
    await serve('S', 1);
    expect((await run()).state).toBe('ended');
  });

  it('begins an item anew whose point is led elsewhere meanwhile: nothing of the old place passes it', async () => {
    await open([yc('U', 10), yc('V', 11)], [yc('U', 10)]);
    await expectOf('U', { kind: 'values', references: [reference(50), reference(100)] });
    await reader.serve('V', 100);
    await start();
    await serve('U', 50);
    expect((await run()).item?.wanted).toEqual([
      { value: 50, is_seen: true },
      { value: 100, is_seen: false },
    ]);
    await reader.edit('U', { address: 11 });
    await plant.clock.advance(10_000);
    const { state, done, item } = await run();
    expect([state, done]).toEqual(['running', 0]);
    expect(item?.wanted).toEqual([
      { value: 100, is_seen: true },
      { value: 50, is_seen: false },
    ]);
  });

  it('fails no value that fits because it could be read otherwise', async () => {
    await open([yc('U', 10)], [yc('U', 10)]);
    await expectOf('U', { kind: 'values', references: [reference(1, 0.1), reference(256, 0.1)] });
    await start();
    await serve('U', 256, 10_000);
    expect(await run()).toMatchObject({ state: 'running', done: 0 });
    await serve('U', 1, 10_000);
    expect((await run()).results[0]?.verdict).toBe('passed');
  });

  it('keeps its items and its session while it runs', async () => {
    await open([yx('S', 20)], [yx('S', 20)]);
    const { item } = await start();
    const removed = plant.core.api.call('removeCheckItems', { session_id: session, items: [item?.item ?? ''] });
    await expect(removed).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('under way') });
    await expect(plant.core.api.call('deleteCheck', { session_id: session })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it('is one at a time: a second operator is told who is at it', async () => {
    await open([yx('S', 20)], [yx('S', 20)]);
    await start();
    const second = plant.core.api.call('startCheck', { session_id: session, operator: 'Wang' });
    await expect(second).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringMatching(/Li.*Visit/) });
    expect((await plant.core.api.call('stopCheck', {})).data.run?.state).toBe('ended');
    expect(await start()).toMatchObject({ state: 'running' });
  });

  it('leaves an item whose point was deleted meanwhile to a person, who cannot pass it', async () => {
    await open([yx('S', 20), yx('T', 21)], [yx('S', 20), yx('T', 21)]);
    await start();
    const row = await reader.row('S');
    await plant.core.api.call('deletePoints', { channel_id: row.channel_id, point_ids: [row.id] });
    await plant.clock.advance(3000);
    expect((await run()).item).toMatchObject({ code: 'S', is_there: false, now: null });
    await expect(step('pass')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(await step('block')).toMatchObject({ position: 1, item: { code: 'T' } });
  });

  it('ends where another project is opened, and leaves nothing that looks on', async () => {
    await open([yx('S', 20)], [yx('S', 20)]);
    await start();
    const { path } = (await plant.core.api.call('projectInfo', {})).data;
    const opened = plant.core.api.call('openProject', { path: join(path, '..', 'next.loopcheck'), create: true });
    await plant.clock.advance(10_000);
    await opened;
    expect((await plant.core.api.call('checkRun', {})).data).toEqual({ run: null });
    await plant.clock.advance(1000);
  });
});

describe('commands of a guided check', () => {
  const yk = (code: string, address: number, rest: Partial<PointInput> = {}): PointInput => ({ frame_type: 2, code, address, ...rest });
  const yt = (code: string, address: number): PointInput => ({ frame_type: 3, code, address, decode: '0x21' });
  const begin = async () => (await plant.core.api.call('startCheck', { session_id: session, operator: 'Li', commands: true })).data;
  /** Sends for the present item, while time passes. */
  async function send(value?: number, ms = 40_000): Promise<CheckRun> {
    const item = (await run()).item?.item ?? '';
    const sending = plant.core.api.call('sendCheckCommand', { item, ...(value === undefined ? {} : { value }) });
    sending.catch(() => undefined);
    await plant.clock.advance(ms);
    return (await sending).data;
  }
  const audits = async () => (await plant.core.api.call('listAudit', {})).data.items;
  /** A breaker with its feedback, as a station of IEC 104 that follows its commands. */
  const breaker = (rest: Partial<PointInput> = {}): PointInput[] => [yx('QF', 1), yk('CTL', 0x6001, { related_code: 'QF', ...rest })];

  it('are sent once, when a person asks, and pass by a feedback in time; the audit names the session', async () => {
    await open(breaker(), breaker(), iec104);
    await begin();
    await step('skip');
    const entered = (await audits()).length;
    expect((await run()).item).toMatchObject({ code: 'CTL', is_watched: false });
    await plant.clock.advance(30_000);
    expect(await audits()).toHaveLength(entered);
    const ended = await send();
    expect(ended).toMatchObject({
      state: 'ended',
      results: [
        {
          verdict: 'passed',
          way: 'guided',
          seen: [
            { code: 'QF', value: 0 },
            { code: 'QF', value: 1 },
          ],
          findings: [],
        },
        {},
      ],
    });
    const [audit, ...older] = await audits();
    const { uuid } = (await plant.core.api.call('listChecks', {})).data.items[0] ?? {};
    expect(audit).toMatchObject({ code: 'CTL', value: 1, outcome: 'accepted', check_session: uuid });
    expect(ended.results[0]?.audit_ids).toEqual([audit?.id]);
    expect(older).toHaveLength(entered);
  });

  it('are not sent by a check that was started without them, for an item that has none, nor twice', async () => {
    await open(breaker(), breaker(), iec104);
    await start();
    const { item } = await step('skip');
    const refused = plant.core.api.call('sendCheckCommand', { item: item?.item ?? '' });
    await expect(refused).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('without commands') });
    await plant.core.api.call('stopCheck', {});
    await begin();
    await expect(send()).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('QF has no command') });
    await step('skip');
    const present = (await run()).item?.item ?? '';
    const twice = [1, 2].map(() =>
      plant.core.api.call('sendCheckCommand', { item: present }).then(
        () => 'sent',
        () => 'refused',
      ),
    );
    await plant.clock.advance(40_000);
    expect(await Promise.all(twice)).toEqual(['sent', 'refused']);
    expect((await audits()).filter(({ code }) => code === 'CTL')).toHaveLength(1);
  });

  it('find a feedback that is late, that never comes, that goes the other way, and a command that is refused', async () => {
    const pairs = ['LATE', 'DEAD', 'BACK', 'LOCK'];
    const states = pairs.map((code, at) => yx(`${code}_S`, 1 + at));
    const commands = (isServed: boolean) =>
      pairs.map((code, at) => {
        const isFollowed = !isServed || code !== 'DEAD';
        return yk(code, 0x6001 + at, {
          ...(isFollowed && { related_code: `${code}_S` }),
          ...(isServed && code === 'LOCK' && { protocol: { locked: true } }),
        });
      });
    await open([...states, ...commands(true)], [...states, ...commands(false)], iec104);
    // the station follows a command after half a second
    const command = { kind: 'command' as const, value: 1, feedback: 1, within_ms: 1000 };
    await expectOf('LATE', { ...command, within_ms: 200 });
    for (const code of ['DEAD', 'LOCK']) await expectOf(code, command);
    await expectOf('BACK', { ...command, feedback: 0 });
    const chosen = (await items()).filter(({ code }) => pairs.includes(code)).map(({ item }) => item);
    await plant.core.api.call('startCheck', { session_id: session, operator: 'Li', commands: true, items: chosen });
    for (const _ of pairs) await send();
    const ended = await run();
    expect(ended.state).toBe('ended');
    expect(ended.results.map(({ verdict, findings }) => [verdict, findings.map(({ name }) => name)]).reverse()).toEqual([
      ['failed', ['late']],
      ['failed', ['dead']],
      ['failed', ['swapped']],
      ['failed', ['refused']],
    ]);
    expect((await audits()).filter(({ code }) => pairs.includes(code))).toHaveLength(4);
  });

  it('are not sent while the state that has to follow is not known', async () => {
    await open([yx('S', 1), yk('K', 2)], [yx('S', 1), yk('K', 2, { related_code: 'S' })]);
    const item = (await items()).find(({ code }) => code === 'K')?.item ?? '';
    await plant.core.api.call('startCheck', { session_id: session, operator: 'Li', commands: true, items: [item] });
    reader.gate.state = 'shut';
    await expect(send()).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('Nothing was sent') });
    expect(await audits()).toEqual([]);
  });

  it('of a setpoint are read back, and the value from before is brought back', async () => {
    await open([yt('SP', 5)], [yt('SP', 5)]);
    await reader.serve('SP', 40);
    await plant.clock.advance(2000);
    await begin();
    await expect(send()).rejects.toMatchObject({ status: 422, data: [{ path: 'value' }] });
    const ended = await send(55);
    expect(ended.results[0]).toMatchObject({ verdict: 'passed', seen: [{ value: 55 }, { value: 40 }], findings: [] });
    expect(ended.results[0]?.audit_ids).toHaveLength(2);
    expect((await audits()).map(({ value, outcome }) => [value, outcome]).slice(0, 2)).toEqual([
      [40, 'accepted'],
      [55, 'accepted'],
    ]);
  });

  it('of a setpoint are not sent while nobody knows what to bring back', async () => {
    await open([yt('SP', 5)], [yt('SP', 5)]);
    await begin();
    reader.gate.state = 'shut';
    const before = (await audits()).length;
    await expect(send(55)).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('Nothing was sent') });
    expect(await audits()).toHaveLength(before);
    expect((await run()).item?.code).toBe('SP');
  });

  it('whose answer is lost are not known, and never sent again', async () => {
    await open([yk('K', 1)], [yk('K', 1)]);
    await begin();
    reader.gate.state = 'shut';
    const ended = await send();
    expect(ended.results[0]).toMatchObject({ verdict: 'failed', findings: [{ name: 'not_known' }] });
    expect(await audits()).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('are refused while the service is read-only', async () => {
    await open([yk('K', 1)], [yk('K', 1)]);
    await begin();
    await plant.core.api.call('updateSettings', { read_only: true });
    await expect(send()).rejects.toMatchObject({ code: 'STATE_READ_ONLY' });
    expect((await run()).item?.code).toBe('K');
  });
});

describe('listening', () => {
  const listen = () => start({ way: 'listen' });

  it('takes each change for the item that it belongs to, in whatever order people move things', async () => {
    const points = [yc('U', 10), yx('A', 1), yx('B', 2), yx('C', 3)];
    await open(points, points);
    await expectOf('U', { kind: 'values', references: [reference(230)] });
    expect(await listen()).toMatchObject({ way: 'listen', total: 4, item: null });
    await plant.clock.advance(30_000);
    expect((await run()).done).toBe(0);
    await reader.serve('B', 1);
    await serve('C', 1);
    await serve('C', 0);
    expect((await run()).results.map(({ seen }) => seen.at(-1)?.code)).toEqual(['C']);
    await serve('U', 230);
    await serve('B', 0);
    await serve('A', 1);
    expect(await run()).toMatchObject({ state: 'running', total: 4, position: 3, done: 3 });
    await serve('A', 0);
    expect(await run()).toMatchObject({ state: 'ended', done: 4 });
    expect((await items()).map(({ state }) => state)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  it('shows what moved last with what was seen of it, and names what has not moved', async () => {
    const points = Array.from({ length: 25 }, (_, at) => yx(`P${at}`, 1 + at));
    await open(points, points);
    const names = ({ not_moved }: CheckRun) => [
      not_moved?.total,
      not_moved?.items.length,
      not_moved?.items[0]?.code,
      not_moved?.items.at(-1)?.code,
    ];
    expect(names(await listen())).toEqual([25, 20, 'P0', 'P19']);
    await serve('P0', 1);
    expect((await run()).latest).toMatchObject({ code: 'P0', now: { value: 1 }, wanted: [{ is_seen: false }, { is_seen: true }] });
    await serve('P3', 1);
    expect((await run()).latest).toMatchObject({ code: 'P3', changes: 1 });
    expect(names(await run())).toEqual([23, 20, 'P1', 'P21']);
    await serve('P0', 0, 6000);
    const passed = await run();
    expect([passed.latest?.code, passed.results[0]?.verdict, ...names(passed)]).toEqual(['P0', 'passed', 23, 20, 'P1', 'P21']);
    expect((await plant.core.api.call('stopCheck', {})).data.run).toMatchObject({ state: 'ended', not_moved: { total: 23 } });
  });

  it('fails what came to rest elsewhere with its findings, and passes it when it was put right', async () => {
    await open([yc('F', 10)], [yc('F', 10)]);
    await expectOf('F', { kind: 'values', references: [reference(120)] });
    await listen();
    await serve('F', 1200, 6000);
    expect((await run()).results[0]).toMatchObject({ verdict: 'failed', findings: [{ name: 'factor' }] });
    expect((await run()).state).toBe('running');
    await serve('F', 120, 6000);
    expect((await run()).results.map(({ verdict }) => verdict)).toEqual(['passed', 'failed']);
    expect((await run()).state).toBe('ended');
  });

  it('sees pulses of several points between two looks', async () => {
    const points = Array.from({ length: 40 }, (_, at) => yx(`P${at}`, 1 + at));
    await open(points, points, iec104);
    await listen();
    for (const { code } of points) {
      await reader.serve(code, 1);
      await reader.serve(code, 0);
    }
    await plant.clock.advance(6000);
    expect(await run()).toMatchObject({ state: 'ended', done: 40 });
  });

  it('sends nothing and asks nobody: a start with commands is refused, and so is a word of a person', async () => {
    await open([yx('A', 1)], [yx('A', 1)]);
    const both = plant.core.api.call('startCheck', { session_id: session, operator: 'Li', way: 'listen', commands: true });
    await expect(both).rejects.toMatchObject({ status: 422, data: [{ path: 'commands' }] });
    await listen();
    const item = (await items())[0]?.item ?? '';
    await expect(plant.core.api.call('checkStep', { item, action: 'pass' })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(plant.core.api.call('sendCheckCommand', { item })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect((await plant.core.api.call('stopCheck', {})).data.run).toMatchObject({ state: 'ended', done: 0 });
  });

  it('has nothing to hear where only people decide', async () => {
    await open([yc('U', 10)], [yc('U', 10)]);
    await expect(listen()).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('No item can be listened for'),
    });
  });
});
