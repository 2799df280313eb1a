import { describe, expect, it } from 'vitest';
import { settle } from '../../../platform/manual-clock.ts';
import type { MmsValue } from '../mms/types.ts';
import { yx } from '../testing/client-bench.ts';
import type { Report } from './report.ts';
import { ReportBench, ReportDevice, reportMemory, status, URCB } from './testing/report-device.ts';
import { boolean, text, unsigned } from './testing/report-results.ts';

const POINTS = [yx(1, 'LD/GGIO1.Ind1.stVal[ST]'), yx(2, 'LD/GGIO1.Ind2.stVal[ST]')];
const [FIRST, SECOND] = ['LD/GGIO1$ST$Ind1', 'LD/GGIO1$ST$Ind2'];
const BLOCK = 'LLN0$RP$urcb';
const GI = 5;

async function rest(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await settle();
}

/** A block about both indications, of which a general interrogation was sent: the first is on. */
async function reporting(checkMs = 0): Promise<ReportBench> {
  const device = new ReportDevice();
  device.members = [FIRST, SECOND];
  device.values.set('GGIO1$ST$Ind1', status(true));
  device.values.set('GGIO1$ST$Ind2', status(false));
  const bench = new ReportBench(POINTS, device, reportMemory([FIRST, SECOND]), { atStart: [URCB], checkMs });
  await bench.reports.resume();
  bench.send({ memberCount: 2, members: both(true, false) });
  bench.send({ memberCount: 2, sequence: 1, members: both(true, false) });
  expect(table(bench)).toEqual({ 1: 1, 2: 0 });
  bench.notices.length = 0;
  device.writes.length = 0;
  device.asked.length = 0;
  return bench;
}

/** Values of the members at both places. */
const both = (first: boolean, second: boolean) =>
  [first, second].map((value, place) => ({ place, reference: null, value: status(value), reasons: [GI] }));
const named = (reference: string, place: number, value: MmsValue) => [{ place, reference, value, reasons: [1] }];

/** What the points show: the last value, or that it is none any more. */
function table(bench: ReportBench): Record<number, unknown> {
  const shown: Record<number, unknown> = {};
  for (const { point, reading } of bench.came) shown[point] = reading.value;
  return shown;
}

/** Another client has deleted the data set and made it anew with its members the other way round. */
function swap(bench: ReportBench, revision = 2): void {
  bench.device.members = [SECOND, FIRST];
  bench.device.set(BLOCK, 'ConfRev', unsigned(revision));
}

