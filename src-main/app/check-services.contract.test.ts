import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '#shared/client/client.ts';
import type { CheckItem, CheckResult, CheckRun, CheckSeen } from '#shared/contract/check.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import type { Clock } from '../platform/clock.ts';
import { pacedClock } from '../platform/testing/paced-clock.ts';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

type PointInput = InputOf<'addPoints'>['points'][number];

const WAIT = { timeout: 30_000, interval: 50 };
const closings: (() => unknown)[] = [];
/** Where the checks are made, and where the channels are. */
let laptop: RunningCore;
let cabinet: RunningCore;
let cabinetPort: number;
let cabinetDir: string;
let session: number;
/** Port of the device; its channel on whichever service serves it, and the one of the cabinet that reads it. */
let devicePort: number;
let device: number;
let feeder: number;
/** What the laptop’s clock is ahead of the time that passed, in milliseconds. */
let aheadMs = 0;

/** A look that was had is too old for a page from now on: it asks the other service at once, not in five seconds. */
const looksAreOld = (): void => {
  aheadMs += 5000;
};

/** Its timers wait as long as any others; only the time it tells is ahead. */
function laptopClock(): Clock {
  const paced = pacedClock();
  return {
    ...paced,
    monotonicMs: () => paced.monotonicMs() + aheadMs,
    wallMs: () => paced.wallMs() + aheadMs,
    until: (deadline) => paced.until(deadline - aheadMs),
  };
}

const yc = (code: string, address: number, rest: Partial<PointInput> = {}): PointInput => ({
  frame_type: 0,
  code,
  address,
  decode: '0x21',
  ...rest,
});
const yx = (code: string, address: number): PointInput => ({ frame_type: 1, code, address, decode: '0x20' });

/** Its clock is 5 h behind ours. */
async function startCabinet(): Promise<void> {
  const clock = pacedClock({ wallStart: Date.UTC(2025, 11, 31, 23) });
  cabinet = await startCore({ port: cabinetPort, dataDir: cabinetDir, projectPath: join(cabinetDir, 'cabinet.loopcheck') }, { clock });
}

beforeEach(async () => {
  cabinetDir = mkdtempSync(join(tmpdir(), 'loopcheck-cabinet-'));
  [cabinetPort, devicePort] = [await freePort(), await freePort()];
  aheadMs = 0;
  laptop = await startCore({}, { clock: laptopClock() });
  await startCabinet();
  await laptop.api.call('addRemote', { name: 'Cabinet 7', address: cabinet.url });
  session = (await laptop.api.call('addCheck', { name: 'Site' })).data.id;
});
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
  await laptop.close();
  await cabinet.close();
  rmSync(cabinetDir, { recursive: true, force: true });
});

/** A device that `at` serves, and a channel of the cabinet that reads it, ten times a second where `polls` says so. */
async function open(at: RunningCore, served: PointInput[], read = served, polls = true): Promise<void> {
  const type = { protocol_type: ProtocolType.modbusTcp, port: devicePort };
  device = (await at.api.call('addChannel', { ...type, name: 'Device', conn_type: ConnType.tcpServer })).data.id;
  await at.api.call('addPoints', { channel_id: device, points: served });
  await at.api.call('startDevice', { channel_id: device });
  feeder = (await cabinet.api.call('addChannel', { ...type, name: 'Feeder 1', conn_type: ConnType.tcpClient, auto_start: true })).data.id;
  await cabinet.api.call('addPoints', { channel_id: feeder, points: read });
  await cabinet.api.call('startDevice', { channel_id: feeder });
  if (polls) await cabinet.api.call('startAutoRead', { device_name: 'Feeder 1', cycle_interval_ms: 100 });
  await laptop.api.call('addCheckItems', { session_id: session, channel_id: feeder, service_id: 1 });
}

