import { describe, expect, it } from 'vitest';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { PointState } from '../../runtime/values/point-table.ts';
import { Trigger } from './trigger.ts';

/** A channel of points with these values; undefined: not good. */
function channelOf(values: Record<string, number | undefined>): ChannelRuntime {
  const codes = Object.keys(values);
  const points = {
    byCode: (code: string) => (code in values ? 1 + codes.indexOf(code) : undefined),
    state: (id: number) => {
      const value = values[codes[id - 1] ?? ''];
      return { value: value ?? 0, quality: value === undefined ? 'invalid' : 'good' } as PointState;
    },
  };
  return { points } as unknown as ChannelRuntime;
}

/** Looks once a second from second 1 on; each value of U is a sample of point 1 of its second. Answers the seconds of what is recorded, and the spans. */
function run(us: readonly (number | undefined)[], settings: Partial<{ formula: string; beforeMs: number; afterMs: number }> = {}) {
  const values: Record<string, number | undefined> = { U: undefined };
  const trigger = new Trigger(channelOf(values), () => undefined, { formula: 'U < 200', beforeMs: 2000, afterMs: 1000, ...settings });
  const recorded: number[] = [];
  const met: number[] = [];
  for (const [index, u] of us.entries()) {
    const now = 1000 * (index + 1);
    values.U = u;
    trigger.hold(1, now, u ?? Number.NaN, u === undefined ? 2 : 1);
    if (trigger.judge(now)) met.push(now / 1000);
    recorded.push(...trigger.release(now).map(([, at]) => at / 1000));
  }
  const spans = trigger.spans(1000 * us.length).map(({ from, to }) => [from / 1000, to / 1000]);
  return { met, recorded, spans };
}

const [HIGH, LOW] = [230, 100];

