import { describe, expect, it } from 'vitest';
import { quoted } from '#shared/messages/index.ts';
import type { DriverConnection, ServedSetting, ServeFault } from '../../drivers/spi/index.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { point } from '../testing/harness.ts';
import { ColumnPointStore } from '../values/point-store.ts';
import { ChannelSimulation } from './channel-simulation.ts';
import type { Series } from './series.ts';

/** A served channel of these formulas, on a clock that a test moves. */
function aStation(
  formulas: Readonly<Record<string, string>>,
  serve: (settings: readonly ServedSetting[]) => readonly ServeFault[] = () => [],
  seriesOf: () => Series | undefined = () => undefined,
) {
  const clock = new ManualClock();
  const own = new ColumnPointStore();
  own.add(Object.entries(formulas).map(([code, simulate], at) => point(at + 1, { code, protocol: { simulate } })));
  const served: [number, string, number][] = [];
  const faults: unknown[] = [];
  const connection = {
    serve(settings: readonly ServedSetting[]) {
      for (const each of settings) served.push([clock.monotonicMs(), each.point.code, each.value]);
      return serve(settings);
    },
  } as unknown as DriverConnection;
  const simulation = new ChannelSimulation({
    id: 7,
    clock,
    own,
    of: () => undefined,
    seriesOf,
    readServed: () => undefined,
    onFault: (thrown) => faults.push(thrown),
  });
  return { clock, own, served, faults, connection, simulation };
}

