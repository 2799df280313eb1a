import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckResult } from '#shared/contract/check.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { GatewayRun } from '../gateway-run.ts';
import { GuidedRun } from '../guided-run.ts';
import { ListenRun } from '../listen-run.ts';
import { SimulatedDevice } from '../testing/simulated-device.ts';
import { UnattendedRun } from '../unattended-run.ts';
import { type Held, Mirrors } from './mirrors.ts';
import { anItem, CheckBench } from './testing/check-bench.ts';
import { FakeService } from './testing/fake-service.ts';

const STATES = anItem({ code: 'S', frameType: 1, expectation: { kind: 'states', states: [1, 2] } });
const CAUSE = { cause: { code: 3, name: 'spontaneous' } };

let bench: CheckBench;
let held: Held;

afterEach(async () => {
  held.release();
  await bench.clock.advance(30_000);
});

/** The service has this value of its point since then. */
function received(value: number, ms: number, rest: Record<string, unknown> = {}): void {
  bench.there.points = [FakeService.point({ value, updated_at: bench.at(ms), ...rest })];
}

/** Until the table was told to the end once more. */
async function told(): Promise<void> {
  const mirror = Mirrors.of(bench.deps).list()[0];
  const before = mirror?.askedAt;
  for (let look = 0; mirror?.askedAt === before && look < 1000; look++) await bench.clock.advance(10);
}
const only = ([result]: readonly CheckResult[]) => [result?.verdict, ...(result?.findings ?? []).map(({ name }) => name), result?.remark];

describe('a comparison with values of another service', () => {
  let run: UnattendedRun;

  beforeEach(async () => {
    bench = new CheckBench();
    received(1, 0);
    held = await Mirrors.of(bench.deps).hold([anItem()]);
    await bench.clock.advance(5000);
    await told();
  });

  function begin(timeoutMs = 3000): void {
    const item = anItem();
    const compared = { item, wanted: () => ({ value: 5, tolerance: 0, percent: 0 }), seen: () => null, source: null };
    run = new UnattendedRun(bench.deps, bench.check, { operator: 'Li', items: [compared], timeoutMs });
  }
  async function verdict(): Promise<unknown[]> {
    for (let look = 0; run.isRunning && look < 3000; look++) await bench.clock.advance(10);
    return only(run.snapshot().results);
  }

  it('counts no value that was there at the start and had not been told yet', async () => {
    const { clock } = bench;
    received(5, clock.monotonicMs());
    begin();
    expect(await verdict()).toEqual(['failed', 'dead', '']);
  });

  it('asks to read behind what it knows of the start, and again until the service takes it', async () => {
    const { clock, there } = bench;
    there.refusal = { error: 'STATE_CONFLICT', message_code: 'runtime.task_runs_otherwise' };
    there.onRead = () => received(5, clock.monotonicMs());
    begin();
    await clock.advance(1500);
    there.refusal = null;
    expect(await verdict()).toEqual(['passed', '']);
  });

  it('blocks where the service took no read all the time: nobody knows whether the point is dead', async () => {
    bench.there.refusal = { error: 'STATE_CONFLICT', message_code: 'runtime.task_runs_otherwise' };
    begin();
    expect(await verdict()).toEqual(['blocked', expect.stringContaining('another one was under way')]);
  });

  it('calls a point dead that a task there reads in vain', async () => {
    bench.there.refusal = { error: 'STATE_CONFLICT', message_code: 'runtime.task_runs' };
    begin();
    expect(await verdict()).toEqual(['failed', 'dead', '']);
  });

  it('blocks where the table did not come to its end in time', async () => {
    const { clock, there } = bench;
    const [row = {}] = there.points;
    there.points = Array.from({ length: 3001 }, (_, at) => ({ ...row, id: at + 11, code: at === 0 ? 'P' : `X${at}` }));
    there.onItsWay = async (path) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      clock.after(path.includes('table') ? 2900 : 0, resolve);
      await promise;
    };
    await clock.advance(300);
    begin(2000);
    expect(await verdict()).toEqual(['blocked', expect.stringContaining('did not tell its table to the end')]);
  });

  it('asks to read again when the service was started anew: the read may have gone with it', async () => {
    const { clock, there } = bench;
    begin(10_000);
    await clock.advance(2000);
    there.project = 'project-2';
    there.points = [FakeService.point({ updated_at: null, quality: 'never', value: 0 })];
    there.onRead = () => received(5, clock.monotonicMs());
    expect(await verdict()).toEqual(['passed', '']);
  });
});

