import { describe, expect, it } from 'vitest';
import { testPoint } from '../drivers/testing/points.ts';
import { changedFields } from './point-diff.ts';

const point = testPoint({ protocol: { word_order: 'CDAB' } });
const protocol = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  changedFields({ ...point, protocol: before }, { ...point, protocol: after });

describe('what differs between two points', () => {
  it('is nothing between equal ones, whatever object their settings are', () => {
    expect(changedFields(point, point)).toEqual([]);
    expect(changedFields(point, { ...point, protocol: { ...point.protocol } })).toEqual([]);
  });

  it('is told by field with both values, in the order of the contract', () => {
    const after = { ...point, unit: 'kW', address: 7, min_limit: 0, bit: 3 };
    expect(changedFields(point, after)).toEqual([
      { field: 'address', before: 0, after: 7 },
      { field: 'unit', before: '', after: 'kW' },
      { field: 'min_limit', before: null, after: 0 },
      { field: 'bit', before: null, after: 3 },
    ]);
  });

  it('is never its code, which says who it is', () => {
    expect(changedFields(point, { ...point, code: 'OTHER' })).toEqual([]);
  });

  it.each<[Record<string, unknown>, Record<string, unknown>, string, unknown, unknown]>([
    [{}, { type_id: 13 }, 'type_id', null, 13],
    [{ type_id: 13 }, {}, 'type_id', 13, null],
    [{ on: false }, { on: true }, 'on', false, true],
    [{ order: '' }, { order: 'CDAB' }, 'order', '', 'CDAB'],
    [{ list: { b: 1, a: [2, { d: 3, c: 4 }] } }, { list: null }, 'list', '{"a":[2,{"c":4,"d":3}],"b":1}', null],
    [{ enum_texts: { 0: 'off', 1: 'on' } }, { enum_texts: { 0: 'off' } }, 'enum_texts', '0=off;1=on', '0=off'],
  ])('%j to %j is told as one setting', (before, after, name, was, is) => {
    expect(protocol(before, after)).toEqual([{ field: `protocol.${name}`, before: was, after: is }]);
  });

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ list: { a: 1, b: 2 } }, { list: { b: 2, a: 1 } }],
    [{ type_id: null }, {}],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ])('%j and %j are the same', (before, after) => {
    expect(protocol(before, after)).toEqual([]);
  });

  it('has the settings behind the fields, by their names', () => {
    const after = { ...point, unit: 'V', protocol: { b: 1, a: 1 } };
    expect(changedFields({ ...point, protocol: {} }, after).map(({ field }) => field)).toEqual(['unit', 'protocol.a', 'protocol.b']);
  });
});
