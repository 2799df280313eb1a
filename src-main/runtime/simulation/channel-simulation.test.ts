import { describe, expect, it } from 'vitest';
import { quoted } from '#shared/messages/index.ts';
import type { DriverConnection, ServedSetting, ServeFault } from '../../drivers/spi/index.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { point } from '../testing/harness.ts';
import { ColumnPointStore } from '../values/point-store.ts';
import { ChannelSimulation } from './channel-simulation.ts';

/** A served channel of these formulas, on a clock that a test moves. */
function aStation(
  formulas: Readonly<Record<string, string>>,
  serve: (settings: readonly ServedSetting[]) => readonly ServeFault[] = () => [],
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
    seriesOf: () => undefined,
    readServed: () => undefined,
    onFault: (thrown) => faults.push(thrown),
  });
  return { clock, own, served, faults, connection, simulation };
}

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