describe('a data set whose members change places while its block is enabled', () => {
  it.each<[string, Partial<Report>]>([
    ['ConfRev', { memberCount: 2, revision: 2, members: both(false, true) }],
    ['a data reference', { memberCount: 2, members: named(SECOND, 0, status(false)) }],
    ['the number of members', { memberCount: 3, members: both(false, true) }],
    ['the name of the data set', { memberCount: 2, dataSet: 'LD/LLN0$new', members: both(false, true) }],
  ])('that %s tells: nothing is taken by the old places, the points are not good, and go on with the new ones', async (_, report) => {
    const bench = await reporting();
    swap(bench);
    if (report.dataSet) bench.device.set(BLOCK, 'DatSet', text(report.dataSet));
    bench.came.length = 0;
    bench.send({ sequence: 2, ...report });
    // comes while the block is asked, and would fit the old places
    bench.send({ sequence: 3, memberCount: 2, dataSet: null, members: both(false, true) });
    await rest();
    expect(table(bench)).toEqual({});
    expect(bench.failed).toEqual([expect.stringMatching(/^1: .*that of another point/), expect.stringMatching(/^2: /)]);
    expect(bench.notices[1]).toMatch(/^LD\/LLN0\.urcb\[RP\] has other members than when it was enabled: 2 of LD\/LLN0\$/);
    // all of them are asked for, and nothing else is written
    expect(bench.device.writes).toEqual(['urcb.GI']);
    bench.send({ sequence: 4, memberCount: 2, dataSet: null, members: both(false, true) });
    expect(table(bench)).toEqual({ 1: 1, 2: 0 });
  });

  it('numbers that begin anew make the block be asked before the report is taken', async () => {
    const bench = await reporting();
    swap(bench);
    bench.came.length = 0;
    bench.send({ sequence: 0, memberCount: 2, members: both(false, true) });
    await rest();
    expect([table(bench), bench.failed.length]).toEqual([{}, 2]);
    bench.send({ sequence: 1, memberCount: 2, members: both(false, true) });
    expect(table(bench)).toEqual({ 1: 1, 2: 0 });
  });

  it('numbers that begin anew of the same members lose no report, in order', async () => {
    const bench = await reporting();
    bench.came.length = 0;
    bench.send({ sequence: 0, memberCount: 2, members: both(false, true) });
    bench.send({ sequence: 1, memberCount: 2, members: both(false, false) });
    expect(bench.came).toEqual([]);
    await rest();
    expect(bench.values().map(({ point, value }) => [point, value])).toEqual([
      [1, 0],
      [2, 1],
      [1, 0],
      [2, 0],
    ]);
    expect([bench.failed, bench.device.writes]).toEqual([[], []]);
  });

  it('a device that does not answer, or numbers all its reports 0, is asked every 10 s at most, and its reports are taken', async () => {
    const bench = await reporting();
    bench.came.length = 0;
    for (let report = 0; report < 50; report++) {
      bench.send({ sequence: 0, memberCount: 2, members: both(true, true) });
      await rest();
    }
    expect(bench.device.asked.filter((name) => name === 'get-named-variable-list-attributes')).toHaveLength(1);
    expect(bench.came).toHaveLength(100);
  });

  it('without a word in its reports: the check notices it, before it compares', async () => {
    const bench = await reporting(60_000);
    swap(bench, 1);
    bench.send({ sequence: 2, memberCount: 2, members: both(false, true) });
    // until then nobody can know it
    expect(table(bench)).toEqual({ 1: 0, 2: 1 });
    await bench.device.clock.advance(60_000);
    await rest();
    expect([bench.failed.length, bench.device.writes, bench.compared]).toEqual([2, ['urcb.GI'], []]);
    bench.send({ sequence: 3, memberCount: 2, members: both(false, true) });
    expect(table(bench)).toEqual({ 1: 1, 2: 0 });
  });

  it('a read-only channel goes on with the new members, and writes nothing', async () => {
    const bench = await reporting();
    swap(bench);
    bench.device.mayWrite = false;
    bench.send({ sequence: 2, memberCount: 2, revision: 2, members: both(false, true) });
    await rest();
    expect([bench.failed.length, bench.device.writes]).toEqual([2, []]);
  });
});

describe('a block that the device disables while the association stands', () => {
  it('is noticed by the check: its points are not good, and it is enabled again', async () => {
    const bench = await reporting(60_000);
    bench.device.set(BLOCK, 'RptEna', boolean(false));
    bench.device.set(BLOCK, 'Resv', boolean(false));
    await bench.device.clock.advance(60_000);
    await rest();
    expect(bench.failed).toHaveLength(2);
    expect(bench.notices).toEqual([
      expect.stringContaining('was disabled by the device'),
      expect.stringContaining('LD/LLN0.urcb[RP] is enabled again'),
    ]);
    expect(bench.device.writes).toEqual(['urcb.Resv', 'urcb.RptEna', 'urcb.GI']);
    bench.came.length = 0;
    bench.send({ memberCount: 2, members: both(true, true) });
    expect(table(bench)).toEqual({ 1: 1, 2: 1 });
  });

  it('and is left alone once it was disabled by hand', async () => {
    const bench = await reporting(60_000);
    await bench.run('disable_report', { block: URCB });
    await bench.device.clock.advance(120_000);
    await rest();
    expect([bench.failed, bench.device.value(BLOCK, 'RptEna')]).toEqual([[], boolean(false)]);
  });
});