describe('recorded values', () => {
  /** What was served, as `code = value flags at second`, by the time that it is told to have come to be. */
  function play(
    columns: Readonly<Record<string, readonly number[]>>,
    times: readonly number[],
    formulas: Readonly<Record<string, string>>,
    onTold: (count: number) => void = () => {},
  ) {
    const series = {
      times: Float64Array.from(times),
      columns: new Map(Object.entries(columns).map(([name, numbers]) => [name, Float64Array.from(numbers)])),
    };
    const told: string[] = [];
    const station = aStation(
      formulas,
      (settings) => {
        for (const { point: each, value, flags = [], agoMs = 0 } of settings) {
          told.push(`${[each.code, '=', value, ...flags].join(' ')} at ${Math.round(station.clock.monotonicMs() - agoMs)}`);
          onTold(told.length);
        }
        return [];
      },
      () => series,
    );
    station.simulation.begin(station.connection);
    return { ...station, told };
  }
  const GAP = Number.NaN;

  it('are served row by row, also those of one step, each with its time', async () => {
    const columns = { a: [1, 2, 3, GAP, 1], b: [10, GAP, GAP, 20, GAP] };
    const formulas = { A: 'series("f", "a", "hold", "once")', B: 'series("f", "b", "hold", "once")', SUM: 'A + B' };
    const { clock, told } = play(columns, [0, 0.01, 0.02, 0.03, 0.31], formulas);
    await clock.advance(600);
    expect(told).toEqual([
      'A = 1 at 0',
      'B = 10 at 0',
      'SUM = 11 at 0',
      'A = 2 at 10',
      'A = 3 at 20',
      'B = 20 at 30',
      'SUM = 23 at 200',
      'A = 1 at 310',
      'SUM = 21 at 400',
    ]);
  });

  it('have their quality, and the time of the device lies in front of the row by the delay', async () => {
    const columns = { a: [1, 2, GAP, 3], 'a:quality': [0, 64, 128 + 32, 0], 'a:delay': [GAP, 0.05, GAP, 0] };
    const { clock, told } = play(columns, [0, 0.1, 0.2, 0.3], { A: 'series("f", "a", "hold", "once")' });
    await clock.advance(600);
    expect(told).toEqual(['A = 1 at 0', 'A = 2 NT at 50', 'A = 2 IV SB at 200', 'A = 3 at 300']);
  });

  it('of which the first has no number are served as what is there, marked invalid', async () => {
    const { clock, told, simulation } = play({ a: [GAP, 5], 'a:quality': [128, 0], b: [GAP, 6] }, [0, 0.3], {
      A: 'series("f", "a", "hold", "once")',
      B: 'series("f", "b", "hold", "once")',
    });
    await clock.advance(100);
    expect(told).toEqual(['A = 0 IV at 0']);
    expect(simulation.state().faults).toMatchObject([{ code: 'B' }]);
    await clock.advance(500);
    expect(told.slice(1)).toEqual(['A = 5 at 300', 'B = 6 at 300']);
    expect(simulation.state().faults).toEqual([]);
  });

  it('begin anew behind the last one, and go as fast as the simulation', async () => {
    const { clock, told, simulation } = play({ a: [1, 2] }, [0, 1], { A: 'series("f", "a", "hold")' });
    simulation.set({ speed: 10 });
    await clock.advance(700);
    expect(told).toEqual(['A = 1 at 200', 'A = 2 at 300', 'A = 1 at 400', 'A = 2 at 500', 'A = 1 at 600']);
  });

  it('are not lost, nor served twice, where the table is changed between two of them', async () => {
    const times = Array.from({ length: 300 }, (_, at) => at / 1000);
    const columns = { a: times.map((_, at) => at), b: times.map((_, at) => -at) };
    const formulas = { A: 'series("f", "a", "hold", "once")', B: 'series("f", "b", "hold", "once")' };
    const { clock, own, told, simulation } = play(columns, times, formulas, (count) => {
      // in the middle of a step
      if (count % 150 !== 0) return;
      own.add([point(1000 + count, { code: `N${count}`, protocol: {} })]);
      simulation.pointsChanged();
    });
    await clock.advance(2000);
    const valuesOf = (code: string) =>
      told.filter((text) => text.startsWith(`${code} =`)).map((text) => Math.abs(Number(text.split(' ')[2])));
    expect(valuesOf('A')).toEqual(times.map((_, at) => at));
    expect(valuesOf('B')).toEqual(times.map((_, at) => at));
  });

  it('are those of the file that takes the place of another, at once; without a file what is served stays', async () => {
    const fileOf = (...numbers: number[]): Series => ({
      times: Float64Array.of(0, 100),
      columns: new Map([['a', Float64Array.from(numbers)]]),
    });
    let file: Series | undefined = fileOf(1, 2);
    const { clock, simulation, connection, served } = aStation(
      { A: 'series("f", "a", "hold", "once")' },
      () => [],
      () => file,
    );
    simulation.begin(connection);
    await clock.advance(300);
    file = fileOf(7, 8);
    await clock.advance(200);
    expect(served.map(([, , value]) => value)).toEqual([1, 7]);
    file = undefined;
    await clock.advance(200);
    expect(simulation.state().faults).toMatchObject([{ code: 'A' }]);
    file = fileOf(9, 8);
    await clock.advance(200);
    expect(served.map(([, , value]) => value)).toEqual([1, 7, 9]);
    expect(simulation.state().faults).toEqual([]);
  });

  it('that cannot be served are told, and tried again', async () => {
    let isTaken = false;
    const { clock, simulation, connection, served } = aStation(
      { A: 'series("f", "a", "hold", "once")' },
      (settings) => (isTaken ? [] : settings.map(({ point }) => ({ pointId: point.id, reason: quoted('too large') }))),
      () => ({ times: Float64Array.of(0, 1), columns: new Map([['a', Float64Array.of(7, 8)]]) }),
    );
    simulation.begin(connection);
    await clock.advance(0);
    expect(simulation.state().faults).toMatchObject([{ code: 'A' }]);
    isTaken = true;
    await clock.advance(200);
    expect(simulation.state().faults).toEqual([]);
    expect(served.map(([, , value]) => value)).toEqual([7, 7]);
  });
});

