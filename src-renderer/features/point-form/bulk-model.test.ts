import { describe, expect, it } from 'vitest';
import type { Point } from '#shared/contract/points.ts';
import type { FieldSpec } from '../../ui/form/schema-field.ts';
import { aPoint } from '../testing/fake-service.ts';
import { IEC104 } from '../testing/protocols.ts';
import { bulkEdits, bulkSpecs, commonText } from './bulk-model.ts';
import { pointSpec } from './point-form-model.ts';

const POINTS: readonly Point[] = [
  aPoint({ id: 1, code: 'U1', address: 10, unit: 'V', mul_coe: 0.1, min_limit: null }),
  aPoint({ id: 2, code: 'U2', address: 20, unit: 'V', mul_coe: 1, min_limit: -5 }),
];
const spec = (key: string): FieldSpec => {
  const found = pointSpec(key);
  if (!found) throw new Error(`no field ${key}`);
  return found;
};
const edit = (key: string, entry: string) => bulkEdits(POINTS, [spec(key)], { [key]: entry });
const valuesOf = (key: string, entry: string) => edit(key, entry).edits.map((each) => each[key]);

describe('many points at once', () => {
  it('show what they have in common, and where they differ', () => {
    expect(['unit', 'address', 'min_limit'].map((key) => commonText(POINTS, spec(key)))).toEqual(['V', null, null]);
    const star = aPoint({ unit: 'm*s', address: 0x02010100 });
    expect([commonText([star], spec('unit')), commonText([star], spec('address'), true)]).toEqual(['m**s', '0x02010100']);
  });

  it.each([
    ['address', '=x+100', [110, 120]],
    ['address', '= X - 3', [7, 17]],
    ['address', '5', [5, 5]],
    ['mul_coe', '=x*3', [0.3, 3]],
    ['mul_coe', '=x/-4', [-0.025, -0.25]],
    ['mul_coe', '1e-3', [0.001, 0.001]],
    ['code', 'BAY2_*', ['BAY2_U1', 'BAY2_U2']],
    ['code', '*_$&', ['U1_$&', 'U2_$&']],
    ['code', '**_*', ['*_U1', '*_U2']],
    ['code', 'm***2', ['m*U12', 'm*U22']],
    // nothing to put anything before
    ['related_code', 'BAY2_*', []],
    ['address', '0x10', [16, 16]],
  ])('%s %s', (key, entry, values) => {
    expect(valuesOf(key, entry)).toEqual(values);
    expect(edit(key, entry).problems).toEqual({});
  });

  it('name the points alone that change', () => {
    expect(edit('unit', 'V').edits).toEqual([]);
    expect(edit('address', '10').edits).toEqual([{ point_id: 2, frame_type: 0, address: 10 }]);
  });

  it('an empty number takes a limit away', () => {
    expect(edit('min_limit', ' ').edits).toEqual([{ point_id: 2, frame_type: 0, min_limit: null }]);
  });

  it.each([
    ['address', 'ten', 'number'],
    ['address', '=x+', 'formula'],
    ['address', '=y+1', 'formula'],
    ['mul_coe', '=x/0', 'formula'],
    // one of them has no limit to calculate with
    ['min_limit', '=x+1', 'formula'],
  ])('%s %s is no answer', (key, entry, problem) => {
    expect(edit(key, entry).problems).toEqual({ [key]: problem });
  });

  it('offer what means something for every type among them', () => {
    const fields = ['code', 'address', 'mul_coe'];
    const descriptor = {
      ...IEC104,
      point_fields: [
        { frame_type: 0 as const, fields },
        { frame_type: 1 as const, fields: ['code', 'address', 'reverse'] },
      ],
    };
    const keys = (points: readonly Point[]) => bulkSpecs(descriptor, points).map((each) => each.key);
    expect(keys(POINTS)).toEqual(fields);
    expect(keys([...POINTS, aPoint({ id: 3, frame_type: 1 })])).toEqual(['code', 'address']);
  });
});
