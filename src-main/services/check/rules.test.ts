import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { type CheckRules, expectationOf } from './rules.ts';

const RULES: CheckRules = { references: 'none', tolerance: 0.5, percent: 1, within_ms: 3000 };

/** A channel with one other point, S, that can be read or not. */
function channelWith(isReadable: boolean): ChannelRuntime {
  const points = { byCode: (code: string) => (code === 'S' ? 2 : undefined), config: () => testPoint({ id: 2, code: 'S' }) };
  return { points, driver: { isReadable: () => isReadable } } as unknown as ChannelRuntime;
}
const made = (change: Partial<PointConfig>, rules: Partial<CheckRules> = {}, isReadable = true) =>
  expectationOf(channelWith(isReadable), testPoint({ id: 1, ...change }), { ...RULES, ...rules });

describe('the expectation made from the table', () => {
  const yc = { frame_type: FrameType.yc, min_limit: -10, max_limit: 10 } as const;
  it.each([
    ['none: a person decides', yc, 'none', []],
    ['both limits', yc, 'limits', [-10, 10]],
    ['zero and the upper limit', yc, 'zero_and_upper', [0, 10]],
    ['the limit that there is', { ...yc, min_limit: null }, 'limits', [10]],
    ['equal limits once', { ...yc, min_limit: 10 }, 'limits', [10]],
    ['zero once where it is the upper limit', { ...yc, max_limit: 0 }, 'zero_and_upper', [0]],
    ['none without an upper limit', { ...yc, max_limit: null }, 'zero_and_upper', []],
  ] as const)('has as references of a measurement %s', (_, point, references, values) => {
    const expected = values.map((value) => ({ value, tolerance: 0.5, percent: 1 }));
    expect(made(point, { references })).toEqual({ kind: 'values', references: expected });
  });

  const texts = (enum_texts: object) => ({ frame_type: FrameType.yx, protocol: { enum_texts } }) as const;
  it.each([
    ['open and closed without texts', { frame_type: FrameType.yx }, [0, 1]],
    ['those that the texts name, in order', texts({ 2: 'cool', 0: 'off', 1: 'heat' }), [0, 1, 2]],
    ['open and closed where one text alone is named', texts({ 1: 'on' }), [0, 1]],
    ['open and closed where the texts are a list of codes', texts({ 0: 'a', 1: 'b', 2: 'c', 3: 'd', 4: 'e' }), [0, 1]],
  ])('has as states of a signal %s', (_, point, states) => {
    expect(made(point)).toEqual({ kind: 'states', states });
  });

  it.each([
    ['the related point where it can be read', 'S', true, 1],
    ['none where it cannot', 'S', false, null],
    ['none where it is not there', 'X', true, null],
    ['none where none is named', '', true, null],
  ])('has as feedback of a command %s', (_, related_code, isReadable, feedback) => {
    const expectation = made({ frame_type: FrameType.yk, related_code }, {}, isReadable);
    expect(expectation).toEqual({ kind: 'command', value: 1, feedback, within_ms: 3000 });
  });

  it('brings a setpoint back, and leaves its value to a person', () => {
    expect(made({ frame_type: FrameType.yt })).toEqual({ kind: 'setpoint', value: null, tolerance: 0.5, percent: 1, restore: true });
  });
});
