import { describe, expect, it } from 'vitest';
import { quoted } from '#shared/messages/index.ts';
import type { DriverCommandResult } from '../drivers/spi/index.ts';
import { testPoint } from '../drivers/testing/points.ts';
import type { PointState } from '../runtime/values/point-table.ts';
import { isWritten, readBackStage, stagesOf } from './command-stages.ts';
import { NEVER_READ } from './rows.ts';

const AT = Date.UTC(2026, 0, 1);
const rejected = (stages: DriverCommandResult['stages'], detail?: string): DriverCommandResult => ({
  outcome: 'rejected',
  stages,
  refusal: detail === undefined ? null : { kind: 'exception', detail: quoted(detail) },
  failure: null,
});

const NO = 'exception 3 (Illegal Data Value)';

describe('the stages of a command', () => {
  const sent = { name: 'sent', at: AT, detail: quoted('function 5') };

  it('have the words of a refusal that the driver told only as its reason', () => {
    expect(stagesOf(rejected([sent], NO), AT + 20)).toEqual([
      { name: 'sent', at: '2026-01-01T00:00:00.000Z', detail: 'function 5', detail_message: quoted('function 5') },
      { name: 'rejected', at: '2026-01-01T00:00:00.020Z', detail: NO, detail_message: quoted(NO) },
    ]);
  });

  it('say so when the device gave no reason', () => {
    expect(stagesOf(rejected([]), AT)).toMatchObject([{ name: 'rejected', detail: expect.stringContaining('did not say why') }]);
  });

  it.each(['accepted', 'unknown'] as const)('of an %s command have no refusal', (outcome) => {
    expect(stagesOf({ ...rejected([sent]), outcome }, AT).map((stage) => stage.name)).toEqual(['sent']);
  });
});

describe('what is read back', () => {
  it.each([
    [1, 2, 'read back intermediate (2)'],
    [1, 3, 'read back bad (3)'],
    [1, 4, 'read back 4'],
    [2, 1, 'read back on (1)'],
    [2, 2, 'read back 2'],
    [0, 1, 'read back 1'],
    [1, 0.5, 'read back 0.5'],
  ] as const)('of type %i tells the state %s in a word, as "%s"', (frame_type, value, detail) => {
    const state: PointState = { ...NEVER_READ, value, quality: 'good', updatedAt: AT };
    expect(readBackStage(testPoint({ frame_type }), 1, state, AT).detail).toBe(detail);
  });

  const good = (value: number): PointState => ({ ...NEVER_READ, value, quality: 'good', updatedAt: AT });

  it('is told as a stage with value and equality', () => {
    const point = testPoint({ decode: '0x41', mul_coe: 0.1 });
    expect(readBackStage(point, 25.04, good(25), AT)).toEqual({
      name: 'read_back',
      at: '2026-01-01T00:00:00.000Z',
      detail: 'read back 25',
      detail_message: { code: 'service.read_back', params: { value: 25 } },
      value: 25,
      equal: true,
    });
    expect(readBackStage(point, 25, good(30), AT)).toMatchObject({ value: 30, equal: false });
  });

  it('is never the written value when the device marks it invalid', () => {
    const state: PointState = { ...good(0), quality: 'invalid' };
    expect(readBackStage(testPoint({}), 0, state, AT)).toMatchObject({ value: 0, equal: false, detail: 'read back 0, marked invalid' });
  });

  it.each([
    // a whole raw number: half a step and no more
    ['0x41', 0.1, 0, 25.04, 25, true],
    ['0x41', 0.1, 0, 25.05, 25, true],
    ['0x41', 0.1, 0, 25.06, 25, false],
    ['0x41', -0.1, 0, 25.04, 25, true],
    ['0x20', 1, 0, 1, 0, false],
    ['0x20', 1, 0, 0, 1, false],
    ['0x20', 10, 0, 14, 10, true],
    ['0x20', 10, 0, 16, 10, false],
    // a float has no steps, only digits
    ['0x42', 1, 0, 1.4, 1, false],
    ['0x42', 1, 0, 230.1, 230.100006103516, true],
    ['0x42', 1, 0, 230.1, 230.101, false],
    ['0x42', 1, -1000, 0.1, 0.1000061, true],
    ['0x62', 1, 0, 0.1, 0.2, false],
    // protocols without decode codes: what is read is the written value to its digits
    ['', 1, 0, 2.4, 2, false],
    ['', 1, 0, 1.23, 1.23, true],
    ['', 0.01, 0, 50.01, 50, false],
  ])('with decode "%s", × %s + %s: %s written, %s read back is the same: %s', (decode, mulCoe, addCoe, written, read, isSame) => {
    expect(isWritten({ decode, mul_coe: mulCoe, add_coe: addCoe }, written, read)).toBe(isSame);
  });
});
