import { afterEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { type Pair, type RunningCore, startCore, startPair, until } from './testing/running-core.ts';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

type Points = InputOf<'addPoints'>['points'];
const SERVED: Points = [
  { frame_type: 0, code: 'P', address: 100, decode: '0x21' },
  { frame_type: 3, code: 'S', address: 300, decode: '0x21' },
];
/** Register 700 is served by nobody. */
const READ: Points = [...SERVED, { frame_type: 0, code: 'GONE', address: 700, decode: '0x21' }];

async function aLog(): Promise<{ readonly running: RunningCore; readonly pair: Pair; list(filter: string): Promise<string[]> }> {
  const running = await startCore();
  closings.push(() => running.close());
  const pair = await startPair(running, { served: SERVED, read: READ });
  const { api } = running;
  await api.call('clearFrames', { channel_id: pair.clientId });
  const { items } = (await api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 10 })).data;
  for (const { id, frame_type } of items) {
    await api.call('readSinglePoint', { channel_id: pair.clientId, point_id: id, frame_type }).catch(() => null);
  }
  await until(
    () => api.call('listFrames', { channel_id: pair.clientId, filter: 'error' }),
    ({ data }) => data.items.length > 0,
  );
  const list = async (filter: string) =>
    (await api.call('listFrames', { channel_id: pair.clientId, limit: 2000, filter })).data.items.map(
      ({ kind, text }) => `${kind} ${text}`,
    );
  return { running, pair, list };
}

describe('the filter of a frame log', () => {
  it('lets pass what a frame says: direction, function, address, error, point, text', async () => {
    const { list } = await aLog();
    const all = await list('');
    expect(all.length).toBeGreaterThanOrEqual(6);
    expect((await list('dir == tx')).every((line) => line.startsWith('tx '))).toBe(true);
    expect(await list('function == 3 and dir == tx')).toEqual(all.filter((line) => line.startsWith('tx ')));
    expect(await list('error')).toEqual(all.filter((line) => line.includes('Illegal Data Address')));
    expect(await list('error == 2')).toEqual(await list('error'));
    expect(await list('error == 3')).toEqual([]);
    expect(await list('address == 700')).toEqual(await list('point == GONE'));
    expect((await list('point == GONE')).length).toBeGreaterThanOrEqual(2);
    expect(await list('text contains "illegal data"')).toEqual(await list('error'));
    expect(await list('answer')).toEqual(await list('not request and (dir == rx)'));
    expect(await list('unanswered')).toEqual([]);
    expect(await list('latency >= 0 and dir == rx')).toEqual(await list('answer'));
    expect(await list('slave == 9')).toEqual([]);
  });

  it('is the same by the served side, whose requests come in', async () => {
    const { running, pair } = await aLog();
    const ask = async (filter: string) =>
      (await running.api.call('listFrames', { channel_id: pair.serverId, limit: 2000, filter })).data.items.map(({ kind }) => kind);
    expect(new Set(await ask('request'))).toEqual(new Set(['rx']));
    expect(new Set(await ask('answer'))).toEqual(new Set(['tx']));
    expect((await ask('error')).length).toBeGreaterThan(0);
  });

  it('pairs requests and answers both ways, with the time between', async () => {
    const { running, pair } = await aLog();
    const { items } = (await running.api.call('listFrames', { channel_id: pair.clientId, limit: 2000 })).data;
    const answers = items.filter(({ link }) => link !== null);
    expect(answers.length).toBeGreaterThanOrEqual(3);
    for (const answer of answers) {
      const request = items.find(({ seq }) => seq === answer.link);
      expect(request?.answer).toBe(answer.seq);
      expect(answer.latency_ms).toBeCloseTo(answer.monotonic_ms - (request?.monotonic_ms ?? 0), 6);
      expect(request?.latency_ms).toBe(answer.latency_ms);
    }
    expect(items[1]?.since_ms).toBeCloseTo((items[1]?.monotonic_ms ?? 0) - (items[0]?.monotonic_ms ?? 0), 6);
  });

  it('goes on behind what was looked at, and tells the same in small steps as at once', async () => {
    const { running, pair, list } = await aLog();
    const whole = await list('dir == rx');
    const found: string[] = [];
    let after = 0;
    for (let n = 0; n < 100; n++) {
      const { data } = await running.api.call('listFrames', { channel_id: pair.clientId, after_seq: after, limit: 1, filter: 'dir == rx' });
      found.push(...data.items.map(({ kind, text }) => `${kind} ${text}`));
      expect(data.looked_to).toBeGreaterThanOrEqual(after);
      if (data.items.length === 0) break;
      after = data.looked_to;
    }
    expect(found).toEqual(whole);
    const newest = (await running.api.call('listFrames', { channel_id: pair.clientId, limit: 2, filter: 'dir == rx' })).data.items;
    expect(newest.map(({ kind, text }) => `${kind} ${text}`)).toEqual(whole.slice(-2));
  });

  it.each([
    ['slave = 3', 'two signs'],
    ['nothing == 3', 'is no field'],
    ['x'.repeat(1001), ''],
  ])('that is wrong is refused with its place: %s', async (filter, words) => {
    const { running, pair } = await aLog();
    const place = { channel_id: pair.clientId, filter };
    for (const refused of [
      running.api.call('listFrames', place),
      running.api.call('frameStatistics', place),
      running.api.call('framesFile', { ...place, format: 'csv' }),
    ]) {
      await expect(refused).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(words) });
    }
  });

  it('holds for files as well', async () => {
    const { running, pair, list } = await aLog();
    const file = async (filter: string) => {
      const { data } = await running.api.call('framesFile', { channel_id: pair.clientId, format: 'csv', filter });
      return new TextDecoder()
        .decode((data as { bytes: Uint8Array }).bytes)
        .trim()
        .split('\r\n')
        .slice(1);
    };
    expect(await file('error')).toHaveLength((await list('error')).length);
    expect(await file('slave == 77')).toEqual([]);
    expect((await file('error'))[0]).toMatch(/,\d+\.\d{3},/);
  });
});

describe('statistics of a frame log', () => {
  it('count frames by slave and function, with errors and the times of answers', async () => {
    const { running, pair, list } = await aLog();
    const { items, last_seq } = (await running.api.call('frameStatistics', { channel_id: pair.clientId })).data;
    const reads = items.find(({ function: code }) => code === 3);
    expect(reads).toMatchObject({ slave: 1, name: 'Read Holding Registers', unanswered: 0, latency_ms: { least: expect.any(Number) } });
    expect(reads?.frames).toBe((await list('function == 3')).length);
    expect(reads?.requests).toBe((await list('function == 3 and request')).length);
    expect(reads?.errors).toBe((await list('function == 3 and error')).length);
    const { least = 1, mean = 0, p95 = 0, most = 0 } = reads?.latency_ms ?? {};
    expect(least <= mean && mean <= most && p95 <= most).toBe(true);
    expect(last_seq).toBeGreaterThan(0);
    const failed = (await running.api.call('frameStatistics', { channel_id: pair.clientId, filter: 'error' })).data.items;
    expect(failed.map(({ frames, errors }) => frames - errors)).toEqual(failed.map(() => 0));
  });
});
