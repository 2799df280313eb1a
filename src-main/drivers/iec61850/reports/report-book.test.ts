import { describe, expect, it } from 'vitest';
import { settle } from '../../../platform/manual-clock.ts';
import type { PointConfig } from '../../spi/index.ts';
import type { MmsValue } from '../mms/types.ts';
import { yx } from '../testing/client-bench.ts';
import type { Report } from './report.ts';
import { BRCB, entry, lastEntry, OTHER, ReportBench, status, URCB } from './testing/report-device.ts';
import { bareReport, boolean, informationReport, text } from './testing/report-results.ts';

const IND1 = yx(1, 'LD/GGIO1.Ind1.stVal[ST]');
const IND2 = yx(2, 'LD/GGIO1.Ind2.stVal[ST]');
const POINTS: readonly PointConfig[] = [IND1, IND2];
const CHANGE = 1;
const QUALITY = 2;
const INTEGRITY = 4;
const GI = 5;
const quality = (first: number): MmsValue => ({ kind: 'bit-string', size: 13, octets: Uint8Array.of(first, 0) });
const ALL = (reason: number, first = true, second = false): Report['members'] => [
  { place: 0, reference: null, value: status(first), reasons: [reason] },
  { place: 1, reference: null, value: boolean(second), reasons: [reason] },
  { place: 2, reference: null, value: quality(0), reasons: [reason] },
];
const only = (place: number, value: MmsValue, reasons: readonly number[] | null = [CHANGE]): Report['members'] => [
  { place, reference: null, value, reasons },
];

async function enabled(block = URCB, more: Record<string, unknown> = {}): Promise<ReportBench> {
  const bench = new ReportBench(POINTS);
  await bench.enable(block, more);
  return bench;
}

describe('values of reports', () => {
  it('go to the points of the members with quality, time of the device and reason; changes are events', async () => {
    const bench = await enabled();
    bench.send({ members: ALL(GI) });
    bench.send({ sequence: 1, members: only(0, status(false, 0x65e1cb72, 0xc0)) });
    expect(bench.values()).toMatchObject([
      { point: 1, isEvent: false, value: 1, quality: 'good', flags: [], time: '2024-03-01T12:34:57.000Z', cause: 'general-interrogation' },
      { point: 2, isEvent: false, value: 0, quality: 'good', flags: [], time: null, cause: 'general-interrogation' },
      {
        point: 1,
        isEvent: true,
        value: 0,
        quality: 'good',
        flags: ['questionable'],
        time: '2024-03-01T12:34:58.000Z',
        cause: 'data-change',
      },
    ]);
    expect(bench.notices).toEqual([]);
  });

  it('says how many points of the table a block feeds', async () => {
    const bench = new ReportBench(POINTS);
    expect((await bench.enable(URCB)).result).toMatchObject({ members: 3, points: 2 });
  });

  it('a quality that comes alone is that of the value before, a value that comes alone keeps its quality', async () => {
    const bench = await enabled();
    bench.send({ members: ALL(GI, true, true) });
    bench.send({ sequence: 1, members: only(2, quality(0x40), [QUALITY]) });
    bench.send({ sequence: 2, members: only(1, boolean(false)) });
    expect(bench.values().slice(2)).toMatchObject([
      { point: 2, isEvent: true, value: 1, quality: 'invalid', flags: ['IV'], cause: 'quality-change' },
      { point: 2, isEvent: true, value: 0, quality: 'invalid', flags: ['IV'], cause: 'data-change' },
    ]);
  });

  it('a quality without a value that is known, and a value without its quality', async () => {
    const bench = await enabled();
    bench.send({ members: only(2, quality(0x40), [QUALITY]) });
    expect(bench.values()).toEqual([]);
    const other = await enabled();
    other.send({ members: only(1, boolean(true)) });
    expect(other.values()).toMatchObject([{ point: 2, value: 1, flags: ['questionable'] }]);
  });

  it('a quality alone is no news of the value where changes of values are not sent', async () => {
    const bench = await enabled(URCB, { triggers: ['quality_change', 'general_interrogation'] });
    bench.send({ members: ALL(GI) });
    bench.came.length = 0;
    bench.send({ sequence: 1, members: only(2, quality(0x40), [QUALITY]) });
    expect(bench.values()).toEqual([]);
  });

  it('without reasons a change is what is another than before', async () => {
    const bench = await enabled();
    const bare = (members: Report['members']) => members.map((member) => ({ ...member, reasons: null }));
    bench.send({ members: bare(ALL(GI, true, false)) });
    bench.send({ sequence: 1, members: bare(ALL(GI, true, true)) });
    expect(bench.came.map(({ point, isEvent }) => [point, isEvent])).toEqual([
      [1, false],
      [2, false],
      [2, true],
      [1, false],
    ]);
    expect(bench.values()[0]?.cause).toBeUndefined();
  });

  it('integrity and several reasons at once', async () => {
    const bench = await enabled();
    bench.send({ members: [{ place: 0, reference: null, value: status(true), reasons: [INTEGRITY] }] });
    bench.send({ sequence: 1, members: [{ place: 0, reference: null, value: status(true), reasons: [1, 3] }] });
    expect(bench.values().map(({ isEvent, cause }) => [isEvent, cause])).toEqual([
      [false, 'integrity'],
      [true, 'data-change+data-update'],
    ]);
  });

  it('a member that the device cannot read fails its point, and leaves the others', async () => {
    const bench = await enabled();
    bench.send({ members: [{ place: 0, reference: null, value: { kind: 'failure', code: 1 }, reasons: [1] }, ...only(1, boolean(true))] });
    expect(bench.failed).toEqual(['1: The device refused this item: hardware-fault (1).']);
    expect(bench.values()).toMatchObject([{ point: 2, value: 1 }]);
  });

  it('a time that is a member of its own belongs to the value it came with, and to no later one', async () => {
    const bench = new ReportBench(POINTS);
    bench.device.members = ['LD/GGIO1$ST$Ind2$stVal', 'LD/GGIO1$ST$Ind2$t'];
    await bench.enable(URCB);
    const time: MmsValue = { kind: 'utc-time', octets: Uint8Array.of(0x65, 0xe1, 0xcb, 0x71, 0, 0, 0, 0x0a) };
    const both = [...only(0, boolean(true)), { place: 1, reference: null, value: time, reasons: [CHANGE] }];
    bench.send({ memberCount: 2, members: both });
    bench.send({ sequence: 1, memberCount: 2, members: only(0, boolean(false)) });
    expect(bench.values().map(({ value, time: at }) => [value, at])).toEqual([
      [1, '2024-03-01T12:34:57.000Z'],
      [0, null],
    ]);
  });

  it('points that are added later get what comes from then on', async () => {
    const bench = new ReportBench([IND1]);
    await bench.enable(URCB);
    bench.send({ members: ALL(GI) });
    bench.change([IND1, IND2]);
    bench.send({ sequence: 1, members: ALL(GI) });
    expect(bench.came.map(({ point }) => point)).toEqual([1, 1, 2]);
  });
});

