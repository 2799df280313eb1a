import { beforeEach, describe, expect, it } from 'vitest';
import type { RecordingSettings } from '#shared/contract/history.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type {
  HistoryAppend,
  HistoryLimit,
  HistoryNews,
  HistoryQuery,
  HistoryStore,
  HistoryTimes,
} from '../../persistence/history-repositories.ts';
import { silentLogger } from '../../platform/logger.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { ChangeCounter } from '../../runtime/values/change-counter.ts';
import { ColumnPointStore } from '../../runtime/values/point-store.ts';
import { Recorder } from './recorder.ts';

const FULL = new AppError('STATE_STORE_FULL', say('store.disk_full', { path: 'p', code: 'ENOSPC' }));
const START = Date.UTC(2026, 0, 1);
const ASIDE = { path: 'h.aside' } as unknown as NonNullable<HistoryNews['aside']>;

/** A file of recorded values that notes what it is given, and fails as it is told to. */
class File implements HistoryStore {
  readonly path = 'p.history.db';
  readonly appended: HistoryAppend[] = [];
  readonly limits: HistoryLimit[][] = [];
  readonly tidiedAt: number[] = [];
  times: HistoryTimes = { kept: null, ahead: null };
  fails = false;
  failsToTidy = false;
  isThere = false;
  isClosed = false;
  /** Writes under way now, and the most there were. */
  writes = { now: 0, most: 0 };
  aside: HistoryNews['aside'] = null;
  isAnew = false;
  /** Settles a write that the disk takes its time for. */
  slow: Promise<void> | null = null;

