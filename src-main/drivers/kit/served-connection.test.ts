import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { english, quoted, type Said } from '#shared/messages/index.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import type { AcceptedPeer, TransportEvents } from '../../transport/types.ts';
import type { FrameSink, PointConfig, PointFailure, PointReading, ServerIo } from '../spi/index.ts';
import { testPoint } from '../testing/points.ts';
import { ServedConnection, type ServedPeer, type ServedValue } from './served-connection.ts';

class Peer implements AcceptedPeer {
  isClosed = false;
  events: TransportEvents | null = null;

  readonly label: string;

  constructor(label: string) {
    this.label = label;
  }

  start(events: TransportEvents): void {
    this.events = events;
  }

  async write(): Promise<void> {}

  async close(): Promise<void> {
    this.isClosed = true;
    this.events?.onClosed({ kind: 'local' });
  }
}

/** Points with an even id are served; octet 0xff makes it throw. */
class Table extends ServedConnection {
  readonly values = new Map<number, number>();
  readonly log: string[] = [];

  readonly #before: ServerIo['servedBefore'];

  constructor(io: ServerIo) {
    super(io);
    this.#before = io.servedBefore;
    this.listen();
  }

  get peerCount(): number {
    return this.peers.size;
  }

  pointsChanged(): void {}

  protected override goesOn(pointId: number): boolean {
    return this.#before?.(pointId) != null;
  }

  protected override exclusion(pointId: number): PointFailure | undefined {
    return pointId % 2 === 0 ? undefined : { kind: 'failure', pointId, error: new AppError('CONFIG_INVALID', quoted('odd')) };
  }

  protected override readPoint(pointId: number): PointReading | undefined {
    const value = this.values.get(pointId);
    const rest = { valueText: '', raw: new Uint8Array(0), quality: 'good', flags: [], sourceTime: null } as const;
    return value === undefined ? undefined : { kind: 'value', pointId, value, ...rest };
  }

  protected override setPoint({ point, value }: ServedValue): readonly PointReading[] {
    if (value < 0) throw new AppError('CONFIG_RANGE', quoted('too small'));
    this.values.set(point.id, value);
    return [this.readPoint(point.id)].filter((each) => each !== undefined);
  }

  protected override ending(): void {
    this.log.push('ending');
  }

  protected override makePeer(peer: AcceptedPeer, _frames: FrameSink): ServedPeer {
    return {
      start: (onClosed) =>
        peer.start({
          onData: (chunk) => {
            if (chunk[0] === 0xff) throw new RangeError('no such octet');
            this.log.push(`${peer.label} asks`);
          },
          onClosed,
        }),
      close: () => void this.log.push(`${peer.label} ends`),
    };
  }
}

function bench(served: Partial<Pick<ServerIo, 'points' | 'servedBefore'>> = {}) {
  const told: (readonly PointReading[])[] = [];
  const notices: Said[] = [];
  const lost: AppError[] = [];
  let accept: (peer: AcceptedPeer, frames: FrameSink) => void = () => undefined;
  const frames = { record: () => 1 };
  const sink = {
    values: (readings: readonly PointReading[]) => void told.push(readings),
    notice: (text: Said) => void notices.push(text),
    lost: (error: AppError) => void lost.push(error),
  };
  const onPeer: ServerIo['onPeer'] = (take) => {
    accept = take;
  };
  const io = { clock: new ManualClock(), sink, frames, onPeer, serialLine: null, points: [], ...served } as unknown as ServerIo;
  const table = new Table(io);
  const connect = (label: string) => {
    const peer = new Peer(label);
    accept(peer, frames);
    return peer;
  };
  return { table, told, notices, lost, connect };
}

const points = (count: number, changes: (id: number) => Partial<PointConfig> = () => ({})) =>
  Array.from({ length: count }, (_, index) => testPoint({ id: 2 * (index + 1), ...changes(index) }));

describe('a start value', () => {
  const start = (id: number, value: unknown) => testPoint({ id, code: `P${id}`, protocol: { start_value: value } });

  it('is served from the start and told to the table; what was served before stays', () => {
    const { table, told } = bench({
      points: [start(2, 230.5), start(4, 1), testPoint({ id: 6 }), start(8, 'much')],
      servedBefore: (id) => (id === 4 ? Uint8Array.of(0, 7) : null),
    });
    expect([...table.values]).toEqual([[2, 230.5]]);
    expect(told).toMatchObject([[{ pointId: 2, value: 230.5 }]]);
  });

  it('that cannot be served is told by its point, and keeps nobody from being served', () => {
    const { table, notices, connect } = bench({ points: [start(2, -1), start(4, 3)] });
    expect([...table.values]).toEqual([[4, 3]]);
    expect(notices.map((said) => english(said as Parameters<typeof english>[0]))).toEqual([
      'The start value -1 of P2 is not served: too small',
    ]);
    connect('client');
    expect(table.peerCount).toBe(1);
  });
});

