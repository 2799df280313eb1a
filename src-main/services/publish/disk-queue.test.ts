import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredPublisher } from '#shared/contract/publish.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { BufferEngine } from '../../persistence/buffer/engine.ts';
import type { BufferStore } from '../../persistence/buffer-repositories.ts';
import { silentLogger } from '../../platform/logger.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { createRandom } from '../../platform/seeded-random.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { ChangeCounter } from '../../runtime/values/change-counter.ts';
import { ColumnPointStore } from '../../runtime/values/point-store.ts';
import { type BufferLimit, DiskQueue } from './disk-queue.ts';
import type { Outlet, OutletLink } from './outlet.ts';
import { Publisher } from './publisher.ts';
import type { PublishedValue } from './record-queue.ts';

const URL = 'mqtt://broker';
const LOST = new AppError('TRANSPORT_LOST', say('publish.lost', { url: URL }));
const FULL = new AppError('STATE_STORE_FULL', say('buffer.disk_full', { path: '', code: 'SQLITE_FULL' }));
const PLENTY: BufferLimit = { octets: 1e9, ageMs: 1e12 };

/** The other side: what it takes stays with it, whoever sends. */
class OtherSide {
  batch = 1;
  underWay = 20;
  isThere = true;
  keepsLast = false;
  takes: 'all' | 'silent' | 'without a word' | 'every second' | 'all but the first' = 'all';
  readonly got: PublishedValue[] = [];
  lose: (reason: AppError) => void = () => {};

  outlet(): Outlet {
    const other = this;
    return {
      url: URL,
      batch: this.batch,
      underWay: this.underWay,
      everyMs: 0,
      keepsLast: this.keepsLast,
      async open(): Promise<OutletLink> {
        if (!other.isThere) throw LOST;
        return {
          send: async (values) => {
            if (other.takes === 'all but the first' && values[0]?.sequence === 1) return new Promise(() => {});
            const isTaken = other.takes === 'every second' ? (values[0]?.sequence ?? 0) % 2 === 0 : other.takes !== 'silent';
            if (isTaken) other.got.push(...values);
            return isTaken && other.takes !== 'without a word' ? 'taken' : new Promise(() => {});
          },
          onLost: (fn) => {
            other.lose = fn;
          },
          close: async () => {},
        };
      },
    };
  }
}

/** A file that can be told to fail. */
class MoodyStore implements BufferStore {
  readonly engine: BufferEngine;
  readonly path: string;
  fails: 'never' | 'writing' | 'always' = 'never';

  constructor(path: string) {
    this.path = path;
    this.engine = new BufferEngine(path, 'P');
  }

  exists = () => this.engine.exists();
  async write(...given: Parameters<BufferStore['write']>) {
    if (this.fails !== 'never') throw FULL;
    return this.engine.write(...given);
  }
  async read(...given: Parameters<BufferStore['read']>) {
    if (this.fails === 'always') throw FULL;
    return this.engine.read(...given);
  }
  keepOnly = (publishers: readonly number[]) => this.engine.keepOnly(publishers);
  close = () => this.engine.close();
}

let dir: string;
const endings: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loopcheck-queue-'));
});
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
  rmSync(dir, { recursive: true, force: true });
});

const settings: StoredPublisher = {
  id: 1,
  name: 'Plant',
  enabled: true,
  target: { kind: 'webhook', url: URL, every_ms: 1000 },
  devices: [],
  frame_types: [],
  codes: [],
};

/** A table that stands for the lines, and what follows it; `start` is a process that comes to the file at `path`. */
function setUp(points = 3) {
  const clock = new ManualClock();
  const changes = new ChangeCounter();
  const table = new ColumnPointStore(changes);
  table.add(Array.from({ length: points }, (_, index) => testPoint({ id: index + 1, code: `P${index + 1}`, frame_type: 0 })));
  const channels = [{ settings: { name: 'Bay 1' }, points: table } as unknown as ChannelRuntime];
  const set = (id: number, value: number) =>
    table.apply(
      [{ kind: 'value', pointId: id, value, valueText: '', raw: new Uint8Array(0), quality: 'good', flags: [], sourceTime: null }],
      clock.wallMs(),
    );
  for (let id = 1; id <= points; id++) set(id, 0);
  let sessions = 0;
  const start = (other: OtherSide, path = join(dir, 'a.buffer.db'), limit = PLENTY) => {
    const store = new MoodyStore(path);
    const queue = new DiskQueue(
      { store, publisher: 1, clock, logger: silentLogger, newSession: () => `s${++sessions}`, noted: (news) => news },
      limit,
    );
    const publisher = new Publisher(settings, other.outlet(), queue, { clock, logger: silentLogger, notice() {} });
    endings.push(async () => {
      await publisher.close();
      await store.close();
    });
    return { store, queue, publisher };
  };
  const look = async ({ publisher }: Pick<ReturnType<typeof start>, 'publisher'>, ms = 50) => {
    await clock.advance(ms);
    await publisher.look(channels, changes.last, async () => {});
    await clock.advance(0);
  };
  const looks = async (running: Pick<ReturnType<typeof start>, 'publisher'>, count: number, ms = 50) => {
    for (let at = 0; at < count; at++) await look(running, ms);
  };
  return { clock, set, start, look, looks };
}

