import { describe, expect, it } from 'vitest';
import type { DriverConnection, PointConfig, StagedTable } from '../drivers/spi/index.ts';
import { testPoint } from '../drivers/testing/points.ts';
import { ServedTable } from './served-table.ts';
import { ColumnPointStore } from './values/point-store.ts';

const LARGE = 1_001;
const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, at) => testPoint({ id: from + at, code: `P${from + at}` }));
const nothing = { removed: [], changed: [], added: [] };
const idle = async () => undefined;

/** A connection that notes what it is told, and makes tables aside in three bits. */
class Connection {
  readonly told: string[] = [];
  /** Called while it makes a table aside. */
  onMaking: () => void = () => undefined;
  /** Points that it serves. */
  served: readonly PointConfig[] = [];
  readonly #name: string;

  constructor(name = '') {
    this.#name = name;
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.told.push(`${this.#name}whole ${points.length}`);
    this.served = points;
  }

  pointsEdited(): void {
    this.told.push(`${this.#name}edited`);
  }

  async stageTable(points: readonly PointConfig[], breathe: () => Promise<void>): Promise<StagedTable> {
    for (let bit = 0; bit < 3; bit++) await breathe();
    this.onMaking();
    return {
      takeOver: () => {
        this.told.push(`${this.#name}taken ${points.length}`);
        this.served = points;
      },
      tell: async () => void this.told.push(`${this.#name}shown`),
    };
  }

  isMadeAnew(_changed: unknown, comingOrGoing: number): boolean {
    return comingOrGoing > 0;
  }
}

class Bench {
  readonly points = new ColumnPointStore();
  readonly reads: number[] = [];
  connection: Connection | null = new Connection();
  /** Lets the start that is under way come to its end; null where none is. */
  starting: (() => void) | null = null;
  readonly table = new ServedTable({
    points: this.points,
    device: { readServed: (ids) => void this.reads.push(ids.length) },
    connection: () => this.connection as DriverConnection | null,
    isBeginning: () => this.starting !== null,
    settled: async () => this.starting?.(),
  });

  constructor(count = LARGE) {
    this.points.add(numbered(count));
  }

  get told(): readonly string[] {
    return this.connection?.told ?? [];
  }

  /** Makes a change as the services do. */
  async make(change: Parameters<ServedTable['stage']>[0], breathe: () => Promise<void> = idle): Promise<void> {
    const { show, told } = await this.table.stage(change, breathe);
    show();
    this.table.changed(undefined, true);
    await told();
  }
}

