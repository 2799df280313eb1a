import { describe, expect, it } from 'vitest';
import type { MmsType } from '../mms/types.ts';
import { requireMembers } from './members.ts';
import { decodeReport, type Report } from './report.ts';
import { Segments } from './segments.ts';
import { capturedReports } from './testing/captured.ts';
import { bareReport, boolean, unsigned } from './testing/report-results.ts';

const BOOLEAN: MmsType = { kind: 'boolean' };
const SET = { dataSet: 'LD/LLN0$set', revision: 3, members: ['LD/GGIO1$ST$Ind1$stVal', 'LD/GGIO1$ST$Ind2$stVal'], types: [BOOLEAN, null] };
const BARE = bareReport(2, { id: 'r', members: [{ place: 0, reference: null, value: boolean(true), reasons: null }] });
const member = (fields: Partial<Report['members'][number]>): Report => ({
  ...BARE,
  members: [{ place: 0, reference: null, value: boolean(true), reasons: null, ...fields }],
});

describe('members of a report', () => {
  it.each([
    BARE,
    { ...BARE, dataSet: 'LD/LLN0$set', revision: 3 },
    { ...BARE, dataSet: 'LD/LLN0.set' },
    member({ reference: 'LD/GGIO1$ST$Ind1$stVal' }),
    member({ reference: 'LD/GGIO1.Ind1.stVal[ST]' }),
    member({ value: { kind: 'failure', code: 2 } }),
    // the type of the second is not known
    member({ place: 1, value: unsigned(4) }),
  ])('are those of the data set: %j', (report) => {
    expect(() => requireMembers(report, SET)).not.toThrow();
  });

  it.each([
    [{ ...BARE, dataSet: 'LD/LLN0$other' }, 'is about data set LD/LLN0$other; its block has LD/LLN0$set'],
    [{ ...BARE, revision: 4 }, 'has configuration revision 4; its block had 3'],
    [{ ...BARE, memberCount: 3 }, 'has 3 inclusion bits; data set LD/LLN0$set has 2 members'],
    [{ ...BARE, memberCount: 1 }, 'has 1 inclusion bits'],
    [member({ reference: 'LD/GGIO1$ST$Ind2$stVal' }), 'names LD/GGIO1$ST$Ind2$stVal where its data set has LD/GGIO1$ST$Ind1$stVal'],
    [member({ reference: '' }), 'names  where'],
    [member({ value: unsigned(1) }), 'has a value for LD/GGIO1$ST$Ind1$stVal that is not of its type'],
  ])('are refused: %#', (report, message) => {
    expect(() => requireMembers(report, SET)).toThrow(message);
  });
});

describe('segments', () => {
  const [first, second] = capturedReports('63').map(({ report }) => decodeReport(report)) as [Report, Report];

  it('are one report when the last has come', () => {
    const segments = new Segments();
    expect(segments.take(first)).toEqual({ complete: null, isLost: false });
    expect(segments.isWaiting).toBe(true);
    const { complete, isLost } = segments.take(second);
    expect([complete?.members.length, isLost, segments.isWaiting]).toEqual([60, false, false]);
  });

  it.each([
    ['the second alone', [second], [true]],
    ['the first twice', [first, first, second], [false, true, false]],
    ['another report between them', [first, BARE, second], [false, true, true]],
    ['of another report', [first, { ...second, sequence: 9 }], [false, true]],
    ['with members that came already', [first, { ...second, members: first.members }], [false, true]],
    ['one left out', [first, { ...second, segment: { number: 2, isLast: true } }], [false, true]],
  ] as const)('%s: told, and nothing incomplete is delivered', (_, reports, lost) => {
    const segments = new Segments();
    const taken = reports.map((report) => segments.take(report));
    expect(taken.map(({ isLost }) => isLost)).toEqual(lost);
    for (const { complete } of taken) expect([undefined, 1, 60]).toContain(complete?.members.length);
  });
});