  exists = () => this.isThere;
  query = async ({ points }: HistoryQuery) => {
    this.#guard();
    return { ...this.#news(), points: points as never };
  };
  close = async () => {
    this.isClosed = true;
  };

  async append(what: HistoryAppend) {
    if (this.isClosed) throw new Error('closed');
    this.writes.now += 1;
    this.writes.most = Math.max(this.writes.most, this.writes.now);
    await this.slow;
    this.writes.now -= 1;
    this.#guard();
    this.isThere = true;
    this.appended.push(what);
    return this.#news();
  }

  async status() {
    this.#guard();
    return { ...this.#news(), channels: [], octets: 9 };
  }

  async tidy(limits: readonly HistoryLimit[], _channels: readonly number[], now: number) {
    this.#guard();
    if (this.failsToTidy) throw FULL;
    this.limits.push([...limits]);
    this.tidiedAt.push(now);
    return { ...this.#news(), ...this.times };
  }

  #guard(): void {
    if (this.fails) throw FULL;
  }

  #news(): HistoryNews {
    const { aside, isAnew } = this;
    this.aside = null;
    this.isAnew = false;
    return { aside, ...(isAnew && { isAnew }) };
  }
}

let clock: ManualClock;
let file: File;
let points: ColumnPointStore;
let settings: Map<string, unknown>;
let channels: Map<number, ChannelRuntime>;
let notices: [channel: number, said: Message][];
/** Files that were opened: project and id. */
let opened: [project: string, id: string][];
let warned: string[];
let recorder: Recorder;

function begin(): Recorder {
  return new Recorder({
    ...{ clock, changes, newId: () => 'id' },
    logger: { ...silentLogger, warn: (_, text) => void warned.push(text), error: (_, text) => void warned.push(text) },
    openHistory: (...which) => {
      opened.push(which);
      return file;
    },
    store: {
      path: 'p',
      settings: {
        read: (name: string) => settings.get(name),
        write: (name: string, value: unknown) => void settings.set(name, value),
      } as never,
    },
    channels: { list: () => [...channels.values()], get: (id) => channels.get(id) },
    notice: (...what) => void notices.push(what),
  });
}

let changes: ChangeCounter;
beforeEach(() => {
  clock = new ManualClock(START);
  changes = new ChangeCounter();
  file = new File();
  points = new ColumnPointStore(changes);
  points.add([testPoint({ id: 1, code: 'U' }), testPoint({ id: 2, code: 'I' })]);
  settings = new Map();
  channels = new Map([[7, { id: 7, settings: { name: 'Meter' }, points } as unknown as ChannelRuntime]]);
  notices = [];
  opened = [];
  warned = [];
  recorder = begin();
});

const record = (change: Partial<RecordingSettings> = {}) => recorder.set(7, { ...recorder.settings(7), mode: 'changed', ...change });
function value(pointId: number, number: number): void {
  const reading = { kind: 'value' as const, pointId, value: number, valueText: '', raw: new Uint8Array(), quality: 'good' as const };
  points.apply([{ ...reading, flags: [], sourceTime: null }], clock.wallMs());
}
/** Milliseconds since the beginning with point and value, of all that the file was given. */
const samples = () =>
  file.appended.flatMap(({ batches }) =>
    batches.flatMap(({ points: ids, at, value: values }) => [...ids].map((id, index) => [(at[index] ?? 0) - START, id, values[index]])),
  );
const spans = () =>
  file.appended.flatMap((each) => each.spans.map(({ from, to }): [from: number, to: number] => [from - START, to - START]));
/** Samples that no stretch has. */
const strays = () => samples().filter(([at = 0]) => !spans().some(([from, to]) => from <= at && at <= to));

describe('a channel that is recorded', () => {
  it('has its values in the file once a second, and the stretch in which it was looked at', async () => {
    await record();
    value(1, 230);
    await clock.advance(1000);
    value(1, 231);
    await clock.advance(999);
    expect(samples()).toEqual([[0, 1, 230]]);
    await clock.advance(60);
    expect(samples()).toEqual([
      [0, 1, 230],
      [1000, 1, 231],
    ]);
    const [from, to] = spans().at(-1) ?? [];
    expect([from, (to ?? 0) > 1900]).toEqual([0, true]);
    expect([recorder.trouble(), recorder.lost(7)]).toMatchObject([{ suspended: null, aside: null }, 0]);
  });

  it('goes on with the next start, and rests while nothing is recorded', async () => {
    expect(clock.pending).toBe(0);
    await record();
    await recorder.close();
    file.isClosed = false;
    recorder = begin();
    value(1, 1);
    await clock.advance(1100);
    expect(samples().map(([, id, number]) => [id, number])).toEqual([[1, 1]]);
    await recorder.set(7, { ...recorder.settings(7), mode: 'off' });
    await clock.advance(100);
    expect(clock.pending).toBe(0);
    const { length } = samples();
    value(1, 2);
    await clock.advance(3000);
    expect(samples()).toHaveLength(length);
  });

  it('has at its end what was found since the last write; nothing comes behind it', async () => {
    await record();
    await clock.advance(1000);
    value(1, 5);
    await recorder.close();
    await recorder.close();
    expect([samples().at(-1)?.slice(1), file.isClosed]).toEqual([[1, 5], true]);
    const { length } = file.appended;
    value(1, 6);
    await clock.advance(5000);
    expect(file.appended).toHaveLength(length);
  });

  it('gives the project its id before its file is made, and no project that records nothing', async () => {
    await recorder.set(7, { ...recorder.settings(7), mode: 'off' });
    expect(settings.get('project_id')).toBeUndefined();
    await record();
    expect(settings.get('project_id')).toBe('id');
  });

  it('has its end where it is switched off, and what was found since the last write', async () => {
    await record();
    await clock.advance(1500);
    value(1, 5);
    await recorder.set(7, { ...recorder.settings(7), mode: 'off' });
    expect([samples(), Math.max(...spans().map(([, to]) => to))]).toEqual([[[1500, 1, 5]], 1500]);
  });

  it('is recorded as it is set now, also behind a condition that was never met', async () => {
    await record({ mode: 'trigger', trigger: 'U > 300' });
    await clock.advance(500);
    await record({ mode: 'changed' });
    value(1, 5);
    await clock.advance(1100);
    expect(samples()).toEqual([[500, 1, 5]]);
  });

  it('is told with what was found up to now', async () => {
    await record();
    await clock.advance(1300);
    value(1, 5);
    await recorder.status();
    expect(samples()).toEqual([[1300, 1, 5]]);
  });

  it('is looked at again behind an internal fault', async () => {
    await record();
    const { visit } = points;
    points.visit = () => {
      throw new Error('fault');
    };
    value(1, 5);
    await clock.advance(100);
    points.visit = visit;
    await clock.advance(1100);
    expect([samples().map(([, , number]) => number), warned.every((text) => text === 'recording met an internal fault')]).toEqual([
      [5],
      true,
    ]);
  });

  it('that is removed is recorded no more', async () => {
    await record();
    await clock.advance(1000);
    channels.clear();
    await clock.advance(100);
    value(1, 5);
    await clock.advance(2000);
    expect(samples()).toEqual([]);
  });

  it('tells what the clock of the computer means for what is kept, as long as it does', async () => {
    await record();
    file.times = { kept: { from: START, to: START + 1 }, ahead: START + 2 };
    await clock.advance(61_000);
    expect(recorder.trouble().times).toEqual(file.times);
    file.times = { kept: null, ahead: null };
    await clock.advance(61_000);
    expect(recorder.trouble().times).toEqual(file.times);
  });

  it('lets its limits hold around a condition too, where nothing was recorded since the start', async () => {
    file.isThere = true;
    await record({ mode: 'trigger', trigger: 'U > 300' });
    await recorder.close();
    file.isClosed = false;
    recorder = begin();
    const { length } = file.limits;
    await clock.advance(2000);
    expect(file.limits.length).toBe(length + 1);
  });

  it('keeps to its limits, looked at once a minute', async () => {
    await record({ retention_days: 2, max_mb: 3 });
    const { length } = file.limits;
    await clock.advance(59_000);
    expect(file.limits).toHaveLength(length);
    await clock.advance(3000);
    expect(file.limits).toHaveLength(length + 1);
    const [limit] = file.limits.at(-1) ?? [];
    expect(limit).toMatchObject({ channel: 7, maxOctets: 3 * 1024 * 1024 });
    expect(limit?.keepMs).toBe(2 * 86_400_000);
    expect((file.tidiedAt.at(-1) ?? 0) - START).toBeGreaterThan(58_000);
  });
});

describe('a disk that takes nothing', () => {
  it('is told, what would have been recorded is counted as lost, and all is recorded anew when it takes something again', async () => {
    await record();
    value(1, 1);
    await clock.advance(1100);
    file.fails = true;
    value(1, 2);
    value(2, 20);
    await clock.advance(1100);
    expect([recorder.trouble().suspended, recorder.lost(7)]).toEqual([FULL.said, 2]);
    value(1, 3);
    await clock.advance(1100);
    expect(recorder.lost(7)).toBe(3);
    file.fails = false;
    await clock.advance(5000);
    expect(samples(), 'it is tried every ten seconds').toHaveLength(1);
    await clock.advance(6000);
    expect(recorder.trouble().suspended).toBeNull();
    expect(
      samples()
        .slice(1)
        .map(([, id, number]) => [id, number]),
    ).toEqual([
      [1, 3],
      [2, 20],
    ]);
    const begins = spans().map(([from]) => from);
    expect([Math.max(...begins) > 10_000, begins.includes(0)], 'with a gap between').toEqual([true, true]);
  });

  it('is no trouble any more where nothing is recorded', async () => {
    await record();
    file.fails = true;
    value(1, 2);
    await clock.advance(1100);
    expect(recorder.trouble().suspended).not.toBeNull();
    await recorder.set(7, { ...recorder.settings(7), mode: 'off' });
    expect(recorder.trouble().suspended).toBeNull();
  });

  it('that is slow is waited for by nobody but who closes', async () => {
    await record();
    let done: () => void = () => undefined;
    file.slow = new Promise((resolve) => {
      done = resolve;
    });
    value(1, 1);
    await clock.advance(1100);
    for (const number of [2, 3]) {
      value(1, number);
      await clock.advance(1100);
    }
    expect(samples()).toEqual([]);
    const closed = recorder.close();
    done();
    await closed;
    expect(samples().map(([, , number]) => number)).toEqual([1, 2, 3]);
    expect([recorder.lost(7), file.writes.most, warned], 'one write at a time').toEqual([0, 1, []]);
  });

  it('that is slow for too long loses what comes; behind the write everything is recorded anew, with a gap between', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => index + 1);
    let [number, readAt] = [0, 0];
    const table = {
      ...{ size: many.length, lastChange: Number.POSITIVE_INFINITY, valueRevision: 0, configRevision: 0 },
      visit(_: unknown, take: (id: number, value: number, quality: number, at: number) => void) {
        for (const id of many) take(id, number, 1, readAt);
        return null;
      },
    };
    channels.set(8, { id: 8, settings: { name: 'Large' }, points: table } as unknown as ChannelRuntime);
    await recorder.set(8, { ...recorder.settings(8), mode: 'all' });
    let done: () => void = () => undefined;
    file.slow = new Promise((resolve) => {
      done = resolve;
    });
    const news = async () => {
      number += 1;
      readAt = clock.wallMs();
      await clock.advance(50);
    };
    while (recorder.trouble().suspended === null && number < 600) await news();
    expect([recorder.trouble().suspended, recorder.lost(8)]).toEqual([say('history.overrun'), 501_000]);
    const lostUntil = clock.wallMs() - START;
    await news();
    done();
    file.slow = null;
    await clock.advance(2000);
    expect(recorder.trouble().suspended).toBeNull();
    const behind = file.appended.flatMap(({ batches }) => batches).at(-1);
    expect([...(behind?.value ?? [])].filter((one) => one === number)).toHaveLength(many.length);
    expect(spans().filter(([from, to]) => from <= lostUntil - 500 && to >= lostUntil)).toEqual([]);
    expect(warned).toEqual(['recording is suspended']);
  });

