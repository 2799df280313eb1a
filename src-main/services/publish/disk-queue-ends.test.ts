import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { BufferRecord, BufferStore, BufferWrite } from '../../persistence/buffer-repositories.ts';
import { silentLogger } from '../../platform/logger.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { DiskQueue } from './disk-queue.ts';
import type { PublishedValue } from './record-queue.ts';

const FULL = new AppError('STATE_STORE_FULL', say('buffer.disk_full', { path: '', code: 'SQLITE_FULL' }));
const [WRITE_EVERY, RETRY] = [200, 5000];

/** A file of one publisher in memory, which can fail and can be replaced by another one. */
class File implements BufferStore {
  readonly path = '';
  readonly writes: BufferWrite[] = [];
  fails: 'never' | 'writing' | 'reading' = 'never';
  /** What is kept at most; the oldest give way. */
  most = Number.POSITIVE_INFINITY;
  #session = '';
  #records = new Map<number, BufferRecord>();
  #last = 0;
  #gone = 0;

  replace(): void {
    this.#session = '';
    this.#records = new Map();
    this.#last = 0;
    this.#gone = 0;
  }

  exists = () => true;
  keepOnly = async () => ({ aside: null });
  close = async () => {};

  async write(what: BufferWrite) {
    if (this.fails === 'writing') throw FULL;
    this.writes.push(what);
    this.#session ||= what.newSession;
    if (what.taken.session === this.#session) this.#gone = Math.max(this.#gone, what.taken.upTo);
    this.#last += what.skip;
    for (const record of what.add) this.#records.set(++this.#last, record);
    let [droppedNow, droppedUpTo] = [0, 0];
    for (const sequence of [...this.#records.keys()]) {
      const isTaken = sequence <= this.#gone;
      if (!isTaken && this.#records.size > this.most && sequence > what.limit.busyUpTo)
        [droppedNow, droppedUpTo] = [droppedNow + 1, sequence];
      else if (!isTaken) continue;
      this.#records.delete(sequence);
    }
    const status = { session: this.#session, last: this.#last, gone: this.#gone, waiting: this.#records.size };
    return { ...status, octets: 7, oldest: 1, dropped: droppedNow, droppedNow, droppedUpTo, aside: null };
  }

  async read(_publisher: number, after: number, want: number) {
    if (this.fails === 'reading') throw FULL;
    const found = [...this.#records].filter(([sequence]) => sequence > after).slice(0, want);
    return { session: this.#session, runs: found.map(([first, record]) => ({ first, records: [record] })), damaged: 0, aside: null };
  }

  get kept(): number[] {
    return [...this.#records.values()].map(({ value }) => value ?? Number.NaN);
  }
}

let clock: ManualClock;
let file: File;
let queue: DiskQueue;
let sessions: number;

function begin(): DiskQueue {
  const parts = { store: file, publisher: 3, clock, logger: silentLogger, newSession: () => `s${++sessions}`, noted: <T>(news: T) => news };
  return new DiskQueue(parts, { octets: 100, ageMs: 50 });
}

beforeEach(() => {
  clock = new ManualClock();
  file = new File();
  sessions = 0;
  queue = begin();
});

const about = { device: 'd', code: 'P', frameType: 0, name: '', unit: '' } as const;
function add(...values: readonly number[]): void {
  for (const value of values) queue.add({ about, value, quality: 'good', at: 0, sequence: 0 });
}
async function work(ms = WRITE_EVERY): Promise<boolean> {
  let isReady = false;
  queue.work(() => {
    isReady = true;
  });
  await clock.advance(ms);
  return isReady;
}
const told = (values: readonly PublishedValue[]) => values.map(({ session, sequence, value }) => `${session}:${sequence}=${value}`);
const many = (count: number) => Array.from({ length: count }, (_, at) => at);

describe('a queue that is closed', () => {
  it('has all on the disk that was in memory, however many writes that takes, and what was taken is gone there', async () => {
    add(1, 2);
    expect(await work()).toBe(true);
    queue.settle(queue.take(1));
    add(...many(4500));
    await queue.close();
    expect(file.writes.map(({ add: { length } }) => length)).toEqual([2, 2000, 2000, 500]);
    expect(file.kept).toEqual([2, ...many(4500)]);
    add(9);
    await work();
    expect(file.writes, 'nothing from then on').toHaveLength(4);
  });

  it('writes nothing where nothing waits', async () => {
    add(1);
    await work();
    await queue.close();
    expect(file.writes).toHaveLength(1);
  });

  it('tells the disk of what was taken, also where nothing new waits', async () => {
    add(1);
    await work();
    queue.settle(queue.take(1));
    await queue.close();
    expect([file.kept, file.writes.length]).toEqual([[], 2]);
  });

  it('does not try for ever where the disk takes nothing', async () => {
    add(1);
    file.fails = 'writing';
    await queue.close();
    expect([file.kept, queue.count, queue.state()?.error]).toEqual([[], 1, FULL.said]);
  });
});

describe('a queue', () => {
  it('says nothing of a file that it does not know yet, then what is in it', async () => {
    expect(queue.state()).toBeNull();
    add(1, 2, 3);
    await work();
    queue.settle(queue.take(1));
    const known = { session: 's1', sequence: 3, records: 2, octets: 7, oldest: 1, dropped: 0, lost: 0, error: null };
    expect([queue.state(), queue.count]).toEqual([known, 2]);
    const before = begin();
    file.fails = 'writing';
    before.work(() => undefined);
    await clock.advance(0);
    expect(before.state()).toMatchObject({ session: '', sequence: 0, error: FULL.said });
  });

  it('counts what is lost from 0 where its publisher is begun anew, and has its limit then', async () => {
    file.most = 2;
    add(1, 2, 3, 4, 5);
    await work();
    expect([queue.lost, file.kept]).toEqual([3, [4, 5]]);
    queue.beginAnew({ octets: 5, ageMs: 6 });
    expect(queue.lost).toBe(0);
    add(6);
    await work();
    expect([queue.lost, file.writes.at(-1)?.limit]).toEqual([1, { octets: 5, ageMs: 6, busyUpTo: 0 }]);
    queue.beginAnew({ octets: 5, ageMs: 6 });
    add(7);
    await work();
    expect(queue.lost).toBe(1);
  });

  it('that is begun anew looks at once for what is over its new limit', async () => {
    add(1);
    await work();
    queue.beginAnew({ octets: 5, ageMs: 6 });
    await work();
    expect(file.writes.at(-1)).toMatchObject({ add: [], limit: { octets: 5 } });
    await work();
    expect(file.writes).toHaveLength(2);
    await work(10_000);
    await work();
    expect(file.writes, 'and from then on every ten seconds').toHaveLength(3);
  });

  it('writes at once where many wait, and in its rhythm otherwise', async () => {
    add(1);
    await work(0);
    add(2);
    await work(WRITE_EVERY - 1);
    expect(file.writes).toHaveLength(1);
    add(...many(1999));
    await work(0);
    expect(file.writes[1]?.add, '2,000 are not kept waiting').toHaveLength(2000);
  });

  it('gives again what was put back before all others, under the same sequence', async () => {
    add(1, 2, 3);
    await work();
    const [first, second] = [queue.take(1), queue.take(1)];
    queue.putBack(second);
    queue.putBack(first);
    expect([queue.count, queue.ready]).toEqual([3, 3]);
    expect(told(queue.take(9))).toEqual(['s1:1=1', 's1:2=2']);
    expect(told(queue.take(9))).toEqual(['s1:3=3']);
    queue.settle([...first, ...second]);
    queue.settle(first);
    expect([queue.count, queue.state()?.records], 'settled once').toEqual([0, 1]);
  });
});

describe('a file that another one takes the place of', () => {
  it('takes with it what was not read; what was, goes out under the session that it had', async () => {
    add(...many(6000));
    for (let times = 0; times < 3; times++) await work();
    const sent = queue.take(10);
    file.replace();
    add(-1);
    await work();
    expect(queue.state()).toMatchObject({ session: 's4', sequence: 1, records: 1, lost: 2000 });
    queue.putBack(sent.slice(5));
    expect(told(queue.take(3))).toEqual(['s1:6=5', 's1:7=6', 's1:8=7']);
    queue.settle(sent);
    expect(queue.state()?.records, 'of the one before').toBe(1);
  });
});

describe('a file that gives nothing', () => {
  it('is read again after five seconds; what is new goes out meanwhile', async () => {
    add(...many(4001));
    for (let times = 0; times < 3; times++) await work();
    queue.settle(queue.take(4001));
    file.fails = 'reading';
    await work();
    expect(queue.state()?.error).toEqual(FULL.said);
    file.fails = 'never';
    await work(RETRY - WRITE_EVERY - 1);
    await work(1);
    const rest = queue.take(9);
    await work();
    expect([...rest, ...queue.take(9)].map(({ value }) => value)).toEqual([4000]);
    expect(queue.state()?.error).toBeNull();
  });
});
