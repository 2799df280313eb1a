import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryAppend, PointHistory } from '../history-repositories.ts';
import { HistoryEngine } from './engine.ts';

const HOUR = 3_600_000;
let dir: string;
let path: string;
let engines: HistoryEngine[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loopcheck-history-'));
  path = join(dir, 'a.loopcheck.history.db');
  engines = [];
});
afterEach(async () => {
  for (const engine of engines) await engine.close().catch(() => undefined);
  rmSync(dir, { recursive: true, force: true });
});

function open(project = 'P'): HistoryEngine {
  const engine = new HistoryEngine(path, project, async () => {});
  engines.push(engine);
  return engine;
}

/** Samples of one point, quality good where none is named. */
function batch(samples: readonly (readonly [at: number, value: number, quality?: number])[], { channel = 1, point = 10 } = {}) {
  return {
    channel,
    points: Float64Array.from(samples, () => point),
    at: Float64Array.from(samples, ([at]) => at),
    value: Float64Array.from(samples, ([, value]) => value),
    quality: Uint8Array.from(samples, ([, , quality = 1]) => quality),
  };
}
function added(samples: Parameters<typeof batch>[0], to: number, of = {}): HistoryAppend {
  const one = batch(samples, of);
  return { batches: [one], spans: [{ channel: one.channel, from: 0, to }], now: to };
}
async function ask(engine: HistoryEngine, from: number, to: number, maxPoints = 1000, point = 10): Promise<PointHistory> {
  const { points } = await engine.query({ points: [{ channel: 1, point }], from, to, maxPoints });
  return points[0] as PointHistory;
}
const everySecond = (count: number, begin = 0) => Array.from({ length: count }, (_, index) => [begin + 1000 * index, index / 3] as const);
const raw = (answer: PointHistory) => (answer.samples.kind === 'raw' ? answer.samples : expect.fail('not raw'));

