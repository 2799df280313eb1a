import { describe, expect, it } from 'vitest';
import { type Expectation, Expectation as ExpectationSchema } from '#shared/contract/check.ts';
import { draftOf, kindsFor, readExpectation } from './expectation-draft.ts';
import { actOfKey } from './guided-keys.ts';

const reference = (value: number) => ({ value, tolerance: 0.5, percent: 1 });
const ALL: readonly Expectation[] = [
  { kind: 'values', references: [reference(0), reference(-230.5)] },
  { kind: 'values', references: [] },
  { kind: 'states', states: [0, 1, 3] },
  { kind: 'text', text: 'V1.2' },
  { kind: 'command', value: 1, feedback: null, within_ms: 5000 },
  { kind: 'command', value: 0, feedback: 1, within_ms: 250 },
  { kind: 'setpoint', value: null, tolerance: 0, percent: 0, restore: true },
  { kind: 'setpoint', value: 50.5, tolerance: 0.1, percent: 0, restore: false },
  { kind: 'pulse', count: 10, tolerance: 1 },
];

describe('an expectation in a form', () => {
  it.each(ALL)('is the same when nothing is changed (%o)', (expectation) => {
    expect(readExpectation(draftOf(expectation.kind, expectation))).toEqual({
      issues: {},
      expectation: ExpectationSchema.parse(expectation),
    });
  });

  it('takes numbers apart by blanks or semicolons, with a decimal comma', () => {
    const draft = { ...draftOf('values', { kind: 'states', states: [1] }), values: '0;  1,5 -2' };
    expect(readExpectation(draft).expectation).toMatchObject({ references: [{ value: 0 }, { value: 1.5 }, { value: -2 }] });
  });

  it.each([
    ['values', { values: '0 ten' }, { values: { key: 'edit.numbers' } }],
    ['values', { values: '1 2 3 4 5 6 7 8 9 10 11' }, { values: { key: 'edit.tooMany', most: 10 } }],
    ['values', { percent: '101' }, { percent: { key: 'form.notBelow', least: 0, most: 100 } }],
    ['states', { states: ' ' }, { states: { key: 'edit.one' } }],
    ['command', { send: '' }, { send: { key: 'form.number' } }],
    ['command', { within: '0' }, { within: { key: 'form.notBelow', least: 0.1, most: 600 } }],
    ['setpoint', { send: 'half' }, { send: { key: 'form.number' } }],
  ] as const)('names what is wrong: %s %o', (kind, change, issues) => {
    const draft = { ...draftOf(kind, { kind: 'text', text: '' }), ...change };
    expect(readExpectation(draft)).toEqual({ issues, expectation: null });
  });

  it('has the kinds that all types of a selection can have', () => {
    expect(kindsFor([0])).toContain('pulse');
    expect(kindsFor([0, 1, 0])).toEqual(['states']);
    expect(kindsFor([2, 3])).toEqual([]);
    expect(kindsFor([])).toEqual([]);
  });
});

describe('the keys of the guided check', () => {
  it('pass by Space and Enter, but send a command by Enter alone', () => {
    expect([actOfKey(' ', false), actOfKey('Enter', false)]).toEqual(['pass', 'pass']);
    expect([actOfKey(' ', true), actOfKey('Enter', true)]).toEqual(['pass', 'send']);
  });

  it('know letters of both cases, and no others', () => {
    expect(['f', 'F', 'b', 's', 'R', 'm', 'Backspace', 'Escape', 'x', 'Tab'].map((key) => actOfKey(key, false))).toEqual([
      'fail',
      'fail',
      'block',
      'skip',
      'repeat',
      'remark',
      'back',
      'leave',
      null,
      null,
    ]);
  });
});
