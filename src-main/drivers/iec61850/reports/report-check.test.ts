import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { settle } from '../../../platform/manual-clock.ts';
import type { MmsValue } from '../mms/types.ts';
import { yc, yx } from '../testing/client-bench.ts';
import { bitsOf, TRIGGER } from './bits.ts';
import type { Report } from './report.ts';
import { ReportBench, ReportDevice, reportMemory, status, URCB } from './testing/report-device.ts';
import { boolean } from './testing/report-results.ts';

const POINTS = [yx(1, 'LD/GGIO1.Ind1.stVal[ST]'), yx(2, 'LD/GGIO1.Ind2.stVal[ST]')];
const good = { kind: 'bit-string', size: 13, octets: Uint8Array.of(0, 0) } as const;
const ALL: Report['members'] = [
  { place: 0, reference: null, value: status(true), reasons: [5] },
  { place: 1, reference: null, value: boolean(false), reasons: [5] },
  { place: 2, reference: null, value: good, reasons: [5] },
];
const CHECK_MS = 60_000;
/** BufTm of the block and what a device may take beyond it. */
const PAUSE_MS = 2050;

/** A block whose reports said that the first indication is on, as the device does. */
async function reporting(): Promise<ReportBench> {
  const bench = new ReportBench(POINTS, new ReportDevice(), reportMemory(), { atStart: [URCB], checkMs: CHECK_MS });
  bench.device.values.set('GGIO1$ST$Ind1', status(true));
  await bench.reports.resume();
  bench.send({ members: ALL });
  bench.came.length = 0;
  bench.notices.length = 0;
  return bench;
}

async function pass(bench: ReportBench, ms: number): Promise<void> {
  await bench.device.clock.advance(ms);
  for (let turn = 0; turn < 30; turn++) await settle();
}

