import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { runSteps } from '../../platform/steps.ts';
import type { PointDraft } from '../spi/index.ts';
import { dlt645Driver } from './driver.ts';
import { normalizeMeterPoint } from './point-rules.ts';
import { draft, testSettings } from './testing/bench.ts';

const check = (fields: Partial<PointDraft> & { address: number | undefined }) => normalizeMeterPoint(draft(fields));
const issue = (fields: Partial<PointDraft> & { address: number | undefined }) =>
  check(fields)
    .issues.map(({ path, message }) => `${path}: ${message}`)
    .join('; ');

describe('defaults', () => {
  it('are name and unit of the dictionary', () => {
    const { point, issues } = check({ address: 0x00010203, slave_id: 12_345_678 });
    expect(issues).toEqual([]);
    expect(point).toMatchObject({ name: '(上3结算日)正向有功费率2电能', unit: 'kWh', decode: '', slave_id: 12_345_678, func_code: null });
  });

  it('leave what was written', () => {
    const { point } = check({ address: 0x02010100, name: 'Ua', unit: 'kV' });
    expect(point).toMatchObject({ name: 'Ua', unit: 'kV' });
  });

  it('make a meter number of an address of digits', () => {
    const { point } = check({ address: 0x02010100, protocol: { meter_address: '000012345678' } });
    expect(point).toMatchObject({ slave_id: 12_345_678, protocol: {} });
    for (const slaveId of [1, 12_345_678]) {
      const both = check({ address: 0x02010100, slave_id: slaveId, protocol: { meter_address: '000012345678' } });
      expect(both).toMatchObject({ point: { slave_id: 12_345_678, protocol: {} }, issues: [] });
    }
    const any = check({ address: 0x02010100, protocol: { meter_address: 'aaaaaaaaaaaa' } });
    expect(any.point).toMatchObject({ slave_id: 0, protocol: { meter_address: 'AAAAAAAAAAAA' } });
  });
});

describe('what is wrong is named', () => {
  it.each<[string, Partial<PointDraft> & { address: number | undefined }, RegExp]>([
    ['no identifier', { address: undefined }, /address: is needed/],
    ['eleven digits', { address: 0x02010100, protocol: { meter_address: '00001234567' } }, /meter_address: must be 12 digits.*has 11/],
    ['two meters', { address: 0x02010100, slave_id: 5, protocol: { meter_address: '000012345678' } }, /names meter 000012345678/],
    ['an unknown identifier', { address: 0xee010203 }, /protocol.format: identifier EE010203 is not in the dictionary/],
    ['an identifier of the other edition', { address: 0x9010 }, /the 1997 edition has it/],
    ['too long an identifier', { address: 0x02010100, protocol: { edition: 1997 } }, /address: an identifier of the 1997 edition/],
    ['no format', { address: 0xee010203, protocol: { format: 'float' } }, /"float" is no format/],
    ['no decode code', { address: 0x02010100, decode: '0x99' }, /decode: 0x99 is no decode code/],
    ['a bit of a number', { address: 0x02010100, frame_type: FrameType.yx, bit: 1 }, /bit: picks one bit of a status word/],
    ['a bit too high', { address: 0x04000501, frame_type: FrameType.yx, bit: 16 }, /bit: must be 0 to 15/],
    ['a meter number too long', { address: 0x02010100, slave_id: 1e12 }, /slave_id: a meter number is/],
    ['no scale', { address: 0x02010100, mul_coe: 0 }, /mul_coe: must not be 0/],
  ])('%s', (_, fields, message) => {
    expect(issue(fields)).toMatch(message);
  });

  it('takes an unknown identifier with a format', () => {
    expect(issue({ address: 0xee010203, protocol: { format: '-XX.XXXX' } })).toBe('');
  });
});

describe('tables in the old style', () => {
  const warning = (fields: Partial<PointDraft>) => check({ address: 0x00010000, ...fields }).warnings[0]?.message;

  it('are told what their values will be', () => {
    expect(warning({})).toBeUndefined();
    expect(warning({ decode: '0x41', mul_coe: 0.01 })).toMatch(/shows 1234\.56 gives 1234\.56 kWh; the same as/);
    expect(warning({ decode: '0x41' })).toMatch(/shows 1234\.56 gives 123456 kWh; decode empty and mul_coe 1 give 1234\.56/);
  });
});

it('does not read relay control in tasks', () => {
  const { point } = check({ address: 0, frame_type: FrameType.yk });
  expect(dlt645Driver.isReadable({ ...point, id: 1, channel_id: 1 })).toBe(false);
});

it('foresees the line time of a round', () => {
  const { point } = check({ address: 0x02010100, slave_id: 1 });
  const steps = dlt645Driver.forecast?.([{ ...point, id: 1, channel_id: 1 }], testSettings, {
    mode: 'batch',
    turnRoundMs: () => 40,
    withLargerGaps: false,
  });
  const round = steps && runSteps(steps);
  // 32 + 2 and 8 preambles at 2400 baud, 20 ms of silence, the turn-round
  expect(round?.predictedMs).toBeCloseTo((42 * 11_000) / 2400 + 20 + 40, 6);
});