describe('unhelpful devices', () => {
  const counted = async (bench: ReportBench, block = URCB) => {
    const { result } = await bench.run('report_blocks');
    return (result.blocks as Record<string, unknown>[]).find(({ reference }) => reference === block);
  };

  it.each<[string, Partial<Report>]>([
    ['more members than the data set', { memberCount: 4, members: only(3, boolean(true)) }],
    ['fewer members', { memberCount: 2 }],
    ['another data set', { dataSet: 'LD/LLN0$other' }],
    ['another revision', { revision: 9 }],
    ['a name of another member', { members: [{ place: 0, reference: 'LD/GGIO1$ST$Ind9', value: status(true), reasons: [1] }] }],
    ['a value of another member', { members: only(0, boolean(true)) }],
  ])('%s: no value of it is taken, and it is told', async (_, fields) => {
    const bench = await enabled();
    bench.send(fields);
    expect(bench.values()).toEqual([]);
    expect(bench.notices).toEqual([
      expect.stringMatching(/^A report of LD\/LLN0\.urcb\[RP\] was refused, none of its values was taken\. /),
    ]);
    expect(await counted(bench)).toMatchObject({ refused: 1, reports: 0 });
    // what the block is about is asked for: it is what it was
    for (let turn = 0; turn < 20; turn++) await settle();
    bench.send({ sequence: 1 });
    expect(bench.values()).toMatchObject([{ point: 1 }]);
  });

  it('behind a refused report a quality is not put to a value from before it', async () => {
    const bench = await enabled();
    bench.send({ members: ALL(GI) });
    bench.send({ sequence: 1, memberCount: 9 });
    bench.send({ sequence: 2, members: only(2, quality(0x40), [QUALITY]) });
    expect(bench.came.map(({ point }) => point)).toEqual([1, 2]);
  });

  it('a report that cannot be read at all is told once', async () => {
    const bench = await enabled();
    const { spec, results } = informationReport(bareReport(3));
    for (let turn = 0; turn < 3; turn++) expect(bench.reports.onReport({ spec, results: results.slice(0, 2) })).toBe(true);
    expect(bench.notices).toEqual([expect.stringContaining('ends before SqNum')]);
  });

  it('reports that nobody enabled are told once by their id', async () => {
    const bench = await enabled();
    for (let turn = 0; turn < 3; turn++) bench.send({ id: 'foreign' });
    expect(bench.notices).toEqual(['Reports of foreign come that were not enabled here; their values are not taken.']);
    expect(bench.values()).toEqual([]);
  });

  it('what is no report is left to others', async () => {
    const bench = await enabled();
    const spec = { kind: 'list', name: { scope: 'vmd', item: 'OTHER' } } as const;
    expect(bench.reports.onReport({ spec, results: [] })).toBe(false);
  });

  it('numbers left out are told and counted, and old values are not put together with new qualities', async () => {
    const bench = await enabled();
    bench.send({ members: ALL(GI) });
    bench.send({ sequence: 3, members: only(2, quality(0x40), [QUALITY]) });
    expect(bench.values()).toHaveLength(2);
    expect(bench.notices).toEqual(['Reports of LD/LLN0.urcb[RP] are missing: number 3 came behind 0.']);
    expect(await counted(bench)).toMatchObject({ missing: 1, reports: 2 });
  });

  it('numbers begin again behind the last one that their type has', async () => {
    const bench = await enabled();
    bench.send({ sequence: 255 });
    bench.send({ sequence: 0 });
    const buffered = await enabled(BRCB);
    buffered.send({ id: 'buffered', sequence: 65_535, entryId: entry(1) });
    buffered.send({ id: 'buffered', sequence: 0, entryId: entry(2) });
    expect([...bench.notices, ...buffered.notices]).toEqual([]);
  });

  it('a device that numbers nothing right is not told for ever', async () => {
    const bench = await enabled();
    for (let turn = 0; turn < 100; turn++) bench.send({ sequence: (turn * 7) % 256 });
    expect(bench.notices).toHaveLength(20);
    expect(await counted(bench)).toMatchObject({ missing: 99, reports: 100 });
  });

  it('an entry that comes twice is taken once', async () => {
    const bench = await enabled(BRCB);
    const first = { id: 'buffered', entryId: entry(1) };
    bench.send(first);
    bench.send(first);
    bench.send({ id: 'buffered', entryId: entry(2), sequence: 1 });
    expect(bench.values()).toHaveLength(2);
    expect(bench.notices).toEqual([expect.stringContaining('came twice, number 0')]);
    expect(bench.memory.reports.entries.get('LD/LLN0$BR$brcb')).toEqual(lastEntry(2));
  });

  it('BufOvfl of a first report from the oldest entry is no loss; any other is', async () => {
    const bench = await enabled(BRCB);
    bench.send({ id: 'buffered', entryId: entry(1), hasOverflow: true });
    expect(bench.notices).toEqual([expect.stringContaining('sends its whole buffer')]);
    bench.send({ id: 'buffered', entryId: entry(2), sequence: 1, hasOverflow: true });
    expect(bench.notices[1]).toContain('The buffer of LD/LLN0.brcb[BR] ran over');
    expect(await counted(bench, BRCB)).toMatchObject({ overflows: 1 });
    const emptied = await enabled(BRCB, { from: 'now' });
    emptied.send({ id: 'buffered', entryId: entry(1), hasOverflow: true });
    expect(emptied.notices).toEqual([]);
    const resumed = new ReportBench(POINTS);
    resumed.memory.reports.entries.set('LD/LLN0$BR$brcb', lastEntry(9));
    resumed.device.entries = new Set([9]);
    await resumed.enable(BRCB);
    resumed.send({ id: 'buffered', entryId: entry(20), hasOverflow: true });
    expect(resumed.notices).toEqual([expect.stringContaining('ran over')]);
  });

  it('segments are taken when all have come, and not at all when one is missing', async () => {
    const bench = await enabled();
    const segment = (number: number, isLast: boolean) => ({ segment: { number, isLast } });
    bench.send({ ...segment(0, false), members: only(0, status(true), [GI]) });
    expect(bench.values()).toEqual([]);
    bench.send({ ...segment(1, true), members: only(1, boolean(true), [GI]) });
    expect(bench.values()).toMatchObject([{ point: 1 }, { point: 2 }]);
    bench.came.length = 0;
    bench.send({ sequence: 1, ...segment(0, false), members: only(0, status(false)) });
    bench.send({ sequence: 2, members: only(1, boolean(false)) });
    expect(bench.values()).toMatchObject([{ point: 2, value: 0 }]);
    expect(bench.notices).toEqual([expect.stringContaining('that came in segments is incomplete')]);
  });

  it('blocks with one RptID are told apart by their data sets', async () => {
    const bench = await enabled(URCB, { report_id: 'same' });
    bench.device.set('LLN0$RP$other', 'RptID', text('same'));
    await bench.enable(OTHER, { data_set: 'LD/LLN0$two' });
    bench.send({ id: 'same', dataSet: 'LD/LLN0$two' });
    expect(await counted(bench)).toMatchObject({ reports: 0 });
    expect(await counted(bench, OTHER)).toMatchObject({ reports: 1 });
  });

  it('a report before the answer to its enabling belongs to it, one behind its disabling to nobody', async () => {
    const bench = new ReportBench(POINTS);
    bench.device.onWrite = (name) => {
      if (name === 'urcb.RptEna') bench.send();
    };
    await bench.enable(URCB);
    expect(bench.values()).toHaveLength(1);
    bench.device.onWrite = () => undefined;
    await bench.run('disable_report', { block: URCB });
    bench.send({ sequence: 1 });
    expect(bench.values()).toHaveLength(1);
    bench.reports.lost();
    expect(bench.notices).toEqual([expect.stringContaining('were not enabled here')]);
  });
});
