import { describe, expect, it } from 'vitest';
import { NewPoint } from '#shared/contract/points.ts';
import { IEC104 } from '../testing/protocols.ts';
import { codeFaults, hasBits, pointsOf, proposalsFor, rowIssues, type UnknownObject } from './unknown-model.ts';

function anObject(change: Partial<UnknownObject> = {}): UnknownObject {
  return {
    slave_id: 1,
    address: 305,
    type: 'M_SP_NA_1 (1)',
    frame_type: 1,
    func_code: null,
    decode: '',
    protocol: { type_id: 1 },
    count: 2,
    value: 1,
    value_text: '',
    flags: [],
    source_time: null,
    first_seen: '2026-03-01T08:00:00.000Z',
    last_seen: '2026-03-01T08:00:01.000Z',
    ...change,
  };
}

describe('points of unknown objects', () => {
  it('are proposed with a code of type and address, and the settings that suit', () => {
    const yc = anObject({ address: 16_590, frame_type: 0, type: 'M_ME_NC_1 (13)', protocol: { type_id: 13 } });
    const proposals = proposalsFor([anObject(), yc, anObject({ address: 9, frame_type: null })]);
    expect(proposals.map(({ code, name }) => [code, name])).toEqual([
      ['YX_305', 'M_SP_NA_1 305'],
      ['YC_16590', 'M_ME_NC_1 16590'],
    ]);
    const points = pointsOf(proposals);
    expect(points[1]).toEqual({
      frame_type: 0,
      code: 'YC_16590',
      name: 'M_ME_NC_1 16590',
      address: 16_590,
      slave_id: 1,
      protocol: { type_id: 13 },
    });
    expect(points.every((point) => NewPoint.safeParse(point).success)).toBe(true);
  });

  it('name the slave where there are others than 1', () => {
    expect(proposalsFor([anObject(), anObject({ slave_id: 2 })]).map(({ code }) => code)).toEqual(['YX_1_305', 'YX_2_305']);
  });

  it('carry a bit where one was given, and no name where it was emptied', () => {
    const [proposal] = proposalsFor([anObject()]);
    if (!proposal) throw new Error('one proposal');
    expect(pointsOf([{ ...proposal, name: ' ', bit: '3' }])[0]).toMatchObject({ bit: 3 });
    expect(pointsOf([{ ...proposal, name: ' ', bit: '' }])[0]).not.toHaveProperty('name');
    expect(hasBits(IEC104)).toBe(true);
    expect(hasBits(undefined)).toBe(false);
  });

  it('are told when a code is empty or occurs twice', () => {
    const proposals = proposalsFor([anObject(), anObject({ address: 306 }), anObject({ address: 307 })]);
    const codes = (...all: string[]) => codeFaults(proposals.map((item, row) => ({ ...item, code: all[row] ?? '' })));
    expect([...codes('A', 'B', 'C')]).toEqual([]);
    expect([...codes('A', ' A', '')]).toEqual([
      [1, 'twice'],
      [2, 'empty'],
    ]);
  });

  it('get the issues of the service at their rows', () => {
    const issues = { 'points.1.bit': 'must be 0 to 15', 'points.1.code': 'is taken', 'points.0': 'is wrong', channel_id: 'unknown' };
    expect([...rowIssues(issues)]).toEqual([
      [1, 'bit: must be 0 to 15; code: is taken'],
      [0, 'is wrong'],
    ]);
  });
});