/** A table that is started by hand. */
class Begun extends Table {
  protected override listen(): void {
    // `started` does it
  }
}

describe('a served table that begins in steps', () => {
  const io = (accepted: () => void) =>
    ({
      clock: new ManualClock(),
      sink: { values: () => undefined, notice: () => undefined, lost: () => undefined },
      frames: { record: () => 1 },
      onPeer: accepted,
      serialLine: null,
      points: Array.from({ length: 200 }, (_, at) => testPoint({ id: at + 1, protocol: { start_value: at } })),
    }) as unknown as ServerIo;

  it('lets others have their turn, and takes peers with the last step', () => {
    const accepted: number[] = [];
    let count = 0;
    const table = new Begun(io(() => void accepted.push(count)));
    const steps = table.started();
    while (!steps.next().done) count += 1;
    expect(count).toBeGreaterThan(10);
    expect(accepted, 'behind all other steps').toEqual([count]);
    expect(table.values.size).toBe(200);
    expect(table.log).toEqual([]);
  });

  it('ends what it has begun when it is given up', () => {
    const table = new Begun(io(() => expect.fail('it takes peers')));
    const steps = table.started();
    for (let at = 0; at < 9; at++) steps.next();
    expect(table.values.size).toBeGreaterThan(0);
    expect(() => steps.throw(new Error('stopped'))).toThrow('stopped');
    expect(table.log).toEqual(['ending']);
  });
});

describe('a served table', () => {
  it('is planned by slave in groups of 500, alone in single mode, without what is not served', () => {
    const { table } = bench();
    const all = [...points(1200, (index) => ({ slave_id: 1 + (index % 2) })), testPoint({ id: 3 })];
    const { batches, excluded } = table.plan(all, { mode: 'batch', skipKnownHoles: false });
    expect(batches.map(({ slaveId, pointIds }) => [slaveId, pointIds.length])).toEqual([
      [1, 500],
      [2, 500],
      [1, 100],
      [2, 100],
    ]);
    expect(excluded.map(({ pointId }) => pointId)).toEqual([3]);
    expect(table.plan(all, { mode: 'single', skipKnownHoles: false }).batches.length).toBe(1200);
  });

  it('is set by a whole command only, shown at once, and read from memory', async () => {
    const { table, told } = bench();
    const point = testPoint({ id: 2 });
    for (const [step, value] of [
      ['select', 1],
      ['operate', undefined],
    ] as const) {
      await expect(table.execute({ point, step, value, options: {} })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    }
    expect(told).toEqual([]);
    expect(await table.execute({ point, step: 'operate', value: 5, options: {} })).toMatchObject({ outcome: 'accepted' });
    expect(told).toMatchObject([[{ pointId: 2, value: 5 }]]);
    expect((await table.read({ slaveId: 1, pointIds: [2, 4] })).readings).toMatchObject([{ pointId: 2, value: 5 }]);
  });
});

describe('peers', () => {
  it('what one makes the driver throw ends that one, and the others are served', () => {
    const { table, connect, notices, lost } = bench();
    const [bad, good] = [connect('bad'), connect('good')];
    bad.events?.onData(Uint8Array.of(0xff));
    expect(bad.isClosed).toBe(true);
    expect(notices.map(english)).toEqual([expect.stringMatching(/^bad was disconnected: .*no such octet/)]);
    good.events?.onData(Uint8Array.of(1));
    expect(table.log).toEqual(['good asks']);
    expect([table.peerCount, lost.length]).toEqual([1, 0]);
  });

  it('end behind the work of the device, once, and a later one is sent away', async () => {
    const { table, connect } = bench();
    connect('a');
    connect('b').events?.onClosed({ kind: 'peer' });
    await table.close();
    await table.close();
    expect(table.log).toEqual(['ending', 'a ends']);
    expect(connect('late').isClosed).toBe(true);
    expect(table.peerCount).toBe(0);
  });
});