describe('recorded samples', () => {
  it('come back as they were, loose, packed, and behind another opening', async () => {
    const engine = open();
    const samples = everySecond(2 * 3600);
    for (let at = 0; at < samples.length; at += 600) await engine.append(added(samples.slice(at, at + 600), 1000 * (at + 600)));
    const expected = { at: samples.map(([at]) => at), value: samples.map(([, value]) => value) };
    expect(raw(await ask(engine, 0, 2 * HOUR, 10_000))).toMatchObject(expected);
    await engine.close();
    const again = await ask(open(), 0, 2 * HOUR, 10_000);
    expect(raw(again)).toMatchObject(expected);
    expect(again).toMatchObject({ total: 7200, before: null, gaps: [], damaged: 0 });
  });

  it('are there after a kill', async () => {
    await open().append(added(everySecond(5), 5000));
    expect((await ask(open(), 0, 10_000)).total).toBe(5);
  });

  it('stand in one row with what was kept in memory while nothing was recorded', async () => {
    const engine = open();
    const recorded = (from: number, value: number) => ({
      batches: [batch([[from, value]])],
      spans: [{ channel: 1, from, to: from + 1000 }],
      now: from + 1000,
    });
    await engine.append(recorded(1000, 1));
    await engine.append(recorded(5000, 5));
    const live = {
      at: [3000, 3500, 7000],
      value: [3, 3.5, 7],
      quality: [1, 2, 1],
      spans: [
        { from: 3000, to: 4000 },
        { from: 7000, to: 8000 },
      ],
    };
    const asked = async (from: number, maxPoints: number) =>
      (await engine.query({ points: [{ channel: 1, point: 10, live }], from, to: 9000, maxPoints })).points[0] as PointHistory;
    const all = await asked(0, 100);
    expect(raw(all)).toMatchObject({ at: [1000, 3000, 3500, 5000, 7000], value: [1, 3, 3.5, 5, 7], quality: [1, 1, 2, 1, 1] });
    expect(all.gaps).toEqual([
      { from: 0, to: 1000 },
      { from: 2000, to: 3000 },
      { from: 4000, to: 5000 },
      { from: 6000, to: 7000 },
      { from: 8000, to: 9000 },
    ]);
    // what is before the range holds at its begin
    expect((await asked(7500, 100)).before).toMatchObject({ at: 7000, value: 7 });
    const { samples } = await asked(0, 3);
    expect(samples).toMatchObject({ kind: 'buckets', count: [1, 3, 1], first: [1, 3, 7], last: [1, 5, 7], notGood: [0, 0.25, 0] });
  });

  it('begin with the sample that holds, and end before the end of the range', async () => {
    const engine = open();
    await engine.append(
      added(
        [
          [1000, 5],
          [9000, 6],
          [10_000, 7],
        ],
        20_000,
      ),
    );
    const answer = await ask(engine, 4000, 10_000);
    expect(answer.before).toEqual({ at: 1000, value: 5, quality: 1 });
    expect(raw(answer)).toEqual({ kind: 'raw', at: [9000], value: [6], quality: [1] });
  });

  it('hold no longer than they were recorded, and tell where they were not', async () => {
    const engine = open();
    await engine.append(added([[1000, 5]], 3000));
    await engine.append({ batches: [batch([[8000, 6]])], spans: [{ channel: 1, from: 8000, to: 9000 }], now: 9000 });
    const answer = await ask(engine, 4000, 12_000);
    expect(answer.before).toBeNull();
    expect(answer.gaps).toEqual([
      { from: 4000, to: 8000 },
      { from: 9000, to: 12_000 },
    ]);
  });

  it('are put together where there are many: extremes, a mean by time, the share that was not good', async () => {
    const engine = open();
    const samples = [
      [0, 0],
      [500, 100],
      [1000, 100, 2],
      [1500, -4],
      [1750, 4],
      [2000, 4],
      [2500, Number.NaN],
    ] as const;
    await engine.append(added(samples, 3500));
    const { samples: got } = await ask(engine, 0, 4000, 4);
    expect(got).toMatchObject({ kind: 'buckets', widthMs: 1000, at: [0, 1000, 2000, 3000], count: [2, 3, 2, 0] });
    expect(got).toMatchObject({
      first: [0, -4, 4, Number.NaN],
      last: [100, 4, 4, Number.NaN],
      min: [0, -4, 4, Number.NaN],
      max: [100, 4, 4, Number.NaN],
    });
    expect(got).toMatchObject({ mean: [50, 0, 4, Number.NaN], notGood: [0, 0.5, 0.5, 1] });
  });

  it('of a value that stands still are in every stretch', async () => {
    const engine = open();
    const changes = Array.from({ length: 20 }, (_, index) => [index, index] as const);
    await engine.append(added(changes, 10_000));
    const { samples } = await ask(engine, 0, 10_000, 10);
    expect(samples).toMatchObject({ min: [0, ...Array(9).fill(19)], mean: [expect.closeTo(18.81), ...Array(9).fill(19)] });
  });

  it('come in the order of time when the clock was set back', async () => {
    const engine = open();
    await engine.append(
      added(
        [
          [5000, 1],
          [6000, 2],
        ],
        6000,
      ),
    );
    await engine.append(added([[5500, 3]], 6500));
    await engine.close();
    expect(raw(await ask(open(), 0, 10_000)).at).toEqual([5000, 5500, 6000]);
  });

  it('are counted by channel with their octets and the oldest', async () => {
    const engine = open();
    expect(await engine.status()).toEqual({ aside: null, channels: [], octets: 0 });
    expect(engine.exists()).toBe(false);
    await engine.append(added(everySecond(10, 7000), 20_000));
    await engine.append(added(everySecond(3), 20_000, { channel: 2, point: 20 }));
    const status = await engine.status();
    expect(status.channels).toMatchObject([
      { channel: 1, samples: 10, oldest: 7000 },
      { channel: 2, samples: 3, oldest: 0 },
    ]);
    await engine.close();
    const packed = await open().status();
    expect(packed.channels).toMatchObject([
      { channel: 1, samples: 10, oldest: 7000 },
      { channel: 2, samples: 3, oldest: 0 },
    ]);
    expect(packed.channels[0]?.octets).toBeGreaterThan(64);
    expect(packed.octets).toBeGreaterThan(4096);
  });
});

