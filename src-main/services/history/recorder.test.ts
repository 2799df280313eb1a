import { beforeEach, describe, expect, it } from 'vitest';
import type { RecordingSettings } from '#shared/contract/history.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
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
  isThere = false;
  isClosed = false;
  aside: HistoryNews['aside'] = null;
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
    await this.slow;
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
    this.limits.push([...limits]);
    this.tidiedAt.push(now);
    return { ...this.#news(), ...this.times };
  }

  #guard(): void {
    if (this.fails) throw FULL;
  }

  #news(): HistoryNews {
    const { aside } = this;
    this.aside = null;
    return { aside };
  }
}

let clock: ManualClock;
let file: File;
let points: ColumnPointStore;
let settings: Map<string, unknown>;
let channels: Map<number, ChannelRuntime>;
let notices: string[];
let recorder: Recorder;

function begin(): Recorder {
  return new Recorder({
    ...{ clock, logger: silentLogger, changes, newId: () => 'id', openHistory: () => file },
    store: {
      path: 'p',
      settings: {
        read: (name: string) => settings.get(name),
        write: (name: string, value: unknown) => void settings.set(name, value),
      } as never,
    },
    channels: { list: () => [...channels.values()], get: (id) => channels.get(id) },
    notice: (id, said) => void notices.push(`${id} ${said.code}`),
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
const spans = () => file.appended.flatMap((each) => each.spans.map(({ from, to }) => [from - START, to - START]));

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
    const begins = spans().map(([from = 0]) => from);
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
    expect(recorder.lost(7)).toBe(0);
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
  expect([file.appended, file.isClosed]).toEqual([[], false]);
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

it('a file that lies aside is told, and the new one knows everything again', async () => {
  await record();
  value(1, 1);
  await clock.advance(1100);
  file.aside = ASIDE;
  await clock.advance(2100);
  expect(recorder.trouble().aside).toBe(ASIDE);
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
  expect(notices).toEqual(['7 history.triggered']);
  expect(samples().map(([, , number]) => number)).toEqual([230, 100, 231]);
  expect(spans().every(([from = 0, to = 0]) => from >= 1900 && to <= 5200)).toBe(true);
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
  expect(
    [Math.min(...ends.map(([from = 0]) => from)), Math.max(...ends.map(([, to = 0]) => to))].map((ms) => Math.round(ms / 500) / 2),
  ).toEqual([3, 8]);
  other.apply([{ ...reading, flags: [], sourceTime: null }], clock.wallMs());
  await clock.advance(500);
  channels.delete(7);
  await clock.advance(2000);
  await recorder.close();
  const last = Math.max(...spans().map(([, to = 0]) => to));
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