const brief = (values: readonly PublishedValue[]) => values.map(({ about, value }) => `${about.code}=${value}`);
const numbers = (values: readonly PublishedValue[]) => values.map(({ session, sequence }) => `${session}:${sequence}`);

describe('records that wait on the disk', () => {
  it('are sent once they are written, with sequences of one session', async () => {
    const { start, looks, set } = setUp();
    const other = new OtherSide();
    const running = start(other);
    await looks(running, 6);
    set(2, 5);
    await looks(running, 6);
    expect(brief(other.got)).toEqual(['P1=0', 'P2=0', 'P3=0', 'P2=5']);
    expect(new Set(numbers(other.got)).size).toBe(4);
    expect(other.got.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    await looks(running, 6);
    expect(running.publisher.state()).toMatchObject({ state: 'running', sent: 4, waiting: 0, lost: 0 });
    expect(running.queue.state()).toMatchObject({ records: 0, octets: 0, sequence: 4, dropped: 0, error: null });
  });

  it('are kept while the target is away, more than memory would, and then sent from the first to the last', async () => {
    const { start, look, looks, set } = setUp(1);
    const other = new OtherSide();
    const running = start(other);
    await looks(running, 6);
    other.isThere = false;
    other.lose(LOST);
    for (let value = 1; value <= 300; value++) {
      set(1, value);
      await look(running);
    }
    await looks(running, 10);
    expect(running.publisher.state()).toMatchObject({ state: 'failing', waiting: 300, lost: 0 });
    expect(running.queue.state()).toMatchObject({ records: 300 });
    other.isThere = true;
    await looks(running, 100, 1000);
    // no present values behind it: nothing is missing
    expect(brief(other.got)).toEqual(Array.from({ length: 301 }, (_, value) => `P1=${value}`));
    expect(other.got.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 301 }, (_, index) => index + 1));
    expect(running.publisher.state()).toMatchObject({ waiting: 0 });
  });

  it('are followed by the present values where the target keeps those, and may have lost them', async () => {
    const { start, looks, set } = setUp(3);
    const other = new OtherSide();
    other.keepsLast = true;
    const running = start(other);
    await looks(running, 6);
    other.isThere = false;
    other.lose(LOST);
    set(2, 7);
    await looks(running, 6);
    other.isThere = true;
    await looks(running, 12, 1000);
    expect(brief(other.got)).toEqual(['P1=0', 'P2=0', 'P3=0', 'P2=7', 'P1=0', 'P2=7', 'P3=0']);
    expect(other.got.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('go on where they were when the program is started again', async () => {
    const { start, look, looks, set } = setUp(1);
    const other = new OtherSide();
    other.isThere = false;
    const first = start(other);
    for (let value = 1; value <= 5; value++) {
      set(1, value);
      await look(first);
    }
    await first.publisher.close();
    await first.queue.close();
    await first.store.close();
    other.isThere = true;
    const second = start(other);
    await looks(second, 12);
    // what waited, and the present value of a start
    expect(brief(other.got)).toEqual(['P1=1', 'P1=2', 'P1=3', 'P1=4', 'P1=5', 'P1=5']);
    expect(numbers(other.got)).toEqual([1, 2, 3, 4, 5, 6].map((sequence) => `${other.got[0]?.session}:${sequence}`));
  });

  it('stay until the target said that it has them', async () => {
    const { start, looks } = setUp();
    const other = new OtherSide();
    other.takes = 'without a word';
    const running = start(other);
    await looks(running, 10);
    expect(other.got).toHaveLength(3);
    expect(running.queue.state()).toMatchObject({ records: 3 });
    expect(running.publisher.state()).toMatchObject({ waiting: 3, sent: 0 });
    other.takes = 'all';
    await looks(running, 40, 1000);
    // at least once: the same sequences with the same values
    expect(numbers(other.got.slice(3))).toEqual(numbers(other.got.slice(0, 3)));
    expect(running.queue.state()).toMatchObject({ records: 0 });
  });

  it('that settle out of order are forgotten only behind the oldest that did not', async () => {
    const { start, looks, clock } = setUp(3);
    const other = new OtherSide();
    other.isThere = false;
    const { queue, publisher } = start(other);
    await looks({ publisher }, 8);
    const [one, two, three] = [queue.take(1), queue.take(1), queue.take(1)];
    queue.settle([...two, ...three]);
    await looks({ publisher }, 8);
    expect(queue.state()).toMatchObject({ records: 1 });
    cpSync(join(dir, 'a.buffer.db'), join(dir, 'b.buffer.db'));
    cpSync(join(dir, 'a.buffer.db-wal'), join(dir, 'b.buffer.db-wal'));
    const after = start(other, join(dir, 'b.buffer.db'));
    await looks(after, 1);
    expect(after.queue.take(9).map(({ sequence }) => sequence)).toContain(1);
    await clock.advance(0);
    queue.putBack(one);
    expect(queue.take(5)).toEqual(one);
    queue.settle(one);
    expect(queue.state()).toMatchObject({ records: 0 });
    // settled twice is settled once
    queue.settle(one);
    expect(queue.state()).toMatchObject({ records: 0 });
  });

  it('are not given out without end behind one that is never confirmed', async () => {
    const { start, look, set } = setUp(100);
    const other = new OtherSide();
    other.takes = 'all but the first';
    const running = start(other);
    for (let round = 1; round <= 200; round++) {
      for (let id = 1; id <= 100; id++) set(id, round);
      await look(running);
    }
    expect(other.got).toHaveLength(9999);
    expect(running.publisher.state()).toMatchObject({ lost: 0, sent: 9999 });
    // the connection is given up, and what waits goes on with the first one
    other.takes = 'all';
    for (let count = 0; count < 80; count++) await look(running, 1000);
    expect(running.publisher.state()).toMatchObject({ waiting: 0, lost: 0 });
    expect(new Set(other.got.map(({ sequence }) => sequence)).size).toBe(running.queue.state()?.sequence);
    expect(other.got).toHaveLength(running.queue.state()?.sequence ?? 0);
  });

  it('give way, the oldest first, when they are more than is to be kept, and it is counted', async () => {
    const { start, look, looks, set } = setUp(1);
    const other = new OtherSide();
    other.isThere = false;
    const running = start(other, undefined, { octets: 20_000, ageMs: 1e12 });
    for (let value = 1; value <= 2000; value++) {
      set(1, value);
      await look(running);
    }
    await looks(running, 10);
    const { lost, waiting } = running.publisher.state();
    expect(lost).toBeGreaterThan(500);
    expect(lost + waiting).toBe(2000);
    expect(running.queue.state()?.octets).toBeLessThanOrEqual(20_000);
    other.isThere = true;
    await looks(running, 500, 200);
    expect(other.got.map(({ sequence }) => sequence)).toEqual(Array.from({ length: waiting }, (_, index) => lost + index + 1));
    expect(other.got.at(-1)?.value).toBe(2000);
  });

  it('give way when they wait for too long', async () => {
    const { start, look, looks, set } = setUp(1);
    const other = new OtherSide();
    other.isThere = false;
    const running = start(other, undefined, { octets: 1e9, ageMs: 60_000 });
    set(1, 1);
    await looks(running, 5);
    await look(running, 70_000);
    await looks(running, 5);
    expect(running.queue.state()).toMatchObject({ records: 0, lost: 1, dropped: 1 });
  });

  it('with a slow disk wait in memory, bounded, and a gap in the sequence says what found no place', async () => {
    const { start, looks, look, set } = setUp(40_000);
    const other = new OtherSide();
    other.isThere = false;
    const running = start(other);
    const hold = Promise.withResolvers<void>();
    const write = running.store.engine.write.bind(running.store.engine);
    running.store.engine.write = async (what) => {
      await hold.promise;
      return write(what);
    };
    await look(running);
    for (let round = 1; round <= 2; round++) {
      for (let id = 1; id <= 40_000; id++) set(id, round);
      await look(running);
    }
    expect(running.publisher.state()).toMatchObject({ waiting: 102_000, lost: 18_000 });
    hold.resolve();
    other.isThere = true;
    Object.assign(other, { batch: 500 });
    await looks(running, 120, 100);
    expect(running.publisher.state().lost).toBe(18_000);
    const gaps = other.got.filter(({ sequence }, index) => sequence !== (other.got[index - 1]?.sequence ?? 0) + 1);
    expect(gaps.map(({ sequence }) => sequence)).toEqual([20_001]);
  });
});

describe('a disk that fails', () => {
  it('is told, and records go from memory under another session; later they wait on the disk again', async () => {
    const { start, looks, set } = setUp(1);
    const other = new OtherSide();
    const running = start(other);
    await looks(running, 6);
    running.store.fails = 'writing';
    for (const value of [1, 2]) {
      set(1, value);
      await looks(running, 6);
    }
    expect(running.queue.state()?.error).toEqual(FULL.said);
    expect(brief(other.got)).toEqual(['P1=0', 'P1=1', 'P1=2']);
    running.store.fails = 'never';
    await looks(running, 10, 1000);
    expect(running.queue.state()?.error).toBeNull();
    set(1, 3);
    await looks(running, 12);
    expect(brief(other.got)).toEqual(['P1=0', 'P1=1', 'P1=2', 'P1=3']);
    const [first, second] = [other.got[0]?.session, other.got[1]?.session];
    expect(numbers(other.got)).toEqual([`${first}:1`, `${second}:1`, `${second}:2`, `${first}:2`]);
    expect(first).not.toBe(second);
  });

  it('still gives what lies there, before what goes from memory', async () => {
    const { start, looks, look, set } = setUp(1);
    const other = new OtherSide();
    other.isThere = false;
    const running = start(other);
    for (let value = 1; value <= 50; value++) {
      set(1, value);
      await look(running);
    }
    await looks(running, 6);
    running.store.fails = 'writing';
    set(1, 99);
    await looks(running, 6);
    other.isThere = true;
    await looks(running, 60, 200);
    expect(brief(other.got)).toEqual([...Array.from({ length: 50 }, (_, index) => `P1=${index + 1}`), 'P1=99']);
  });

  it('that gives nothing either does not hold up what is new', async () => {
    const { start, looks, look, set, clock } = setUp(1);
    const other = new OtherSide();
    other.isThere = false;
    const first = start(other);
    for (let value = 1; value <= 5; value++) {
      set(1, value);
      await look(first);
    }
    await looks(first, 6);
    await first.publisher.close();
    await first.store.close();
    other.isThere = true;
    const second = start(other);
    second.store.fails = 'always';
    await looks(second, 6);
    set(1, 6);
    await looks(second, 6);
    expect(brief(other.got)).toEqual(['P1=5', 'P1=6']);
    second.store.fails = 'never';
    await looks(second, 30, 1000);
    expect(brief(other.got)).toEqual(['P1=5', 'P1=6', 'P1=1', 'P1=2', 'P1=3', 'P1=4', 'P1=5']);
    expect(clock.pending).toBeGreaterThanOrEqual(0);
  });

  it('repeats from memory under the same sequence what it does not know to be taken', async () => {
    const { start, looks, set } = setUp(1);
    const other = new OtherSide();
    const running = start(other);
    running.store.fails = 'always';
    other.takes = 'without a word';
    await looks(running, 6);
    set(1, 1);
    await looks(running, 6);
    other.takes = 'all';
    await looks(running, 40, 1000);
    const [one, two] = numbers(other.got);
    expect(numbers(other.got)).toEqual([one, two, one, two]);
  });
});

describe('a kill', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'at any moment loses no record that has a sequence, and gives none of them to another value (%i)',
    async (seed) => {
      const random = createRandom(seed);
      const { start, look, looks, set } = setUp(20);
      const other = new OtherSide();
      Object.assign(other, { batch: random() < 0.5 ? 1 : 50, underWay: random() < 0.5 ? 1 : 20 });
      let path = join(dir, 'p0.db');
      let running = start(other, path);
      let value = 0;
      for (let kill = 1; kill <= 12; kill++) {
        const steps = 5 + Math.floor(random() * 60);
        for (let step = 0; step < steps; step++) {
          for (let count = Math.floor(random() * 8); count > 0; count--) set(1 + Math.floor(random() * 20), ++value);
          const dice = random();
          if (dice < 0.05) other.takes = 'without a word';
          else if (dice < 0.08) other.takes = 'silent';
          else if (dice < 0.13) other.takes = 'every second';
          else if (dice < 0.25) other.takes = 'all';
          if (random() < 0.08) {
            other.isThere = !other.isThere;
            if (!other.isThere) other.lose(LOST);
          }
          await look(running, random() < 0.1 ? 31_000 : 50);
        }
        // what the disk has at this moment is all that the next process gets
        const next = join(dir, `p${kill}.db`);
        for (const ending of ['', '-wal']) if (existsSync(path + ending)) cpSync(path + ending, next + ending);
        path = next;
        const killed = running;
        running = start(other, path);
        // a process that is killed does nothing any more
        await killed.publisher.close();
        await killed.store.close();
      }
      Object.assign(other, { takes: 'all', isThere: true });
      await looks(running, 100, 10_000);
      expect(running.publisher.state()).toMatchObject({ waiting: 0, lost: 0 });
      const session = running.queue.state()?.session;
      const bySequence = new Map<number, string>();
      for (const { sequence, session: of, about, value: got, at } of other.got) {
        expect(of).toBe(session);
        const said = JSON.stringify([about.code, got, at]);
        expect(bySequence.get(sequence) ?? said).toBe(said);
        bySequence.set(sequence, said);
      }
      const last = running.queue.state()?.sequence ?? 0;
      expect(last).toBeGreaterThan(500);
      expect([...bySequence.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    },
  );
});