describe('a large change of a table that is served', () => {
  it('is made aside, bit by bit: until all is ready the table and what is served are the old ones', async () => {
    const bench = new Bench();
    const seen = new Set<string>();
    let bits = 0;
    const breathe = async () => {
      bits += 1;
      seen.add([bench.points.size, ...bench.told].join(' '));
    };
    const { show, told } = await bench.table.stage({ ...nothing, removed: [3], added: numbered(2, 5_000) }, breathe);
    expect([...seen]).toEqual([String(LARGE)]);
    expect(bits).toBeGreaterThan(6);
    show();
    bench.table.changed(undefined, true);
    expect(bench.told, 'in the same step as the table').toEqual([`taken ${LARGE + 1}`]);
    await told();
    expect(bench.told).toEqual([`taken ${LARGE + 1}`, 'shown']);
    expect(bench.connection?.served, 'what is served is the table, point by point').toEqual(bench.points.configs());
    bench.table.changed({ before: [], after: [] }, true);
    expect(bench.told.at(-1), 'what was made is taken over once').toBe('edited');
  });

  it('is served in the order of the table, with points that come back in their places', async () => {
    const bench = new Bench();
    const [second, last] = [bench.points.config(2), bench.points.config(LARGE)] as [PointConfig, PointConfig];
    await bench.make({ ...nothing, removed: [2, LARGE], changed: numbered(1, 7).map((point) => ({ ...point, name: 'other' })) });
    await bench.make({ ...nothing, added: numbered(1, 6_000), restored: [last, second] });
    expect(bench.connection?.served).toEqual(bench.points.configs());
    expect(bench.connection?.served.map(({ id }) => id).slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('is made for the connection that stands in the end; the one before is told nothing', async () => {
    const bench = new Bench();
    const [first, second] = [bench.connection as Connection, new Connection('second: ')];
    first.onMaking = () => {
      bench.connection = second;
    };
    await bench.make({ ...nothing, added: numbered(1, 5_000) });
    expect(first.told).toEqual([]);
    expect(second.told).toEqual([`second: taken ${LARGE + 1}`, 'second: shown']);
  });

  it('ends with connections that come and go: it is told at once then', async () => {
    const bench = new Bench();
    const all: Connection[] = [];
    const next = (): Connection => {
      const connection = new Connection();
      all.push(connection);
      connection.onMaking = () => {
        bench.connection = next();
      };
      return connection;
    };
    bench.connection = next();
    await bench.make({ ...nothing, added: numbered(1, 5_000) });
    expect(all).toHaveLength(4);
    expect(all.flatMap(({ told }) => told)).toEqual([`whole ${LARGE + 1}`]);
  });

  it('leaves nothing behind where the channel is stopped meanwhile, and comes with its next start', async () => {
    const bench = new Bench();
    const stopped = bench.connection as Connection;
    stopped.onMaking = () => {
      bench.connection = null;
    };
    const { show, told } = await bench.table.stage({ ...nothing, added: numbered(1, 5_000) }, idle);
    expect(bench.connection).toBeNull();
    show();
    bench.table.changed(undefined, true);
    await told();
    expect(stopped.told).toEqual([]);
    expect(bench.points.size).toBe(LARGE + 1);
    bench.connection = stopped;
    bench.table.changed({ before: [], after: [] }, true);
    expect(stopped.told, 'what was made for the change before is not taken over').toEqual(['edited']);
  });

  it('tells nothing to a connection that went between the step and what follows', async () => {
    const bench = new Bench();
    const gone = bench.connection as Connection;
    const { show, told } = await bench.table.stage({ ...nothing, added: numbered(1, 5_000) }, idle);
    show();
    bench.table.changed(undefined, true);
    bench.connection = null;
    await told();
    expect(gone.told).toEqual([`taken ${LARGE + 1}`]);
    expect(bench.reads).toEqual([]);
  });

  it('waits for a start that is under way, and is made for what stands then', async () => {
    const bench = new Bench();
    const started = bench.connection as Connection;
    bench.connection = null;
    bench.starting = () => {
      bench.starting = null;
      bench.connection = started;
    };
    await bench.make({ ...nothing, added: numbered(1, 5_000) });
    expect(started.told).toEqual([`taken ${LARGE + 1}`, 'shown']);
  });

  it('is in the table alone where the start that it waited for failed', async () => {
    const bench = new Bench();
    const failed = bench.connection as Connection;
    bench.connection = null;
    bench.starting = () => {
      bench.starting = null;
    };
    await bench.make({ ...nothing, added: numbered(1, 5_000) });
    expect(failed.told).toEqual([]);
    expect(bench.points.size).toBe(LARGE + 1);
  });

  it('shows what is served for points that are read otherwise, some at a time', async () => {
    const bench = new Bench();
    const value = { kind: 'value', value: 1, valueText: '', raw: new Uint8Array(2), quality: 'good', flags: [], sourceTime: null } as const;
    bench.points.apply(
      bench.points.configs().map(({ id }) => ({ ...value, pointId: id })),
      0,
    );
    await bench.make({ ...nothing, changed: bench.points.configs().map((point) => ({ ...point, address: point.address + 1 })) });
    expect(bench.reads.reduce((sum, count) => sum + count, 0)).toBe(LARGE);
    expect(Math.max(...bench.reads)).toBeLessThanOrEqual(64);
  });
});

describe('which changes are made aside though they are small', () => {
  const one = numbered(1, 3);

  it('those that make all anew, of a large table', () => {
    const bench = new Bench();
    expect(bench.table.isLongToServe({ ...nothing, added: one })).toBe(true);
    expect(bench.table.isLongToServe({ ...nothing, removed: [3] })).toBe(true);
    expect(bench.table.isLongToServe({ ...nothing, restored: one })).toBe(true);
    expect(bench.table.isLongToServe({ ...nothing, changed: one })).toBe(false);
  });

  it('any of a large table while a start is under way: what stands behind it is not known yet', () => {
    const bench = new Bench();
    bench.connection = null;
    bench.starting = () => undefined;
    expect(bench.table.isLongToServe({ ...nothing, changed: one })).toBe(true);
    bench.points.remove(numbered(2).map(({ id }) => id));
    expect(bench.table.isLongToServe({ ...nothing, changed: one })).toBe(false);
  });

  it('none of a small table, none without a connection, none of one that makes nothing aside', () => {
    expect(new Bench(100).table.isLongToServe({ ...nothing, added: one })).toBe(false);
    const bench = new Bench();
    const quick = { pointsChanged: () => undefined };
    for (const connection of [null, quick]) {
      bench.connection = connection as unknown as Connection;
      expect(bench.table.isLongToServe({ ...nothing, added: one, restored: one })).toBe(false);
    }
  });
});