describe('reported values beside a read', () => {
  it('that agree are counted, and what was stale is fresh', async () => {
    const bench = await reporting();
    await pass(bench, CHECK_MS);
    expect(bench.values()).toMatchObject([
      { point: 1, isEvent: false, value: 1, quality: 'good' },
      { point: 2, isEvent: false, value: 0, quality: 'good' },
    ]);
    expect([bench.compared, bench.notices]).toEqual([[[2, 0]], []]);
    await pass(bench, CHECK_MS);
    expect(bench.compared).toHaveLength(2);
  });

  it('that differ still behind the time of a report are told, counted, an event, and the read wins', async () => {
    const bench = await reporting();
    bench.device.values.set('GGIO1$ST$Ind1', status(false));
    await pass(bench, CHECK_MS);
    expect(bench.values().map(({ point }) => point)).toEqual([2]);
    await pass(bench, PAUSE_MS);
    expect(bench.values().slice(1)).toMatchObject([{ point: 1, isEvent: true, value: 0 }]);
    expect(bench.notices).toEqual([expect.stringContaining('1 values that LD/LLN0.urcb[RP] reported differ')]);
    expect(bench.compared).toEqual([[2, 1]]);
    // told once, not at each check
    await pass(bench, CHECK_MS + PAUSE_MS);
    expect([bench.notices.length, bench.compared.at(-1)]).toEqual([1, [2, 0]]);
  });

  it('a report that only comes later is no difference', async () => {
    const bench = await reporting();
    bench.device.values.set('GGIO1$ST$Ind1', status(false));
    await pass(bench, CHECK_MS);
    bench.send({ sequence: 1, members: [{ place: 0, reference: null, value: status(false), reasons: [1] }] });
    await pass(bench, PAUSE_MS);
    expect([bench.notices, bench.compared]).toEqual([[], [[2, 0]]]);
  });

  it('a value that is on the move is none: a report came between the two reads', async () => {
    const bench = await reporting();
    bench.device.values.set('GGIO1$ST$Ind1', status(false));
    await pass(bench, CHECK_MS);
    bench.send({ sequence: 1, members: [{ place: 0, reference: null, value: status(false), reasons: [1] }] });
    bench.device.values.set('GGIO1$ST$Ind1', status(true));
    await pass(bench, PAUSE_MS);
    expect([bench.notices, bench.compared]).toEqual([[], [[2, 0]]]);
  });

  it('another time alone, and another state of the clock, is none', async () => {
    const bench = await reporting();
    bench.device.values.set('GGIO1$ST$Ind1', status(true, 0x65e1cc00));
    await pass(bench, CHECK_MS + PAUSE_MS);
    expect([bench.notices, bench.compared]).toEqual([[], [[2, 0]]]);
  });

  it('another quality is one', async () => {
    const bench = await reporting();
    bench.device.values.set('GGIO1$ST$Ind2$q', { ...good, octets: Uint8Array.of(0x40, 0) });
    await pass(bench, CHECK_MS);
    await pass(bench, PAUSE_MS);
    expect(bench.values().at(-1)).toMatchObject({ point: 2, isEvent: true, quality: 'invalid', flags: ['IV'] });
    expect(bench.compared).toEqual([[2, 1]]);
  });

  it('a value before its dead band, which moves without a report, is none: the read is taken and is no event', async () => {
    const measured = (inst: number, mag: number): MmsValue => {
      const float = (value: number): MmsValue => ({ kind: 'structure', items: [{ kind: 'float', value, width: 32 }] });
      return { kind: 'structure', items: [float(inst), float(mag), good, { kind: 'utc-time', octets: new Uint8Array(8).fill(1) }] };
    };
    const device = new ReportDevice();
    device.members = ['LD/MMXU1$MX$TotW', 'LD/GGIO1$ST$Ind2$stVal', 'LD/GGIO1$ST$Ind2$q'];
    device.values.set('MMXU1$MX$TotW', measured(100.25, 100));
    const points = [yc(1, 'LD/MMXU1.TotW.instMag.f[MX]'), yc(2, 'LD/MMXU1.TotW.mag.f[MX]')];
    const bench = new ReportBench(points, device, reportMemory(device.members), { atStart: [URCB], checkMs: CHECK_MS });
    await bench.reports.resume();
    bench.send({ members: [{ place: 0, reference: null, value: measured(100.25, 100), reasons: [5] }] });
    expect(bench.values()).toHaveLength(2);
    bench.came.length = 0;
    bench.notices.length = 0;
    for (let round = 1; round <= 3; round++) {
      device.values.set('MMXU1$MX$TotW', measured(100.25 + round, 100));
      await pass(bench, CHECK_MS + PAUSE_MS);
    }
    expect(bench.values().filter(({ point }) => point === 1)).toMatchObject([
      { isEvent: false, value: 101.25 },
      { isEvent: false, value: 102.25 },
      { isEvent: false, value: 103.25 },
    ]);
    expect([bench.notices, bench.compared]).toEqual([
      [],
      [
        [2, 0],
        [2, 0],
        [2, 0],
      ],
    ]);
    // the value behind the dead band has to be reported
    device.values.set('MMXU1$MX$TotW', measured(250, 250));
    for (let turn = 0; turn < 3; turn++) await pass(bench, turn === 0 ? CHECK_MS : PAUSE_MS);
    expect(bench.compared.at(-1)).toEqual([2, 1]);
    expect(bench.values().at(-1)).toMatchObject({ point: 2, isEvent: true, value: 250 });
  });

  it('a quality is none where the block has not the trigger for it', async () => {
    const device = new ReportDevice();
    device.set('LLN0$RP$urcb', 'TrgOps', bitsOf(TRIGGER, ['data_change', 'general_interrogation'], 6));
    const bench = new ReportBench(POINTS, device, reportMemory(), { atStart: [URCB], checkMs: CHECK_MS });
    device.values.set('GGIO1$ST$Ind1', status(true));
    await bench.reports.resume();
    bench.send({ members: ALL });
    bench.notices.length = 0;
    device.values.set('GGIO1$ST$Ind1', status(true, undefined, 0x40));
    await pass(bench, CHECK_MS + PAUSE_MS);
    expect([bench.notices, bench.compared]).toEqual([[], [[2, 0]]]);
    expect(bench.values().findLast(({ point }) => point === 1)).toMatchObject({ isEvent: false, quality: 'invalid' });
    device.values.set('GGIO1$ST$Ind1', status(false, undefined, 0x40));
    await pass(bench, CHECK_MS);
    await pass(bench, PAUSE_MS);
    expect(bench.compared.at(-1)).toEqual([2, 1]);
  });

  it('a point that no report was about takes the value of the read, and is no difference', async () => {
    const bench = new ReportBench(POINTS, new ReportDevice(), reportMemory(), { atStart: [URCB], checkMs: CHECK_MS });
    await bench.reports.resume();
    await pass(bench, CHECK_MS);
    expect(bench.values()).toMatchObject([
      { point: 1, isEvent: false },
      { point: 2, isEvent: false },
    ]);
    expect(bench.compared).toEqual([[2, 0]]);
  });

  it('a read that fails is told once until it does not, and changes nothing', async () => {
    const bench = await reporting();
    bench.device.onRead = () => {
      throw new AppError('TIMEOUT_RESPONSE', quoted('The device did not answer.'));
    };
    await pass(bench, CHECK_MS);
    await pass(bench, CHECK_MS);
    expect(bench.notices).toEqual([expect.stringContaining('could not be compared with a read. The device did not answer.')]);
    expect([bench.values(), bench.compared]).toEqual([[], []]);
    bench.device.onRead = () => undefined;
    await pass(bench, CHECK_MS);
    expect(bench.compared).toEqual([[2, 0]]);
  });

  it('ends with the connection, and when the block is disabled between the two reads', async () => {
    const bench = await reporting();
    bench.device.values.set('GGIO1$ST$Ind1', status(false));
    await pass(bench, CHECK_MS);
    bench.came.length = 0;
    await bench.run('disable_report', { block: URCB });
    await pass(bench, PAUSE_MS);
    expect([bench.values(), bench.notices, bench.compared]).toEqual([[], [], []]);
    bench.reports.lost();
    await pass(bench, 10 * CHECK_MS);
    expect(bench.compared).toEqual([]);
  });

  it('without an interval nothing is read', async () => {
    const bench = new ReportBench(POINTS, new ReportDevice(), reportMemory(), { atStart: [URCB] });
    await bench.reports.resume();
    bench.device.onRead = () => expect.unreachable('a read');
    await pass(bench, 10 * CHECK_MS);
    expect(bench.compared).toEqual([]);
  });
});
