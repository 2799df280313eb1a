import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { decodeMms } from '../mms/codec.ts';
import type { MmsResult } from '../mms/types.ts';
import { hex, mmsOf, readCaptures } from '../testing/captures.ts';
import { decodeReport, isReport, type Report } from './report.ts';
import { capturedReports } from './testing/captured.ts';
import { bitString, boolean, informationReport, text, unsigned } from './testing/report-results.ts';

const SCENARIOS = ['50', '51', '52', '63', '90', '92'];
const all = SCENARIOS.flatMap(capturedReports);
const decoded = (prefix: string) => capturedReports(prefix).map(({ report }) => decodeReport(report));
const places = ({ members }: Report) => members.map(({ place }) => place);

describe('captured reports', () => {
  it('are all of them reports, with the RptID and SqNum that another decoder found', () => {
    expect(all.length).toBe(18);
    for (const { report, text: said } of all) {
      const { id, sequence } = decodeReport(report);
      expect(/RptID="([^"]*)"/.exec(said)?.[1]).toBe(id);
      const number = /SqNum=(\d+)/.exec(said)?.[1];
      if (number !== undefined) expect(String(sequence)).toBe(number);
    }
  });

  it('GI, a change, several changes, qualities and integrity of an unbuffered block', () => {
    const reports = decoded('50');
    expect(reports.map((report) => [report.sequence, places(report), report.members[0]?.reasons])).toEqual([
      [0, [0, 1, 2, 3, 4], [5]],
      [1, [0], [1]],
      [2, [2, 3, 4], [1]],
      [3, [0, 4], [2]],
      [4, [0, 1, 2, 3, 4], [4]],
    ]);
    expect(reports[1]).toMatchObject({
      id: 'EMS1LD0/LLN0$RP$urcbStat',
      dataSet: 'EMS1LD0/LLN0$dsStat',
      revision: 1,
      hasOverflow: null,
      entryId: null,
      segment: null,
      memberCount: 5,
    });
    expect(reports[1]?.members[0]?.reference).toBe('EMS1LD0/GGIO1$ST$Ind1');
    // a3d3 days behind 1984, 0x00f70c7c ms of the day
    expect(new Date(reports[0]?.entryTime ?? 0).toISOString()).toMatch(/^2026-11-20T04:29:5\d/);
  });

  it('the smallest report: a number, inclusion bits and values', () => {
    const [, second] = decoded('51');
    expect(second).toEqual({
      id: 'EMS1LD0/LLN0$RP$urcbMeas01',
      sequence: 1,
      entryTime: null,
      dataSet: null,
      hasOverflow: null,
      entryId: null,
      revision: null,
      segment: null,
      memberCount: 7,
      members: [{ place: 5, reference: null, value: { kind: 'boolean', value: true }, reasons: null }],
    });
  });

  it('entries of a buffered block, with numbers that begin anew behind the resynchronisation', () => {
    expect(decoded('52').map(({ sequence, hasOverflow, entryId }) => [sequence, hasOverflow, hex(entryId ?? new Uint8Array())])).toEqual([
      [0, true, '000001a1f737e29b'],
      [1, false, '000001a1f737e3f9'],
      [0, false, '000001a1f737e65e'],
      [1, false, '000001a1f737e7ee'],
    ]);
  });

  it('segments with disjoint inclusion bits, and several reasons at once', () => {
    const [first, second] = decoded('63');
    expect([first?.segment, second?.segment]).toEqual([
      { number: 0, isLast: false },
      { number: 1, isLast: true },
    ]);
    expect([...places(first as Report), ...places(second as Report)]).toEqual(Array.from({ length: 60 }, (_, place) => place));
    expect(decoded('92')[1]?.members[0]?.reasons).toEqual([1, 3]);
  });
});

/** A report with everything in it. */
const FULL: Report = {
  id: 'full',
  sequence: 7,
  entryTime: Date.UTC(2026, 0, 2),
  dataSet: 'LD/LLN0$set',
  hasOverflow: false,
  entryId: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 9),
  revision: 3,
  segment: { number: 0, isLast: true },
  memberCount: 4,
  members: [
    { place: 0, reference: 'LD/GGIO1$ST$Ind1', value: boolean(true), reasons: [1] },
    { place: 3, reference: 'LD/GGIO1$ST$Ind4', value: { kind: 'failure', code: 2 }, reasons: [1, 2] },
  ],
};
const withResults = (results: readonly MmsResult[]) => ({ ...informationReport(FULL), results });
const RESULTS = informationReport(FULL).results;

