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

  /** Gives the codes and values of a look; in its first pause happens what the test says. */
  async function lookWithPause(happens: () => void, withPresent: boolean): Promise<(string | number | null)[][]> {
    let pauses = 0;
    const breathe = async () => {
      pauses += 1;
      if (pauses === 1) happens();
    };
    const wide = new RecordQueue(20_000);
    await follower.look(runtimes, { change: changes.last, now: clock.wallMs(), withPresent }, wide, breathe);
    expect(pauses, 'there was a pause').toBeGreaterThan(0);
    return wide.take(20_000).map(({ about, value }: PublishedValue) => [about.code, value]);
  }
  const addMany = () => channel.add(...Array.from({ length: 6000 }, (_, at) => testPoint({ id: at + 4, code: `P${at + 4}` })));

  it('is a change that comes in a pause of the look once: behind what was looked at at once, before it at the next look', async () => {
    addMany();
    channel.set(1, 10);
    channel.set(5500, 55);
    await look(false);
    channel.set(2, 20);
    const during = () => {
      channel.set(1, 11);
      channel.set(5500, 56);
    };
    expect(await lookWithPause(during, false)).toEqual([
      ['P2', 20],
      ['P5500', 56],
    ]);
    expect(await lookWithPause(() => channel.set(5501, 57), false)).toEqual([
      ['P1', 11],
      ['P5501', 57],
    ]);
    expect(await look(false)).toEqual([]);
    expect(await look(false)).toEqual([]);
    channel.set(5500, 58);
    expect(await look(false)).toEqual([['P5500', 58]]);
  });

  it('is a change once that comes in a pause of the walk over the present values', async () => {
    addMany();
    channel.set(1, 10);
    channel.set(5500, 55);
    // the first pause is that in which it meets the table
    await look(false);
    follower.restart();
    const during = () => {
      channel.set(1, 11);
      channel.set(5500, 56);
    };
    expect(await lookWithPause(during, true)).toEqual([
      ['P1', 10],
      ['P5500', 56],
    ]);
    expect(await look()).toEqual([['P1', 11]]);
    expect(await look()).toEqual([]);
  });

  it('is a change once that comes in a pause for another channel', async () => {
    const other = new PublishedChannel(clock, changes, { id: 8, name: 'Feeder' });
    other.add(testPoint({ id: 9000, code: 'F' }));
    addMany();
    runtimes = [channel.runtime(), other.runtime()];
    await look(false);
    channel.set(1, 10);
    expect(await lookWithPause(() => other.set(9000, 1), false)).toEqual([
      ['P1', 10],
      ['F', 1],
    ]);
    expect(await look(false)).toEqual([]);
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
