import { beforeEach, describe, expect, it } from 'vitest';
import { testPoint } from '../../drivers/testing/points.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { ChangeCounter } from '../../runtime/values/change-counter.ts';
import { Follower } from './follower.ts';
import { type PublishedValue, RecordQueue } from './record-queue.ts';
import { PublishedChannel } from './testing/published-channel.ts';

const ALL = { devices: [], frame_types: [], codes: [] };

let clock: ManualClock;
let changes: ChangeCounter;
let channel: PublishedChannel;
let queue: RecordQueue;
let follower: Follower;
const channels = () => [channel.runtime()];
let runtimes: ReturnType<typeof channels>;

beforeEach(() => {
  clock = new ManualClock();
  changes = new ChangeCounter();
  channel = new PublishedChannel(clock, changes, { id: 7, name: 'Meter' });
  channel.add(...['P1', 'P2', 'P3'].map((code, index) => testPoint({ id: index + 1, code })));
  queue = new RecordQueue(100);
  follower = new Follower(ALL);
  runtimes = channels();
});

/** What one look gives: code and value. */
async function look(withPresent = true, into = queue): Promise<(string | number | null)[][]> {
  await follower.look(runtimes, { change: changes.last, now: clock.wallMs(), withPresent }, into, async () => {});
  return into.take(100).map(({ about, value }: PublishedValue) => [about.code, value]);
}

describe('what is found to be published', () => {
  it('is each present value once behind a connection, also of a point that changed just before it', async () => {
    channel.set(1, 10);
    channel.set(2, 20);
    expect(await look()).toEqual([
      ['P1', 10],
      ['P2', 20],
    ]);
    follower.pause();
    channel.set(1, 11);
    follower.restart();
    expect(await look()).toEqual([
      ['P1', 11],
      ['P2', 20],
    ]);
    expect(await look()).toEqual([]);
  });

  it('is what changed since the last look, while there is no other side as well', async () => {
    channel.set(1, 10);
    expect(await look(false)).toEqual([]);
    channel.set(1, 11);
    channel.set(3, 30);
    expect(await look(false)).toEqual([
      ['P1', 11],
      ['P3', 30],
    ]);
    channel.set(1, 12);
    channel.set(1, 13);
    expect(await look(false)).toEqual([['P1', 13]]);
  });

  it('is given as there is room: of a point that the walk has behind it, what changed; of the others what they are then', async () => {
    for (const id of [1, 2, 3]) channel.set(id, 10 * id);
    const narrow = new RecordQueue(2);
    await follower.look(runtimes, { change: changes.last, now: clock.wallMs(), withPresent: true }, narrow, async () => {});
    expect([narrow.count, narrow.lost]).toEqual([2, 0]);
    narrow.take(2);
    channel.set(1, 11);
    channel.set(3, 31);
    expect(await look(true, narrow)).toEqual([
      ['P1', 11],
      ['P3', 31],
    ]);
    expect(await look(true, narrow)).toEqual([]);
  });

  it('is everything under another name, once', async () => {
    channel.set(1, 10);
    await look();
    channel.set(1, 11);
    const renamed = Object.assign(runtimes[0] as object, { settings: { name: 'Meter 2' } });
    await follower.look([renamed] as typeof runtimes, { change: changes.last, now: 0, withPresent: true }, queue, async () => {});
    expect(queue.take(9).map(({ about, value }) => [about.device, value])).toEqual([['Meter 2', 11]]);
  });

  it('counts its values from 1, with the time of each', async () => {
    channel.set(1, 10);
    await clock.advance(500);
    channel.set(2, Number.NaN, 'invalid');
    await follower.look(runtimes, { change: changes.last, now: clock.wallMs(), withPresent: true }, queue, async () => {});
    const [one, two] = queue.take(9);
    expect([one?.sequence, two?.sequence, follower.sequence]).toEqual([1, 2, 2]);
    expect([(two?.at ?? 0) - (one?.at ?? 0), two?.quality]).toEqual([500, 'invalid']);
  });

  it('is nothing of a channel that is not wanted, and of one that is gone', async () => {
    follower = new Follower({ ...ALL, devices: ['Other'] });
    channel.set(1, 10);
    expect(await look()).toEqual([]);
    follower = new Follower(ALL);
    await look();
    channel.set(1, 12);
    const gone = runtimes;
    runtimes = [];
    expect(await look()).toEqual([]);
    runtimes = gone;
    expect(await look(), 'it is met anew').toEqual([['P1', 12]]);
  });
});