describe('reports that are not what they announce', () => {
  it('reads one that is', () => {
    expect(decodeReport(informationReport(FULL))).toEqual(FULL);
  });

  it.each(RESULTS.map((_, count) => count))('is refused with its first %i values alone', (count) => {
    expect(() => decodeReport(withResults(RESULTS.slice(0, count)))).toThrow(expect.objectContaining({ code: 'PROTOCOL_MALFORMED' }));
  });

  it('names what is missing, and how much is too much', () => {
    expect(() => decodeReport(withResults(RESULTS.slice(0, 3)))).toThrow('The report of full ends before TimeOfEntry, which its OptFlds');
    expect(() => decodeReport(withResults([...RESULTS, boolean(true)]))).toThrow('The report of full has 1 values more');
  });

  const changed: readonly [name: string, at: number, value: MmsResult][] = [
    ['RptID came as boolean', 0, boolean(true)],
    ['OptFlds of the report of full came as bit-string (8)', 1, bitString(8, [])],
    ['SqNum of the report of full came as -1', 2, { kind: 'integer', value: -1 }],
    ['SqNum of the report of full came as failure', 2, { kind: 'failure', code: 3 }],
    ['TimeOfEntry of the report of full came as unsigned', 3, unsigned(5)],
    ['DatSet of the report of full came as boolean', 4, boolean(true)],
    ['BufOvfl of the report of full came as unsigned', 5, unsigned(1)],
    ['EntryID of the report of full came as octet-string (4)', 6, { kind: 'octet-string', octets: new Uint8Array(4) }],
    ['ConfRev of the report of full came as visible-string', 7, text('3')],
    ['SubSqNum of the report of full came as boolean', 8, boolean(true)],
    ['MoreSegmentsFollow of the report of full came as unsigned', 9, unsigned(0)],
    ['Inclusion of the report of full came as boolean', 10, boolean(true)],
    ['DataRef of the report of full came as unsigned', 11, unsigned(1)],
    ['ReasonCode of the report of full came as bit-string (13)', 15, bitString(13, [])],
  ];
  it.each(changed)('%s', (message, at, value) => {
    const results = RESULTS.map((result, place) => (place === at ? value : result));
    const pattern = message.startsWith('RptID') ? 'RptID of the report of ? came as boolean' : message;
    expect(() => decodeReport(withResults(results))).toThrow(pattern);
  });

  it('is refused with another number of inclusion bits set than values came', () => {
    const more = RESULTS.map((result, place) => (place === 10 ? bitString(4, [0, 1, 3]) : result));
    const fewer = RESULTS.map((result, place) => (place === 10 ? bitString(4, [3]) : result));
    for (const results of [more, fewer]) {
      expect(() => decodeReport(withResults(results))).toThrow(expect.objectContaining({ code: 'PROTOCOL_MALFORMED' }));
    }
  });
});

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const report: fc.Arbitrary<Report> = fc
  .record({
    id: fc.string({ maxLength: 40 }),
    sequence: optional(fc.nat(65_535)),
    entryTime: optional(fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2090, 0) })),
    dataSet: optional(fc.string({ maxLength: 30 })),
    hasOverflow: optional(fc.boolean()),
    entryId: optional(fc.uint8Array({ minLength: 8, maxLength: 8 })),
    revision: optional(fc.nat()),
    segment: optional(fc.record({ number: fc.nat(300), isLast: fc.boolean() })),
    memberCount: fc.nat(40),
    hasReferences: fc.boolean(),
    hasReasons: fc.boolean(),
    chosen: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
    reasons: fc.subarray([1, 2, 3, 4, 5, 6]),
  })
  .map(({ hasReferences, hasReasons, chosen, reasons, ...fields }) => ({
    ...fields,
    members: chosen.slice(0, fields.memberCount).flatMap((isIn, place) =>
      isIn
        ? [
            {
              place,
              reference: hasReferences ? `LD/LN$ST$D${place}` : null,
              value: unsigned(place),
              reasons: hasReasons ? reasons : null,
            },
          ]
        : [],
    ),
  }));

describe('any report', () => {
  it('is read as it was made', () => {
    fc.assert(
      fc.property(report, (made) => {
        expect(decodeReport(informationReport(made))).toEqual(made);
      }),
    );
  });

  it('is refused with one value left out, by an error of the protocol and no other', () => {
    fc.assert(
      fc.property(report, fc.nat(), (made, at) => {
        const { spec, results } = informationReport(made);
        const left = results.filter((_, place) => place !== at % results.length);
        try {
          // a value that is left out may be one of several alike: then the number of values tells it
          decodeReport({ spec, results: left });
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AppError);
          expect((thrown as AppError).code).toBe('PROTOCOL_MALFORMED');
          return;
        }
        throw new Error('A report without one of its values was read.');
      }),
    );
  });
});

const golden = readCaptures()
  .flatMap(mmsOf)
  .filter(({ bytes }) => bytes[0] === 0xa3 && hex(bytes).includes('525054'))
  .map(({ bytes }) => bytes);

describe('changed octets of captured reports', () => {
  it('give a report that holds together, or an error of the protocol', () => {
    const place = fc.record({ at: fc.nat(), octet: fc.nat(255) });
    fc.assert(
      fc.property(fc.constantFrom(...golden), fc.array(place, { minLength: 1, maxLength: 4 }), (bytes, changes) => {
        const octets = Uint8Array.from(bytes);
        for (const { at, octet } of changes) octets[at % octets.length] = octet;
        try {
          const pdu = decodeMms(octets);
          if (pdu.kind !== 'information-report' || !isReport(pdu.report)) return;
          const { memberCount, members } = decodeReport(pdu.report);
          expect(members.every((member, index) => member.place < memberCount && member.place > (members[index - 1]?.place ?? -1))).toBe(
            true,
          );
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AppError);
          expect((thrown as AppError).code).toMatch(/^(PROTOCOL|FRAME)_/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