  it('loses around a condition too, and the file does not say that it was recorded', async () => {
    await record({ mode: 'trigger', trigger: 'U < 200', before_s: 1, after_s: 60 });
    value(1, 100);
    file.fails = true;
    await clock.advance(8000);
    expect([recorder.trouble().suspended, samples()]).toEqual([FULL.said, []]);
    file.fails = false;
    await clock.advance(10_000);
    expect(recorder.trouble().suspended).toBeNull();
    expect(samples().map(([, , number]) => number)).toEqual([100]);
    const [[since = 0] = []] = samples();
    expect([since > 8000, spans().filter(([from]) => from < since), strays()]).toEqual([true, [], []]);
  });

  it('loses a stretch around a condition that ended meanwhile as well, and one whose recording was switched off', async () => {
    for (const end of [() => value(1, 230), () => recorder.set(7, { ...recorder.settings(7), mode: 'off' })]) {
      await record({ mode: 'trigger', trigger: 'U < 200', before_s: 0, after_s: 0 });
      file.fails = true;
      value(1, 100);
      await clock.advance(3000);
      expect(recorder.trouble().suspended).toEqual(FULL.said);
      await end();
      await clock.advance(3000);
      file.fails = false;
      await record({ mode: 'changed' });
      await clock.advance(12_000);
      const [[since = 0] = []] = samples();
      expect([samples().length, spans().filter(([from, to]) => from < to && from < since)]).toEqual([1, []]);
      await recorder.set(7, { ...recorder.settings(7), mode: 'off' });
      file.appended.length = 0;
    }
  });