describe('what is over the limits', () => {
  async function hours(count: number): Promise<HistoryEngine> {
    const engine = open();
    for (let hour = 0; hour <= count; hour++) await engine.append(added(everySecond(3600, hour * HOUR), (hour + 1) * HOUR));
    return engine;
  }
  it('goes by age, and is told as not recorded', async () => {
    const engine = await hours(4);
    expect(await engine.tidy([{ channel: 1, keepMs: 2 * HOUR, maxOctets: 1e9 }], [1], 4 * HOUR)).toEqual({
      aside: null,
      kept: null,
      ahead: null,
    });
    const answer = await ask(engine, 0, 4 * HOUR);
    const [gap] = answer.gaps;
    expect(gap?.from).toBe(0);
    expect(gap?.to).toBeGreaterThan(1 * HOUR);
    expect(gap?.to).toBeLessThanOrEqual(2 * HOUR);
    expect((await engine.status()).channels[0]?.samples).toBeLessThan(3 * 3600 + MOST);
  });
  const MOST = 3600;

  it('goes by size, the oldest first', async () => {
    const engine = await hours(4);
    const before = (await engine.status()).channels[0]?.octets ?? 0;
    await engine.tidy([{ channel: 1, keepMs: 1000 * HOUR, maxOctets: before / 2 }], [1], 5 * HOUR);
    const [after] = (await engine.status()).channels;
    expect(after?.octets).toBeLessThanOrEqual(before / 2);
    expect(after?.oldest).toBeGreaterThanOrEqual(HOUR);
    expect((await ask(engine, 3 * HOUR, 4 * HOUR, 10_000)).total).toBe(3600);
  });

  describe('goes by size, what a wrong clock recorded before what is true', () => {
    const DAY = 24 * HOUR;
    const [BEGIN, AHEAD] = [1000 * DAY, 4000 * DAY];

    /** Records hours from each of these times on, in this order, each packed by an end of the file. */
    async function recorded(...parts: readonly (readonly [from: number, hours: number])[]): Promise<HistoryEngine> {
      for (const [from, count] of parts) {
        const engine = open();
        for (let hour = 0; hour < count; hour++) {
          const begin = from + hour * HOUR;
          const spans = [{ channel: 1, from, to: begin + HOUR }];
          await engine.append({ batches: [batch(everySecond(3600, begin))], spans, now: begin + HOUR });
        }
        await engine.close();
      }
      return open();
    }
    const samplesIn = async (engine: HistoryEngine, from: number, hours: number) => (await ask(engine, from, from + hours * HOUR)).total;
    const octets = async (engine: HistoryEngine) => (await engine.status()).channels[0]?.octets ?? 0;
    async function halved(engine: HistoryEngine, now: number, share: number): Promise<void> {
      const maxOctets = (await octets(engine)) * share;
      await engine.tidy([{ channel: 1, keepMs: 10_000 * DAY, maxOctets }], [1], now);
      expect(await octets(engine)).toBeLessThanOrEqual(maxOctets);
    }

    it('the oldest of the future first, and it is told as not recorded', async () => {
      const engine = await recorded([BEGIN, 3], [AHEAD, 3], [BEGIN + 3 * HOUR, 3]);
      await halved(engine, BEGIN + 6 * HOUR, 0.8);
      expect(await samplesIn(engine, BEGIN, 6)).toBe(6 * 3600);
      expect((await ask(engine, BEGIN, BEGIN + 6 * HOUR)).gaps).toEqual([]);
      const ahead = await ask(engine, AHEAD, AHEAD + 3 * HOUR, 20_000);
      expect(ahead.total).toBeLessThan(2 * 3600);
      expect(ahead.gaps).toEqual([{ from: AHEAD, to: expect.any(Number) }]);
      // what is left of it begins where the gap ends: no value holds over what went
      expect(raw(ahead).at[0]).toBe((ahead.gaps[0]?.to ?? 0) + 999);
      expect(ahead.before).toBeNull();
    });

    it('all of the future, then the oldest', async () => {
      const engine = await recorded([BEGIN, 3], [AHEAD, 3], [BEGIN + 3 * HOUR, 3]);
      await halved(engine, BEGIN + 6 * HOUR, 0.5);
      expect(await samplesIn(engine, AHEAD, 3)).toBe(0);
      // up to its last sample
      expect((await ask(engine, AHEAD, AHEAD + 3 * HOUR)).gaps).toEqual([{ from: AHEAD, to: AHEAD + 3 * HOUR - 999 }]);
      expect(await samplesIn(engine, BEGIN + 3 * HOUR, 3)).toBe(3 * 3600);
      expect(await samplesIn(engine, BEGIN, 1)).toBe(0);
      // recording goes on
      const now = BEGIN + 7 * HOUR;
      await engine.append({
        batches: [batch(everySecond(60, now))],
        spans: [{ channel: 1, from: now, to: now + 60_000 }],
        now: now + 60_000,
      });
      expect(await ask(engine, now, now + 60_000)).toMatchObject({ total: 60, gaps: [] });
    });

    it('a clock that was set back by less than a day makes nothing the future', async () => {
      const engine = await recorded([BEGIN, 6]);
      await halved(engine, BEGIN + 4 * HOUR, 0.5);
      expect(await samplesIn(engine, BEGIN + 4 * HOUR, 2)).toBe(2 * 3600);
      expect(await samplesIn(engine, BEGIN, 1)).toBe(0);
    });

    it('a clock that begins in another century lets the oldest go, as a right one does', async () => {
      const engine = await recorded([BEGIN, 4], [DAY, 1]);
      await halved(engine, DAY + HOUR, 0.6);
      expect(await samplesIn(engine, BEGIN + 3 * HOUR, 1)).toBe(3600);
      expect(await samplesIn(engine, BEGIN, 1)).toBe(0);
      expect(await samplesIn(engine, DAY, 1)).toBe(3600);
    });
  });

  describe('by a clock that is wrong', () => {
    const DAY = 24 * HOUR;
    const YEARS = 5 * 365 * DAY;
    const MONTH = [{ channel: 1, keepMs: 30 * DAY, maxOctets: 1e9 }] as const;
    const tidy = (engine: HistoryEngine, now: number) => engine.tidy(MONTH, [1], now);
    /** A minute of values, a second apart. */
    const minute = async (engine: HistoryEngine, begin: number) => {
      await engine.append({ ...added(everySecond(60, begin), begin + 60_000), spans: [{ channel: 1, from: begin, to: begin + 60_000 }] });
      return tidy(engine, begin + 60_000);
    };
    /** Values of a minute at each of these times, each by a process of its own; so they are packed. */
    const starts = async (...begins: readonly number[]) => {
      for (const begin of begins) {
        const engine = open();
        await minute(engine, begin);
        await engine.close();
      }
    };
    const kept = async (engine: HistoryEngine) => (await engine.status()).channels[0]?.samples ?? 0;

    it.each(['a running process', 'a start'])(
      'nothing goes by %s in the wrong year, and it is told until the year is right again',
      async (which) => {
        const now = 100 * DAY;
        await starts(now - 2 * DAY, now - DAY);
        let engine = open();
        await minute(engine, now);
        if (which === 'a start') {
          await engine.close();
          engine = open();
        }
        expect(await minute(engine, now + YEARS)).toEqual({
          aside: null,
          kept: { from: now + 60_000, to: now + YEARS + 60_000 },
          ahead: null,
        });
        const told: boolean[] = [];
        for (let hour = 1; hour < 100; hour++) told.push((await tidy(engine, now + YEARS + hour * HOUR)).kept !== null);
        // for a day
        expect(told.lastIndexOf(true)).toBe(23);
        expect(await kept(engine)).toBe(240);
        const right = await minute(engine, now + 120_000);
        expect(right).toMatchObject({ kept: null, ahead: now + YEARS + 60_000 });
        expect(await kept(engine)).toBe(300);
        expect((await tidy(engine, now + 25 * HOUR)).ahead).toBeNull();
        // and again, to another wrong year
        await minute(engine, now + 2 * YEARS);
        await minute(engine, now + 25 * HOUR + 120_000);
        expect(await kept(engine)).toBe(420);
        expect((await ask(engine, now - 3 * DAY, now + 2 * DAY)).total).toBe(300);
      },
    );

    it('what was recorded goes when its time has come by the right one, the days of rest counted as one', async () => {
      const days = Array.from({ length: 29 }, (_, day) => day * DAY);
      await starts(...days);
      const engine = open();
      expect(await minute(engine, 29 * DAY)).toMatchObject({ kept: null, ahead: null });
      expect(await kept(engine)).toBe(30 * 60);
      // ten days of rest are one day: only the first minute is thirty days old
      expect((await minute(engine, 39 * DAY)).kept).toBeNull();
      expect(await kept(engine)).toBe(30 * 60);
      for (const day of [40, 41, 42]) await minute(engine, day * DAY);
      expect(await kept(engine)).toBe(30 * 60);
    });

    it('a clock that begins in another century with each start keeps nothing from going when its time has come', async () => {
      const begin = 20_000 * DAY;
      await starts(begin);
      for (let day = 1; day < 33; day++) {
        const engine = open();
        await minute(engine, 1000 * DAY);
        await minute(engine, begin + day * DAY);
        if (day < 30) expect((await ask(engine, begin - DAY, begin + HOUR)).total, String(day)).toBe(60);
        await engine.close();
      }
      expect((await ask(open(), begin - DAY, begin + HOUR)).total).toBe(0);
    });

    it('of a file that never noted the time the newest stretch tells it', async () => {
      await starts(DAY, 2 * DAY);
      const db = new Database(path);
      db.exec("DELETE FROM meta WHERE name <> 'project'");
      db.close();
      const engine = open();
      await minute(engine, YEARS);
      expect(await kept(engine)).toBe(180);
    });

    it('a note of time that cannot be read says nothing', async () => {
      await starts(DAY, 2 * DAY);
      const db = new Database(path);
      for (const noted of ['{', '7', '[[1]]', '[["a","b"]]', '[[5,1]]']) {
        db.prepare("UPDATE meta SET value = ? WHERE name = 'noted'").run(noted);
        const engine = open();
        expect(await tidy(engine, 2 * DAY + HOUR)).toMatchObject({ kept: null });
        expect(await kept(engine)).toBe(120);
        await engine.close();
      }
      db.close();
    });
  });

  it('goes with its channel', async () => {
    const engine = open();
    await engine.append(added(everySecond(5), 5000));
    await engine.append(added(everySecond(5), 5000, { channel: 2, point: 20 }));
    await engine.tidy([], [2], 5000);
    expect((await engine.status()).channels).toMatchObject([{ channel: 2, samples: 5 }]);
    expect((await ask(engine, 0, 5000)).total).toBe(0);
    await engine.close();
    expect((await ask(open(), 0, 5000)).total).toBe(0);
  });
});