async function serve(at: RunningCore, code: string, value: number): Promise<void> {
  const { items } = (await at.api.call('pointTable', { channel_id: device, page: 1, page_size: 100, search: code })).data;
  const point = items[0];
  if (!point) throw new Error(`no ${code}`);
  await at.api.call('updatePoint', { point_id: point.id, frame_type: point.frame_type, value });
}
const items = async (): Promise<CheckItem[]> => (await laptop.api.call('checkItems', { session_id: session })).data.items;
const found = async () =>
  Object.fromEntries((await items()).map(({ code, state, last }) => [code, [state, ...(last?.findings ?? []).map(({ name }) => name)]]));
const run = async (): Promise<CheckRun | null> => (await laptop.api.call('checkRun', {})).data.run;
const ended = () => vi.waitFor(async () => expect((await run())?.state).toBe('ended'), WAIT);
async function lastOf(code: string): Promise<CheckResult> {
  const item = (await items()).find((each) => each.code === code);
  const [result] = (await laptop.api.call('checkHistory', { session_id: session, item: item?.item ?? '' })).data.items;
  if (!result) throw new Error(`no result of ${code}`);
  return result;
}
async function expectationOf(code: string, expectation: CheckItem['expectation']): Promise<void> {
  const item = (await items()).find((each) => each.code === code);
  await laptop.api.call('editCheckItems', { session_id: session, items: [item?.item ?? ''], expectation });
}
const record = async (at: RunningCore, format: 'json' | 'html' | 'xlsx') =>
  (await at.send({ method: 'GET', url: `/api/check/record?session_id=${session}&format=${format}` })).file?.bytes ?? new Uint8Array();