  it('is tried where nothing is to be recorded: of the next condition nothing is lost', async () => {
    await record({ mode: 'trigger', trigger: 'U < 200', before_s: 2, after_s: 1 });
    value(1, 100);
    file.fails = true;
    await clock.advance(1100);
    value(1, 230);
    await clock.advance(11_000);
    file.fails = false;
    await clock.advance(11_000);
    expect([recorder.trouble().suspended, samples()]).toEqual([null, []]);
    const lost = recorder.lost(7);
    value(1, 231);
    await clock.advance(1000);
    value(1, 90);
    await clock.advance(3000);
    expect([recorder.lost(7) - lost, samples().map(([, , number]) => number)]).toEqual([0, [230, 231, 90]]);
    expect(strays()).toEqual([]);
  });

  it('is no trouble of a project whose last recorded channel was removed', async () => {
    await record();
    file.fails = true;
    await clock.advance(1100);
    expect(recorder.trouble().suspended).toEqual(FULL.said);
    channels.clear();
    await clock.advance(20_000);
    expect([recorder.trouble().suspended, clock.pending]).toEqual([null, 0]);
  });

  it('stays a trouble when settings change, and what is found until it is tried again is lost', async () => {
    await record();
    file.fails = true;
    await clock.advance(1100);
    await record({ retention_days: 5 });
    expect(recorder.trouble().suspended).toEqual(FULL.said);
    file.fails = false;
    for (let number = 1; number < 600; number++) {
      value(1, number);
      await clock.advance(25);
    }
    expect(recorder.trouble().suspended).toBeNull();
    expect([samples().length > 20, recorder.lost(7) > 100, strays()]).toEqual([true, true, []]);
    expect(warned).toEqual(['recording is suspended']);
  });

