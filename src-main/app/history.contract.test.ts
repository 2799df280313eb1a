import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

/** A served device: what is written into its points is there at once. */
let manual: ManualCore;
let channel: number;
let ids: readonly number[];
beforeEach(async () => {
  manual = await startManualCore();
  [channel, ids] = await served('Served', 1502);
});
afterEach(() => manual.close());

const api = () => manual.core.api;
const project = () => manual.core.api.call('projectInfo', {}).then(({ data }) => data.path);

async function served(name: string, port: number): Promise<[number, number[]]> {
  const { data } = await api().call('addChannel', { name, protocol_type: 1, conn_type: 1, port });
  const points = ['P', 'Q'].map((code, address) => ({
    frame_type: 3 as const,
    code: `${name} ${code}`,
    address,
    decode: '0x21',
    unit: 'kW',
  }));
  const added = (await api().call('addPoints', { channel_id: data.id, points })).data.items;
  await api().call('startDevice', { channel_id: data.id });
  return [data.id, added.map(({ id }) => id)];
}
const record = (settings: Omit<InputOf<'setRecording'>, 'channel_id'> = { mode: 'changed' }, of = channel) =>
  api().call('setRecording', { channel_id: of, ...settings });
const set = (value: number, point = ids[0] as number) => api().call('updatePoint', { point_id: point, frame_type: 3, value });
/** Values one after the other, a second between them. */
async function setEach(...values: readonly number[]): Promise<void> {
  for (const value of values) {
    await set(value);
    await manual.clock.advance(1000);
  }
}
const ask = async (input: InputOf<'readHistory'> = {}) =>
  (await api().call('readHistory', { ...(input.code ? {} : { points: `${channel}:3:${ids[0]}` }), ...input })).data;
const first = async (input: InputOf<'readHistory'> = {}) => (await ask(input)).items[0] ?? expect.fail('no item');
const values = async (input: InputOf<'readHistory'> = {}) => {
  const { samples } = await first(input);
  return samples.kind === 'raw' ? samples.value : expect.fail('not raw');
};
const status = async () => (await api().call('recordingStatus', { channel_id: channel })).data;
const warnings = async () => (await api().call('serviceInfo', {})).data.warnings.map(({ code }) => code);
const refused = (input: InputOf<'readHistory'>) => expect(ask(input)).rejects;