describe('a check over several services', () => {
  it('takes points of a channel of another service, once, and says which service they are of', async () => {
    await open(cabinet, [yc('P', 1), yc('Q', 2)]);
    expect(await items()).toMatchObject([
      { code: 'P', service: 'Cabinet 7', channel: 'Feeder 1', channel_id: feeder, is_there: true, state: 'not_checked' },
      { code: 'Q', service: 'Cabinet 7' },
    ]);
    const again = await laptop.api.call('addCheckItems', { session_id: session, channel_id: feeder, service_id: 1 });
    expect(again.data).toEqual({ added: 0, already: 2 });
    const { channels } = (await laptop.api.call('checkSummary', { session_id: session })).data;
    expect(channels).toMatchObject([{ channel_id: feeder, channel: 'Feeder 1', service: 'Cabinet 7', counts: { not_checked: 2 } }]);
    const shown = async (query: object) =>
      (await laptop.api.call('checkItems', { session_id: session, ...query })).data.items.map(({ code }) => code);
    expect(await shown({ service: 'Cabinet 7', channel_id: feeder })).toEqual(['P', 'Q']);
    expect([await shown({ service: '' }), await shown({ channel_id: feeder })]).toEqual([[], []]);
    const add = (rest: object) => laptop.api.call('addCheckItems', { session_id: session, channel_id: feeder, ...rest });
    await expect(add({ service_id: 9 })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await expect(add({ service_id: 1, channel_id: 77 })).rejects.toMatchObject({ message: 'Cabinet 7 has no channel with the number 77.' });
  });

  it('reads, judges and keeps evidence with the times there and here, in a record that proves itself', async () => {
    await open(cabinet, [yc('P', 1), yc('Q', 2)], [yc('P', 1), yc('Q', 2, { mul_coe: 0.1 })], false);
    await serve(cabinet, 'P', 230);
    await serve(cabinet, 'Q', 230);
    for (const code of ['P', 'Q']) await expectationOf(code, { kind: 'values', references: [{ value: 230, tolerance: 0.5, percent: 0 }] });
    await laptop.api.call('compareCheck', { session_id: session, operator: 'Li', timeout_ms: 20_000 });
    await ended();
    expect(await found()).toEqual({ P: ['passed'], Q: ['failed', 'factor'] });
    const result = await lastOf('P');
    const [seen] = result.seen as [CheckSeen];
    expect(seen).toMatchObject({ service: 'Cabinet 7', channel_id: feeder, value: 230, raw_hex: '00E6', quality: 'good' });
    expect(Math.abs(Date.parse(seen.arrived_at ?? '') - Date.parse(result.at))).toBeLessThan(10_000);
    expect([seen.received_at?.slice(0, 11), seen.arrived_at?.slice(0, 11)]).toEqual(['2025-12-31T', '2026-01-01T']);
    expect(result.frames.map(({ kind }) => kind)).toEqual(['tx', 'rx']);
    expect(result.channel).toMatchObject({ name: 'Feeder 1', port: devicePort, service: 'Cabinet 7', service_address: cabinet.url });
    const json = await record(laptop, 'json');
    expect(JSON.parse(new TextDecoder().decode(json))).toMatchObject({
      version: 2,
      devices: [{ name: 'Feeder 1', service: 'Cabinet 7', points: 2 }],
      items: [{ code: 'P', service: 'Cabinet 7', isThere: true }, { code: 'Q' }],
    });
    for (const format of ['json', 'html'] as const) {
      const verified = (await laptop.api.call('verifyRecord', { file: new File([await record(laptop, format)], `record.${format}`) })).data;
      expect(verified).toMatchObject({ is_whole: true, entries: 2, fault: null });
    }
    expect((await record(laptop, 'xlsx')).length).toBeGreaterThan(1000);
    // one octet of what names the service
    const forged = new TextDecoder().decode(json).replace('"service":"Cabinet 7"', '"service":"Cabinet 8"');
    const told = (await laptop.api.call('verifyRecord', { file: new File([forged], 'record.json') })).data;
    expect(told.is_whole).toBe(false);
  });

  it('tests a gateway: what is set below here is seen above there, crossed ones are named', async () => {
    const served = [yc('P', 1), yc('Q', 2), yc('R', 3), yx('S', 1), yx('T', 2)];
    await open(laptop, served, [yc('P', 1), yc('Q', 3), yc('R', 2), yx('S', 1), yx('T', 2)]);
    await laptop.api.call('traceCheck', {
      session_id: session,
      operator: 'Li',
      reference_channel_id: device,
      settle_ms: 500,
      within_ms: 3000,
    });
    await ended();
    expect((await run())?.error).toBeNull();
    expect(await found()).toEqual({
      P: ['passed'],
      Q: ['failed', 'crossed'],
      R: ['failed', 'crossed'],
      S: ['passed'],
      T: ['passed'],
    });
    const { seen } = await lastOf('P');
    expect(seen).toMatchObject([
      { channel_id: device, code: 'P', is_reference: true },
      { channel_id: feeder, code: 'P', service: 'Cabinet 7' },
    ]);
    expect(seen[0]?.service).toBeUndefined();
    expect(seen[0]?.value).toBe(seen[1]?.value);
  }, 60_000);

  it('is guided by what moves there; what stood or moved before passes nothing', async () => {
    await open(cabinet, [yx('S', 1)]);
    await serve(cabinet, 'S', 1);
    await laptop.api.call('startCheck', { session_id: session, operator: 'Li', way: 'guided', settle_ms: 300 });
    await vi.waitFor(async () => expect((await run())?.item).toMatchObject({ is_ready: true, service: 'Cabinet 7' }), WAIT);
    expect((await run())?.item?.wanted).toEqual([
      { value: 0, is_seen: false },
      { value: 1, is_seen: false },
    ]);
    await serve(cabinet, 'S', 0);
    await vi.waitFor(async () => expect((await run())?.item?.wanted[0]).toEqual({ value: 0, is_seen: true }), WAIT);
    await serve(cabinet, 'S', 1);
    await ended();
    expect(await found()).toEqual({ S: ['passed'] });
  }, 60_000);

  it('counts nothing that moved while the service was away, and goes on when it was started anew', async () => {
    await open(laptop, [yx('S', 1)]);
    await cabinet.api.call('startAutoRead', { device_name: 'Feeder 1', cycle_interval_ms: 100 });
    await laptop.api.call('startCheck', { session_id: session, operator: 'Li', way: 'listen', settle_ms: 300 });
    await vi.waitFor(async () => expect((await run())?.not_ready).toBe(0), WAIT);
    await cabinet.close();
    await vi.waitFor(async () => expect((await items())[0]?.trouble).toMatchObject({ code: expect.any(String) }), WAIT);
    expect((await items())[0]).toMatchObject({ is_there: true, state: 'not_checked' });
    await serve(laptop, 'S', 1);
    await startCabinet();
    await vi.waitFor(async () => expect((await cabinet.api.call('listChannels', {})).data[0]?.status).toBe('running'), WAIT);
    await cabinet.api.call('startAutoRead', { device_name: 'Feeder 1', cycle_interval_ms: 100 });
    await vi.waitFor(async () => expect((await run())?.not_ready).toBe(0), WAIT);
    expect(await run()).toMatchObject({ state: 'running', moved: [], not_moved: { total: 1 } });
    await serve(laptop, 'S', 0);
    await vi.waitFor(async () => expect((await run())?.moved).toMatchObject([{ code: 'S', before: 1, after: 0 }]), WAIT);
    await serve(laptop, 'S', 1);
    await ended();
    expect(await found()).toEqual({ S: ['passed'] });
  }, 90_000);

  it('blocks what a silent service does not tell, with the reason, and leaves what had passed', async () => {
    await open(cabinet, [yc('P', 1), yc('Q', 2)]);
    await serve(cabinet, 'P', 7);
    for (const code of ['P', 'Q']) await expectationOf(code, { kind: 'values', references: [{ value: 7, tolerance: 0, percent: 0 }] });
    const [p, q] = (await items()).map(({ item }) => item);
    const compare = (uuid = '') =>
      laptop.api.call('compareCheck', { session_id: session, operator: 'Li', items: [uuid], timeout_ms: 3000 });
    await compare(p);
    await ended();
    await cabinet.close();
    await compare(q);
    await ended();
    expect(await found()).toEqual({ P: ['passed'], Q: ['blocked'] });
    expect((await lastOf('Q')).remark).toContain('Cabinet 7');
    expect((await items())[0]).toMatchObject({ is_there: true, changed: [], trouble: { params: expect.anything() } });
    const decide = () =>
      laptop.api.call('enterCheckResult', { session_id: session, item: q ?? '', verdict: 'passed', operator: 'Li', remark: '' });
    await expect(decide()).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const text = new TextDecoder().decode(await record(laptop, 'json'));
    expect(JSON.parse(text).items[0]).toMatchObject({ isThere: true, isUnknown: true });
    await startCabinet();
  }, 60_000);

  it('is to be checked again when the point is read from another address there, and gone when it has another name', async () => {
    await open(cabinet, [yc('P', 1)]);
    await serve(cabinet, 'P', 7);
    const [item] = await items();
    await laptop.api.call('enterCheckResult', {
      session_id: session,
      item: item?.item ?? '',
      verdict: 'passed',
      operator: 'Li',
      remark: '',
    });
    expect((await items())[0]).toMatchObject({ state: 'passed', changed: [] });
    const [point] = (await cabinet.api.call('pointTable', { channel_id: feeder, page: 1, page_size: 1 })).data.items;
    const edit = (change: object) => cabinet.api.call('editPoint', { point_id: point?.id ?? 0, frame_type: 0, ...change });
    await edit({ address: 2 });
    looksAreOld();
    await vi.waitFor(async () => expect((await items())[0]).toMatchObject({ state: 'check_again', changed: ['address'] }), WAIT);
    await edit({ address: 1, code: 'P_OLD' });
    looksAreOld();
    await vi.waitFor(async () => expect((await items())[0]).toMatchObject({ is_there: false, code: 'P' }), WAIT);
    await edit({ code: 'P' });
    looksAreOld();
    await vi.waitFor(async () => expect((await items())[0]).toMatchObject({ is_there: true, state: 'passed' }), WAIT);
  }, 60_000);

  it('says that its token there may not read, where nothing else reads', async () => {
    const token = 'token-of-the-owner-0123456789';
    const asOwner = { authorization: `Bearer ${token}` };
    const guarded = await startCore({ token }, { newToken: () => 'token-of-the-guest-0123456789' });
    closings.push(() => guarded.close());
    const api = createClient((request) => guarded.send(request, asOwner));
    const made = (await api.call('addAccess', { name: 'Laptop', role: 'view' })).data;
    const type = { protocol_type: ProtocolType.modbusTcp, port: devicePort };
    device = (await laptop.api.call('addChannel', { ...type, name: 'Device', conn_type: ConnType.tcpServer })).data.id;
    await laptop.api.call('addPoints', { channel_id: device, points: [yc('P', 1)] });
    await laptop.api.call('startDevice', { channel_id: device });
    const { id } = (await api.call('addChannel', { ...type, name: 'Feeder 8', conn_type: ConnType.tcpClient })).data;
    await api.call('addPoints', { channel_id: id, points: [yc('P', 1)] });
    await api.call('startDevice', { channel_id: id });
    await laptop.api.call('addRemote', { name: 'Cabinet 8', address: guarded.url, token: made.token });
    await laptop.api.call('addCheckItems', { session_id: session, channel_id: id, service_id: 2 });
    await expectationOf('P', { kind: 'values', references: [{ value: 7, tolerance: 0, percent: 0 }] });
    await laptop.api.call('compareCheck', { session_id: session, operator: 'Li', timeout_ms: 2000 });
    await ended();
    expect(await found()).toEqual({ P: ['blocked'] });
    expect((await lastOf('P')).remark).toContain('Cabinet 8 told no value in time: ');
    expect((await lastOf('P')).remark).toMatch(/role|operate/);
  });

  it('begins one check at a time, however many ask for it while the service is looked at', async () => {
    await open(cabinet, [yx('S', 1)]);
    const start = () => laptop.api.call('startCheck', { session_id: session, operator: 'Li', way: 'guided' });
    const all = await Promise.allSettled([start(), start(), start()]);
    expect(all.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await laptop.api.call('stopCheck', {});
  });

  it('sends no command to another service', async () => {
    await open(cabinet, [{ frame_type: 2, code: 'K', address: 1 }]);
    await laptop.api.call('startCheck', { session_id: session, operator: 'Li', way: 'guided', commands: true });
    const [item] = await items();
    await expect(laptop.api.call('sendCheckCommand', { item: item?.item ?? '' })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('Cabinet 7'),
    });
    expect((await cabinet.api.call('listAudit', {})).data.items.filter(({ channel_id }) => channel_id === feeder)).toEqual([]);
  });

  it('is taken over by another computer under the names of the services, and says which it does not know', async () => {
    await open(cabinet, [yc('P', 1)]);
    await serve(cabinet, 'P', 7);
    const [item] = await items();
    await laptop.api.call('enterCheckResult', {
      session_id: session,
      item: item?.item ?? '',
      verdict: 'passed',
      operator: 'Li',
      remark: '',
    });
    const bytes = await record(laptop, 'json');
    const other = await startCore({}, { clock: laptopClock() });
    closings.push(() => other.close());
    // a channel of the same name here is another one
    const own = await other.api.call('addChannel', { name: 'Feeder 1', protocol_type: 1, conn_type: 1 });
    await other.api.call('addPoints', { channel_id: own.data.id, points: [yc('P', 1)] });
    const merged = (await other.api.call('mergeCheck', { file: new File([bytes], 'record.json') })).data;
    expect(merged).toMatchObject({ items: 1, entries: 1, conflicts: [{ code: 'P', what: 'service_missing' }] });
    const listed = async () => (await other.api.call('checkItems', { session_id: merged.session.id })).data.items[0];
    await vi.waitFor(async () => expect((await listed())?.trouble?.code).toBe('check.elsewhere_unknown'), WAIT);
    expect(await listed()).toMatchObject({ service: 'Cabinet 7', channel_id: 0, state: 'passed' });
    await other.api.call('addRemote', { name: 'Cabinet 7', address: cabinet.url });
    looksAreOld();
    await vi.waitFor(async () => expect(await listed()).toMatchObject({ channel_id: feeder, state: 'passed' }), WAIT);
    expect((await listed())?.trouble).toBeUndefined();
  }, 60_000);
});