  it('removes nothing, and is recorded on where only that fails', async () => {
    await record();
    file.failsToTidy = true;
    await clock.advance(60_000);
    value(1, 8);
    await clock.advance(2000);
    expect([samples().at(-1)?.[2], recorder.trouble().suspended]).toEqual([8, null]);
    expect(warned).toEqual(['recorded values over the limits were not removed']);
  });

  it('tells by the status why it tells nothing', async () => {
    await record();
    expect(await recorder.status()).toMatchObject({ file: 'p.history.db', octets: 9, failure: null });
    file.fails = true;
    expect(await recorder.status()).toMatchObject({ file: 'p.history.db', octets: 0, channels: [], failure: FULL.said });
  });
});

it('a project of which nothing was ever recorded has no file', async () => {
  expect(await recorder.status()).toEqual({ file: 'p.history.db', channels: [], octets: 0, failure: null });
  await recorder.close();
  expect([file.appended, file.isClosed, opened]).toEqual([[], false, []]);
});

it('a project of which something was recorded has one file, opened by its path and id; none where that is gone', async () => {
  settings.set('project_id', 'known');
  expect(await recorder.status()).toMatchObject({ channels: [], octets: 0 });
  await record({ mode: 'trigger', trigger: 'U > 300' });
  await clock.advance(70_000);
  expect([file.limits, file.isThere], 'nothing is removed from a file that is not there').toEqual([[], false]);
  await record();
  await clock.advance(2000);
  const { length } = opened;
  await clock.advance(2000);
  await recorder.status();
  expect([opened.length, opened.at(-1)]).toEqual([length, ['p', 'known']]);
});

it('a closed one looks at nothing any more, whatever it is asked', async () => {
  await record();
  await recorder.close();
  await recorder.query({ points: [{ channel: 7, point: 1 }], from: START, to: START + 1, maxPoints: 1 });
  expect(clock.pending).toBe(0);
});

it('a clock that breaks off ends a stretch: behind a sleep, and behind a time that was set back', async () => {
  await record();
  value(1, 1);
  await clock.advance(2000);
  for (const shift of [3_600_000, -7_200_000]) {
    clock.setWall(shift);
    await clock.advance(2000);
  }
  const begins = [...new Set(spans().map(([from]) => from))];
  expect(begins).toHaveLength(3);
  expect(
    samples().map(([, id]) => id),
    'each begins with what holds',
  ).toEqual([1, 1, 1]);
});

it('a clock that breaks off ends what is recorded around a condition', async () => {
  await record({ mode: 'trigger', trigger: 'U < 200', before_s: 1, after_s: 60 });
  value(1, 100);
  await clock.advance(2000);
  clock.setWall(3_600_000);
  await clock.advance(2000);
  expect(spans().filter(([from, to]) => to - from > 10_000)).toEqual([]);
  expect(samples().map(([, , number]) => number)).toEqual([100, 100]);
});

it('a condition on a channel that is not there is never met', async () => {
  await record({ mode: 'trigger', trigger: 'point("Gone", "CB") == 0 or U < 200' });
  value(1, 230);
  await clock.advance(2000);
  expect([samples(), warned]).toEqual([[], []]);
});

it('a file that lies aside is told, and the new one knows everything again', async () => {
  await record();
  value(1, 1);
  await clock.advance(1100);
  file.aside = ASIDE;
  await clock.advance(2100);
  expect(recorder.trouble().aside).toBe(ASIDE);
  expect(samples().map(([, id]) => id)).toEqual([1, 1]);
});

it('a file that was removed gives way to one that knows everything again', async () => {
  await record();
  value(1, 1);
  await clock.advance(1100);
  file.isAnew = true;
  await clock.advance(2100);
  expect(recorder.trouble().aside).toBe(null);
  expect(samples().map(([, id]) => id)).toEqual([1, 1]);
});

it('a channel with a condition is recorded around it, and each time is told', async () => {
  await record({ mode: 'trigger', trigger: 'U < 200', before_s: 1, after_s: 1 });
  value(1, 230);
  await clock.advance(3000);
  expect([samples(), spans(), notices]).toEqual([[], [], []]);
  value(1, 100);
  await clock.advance(100);
  value(1, 231);
  await clock.advance(3000);
  expect(notices).toEqual([[7, say('history.triggered', { trigger: 'U < 200' })]]);
  expect(samples().map(([, , number]) => number)).toEqual([230, 100, 231]);
  expect(spans().every(([from, to]) => from >= 1900 && to <= 5200)).toBe(true);
  value(1, 90);
  await clock.advance(100);
  await recorder.set(7, { ...recorder.settings(7), mode: 'off' });
  expect(samples().at(-1)?.[2], 'what was found is written').toBe(90);
  expect(spans().length).toBeGreaterThan(1);
});

