import { describe, expect, it } from 'vitest';
import type { Point } from '#shared/contract/points.ts';
import { pointSpec } from '../point-form/point-form-model.ts';
import { aPoint } from '../testing/fake-service.ts';
import { duplicatePlan, raised, suggestedRule } from './duplicate-model.ts';
import type { BulkChange } from './edit-plan.ts';
import { fillPlan } from './fill-model.ts';
import { type Replacement, replacePlan } from './replace-model.ts';

const POINTS: readonly Point[] = [
  aPoint({ id: 1, code: 'BMS1_U', name: 'Rack 1 voltage L1', address: 10, decode: '0x41', unit: 'V' }),
  aPoint({ id: 2, code: 'BMS1_I', name: 'Rack current', address: 14, decode: '0x20', unit: '', related_code: 'BMS1_U' }),
];
const spec = (key: string) => {
  const found = pointSpec(key);
  if (!found) throw new Error(`no field ${key}`);
  return found;
};
const valuesOf = (changes: readonly BulkChange[], key: string) => changes.map((change) => (change as Record<string, unknown>)[key]);
const added = (changes: readonly BulkChange[]) => changes.flatMap((change) => (change.op === 'add' ? [change.point] : []));

describe('fill down', () => {
  const three = [...POINTS, aPoint({ id: 3, code: 'X', address: 12, unit: 'V' })];

  it('gives the value of the first row to those that have another', () => {
    const { changes, lines } = fillPlan(three, spec('unit'), 0, String);
    expect(changes).toEqual([{ op: 'edit', point_id: 2, frame_type: 0, unit: 'V' }]);
    expect(lines).toEqual([{ key: '2', code: 'BMS1_I', before: '', after: 'V' }]);
  });

  it('counts on by the step, also in fractions', () => {
    expect(valuesOf(fillPlan(three, spec('address'), 2, String).changes, 'address')).toEqual([12, 14]);
    expect(valuesOf(fillPlan(three.with(0, aPoint({ id: 1, mul_coe: 0.1 })), spec('mul_coe'), 0.1, String).changes, 'mul_coe')).toEqual([
      0.2, 0.3,
    ]);
  });

  it('of nothing is nothing', () => expect(fillPlan([], spec('unit'), 0, String).changes).toEqual([]));
});

describe('duplicates', () => {
  it.each([
    ['x1', 1, 'x2'],
    ['BAY09_U', 2, 'BAY11_U'],
    ['BAY99', 1, 'BAY100'],
    ['x', 1, 'x_2'],
    ['m99999999999999999999', 1, 'm100000000000000000000'],
    ['A1_B2_C', 3, 'A1_B5_C'],
  ])('%s raised by %d', (text, by, result) => expect(raised(text, by)).toBe(result));

  it('have steps that lie free of what is copied', () => {
    expect(suggestedRule(POINTS)).toEqual({ copies: 1, addressStep: 5, slaveStep: 0, codeStep: 1 });
    expect(suggestedRule(['x1', 'x2', 'x3'].map((code, index) => aPoint({ code, address: index, decode: '0x20' })))).toEqual({
      copies: 1,
      addressStep: 3,
      slaveStep: 0,
      codeStep: 3,
    });
  });

  it('carry the number of the code into name and relation, and nothing that was read', () => {
    const copies = added(duplicatePlan(POINTS, { copies: 2, addressStep: 100, slaveStep: 1, codeStep: 1 }).changes);
    expect(copies.map(({ code, name, address, related_code }) => [code, name, address, related_code])).toEqual([
      ['BMS2_U', 'Rack 2 voltage L1', 110, ''],
      ['BMS2_I', 'Rack current', 114, 'BMS2_U'],
      ['BMS3_U', 'Rack 3 voltage L1', 210, ''],
      ['BMS3_I', 'Rack current', 214, 'BMS3_U'],
    ]);
    expect(copies.map(({ slave_id }) => slave_id)).toEqual([2, 2, 3, 3]);
    expect(copies[0]).not.toHaveProperty('value');
  });
});

describe('find and replace', () => {
  const of = (changes: Partial<Replacement>): Replacement => ({
    find: 'BMS1',
    by: 'PCS',
    fields: ['code', 'name'],
    isPattern: false,
    matchesCase: true,
    ...changes,
  });
  const afters = (changes: Partial<Replacement>) => replacePlan(POINTS, of(changes), () => 0).lines.map(({ after }) => after);

  it('changes texts as they are written, dollars and dots too', () => {
    expect(afters({})).toEqual(['PCS_U', 'PCS_I']);
    expect(afters({ by: '$&.' })).toEqual(['$&._U', '$&._I']);
    expect(afters({ find: 'B.S' })).toEqual([]);
    expect(afters({ find: 'rack', matchesCase: false, fields: ['name'] })).toEqual(['PCS 1 voltage L1', 'PCS current']);
    expect(afters({ find: 'rack' })).toEqual([]);
  });

  it('takes groups of a pattern', () => expect(afters({ find: 'BMS(\\d)_', by: '$1-', isPattern: true })).toEqual(['1-U', '1-I']));

  it('changes each point once, in all its texts', () => {
    const { changes } = replacePlan(POINTS, of({ find: '1', by: '7' }), () => 0);
    expect(changes).toEqual([
      { op: 'edit', point_id: 1, frame_type: 0, code: 'BMS7_U', name: 'Rack 7 voltage L7' },
      { op: 'edit', point_id: 2, frame_type: 0, code: 'BMS7_I' },
    ]);
  });

  it('refuses what may take for ever, and gives up what takes too long', () => {
    expect(replacePlan(POINTS, of({ find: '(a+)+', isPattern: true }), () => 0)).toMatchObject({ problem: 'nested', changes: [] });
    let now = 0;
    const slow = () => {
      now += 1500;
      return now;
    };
    expect(replacePlan(POINTS, of({}), slow)).toMatchObject({ problem: 'slow', changes: [] });
  });
});