describe('recording of a channel', () => {
  it('is off, and makes no file, until somebody asks for it', async () => {
    await setEach(1, 2);
    expect(await status()).toMatchObject({ file_bytes: 0, suspended: null, channels: [{ mode: 'off', retention_days: 30, max_mb: 500 }] });
    expect(await first()).toMatchObject({ total: 0, before: null, gaps: [{}] });
    expect(existsSync(`${await project()}.history.db`)).toBe(false);
  });

  it('keeps each value that changed, with its time', async () => {
    await record();
    await manual.clock.advance(100);
    await setEach(5, 6, 6, 7);
    const { samples, gaps, unit, code } = await first();
    expect(samples).toMatchObject({ kind: 'raw', value: [5, 6, 7], quality: ['good', 'good', 'good'] });
    expect([unit, code]).toEqual(['kW', 'Served P']);
    expect(gaps).toHaveLength(1);
    expect((await status()).channels).toMatchObject([{ mode: 'changed', samples: expect.any(Number), lost: 0 }]);
  });

  it('keeps what is around the times at which a condition is met, with gaps between them, and tells it', async () => {
    const [p, q] = ids as [number, number];
    await set(1, q);
    await record({ mode: 'trigger', trigger: 'point("Served P") > 100', before_s: 3, after_s: 2 });
    await setEach(5, 6, 7, 8, 9, 150, 10, 11, 12, 13, 14);
    // the value that held when the stretch began is its first one
    expect(await values()).toEqual([7, 8, 9, 150, 10, 11]);
    const { gaps } = await first();
    expect(gaps).toHaveLength(2);
    const other = (await ask({ points: `${channel}:3:${q}` })).items[0];
    expect(other?.samples).toMatchObject({ value: [1] });
    const events = (await api().call('listEvents', { channel_id: channel })).data.items;
    expect(events.filter(({ text_message }) => text_message?.code === 'history.triggered')).toHaveLength(1);
    // a time of its own
    await setEach(200, 1, 1, 1, 1);
    expect((await values()).filter((value) => (value ?? 0) > 100)).toEqual([150, 200]);
    expect((await first()).gaps).toHaveLength(3);
    await manual.core.api.call('updatePoint', { point_id: p, frame_type: 3, value: 300 });
    await manual.clock.advance(1000);
    await record({ mode: 'off' });
    expect((await values()).at(-1)).toBe(300);
  });

  it('refuses a condition that cannot be understood, or none', async () => {
    for (const trigger of ['', 'P >', 'nobody(3)', 'series("a", "b") > 1']) {
      await expect(record({ mode: 'trigger', trigger })).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [{ path: 'trigger' }] });
    }
    expect((await status()).channels).toMatchObject([{ mode: 'off' }]);
    await record({ mode: 'trigger', trigger: 'NOBODY > 1' });
    await setEach(5, 6);
    expect((await first()).total).toBe(0);
  });

  it('keeps each value that was set with `all`, and none within the dead band with `changed`', async () => {
    await record({ mode: 'all' });
    await setEach(5, 5, 5);
    const all = await values();
    expect(all.filter((value) => value === 5).length).toBeGreaterThanOrEqual(3);
    await record({ mode: 'changed', dead_band: 2 });
    await setEach(6, 7, 8, 9, 10, 11);
    expect((await values()).slice(all.length)).toEqual([5, 8, 11]);
  });

  it('keeps of a point with a dead band of its own what goes beyond that, in its unit or in percent of the last recorded value', async () => {
    const [p, q] = ids as [number, number];
    const ofQ = async () => {
      const samples = (await ask({ points: `${channel}:3:${q}` })).items[0]?.samples;
      return samples?.kind === 'raw' ? samples.value : expect.fail('not raw');
    };
    await record({ mode: 'changed', dead_band: 100, dead_bands: [{ code: 'Served P', dead_band: 10, kind: 'percent' }] });
    await setEach(0, 1, 100, 110, 91, 89, -89, 0);
    // from 0 on each change counts; 110 and 91 lie within a tenth of 100
    expect((await values()).slice(-6)).toEqual([0, 1, 100, 89, -89, 0]);
    for (const value of [0, 90, 101, 5]) await set(value, q).then(() => manual.clock.advance(1000));
    expect((await ofQ()).slice(-2)).toEqual([0, 101]);
    // a dead band stays with its code, whichever point has it
    await api().call('editPoint', { point_id: p, frame_type: 3, code: 'Other' });
    await api().call('editPoint', { point_id: q, frame_type: 3, code: 'Served P' });
    await set(200, q);
    await manual.clock.advance(1000);
    await set(190, q);
    await manual.clock.advance(1000);
    await set(150, q);
    await manual.clock.advance(1000);
    expect((await ofQ()).slice(-2)).toEqual([200, 150]);
    expect((await record({ dead_bands: [{ code: 'Served P', dead_band: 0, kind: 'absolute' }] })).data).toMatchObject({ dead_band: 100 });
    await set(151, q);
    await manual.clock.advance(1000);
    expect((await ofQ()).at(-1)).toBe(151);
  });

  it('takes each code once, and warns of one that no point has', async () => {
    const band = (code: string) => ({ code, dead_band: 1, kind: 'absolute' as const });
    await expect(record({ dead_bands: [band('Served P'), band('Served Q'), band('Served P')] })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path: 'dead_bands.2.code', message: expect.stringContaining('"Served P" for the second time') }],
    });
    await expect(record({ dead_bands: [{ ...band('Served P'), dead_band: -1 }] })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect((await record({ dead_bands: [band('Nobody')] })).warnings).toMatchObject([{ path: 'dead_bands.0.code' }]);
    expect((await status()).channels).toMatchObject([{ dead_bands: [{ code: 'Nobody' }] }]);
  });

  it('tells where the quality was not good', async () => {
    await record();
    await setEach(5);
    await api().call('stopDevice', { channel_id: channel });
    await manual.clock.advance(2000);
    const { samples } = await first();
    expect(samples).toMatchObject({ kind: 'raw' });
    if (samples.kind === 'raw') expect([samples.value.at(-1), samples.quality.at(-1)]).toEqual([5, 'stale']);
  });

  it('lasts: settings and values are there when the project is opened again, and the time between is a gap', async () => {
    await record();
    await setEach(5, 6);
    const path = await project();
    await api().call('openProject', { path: `${path}.other.loopcheck`, create: true });
    expect((await api().call('recordingStatus', {})).data.channels).toEqual([]);
    await expect(ask()).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await manual.clock.advance(60_000);
    await api().call('openProject', { path });
    expect(await status()).toMatchObject({ channels: [{ mode: 'changed' }] });
    expect((await values()).slice(-2)).toEqual([5, 6]);
    const { gaps } = await first({ from: '2020-01-01T00:00:00Z' });
    expect(gaps.length).toBeGreaterThanOrEqual(2);
    expect(await warnings()).toEqual([]);
  });

  it('follows the project to its new name', async () => {
    await record();
    await setEach(5, 6);
    const path = await project();
    await api().call('renameProject', { path: `${path}.renamed.loopcheck` });
    expect((await values()).slice(-2)).toEqual([5, 6]);
    const names = readdirSync(join(path, '..')).filter((name) => name.includes('history'));
    expect(names.filter((name) => name.startsWith('demo.loopcheck.history'))).toEqual([]);
  });

  it('ends with its channel, whose values go', async () => {
    const [other, [point]] = await served('Other', 1503);
    await record({ mode: 'changed' }, other);
    await record();
    await set(5, point);
    await manual.clock.advance(2000);
    await api().call('deleteChannel', { channel_id: other });
    await refused({ points: `${other}:3:${point}` }).toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await manual.clock.advance(61_000);
    expect((await api().call('recordingStatus', {})).data.channels).toHaveLength(1);
    await setEach(6);
    expect((await values()).at(-1)).toBe(6);
  });

  it('is suspended and told while the file cannot be written, goes on by itself, and counts what it lost', async () => {
    const file = `${await project()}.history.db`;
    // a folder under its name is as good as a full disk
    mkdirSync(file);
    writeFileSync(join(file, 'x'), '');
    await record();
    await setEach(5, 6);
    const { suspended, channels } = await status();
    expect(suspended).toContain('recorded values');
    expect(channels[0]?.lost).toBeGreaterThan(0);
    expect(await warnings()).toEqual(['recording_suspended']);
    expect((await api().call('pointTable', { channel_id: channel, page: 1, page_size: 1 })).data.items[0]?.value).toBe(6);
    rmSync(file, { recursive: true });
    await manual.clock.advance(11_000);
    expect(await warnings()).toEqual([]);
    await setEach(7);
    expect((await values()).slice(-2)).toEqual([6, 7]);
  });

  it('begins a new file where a damaged one lies, and tells it', async () => {
    const file = `${await project()}.history.db`;
    writeFileSync(file, 'no database, though long enough to be looked at '.repeat(50));
    await record();
    await setEach(5);
    expect(await warnings()).toEqual(['recording_aside']);
    expect((await values()).at(-1)).toBe(5);
    expect(existsSync(`${file}.aside-1`)).toBe(true);
  });

  it('makes a gap of the time in which the computer slept', async () => {
    await record();
    await setEach(5);
    const before = (await first()).gaps.length;
    manual.clock.sleep(120_000, 'stands');
    await manual.clock.advance(1000);
    await setEach(6);
    expect((await first()).gaps.length).toBe(before + 1);
  });

  it('is kept through a clock that says another year, and that is told', async () => {
    await record({ mode: 'changed', retention_days: 1 });
    await setEach(5, 6);
    const told = async () =>
      (await api().call('serviceInfo', {})).data.warnings.map(({ code, message }) => [code, /kept|future|ahead/.exec(message)?.[0]]);
    const HOUR = 3_600_000;
    // packed after an hour
    await manual.clock.advance(HOUR + 2000);
    manual.clock.setWall(5 * 365 * 24 * HOUR);
    await setEach(7);
    await manual.clock.advance(62_000);
    expect(await told()).toEqual([['recording_clock', 'kept']]);
    manual.clock.setWall(-5 * 365 * 24 * HOUR);
    await setEach(8);
    await manual.clock.advance(62_000);
    expect(await told()).toEqual([['recording_clock', 'ahead']]);
    expect(await values({ seconds: 7200 })).toEqual([5, 6, 8]);
  });

  it('refuses settings that cannot be', async () => {
    await expect(record({ dead_band: -1 })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(record({ retention_days: 0 })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(record({ mode: 'changed' }, 99)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    expect(await status()).toMatchObject({ channels: [{ mode: 'off' }] });
  });
});

describe('a channel that is not recorded', () => {
  const gapsOf = async (input: InputOf<'readHistory'> = {}) =>
    (await first(input)).gaps.map(({ from, to }) => Date.parse(to) - Date.parse(from));

  it('is kept in memory from the first question on, without a file; and says since when', async () => {
    await setEach(1, 2);
    const began = (await first()).live_since;
    expect(began).toBe((await ask()).now);
    await setEach(3, 4, 4, 5);
    const { live_since, samples, total, gaps } = await first();
    expect(live_since).toBe(began);
    // 2 held when it began
    expect(samples).toMatchObject({ kind: 'raw', value: [2, 3, 4, 5] });
    expect([total, gaps]).toMatchObject([4, [{ to: began }]]);
    expect(existsSync(`${await project()}.history.db`)).toBe(false);
    expect(await first({ max_points: 2 })).toMatchObject({ total: 4, samples: { kind: 'buckets' } });
  });

  it('breaks where the quality was not good, and where the computer slept', async () => {
    await set(5);
    await first();
    await manual.clock.advance(1000);
    await api().call('stopDevice', { channel_id: channel });
    await manual.clock.advance(1000);
    const { samples } = await first();
    expect(samples).toMatchObject({ value: [5, 5], quality: ['good', 'stale'] });
    manual.clock.setWall(3_600_000);
    await manual.clock.advance(1000);
    expect((await gapsOf({ seconds: 3602 })).filter((ms) => ms > 3_500_000)).toHaveLength(1);
  });

  it('is forgotten ten minutes after nobody asks any more', async () => {
    await setEach(1);
    await first();
    await setEach(2, 3);
    await manual.clock.advance(597_000);
    expect((await values()).slice(-2)).toEqual([2, 3]);
    await manual.clock.advance(601_000);
    const { now } = await ask();
    await manual.clock.advance(1000);
    const { live_since, samples } = await first();
    expect(live_since).toBe(now);
    expect(samples).toMatchObject({ value: [3] });
  });

  it('goes over into recording and back, each sample once and in order', async () => {
    await first();
    await setEach(1, 2);
    await record({ mode: 'changed' });
    await setEach(3, 4);
    expect((await first()).live_since).toBeNull();
    await record({ mode: 'off' });
    await setEach(5, 6);
    await first();
    await setEach(7);
    const seen = await values();
    expect(seen.filter((value, index) => value !== seen[index - 1])).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const { samples } = await first();
    const at = samples.kind === 'raw' ? samples.at.map((text) => Date.parse(text)) : [];
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect((await first()).live_since).not.toBeNull();
  });
});

describe('recorded values', () => {
  it('are answered by codes as well, and of several channels at once', async () => {
    const [other, [point]] = await served('Other', 1503);
    await record();
    await record({ mode: 'all' }, other);
    await setEach(5);
    await set(9, point);
    await manual.clock.advance(100);
    const byId = await ask({ points: `${channel}:3:${ids[0]}, ${other}:3:${point}` });
    expect(byId.items.map(({ code }) => code)).toEqual(['Served P', 'Other P']);
    const byCode = await ask({ code: 'Other P', device_name: 'Other' });
    expect(byCode.items.map(({ id }) => id)).toEqual([point]);
    await refused({ code: 'Nothing' }).toMatchObject({ code: 'CONFIG_NOT_FOUND' });
  });

  it('are put together when there are more than asked for', async () => {
    await record();
    await setEach(...Array.from({ length: 30 }, (_, index) => index + 1));
    const { samples, total } = await first({ max_points: 10 });
    expect(total).toBeGreaterThan(10);
    if (samples.kind !== 'buckets') return expect.fail('not put together');
    expect(samples.at).toHaveLength(10);
    expect(Math.max(...samples.max.map(Number))).toBe(30);
    expect(samples.count.reduce((sum, count) => sum + count, 0)).toBe(total);
  });

  it('are asked for in UTC or with an offset, and a place in time that no clock of a zone has twice', async () => {
    await record();
    const from = new Date(manual.clock.wallMs()).toISOString();
    await setEach(5);
    const short = await ask({ seconds: 60 });
    expect(Date.parse(short.to) - Date.parse(short.from)).toBe(60_000);
    const plus = from.replace('Z', '+00:00');
    expect(await values({ from: plus })).toEqual(await values({ from }));
    // Berlin set its clocks back at 01:00 UTC
    const answer = await ask({ from: '2026-10-25T02:30:00+02:00', to: '2026-10-25T02:30:00+01:00' });
    expect([answer.from, answer.to]).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']);
  });

  it('are refused with the reason where the question is wrong', async () => {
    const invalid = { code: 'CONFIG_INVALID' };
    await refused({ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }).toMatchObject({
      ...invalid,
      message: expect.stringContaining('ends before'),
    });
    await refused({ from: '2026-01-01T00:00:00' }).toMatchObject({ ...invalid, message: expect.stringContaining('with its zone') });
    await refused({ from: '1900-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }).toMatchObject({
      ...invalid,
      message: expect.stringContaining('20 years'),
    });
    await refused({ points: '1-2-3' }).toMatchObject({ ...invalid, message: expect.stringContaining('channel:frame_type:id') });
    await refused({ max_points: 0 }).toMatchObject(invalid);
    const many = Array.from({ length: 21 }, () => `${channel}:3:${ids[0]}`).join(',');
    await refused({ points: many }).toMatchObject({ ...invalid, message: expect.stringContaining('21 points') });
    await expect(api().call('readHistory', {})).rejects.toMatchObject(invalid);
    await refused({ points: `${channel}:0:${ids[0]}` }).toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await refused({ points: `99:3:${ids[0]}` }).toMatchObject({ code: 'CONFIG_NOT_FOUND' });
  });
});