describe('the steps of a simulation', () => {
  it('begin with the connection, follow each other by the period, and end with it', async () => {
    const { clock, served, connection, simulation } = aStation({ T: 't' });
    await clock.advance(5000);
    expect(served).toEqual([]);
    simulation.begin(connection);
    await clock.advance(450);
    expect(served.map(([at]) => at)).toEqual([5000, 5200, 5400]);
    expect(served.map(([, , value]) => value)).toEqual([0, 0.2, 0.4].map((value) => expect.closeTo(value, 9)));
    expect(simulation.state()).toMatchObject({ isRunning: true, points: 1, steps: 3, periodMs: 200, speed: 1 });
    simulation.end();
    await clock.advance(5000);
    expect(served).toHaveLength(3);
    expect(simulation.state().isRunning).toBe(false);
  });

  it('serve only what is another value than before', async () => {
    const { clock, served, connection, simulation } = aStation({ A: '7', B: 't > 0.3' });
    simulation.begin(connection);
    await clock.advance(1000);
    expect(served.map(([, code, value]) => `${code} ${value}`)).toEqual(['A 7', 'B 0', 'B 1']);
  });

  it('go at their speed, and by a period that is set', async () => {
    const { clock, served, connection, simulation } = aStation({ T: 't' });
    simulation.set({ speed: 60, periodMs: 1000 });
    simulation.begin(connection);
    await clock.advance(2500);
    expect(served.map(([at, , value]) => [at, value])).toEqual([
      [0, 0],
      [1000, 60],
      [2000, 120],
    ]);
  });

  it('stop and go on where they were: no time passes meanwhile', async () => {
    const { clock, served, connection, simulation } = aStation({ T: 't', N: 'last + 1' });
    simulation.set({ periodMs: 1000 });
    simulation.begin(connection);
    await clock.advance(1000);
    simulation.set({ isOn: false });
    await clock.advance(60_000);
    expect(simulation.state()).toMatchObject({ isRunning: false, steps: 2 });
    simulation.set({ isOn: true });
    await clock.advance(1000);
    expect(served.at(-2)?.slice(1)).toEqual(['T', 2]);
    expect(served.at(-1)?.slice(1)).toEqual(['N', 3]);
  });

  it('begin anew with nothing remembered and the same random numbers', async () => {
    const { clock, served, connection, simulation } = aStation({ R: 'random(0, 1)', I: 'integrate(1, 5)' });
    simulation.set({ periodMs: 1000 });
    simulation.begin(connection);
    await clock.advance(3000);
    const first = served.splice(0).map(([, code, value]) => [code, value]);
    simulation.set({}, true);
    await clock.advance(3000);
    expect(served.map(([, code, value]) => [code, value])).toEqual(first);
  });

  it('make up for no pause: behind one they go on by four periods at the most', async () => {
    const { clock, served, connection, simulation } = aStation({ T: 't' });
    simulation.set({ periodMs: 1000 });
    simulation.begin(connection);
    await clock.advance(0);
    clock.sleep(3_600_000, 'runs');
    await clock.advance(3000);
    const steps = served.map(([, , value], at) => value - (served[at - 1]?.[2] ?? 0));
    expect(steps.slice(1)).toContain(4);
    expect(Math.max(...steps)).toBe(4);
  });

  it('take up points that come, change and go with their next step', async () => {
    const { clock, own, served, connection, simulation } = aStation({ A: 'last + 1' });
    simulation.set({ periodMs: 1000 });
    simulation.begin(connection);
    await clock.advance(1000);
    own.add([point(2, { code: 'B', protocol: { simulate: 'A * 10' } })]);
    simulation.pointsChanged();
    await clock.advance(1000);
    expect(served.at(-1)?.slice(1)).toEqual(['B', 30]);
    own.remove([1, 2]);
    simulation.pointsChanged();
    await clock.advance(5000);
    expect(simulation.state()).toMatchObject({ isRunning: false, points: 0 });
    const count = served.length;
    own.add([point(3, { code: 'C', protocol: { simulate: '1' } })]);
    simulation.pointsChanged();
    await clock.advance(1000);
    expect(served.length).toBe(count + 1);
  });

  it('tell what could not be served, and try it again', async () => {
    let refuses = true;
    const { clock, served, connection, simulation } = aStation({ A: '70000' }, (settings) =>
      refuses ? settings.map(({ point: { id } }) => ({ pointId: id, reason: quoted('too large') })) : [],
    );
    simulation.begin(connection);
    await clock.advance(0);
    expect(simulation.state()).toMatchObject({ faultCount: 1, faults: [{ code: 'A', reason: { code: 'simulation.not_served' } }] });
    refuses = false;
    await clock.advance(200);
    expect(simulation.state().faultCount).toBe(0);
    await clock.advance(1000);
    expect(served).toHaveLength(2);
  });

  it('end by themselves with a fault of their own, and the channel goes on', async () => {
    const { clock, faults, connection, simulation } = aStation({ A: 't' }, () => {
      throw new Error('broken');
    });
    simulation.begin(connection);
    await clock.advance(10_000);
    expect(faults).toHaveLength(1);
    expect(simulation.state().isRunning).toBe(false);
  });

  it('do nothing for a connection that serves nothing, and cost nothing without formulas', async () => {
    const { clock, simulation, served } = aStation({});
    simulation.begin({} as DriverConnection);
    await clock.advance(1000);
    simulation.begin({ serve: () => [] } as unknown as DriverConnection);
    await clock.advance(1000);
    expect(simulation.state()).toMatchObject({ points: 0, isRunning: false });
    expect(served).toEqual([]);
  });
});