describe('a file that is not as it should be', () => {
  it('of another project lies aside, and a new one is made', async () => {
    const first = open();
    await first.append(added(everySecond(5), 5000));
    await first.close();
    const other = open('Q');
    expect((await other.append(added([[0, 1]], 1))).aside).toEqual({ file: `${path}.aside-1`, reason: 'other_project' });
    expect((await ask(other, 0, 5000)).total).toBe(1);
    expect(readdirSync(dir)).toContain('a.loopcheck.history.db.aside-1');
  });

  it('that is no database lies aside', async () => {
    writeFileSync(path, 'this is no database at all, though it is long enough to look like one '.repeat(20));
    const engine = open();
    expect((await engine.status()).aside).toEqual({ file: `${path}.aside-1`, reason: 'damaged' });
    expect(readFileSync(`${path}.aside-1`, 'utf8')).toContain('no database at all');
  });

  it('is told of by whatever call finds it', async () => {
    const noDatabase = 'this is no database at all, though it is long enough to look like one '.repeat(20);
    writeFileSync(path, noDatabase);
    const asked = open();
    expect((await asked.query({ points: [{ channel: 1, point: 10 }], from: 0, to: 5000, maxPoints: 100 })).aside).not.toBeNull();
    await asked.close();
    writeFileSync(path, noDatabase);
    expect((await open().tidy([], [], 0)).aside).not.toBeNull();
  });

  it('that is damaged within is set aside when that is met', async () => {
    const engine = open();
    await engine.append(added(everySecond(3000), 3_000_000));
    await engine.close();
    const octets = readFileSync(path);
    octets.fill(0xa5, 4096);
    writeFileSync(path, octets);
    const again = open();
    const said = await again.status().catch((error: unknown) => error);
    const news = await again.append(added([[0, 1]], 1)).catch((error: unknown) => error);
    expect(JSON.stringify([said, news])).toContain('aside-1');
    expect((await ask(again, 0, 5000)).total).toBe(1);
  });

  it.each([
    [
      'lies aside',
      async (engine: HistoryEngine) => {
        await engine.close();
        writeFileSync(path, Buffer.alloc(40_960, 0xa5));
      },
      true,
    ],
    ['is gone', async () => rmSync(path), false],
  ])('that %s gives way to one whose stretch begins with its first sample', async (_, harm, isAside) => {
    const engine = open();
    // a second channel is recorded as well, and has no sample
    const more = (from: number, to: number) => ({
      batches: [batch(everySecond((to - from) / 1000, from))],
      spans: [1, 2].map((channel) => ({ channel, from: 0, to })),
      now: to,
    });
    await engine.append(more(0, 60_000));
    await harm(engine);
    const news = await engine.append(more(61_000, 65_000));
    expect([news.aside !== null, news.isAnew]).toEqual([isAside, true]);
    const answer = await ask(engine, 0, 65_000);
    expect([answer.total, answer.gaps]).toEqual([4, [{ from: 0, to: 61_000 }]]);
    const { points } = await engine.query({ points: [{ channel: 2, point: 20 }], from: 0, to: 65_000, maxPoints: 9 });
    expect(points[0]?.gaps).toEqual([{ from: 0, to: 65_000 }]);
    // told once
    expect((await engine.append({ ...more(65_000, 66_000), spans: [{ channel: 2, from: 65_000, to: 66_000 }] })).isAnew).toBeUndefined();
  });

  it('with a damaged block answers what is left, and says so', async () => {
    const engine = open();
    await engine.append(added(everySecond(8000), 8_000_000));
    await engine.close();
    const db = new Database(path);
    db.prepare("UPDATE blocks SET data = x'789c00' WHERE id = (SELECT min(id) FROM blocks)").run();
    db.close();
    const answer = await ask(open(), 0, 8_000_000, 10_000);
    expect(answer.damaged).toBe(1);
    expect(answer.total).toBeGreaterThan(0);
    expect(answer.total).toBeLessThan(8000);
  });

  it('of a later version is left alone', async () => {
    const engine = open();
    await engine.append(added([[0, 1]], 1));
    await engine.close();
    const db = new Database(path);
    db.pragma('user_version = 99');
    db.close();
    await expect(open().append(added([[1, 2]], 2))).rejects.toMatchObject({
      code: 'STATE_STORE',
      message: expect.stringContaining('newer Loopcheck'),
    });
    expect(readdirSync(dir).filter((name) => name.includes('aside'))).toEqual([]);
  });

  it('that cannot be written says why, and is tried again', async () => {
    const engine = new HistoryEngine(join(dir, 'gone', 'x.db'), 'P', async () => {});
    await expect(engine.append(added([[0, 1]], 1))).rejects.toMatchObject({
      code: 'STATE_STORE',
      message: expect.stringContaining('recorded values'),
    });
    const real = open();
    await real.append(added([[0, 1]], 1));
    rmSync(path);
    await real.append(added([[5, 1]], 5));
    expect(existsSync(path)).toBe(true);
    expect((await ask(real, 0, 10)).total).toBe(1);
  });
});