it('a condition may be of a point of another channel, and ends with its channel', async () => {
  const other = new ColumnPointStore(changes);
  other.add([testPoint({ id: 9, code: 'CB' })]);
  channels.set(8, { id: 8, settings: { name: 'Breaker' }, points: other } as unknown as ChannelRuntime);
  await record({ mode: 'trigger', trigger: 'point("Breaker", "CB") == 1', before_s: 2, after_s: 3 });
  value(1, 230);
  await clock.advance(5000);
  const reading = { kind: 'value' as const, pointId: 9, value: 1, valueText: '', raw: new Uint8Array(), quality: 'good' as const };
  other.apply([{ ...reading, flags: [], sourceTime: null }], clock.wallMs());
  await clock.advance(100);
  other.apply([{ ...reading, value: 0, flags: [], sourceTime: null }], clock.wallMs());
  await clock.advance(8000);
  const ends = spans();
  expect([Math.min(...ends.map(([from]) => from)), Math.max(...ends.map(([, to]) => to))].map((ms) => Math.round(ms / 500) / 2)).toEqual([
    3, 8,
  ]);
  other.apply([{ ...reading, flags: [], sourceTime: null }], clock.wallMs());
  await clock.advance(500);
  channels.delete(7);
  await clock.advance(2000);
  await recorder.close();
  const last = Math.max(...spans().map(([, to]) => to));
  expect([last > 13_000, last < 13_700], 'up to then').toEqual([true, true]);
});

it('a point of a channel that is not recorded is kept in memory since somebody asked', async () => {
  const ask = { points: [{ channel: 7, point: 1 }], from: START, to: START + 60_000, maxPoints: 10 };
  expect(recorder.liveSince(7, 1)).toBeNull();
  await recorder.query(ask);
  value(1, 5);
  await clock.advance(200);
  expect(recorder.liveSince(7, 1)).toBe(START);
  const [answer] = await recorder.query(ask);
  expect(answer).toMatchObject({ channel: 7, point: 1, total: 1 });
  await record();
  expect(recorder.liveSince(7, 1), 'the file has it').toBeNull();
  const [kept] = (await recorder.query(ask)) as unknown as HistoryQuery['points'];
  expect(kept?.live?.spans[0]?.from).toBe(START);
});

it('a point of which nobody asks again is looked at 20 times a second by itself, as long as the file does not have it', async () => {
  const ask = { points: [{ channel: 7, point: 1 }], from: START, to: START + 60_000, maxPoints: 10 };
  await recorder.query(ask);
  await recorder.query(ask);
  expect(clock.pending).toBe(1);
  for (const number of [5, 6]) {
    value(1, number);
    await clock.advance(200);
  }
  const [answer] = await recorder.query(ask);
  expect(answer).toMatchObject({ total: 2 });
  clock.setWall(30_000);
  await clock.advance(200);
  expect((await recorder.query(ask))[0]).toMatchObject({ gaps: [{}, {}] });
  await record();
  const since = clock.wallMs();
  await clock.advance(3000);
  const [kept] = (await recorder.query(ask)) as unknown as HistoryQuery['points'];
  expect(Math.max(...(kept?.live?.spans.map(({ to }) => to) ?? []))).toBe(since);
});

it('what the file has is not kept in memory as well; a channel that is not there has nothing', async () => {
  const ask = { points: [{ channel: 7, point: 1 }], from: START, to: START + 60_000, maxPoints: 10 };
  await record();
  await recorder.query(ask);
  await clock.advance(100);
  await recorder.set(7, { ...recorder.settings(7), mode: 'off' });
  await clock.advance(100);
  expect([recorder.liveSince(7, 1), clock.pending]).toEqual([null, 0]);
  await recorder.query({ ...ask, points: [{ channel: 99, point: 3 }] });
  expect([recorder.liveSince(99, 3), clock.pending]).toEqual([null, 0]);
});
