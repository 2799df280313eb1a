import { describe, expect, it } from 'vitest';
import { ConnType, FrameType } from '#shared/domain/enums.ts';
import { collectAtRest } from '../../../platform/heap-at-rest.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import type { DriverConnection, FrameSink, PointConfig, ServerIo, StagedTable } from '../../spi/index.ts';
import { testPoint } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext, TestFrames, TestHealth, TestSink } from '../../testing/sinks.ts';
import { modbusTcpDriver } from '../driver.ts';
import { TestPeer } from '../testing/line.ts';

const COUNT = 2_000;
const { yc, yx } = FrameType;

/** One register each, every second address; so many stretches of addresses. */
const scattered = (count: number): readonly PointConfig[] =>
  Array.from({ length: count }, (_, at) => testPoint({ id: at + 1, address: 2 * at, decode: '0x20' }));

class Bench {
  readonly server: DriverConnection;
  readonly #peer = new TestPeer();

  constructor(points: readonly PointConfig[]) {
    let accept: (peer: TestPeer, frames: FrameSink) => void = () => {};
    this.server = modbusTcpDriver.serve({
      ...io(points),
      onPeer: (given) => {
        accept = given;
      },
    });
    accept(this.#peer, new TestFrames());
  }

  /** The answer to a request, as octets in hexadecimal. */
  ask(pdu: string, unitId = 1): string {
    return Buffer.from(this.#peer.ask(pdu, unitId) ?? []).toString('hex');
  }

  async stage(points: readonly PointConfig[], breathe: () => Promise<void> = async () => undefined): Promise<StagedTable> {
    return (await this.server.stageTable?.(points, breathe)) ?? expect.fail('nothing is made aside');
  }

  async set(point: PointConfig, value: number): Promise<void> {
    await this.server.execute({ point, step: 'operate', value, options: {} }, exchangeContext());
  }

  async read(...pointIds: number[]) {
    return (await this.server.read({ slaveId: 1, pointIds }, exchangeContext())).readings;
  }
}

function io(points: readonly PointConfig[]): ServerIo {
  return {
    clock: new ManualClock(),
    settings: clientSettings({ connType: ConnType.tcpServer, protocol: {} }),
    points,
    sink: new TestSink(),
    frames: new TestFrames(),
    health: new TestHealth(),
    onPeer: () => undefined,
    serialLine: null,
  };
}

describe('a register image that is made aside', () => {
  it('is asked for by nobody before it is taken over, and is whole from then on', async () => {
    const bench = new Bench(scattered(3));
    bench.ask('06 00 02 12 34');
    const own = [bench.ask('03 00 02 00 01'), bench.ask('03 00 01 00 01'), bench.ask('03 00 00 00 03')];
    expect(own).toEqual(['03021234', '8302', '8302']);
    const between = testPoint({ id: COUNT + 1, address: 1, decode: '0x20' });
    const elsewhere = testPoint({ id: COUNT + 2, address: 5, slave_id: 7, frame_type: yx, func_code: 1 });
    const [, second, ...rest] = scattered(COUNT) as [PointConfig, PointConfig, ...PointConfig[]];
    let turns = 0;
    const staged = await bench.stage([second, ...rest, between, elsewhere], async () => {
      turns += 1;
      expect([bench.ask('03 00 02 00 01'), bench.ask('03 00 01 00 01'), bench.ask('03 00 00 00 03')]).toEqual(own);
      expect(bench.ask('01 00 05 00 01', 7), 'nobody has this unit').toBe('');
    });
    expect(turns).toBeGreaterThan((3 * COUNT) / 500);
    staged.takeOver();
    expect(bench.ask('03 00 01 00 02')).toBe('030400001234');
    expect(bench.ask('03 00 00 00 01'), 'its point is gone').toBe('8302');
    expect(bench.ask('03 0F 9E 00 01'), 'the last one').toBe('03020000');
    expect(bench.ask('01 00 05 00 01', 7)).toBe('010100');
    expect(await bench.read(1, 2, COUNT + 1)).toMatchObject([
      { pointId: 2, value: 0x1234 },
      { pointId: COUNT + 1, value: 0 },
    ]);
  });

  it('has what clients and the channel set while it was made, and until it is taken over', async () => {
    const coils = [20, 21, 22].map((address) => testPoint({ id: 5_000 + address, address, frame_type: yx, func_code: 1 }));
    const table = [...scattered(COUNT), ...coils];
    const bench = new Bench(table);
    const word = (value: number) => `${Math.floor(value / 256).toString(16)} ${(value % 256).toString(16)}`;
    const ask = (turn: number) => bench.ask(`06 ${word(2 * turn)} ${word(1000 + turn)}`);
    let turns = 0;
    // pairs of registers join the stretches of two points each
    const joined = Array.from({ length: COUNT / 2 }, (_, at) => testPoint({ id: 10_000 + at, address: 4 * at + 1, decode: '0x20' }));
    const staged = await bench.stage([...table, ...joined], async () => {
      expect(ask(turns)).toMatch(/^06/);
      turns += 1;
      if (turns === 3) bench.ask('0F 00 14 00 03 01 05');
      if (turns === 4) await bench.set(table[1_000] as PointConfig, 77);
      if (turns === 5) bench.ask('16 0F 90 00 00 AB CD');
      if (turns === 5) expect(bench.ask('17 0F 98 00 01 0F 9C 00 01 02 56 78')).toBe('17020000');
    });
    expect(turns).toBeGreaterThan(20);
    ask(turns);
    staged.takeOver();
    const ids = Array.from({ length: turns + 1 }, (_, at) => at + 1);
    expect((await bench.read(...ids)).map((reading) => 'value' in reading && reading.value)).toEqual(ids.map((id) => 999 + id));
    expect(bench.ask('01 00 14 00 03')).toBe('010105');
    expect(await bench.read(1_001)).toMatchObject([{ value: 77 }]);
    expect([bench.ask('03 0F 90 00 01'), bench.ask('03 0F 9C 00 01')]).toEqual(['0302abcd', '03025678']);
    expect(await bench.read(10_000, 10_999)).toMatchObject([{ value: 0 }, { value: 0 }]);
  });

  it('that nobody takes over changes nothing of what is served later', async () => {
    const bench = new Bench(scattered(3));
    const [first, second, third] = scattered(3) as [PointConfig, PointConfig, PointConfig];
    await bench.stage([first]);
    bench.server.pointsEdited?.({ before: [third], after: [{ ...third, address: 1 }] });
    bench.ask('06 00 01 00 05');
    const staged = await bench.stage([first, second]);
    staged.takeOver();
    expect([bench.ask('03 00 00 00 01'), bench.ask('03 00 01 00 01'), bench.ask('03 00 02 00 01')]).toEqual([
      '03020000',
      '8302',
      '03020000',
    ]);
  });

  it.each(['as a whole', 'in the middle'])('that is given up %s is held by nobody', async (when) => {
    const bench = new Bench(scattered(COUNT));
    let breaths = 0;
    /** A point of an image that is given up. */
    const givenUp = async (): Promise<WeakRef<PointConfig>> => {
      const points = scattered(COUNT);
      const staging = bench.stage(points, async () => {
        breaths += 1;
        if (when === 'in the middle' && breaths === 20) throw new Error('no disk');
      });
      await staging.catch(() => undefined);
      return new WeakRef(points[0] as PointConfig);
    };
    const watched = await givenUp();
    await settle();
    collectAtRest();
    expect(watched.deref()).toBeUndefined();
    expect(bench.ask('06 00 02 12 34')).toBe('0600021234');
    expect(bench.ask('03 00 02 00 01')).toBe('03021234');
  });

  it('is made of one that was made aside before: both changes are served, in their order', async () => {
    const bench = new Bench(scattered(2));
    const [first, second] = scattered(2) as [PointConfig, PointConfig];
    bench.ask('06 00 00 00 07');
    (await bench.stage([first])).takeOver();
    expect(bench.ask('03 00 02 00 01')).toBe('8302');
    (await bench.stage([first, second])).takeOver();
    expect(await bench.read(1, 2), 'an address that was gone begins with 0').toMatchObject([{ value: 7 }, { value: 0 }]);
  });

  it('says of a point that cannot be served why', async () => {
    const bench = new Bench(scattered(1));
    const beyond = testPoint({ id: 9, address: 70_000, decode: '0x20', frame_type: yc });
    (await bench.stage([...scattered(1), beyond])).takeOver();
    expect(await bench.read(1, 9)).toMatchObject([{ value: 0 }, { kind: 'failure', error: { code: 'CONFIG_RANGE' } }]);
  });
});

it('a register image begins in turns, with what was served before', () => {
  const points = scattered(COUNT);
  const steps = modbusTcpDriver.serveSteps?.({ ...io(points), servedBefore: (id) => Uint8Array.of(id >> 8, id & 0xff) });
  let turns = 0;
  let step = steps?.next();
  for (; step && !step.done; step = steps?.next()) turns += 1;
  expect(turns).toBeGreaterThan((4 * COUNT) / 500);
});