describe('recording around a condition', () => {
  it('begins some time before it is met, and ends some time after it was met', () => {
    const { met, recorded, spans } = run([HIGH, HIGH, HIGH, HIGH, HIGH, LOW, LOW, HIGH, HIGH, HIGH, HIGH]);
    expect(met).toEqual([6]);
    // the value of second 3 held at second 4, where the stretch begins
    expect(recorded).toEqual([4, 5, 6, 7, 8]);
    expect(spans).toEqual([[4, 8]]);
  });

  it('has what held at its begin, of points that gave nothing meanwhile', () => {
    const values: Record<string, number | undefined> = { U: HIGH };
    const trigger = new Trigger(channelOf(values), () => undefined, { formula: 'U < 200', beforeMs: 2000, afterMs: 0 });
    trigger.hold(7, 1000, 42, 1);
    for (const now of [1000, 2000, 3000, 4000]) {
      trigger.judge(now);
      expect(trigger.release(now)).toEqual([]);
    }
    values.U = LOW;
    expect(trigger.judge(5000)).toBe(true);
    expect(trigger.release(5000)).toEqual([[7, 3000, 42, 1]]);
    expect(trigger.judge(6000)).toBe(false);
  });

  it('has what held at its begin also of points that gave nothing since the stretch before it', () => {
    const values: Record<string, number | undefined> = { U: LOW };
    const trigger = new Trigger(channelOf(values), () => undefined, { formula: 'U < 200', beforeMs: 1000, afterMs: 0 });
    const look = (now: number) => {
      trigger.judge(now);
      return trigger.release(now);
    };
    trigger.hold(7, 1000, 42, 1);
    trigger.hold(8, 1000, 50, 1);
    expect(look(1000)).toEqual([
      [7, 1000, 42, 1],
      [8, 1000, 50, 1],
    ]);
    trigger.hold(8, 2000, 51, 1);
    expect(look(2000)).toEqual([[8, 2000, 51, 1]]);
    values.U = HIGH;
    for (const now of [3000, 4000, 5000]) expect(look(now)).toEqual([]);
    trigger.hold(9, 5500, 60, 1);
    values.U = LOW;
    expect(look(6000)).toEqual([
      [7, 5000, 42, 1],
      [8, 5000, 51, 1],
      [9, 5500, 60, 1],
    ]);
    expect(look(7000), 'once').toEqual([]);
  });

  it('has no value twice that came in the last look of the stretch that it follows at once, and none of points that are gone', () => {
    const values: Record<string, number | undefined> = { U: LOW, A: 1, B: 2 };
    const channel = channelOf(values);
    const trigger = new Trigger(channel, () => undefined, { formula: 'U < 200', beforeMs: 60_000, afterMs: 0 });
    trigger.judge(1000);
    // in a pause of the look at second 1
    trigger.hold(2, 1003, 5, 1);
    trigger.hold(3, 900, 6, 1);
    trigger.hold(4, 900, 7, 1);
    expect(trigger.release(1000)).toHaveLength(3);
    values.U = HIGH;
    trigger.judge(2000);
    trigger.release(2000);
    values.U = LOW;
    const { state } = channel.points;
    channel.points.state = (id: number) => (id === 4 ? undefined : state(id));
    trigger.judge(3000);
    expect(trigger.release(3000)).toEqual([[3, 1000, 6, 1]]);
  });

  it('has that once, with the value that each point had then, and not what came to it just before the begin', () => {
    const values: Record<string, number | undefined> = { U: HIGH };
    const trigger = new Trigger(channelOf(values), () => undefined, { formula: 'U < 200', beforeMs: 2000, afterMs: 9000 });
    trigger.judge(1000);
    trigger.hold(7, 1000, 41, 1);
    trigger.hold(7, 2000, 42, 2);
    trigger.hold(8, 3000, 80, 1);
    values.U = LOW;
    trigger.hold(9, 4000, 90, 1);
    trigger.judge(5000);
    expect(trigger.release(5000)).toEqual([
      [7, 3000, 42, 2],
      [8, 3000, 80, 1],
      [9, 4000, 90, 1],
    ]);
    trigger.hold(7, 5500, 43, 1);
    trigger.judge(6000);
    expect(trigger.release(6000)).toEqual([[7, 5500, 43, 1]]);
  });

  it('goes on when it is met again within the time behind, and begins a new stretch later', () => {
    const again = run([HIGH, LOW, HIGH, LOW, HIGH, HIGH, HIGH, HIGH, LOW], { beforeMs: 0, afterMs: 2000 });
    expect(again.met).toEqual([2, 9]);
    expect(again.spans).toEqual([
      [2, 6],
      [9, 9],
    ]);
    // the time before does not reach into what is recorded already
    const near = run([HIGH, LOW, HIGH, HIGH, LOW], { beforeMs: 10_000, afterMs: 0 });
    expect(near.recorded).toEqual([1, 2, 3, 4, 5]);
    expect(near.spans).toEqual([
      [1, 2],
      [2, 5],
    ]);
  });

  it('is not met by what is not known', () => {
    expect(run([undefined, undefined]).met).toEqual([]);
    expect(run([LOW, undefined, LOW, LOW], { afterMs: 0 }).met).toEqual([1, 3]);
    expect(run([LOW], { formula: 'NOBODY < 1' }).met).toEqual([]);
    for (const formula of ['U != 230', '!(U > 200)', 'NOBODY != 1', '!NOBODY', 'U != 230 || 0', 'U > 200 && NOBODY'])
      expect(run([undefined, undefined, HIGH], { formula }).met, formula).toEqual([]);
    expect(run([LOW], { formula: 'U < 200 || NOBODY > 1' }).met, 'what is known is enough').toEqual([1]);
    expect(run([LOW], { formula: 'U / 0' }).met).toEqual([]);
  });

  it('remembers from look to look, and asks points of other channels', () => {
    expect(run([HIGH, HIGH, LOW, LOW, LOW], { formula: 'delay(U, 2) < 200' }).met).toEqual([5]);
    const other = channelOf({ P: 60 });
    const trigger = new Trigger(channelOf({}), (name) => (name === 'Meter' ? other.points : undefined), {
      formula: 'point("Meter", "P") > 50',
      beforeMs: 0,
      afterMs: 0,
    });
    expect(trigger.judge(1000)).toBe(true);
    const nobody = new Trigger(channelOf({}), () => undefined, { formula: 'point("Meter", "P") > 50', beforeMs: 0, afterMs: 0 });
    expect(nobody.judge(1000)).toBe(false);
  });

  it('knows seconds, those since the last look, and its own last value that was one', () => {
    const five = [HIGH, HIGH, HIGH, HIGH, HIGH];
    expect(run(five, { formula: 't >= 3', afterMs: 0 }).met).toEqual([4]);
    expect(run(five, { formula: 'dt > 0.9 && dt < 1.1', afterMs: 0 }).met).toEqual([2]);
    // on below 200, off from 220 on; what is not known leaves it as it is
    const us = [210, 100, 210, undefined, 210, 230, 210];
    expect(run(us, { formula: 'last ? U < 220 : U < 200', beforeMs: 0, afterMs: 0 })).toMatchObject({ met: [2, 5], recorded: [2, 3, 5] });
  });

  it('ends where time breaks off, and forgets what waited', () => {
    const values: Record<string, number | undefined> = { U: LOW };
    const trigger = new Trigger(channelOf(values), () => undefined, { formula: 'U < 200', beforeMs: 5000, afterMs: 5000 });
    trigger.judge(10_000);
    trigger.judge(11_000);
    trigger.hold(8, 11_000, 5, 1);
    trigger.restart();
    expect(trigger.release(11_000), 'what waited').toEqual([]);
    values.U = HIGH;
    trigger.hold(1, 3000, 1, 1);
    expect(trigger.judge(3000)).toBe(false);
    expect(trigger.spans(3000)).toEqual([{ from: 10_000, to: 11_000 }]);
    expect(trigger.spans(3000)).toEqual([]);
    // a value from before the break holds no more when it is met again
    trigger.judge(20_000);
    trigger.release(20_000);
    trigger.restart();
    values.U = LOW;
    expect(trigger.judge(21_000)).toBe(true);
    expect(trigger.release(21_000)).toEqual([]);
    trigger.restart();
    expect(trigger.spans(21_000), 'what has no length is none').toEqual([]);
  });

  it('holds 200,000 samples at most: the time before becomes shorter', () => {
    const values: Record<string, number | undefined> = { U: HIGH };
    const trigger = new Trigger(channelOf(values), () => undefined, { formula: 'U < 200', beforeMs: 600_000, afterMs: 0 });
    trigger.judge(1000);
    for (let at = 0; at < 250_000; at++) trigger.hold(1 + (at % 3), 1000 + at, at, 1);
    trigger.judge(251_000);
    trigger.release(251_000);
    values.U = LOW;
    trigger.judge(251_001);
    const released = trigger.release(251_001);
    expect(released).toHaveLength(200_003);
  });
});