describe('the test of a gateway that another service sees', () => {
  /** What is set into the simulated device below. */
  let set: number;
  let onSet: () => void;
  let run: GatewayRun;

  beforeEach(async () => {
    bench = new CheckBench([STATES]);
    set = 0;
    received(1, 0, { code: 'S', frame_type: 1, ...CAUSE });
    held = await Mirrors.of(bench.deps).hold([STATES]);
    await bench.clock.advance(5000);
    await told();
  });

  function begin(): void {
    const point = { id: 1, frame_type: 1, code: 'S', mul_coe: 1, add_coe: 0, protocol: {} };
    const device = new SimulatedDevice(modbusTcpDriver, new Map([[1, set]]));
    device.onSet = (_, value) => {
      set = value;
      onSet();
    };
    const below = device.channel;
    const options = { operator: 'Li', below, tolerance: 0, percent: 0, settleMs: 300, withinMs: 3000 };
    run = new GatewayRun(bench.deps, bench.check, { ...options, items: [{ item: STATES, below: point as never }] });
  }
  async function verdict(): Promise<unknown[]> {
    for (let look = 0; run.isRunning && look < 3000; look++) await bench.clock.advance(10);
    return only(run.snapshot().results);
  }

  it('passes no inverted signal whose table comes a round late', async () => {
    const { clock, there } = bench;
    onSet = () => received(1 - set, clock.monotonicMs(), { code: 'S', frame_type: 1, ...CAUSE });
    there.onItsWay = async (path) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      clock.after(path.includes('table') ? 1000 : 0, resolve);
      await promise;
    };
    await told();
    await told();
    // the next table is asked for behind what is set first, and comes behind what is set then
    await clock.advance(900);
    begin();
    expect(await verdict()).toEqual(['failed', 'swapped', '']);
  });

  it('passes a straight one', async () => {
    onSet = () => received(set, bench.clock.monotonicMs(), { code: 'S', frame_type: 1, ...CAUSE });
    begin();
    expect(await verdict()).toEqual(['passed', '']);
  });

  it('blocks what the service took no read of: nobody knows whether it arrived', async () => {
    bench.there.refusal = { error: 'STATE_CONFLICT', message_code: 'runtime.task_runs_otherwise' };
    onSet = () => undefined;
    received(1, 0, { code: 'S', frame_type: 1 });
    await told();
    begin();
    expect(await verdict()).toEqual(['blocked', expect.stringContaining('another one was under way')]);
  });

  it('calls dead what the service reads in vain', async () => {
    const { clock, there } = bench;
    there.onRead = () => received(1, clock.monotonicMs(), { code: 'S', frame_type: 1 });
    onSet = () => undefined;
    received(1, 0, { code: 'S', frame_type: 1 });
    await told();
    begin();
    expect(await verdict()).toEqual(['failed', 'dead', '']);
  });

  it('blocks where the service was away in a round, also when it is there again at the end', async () => {
    const { clock, there } = bench;
    onSet = () => {
      received(set, clock.monotonicMs(), { code: 'S', frame_type: 1, ...CAUSE });
      if (set === 0) there.state = 'right';
      // behind the first request to read, and in front of the next look
      else clock.after(120, () => (there.state = 'refused'));
    };
    received(2, clock.monotonicMs(), { code: 'S', frame_type: 1, ...CAUSE });
    await told();
    begin();
    expect(await verdict()).toEqual(['blocked', expect.stringContaining('connection refused')]);
  });
});

describe('being guided to a point of another service', () => {
  it('says of others that they moved only what moved behind the beginning', async () => {
    const second = anItem({ uuid: '00000000-0000-4000-8000-000000000002', code: 'T', frameType: 1, expectation: STATES.expectation });
    bench = new CheckBench([STATES, second]);
    const { clock, there } = bench;
    const stand = (t: number) => {
      const row = { frame_type: 1, updated_at: bench.at(clock.monotonicMs()), ...CAUSE };
      there.points = [FakeService.point({ ...row, code: 'S', value: 1 }), FakeService.point({ ...row, id: 12, code: 'T', value: t })];
    };
    stand(1);
    held = await Mirrors.of(bench.deps).hold([STATES, second]);
    await clock.advance(5000);
    await told();
    // moved in front of the beginning, and told behind it
    stand(2);
    await clock.advance(10);
    const run = new GuidedRun(bench.deps, bench.check, { operator: 'Li', settleMs: 300, commands: false, items: [STATES, second] });
    await clock.advance(1000);
    expect(run.snapshot().item).toMatchObject({ code: 'S', others: [] });
    stand(1);
    await clock.advance(1000);
    expect(run.snapshot().item?.others).toMatchObject([{ code: 'T', before: 2, after: 1 }]);
    run.stop();
  });
});

describe('listening for a point of another service', () => {
  it('does not take a table for news while events wait that it shows already', async () => {
    bench = new CheckBench([STATES]);
    const { clock, there } = bench;
    const stands = (value: number) => received(value, clock.monotonicMs(), { code: 'S', frame_type: 1, ...CAUSE });
    stands(1);
    held = await Mirrors.of(bench.deps).hold([STATES]);
    await clock.advance(5000);
    const run = await ListenRun.prepare(bench.deps, bench.check, { operator: 'Li', settleMs: 300, items: [STATES] });
    run.begin();
    for (let time = 0; time < 2; time++) {
      stands(1);
      await clock.advance(1000);
    }
    expect(run.snapshot().not_ready).toBe(0);
    const change = (seq: number, code: string, value: number) => ({
      ...{ seq, channel_id: 4, kind: 'change', point_id: code === 'S' ? 11 : 12, frame_type: 1, code, value, flags: [] },
      ...{ device_time: null, received_at: bench.at(clock.monotonicMs()), text: '' },
    });
    // a switch goes from 1 over 0 to 2; its two messages wait behind those of others
    there.events = Array.from({ length: 2000 }, (_, at) => change(at + 1, 'X', at % 2));
    there.events.push(change(2001, 'S', 0), change(2002, 'S', 2));
    stands(2);
    await clock.advance(2000);
    expect(run.snapshot()).toMatchObject({ results: [], moved: [{ code: 'S', after: 2 }], latest: { changes: 2 } });
    run.stop();
  });
});
