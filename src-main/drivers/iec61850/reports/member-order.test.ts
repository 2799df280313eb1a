import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { settle } from '../../../platform/manual-clock.ts';
import { serviceError } from '../association/refusals.ts';
import type { MmsType } from '../mms/types.ts';
import { yx } from '../testing/client-bench.ts';
import type { Report } from './report.ts';
import { ReportBench, ReportDevice, reportMemory, STATUS, status, structure, URCB } from './testing/report-device.ts';
import { boolean } from './testing/report-results.ts';

const POINTS = [yx(1, 'LD/GGIO1.Ind1.stVal[ST]'), yx(2, 'LD/GGIO1.Ind2.stVal[ST]')];
const QUALITY: MmsType = { kind: 'bit-string', size: -13 };
const good = { kind: 'bit-string', size: 13, octets: Uint8Array.of(0, 0) } as const;
const ALL: Report['members'] = [
  { place: 0, reference: null, value: status(true), reasons: [5] },
  { place: 1, reference: null, value: boolean(true), reasons: [5] },
  { place: 2, reference: null, value: good, reasons: [5] },
];
const OTHER_ORDER = structure({ q: QUALITY, t: { kind: 'utc-time' }, stVal: { kind: 'boolean' } });
const CHECK_MS = 60_000;

/** A device of which nothing was learnt over this association. */
function unproven(onType: (item: string) => MmsType, checkMs = 0): ReportBench {
  const memory = reportMemory();
  memory.proven = new Set();
  const device = new ReportDevice();
  device.onType = onType;
  return new ReportBench(POINTS, device, memory, { checkMs });
}
const refuse = (): never => {
  throw serviceError({ errorClass: 7, code: 3, detail: null } as never);
};
const pointsOf = (bench: ReportBench) => bench.values().map(({ point, value }) => [point, value]);

describe('structured members whose order was not proven over the association', () => {
  it('are asked for once before the block is enabled, and taken where they are those of the model', async () => {
    const asked: string[] = [];
    const bench = unproven((item) => {
      asked.push(item);
      return structure({ stVal: { kind: 'boolean' }, q: QUALITY, t: { kind: 'utc-time' } });
    });
    const { detail } = await bench.enable(URCB);
    expect(detail).toBe('LD/LLN0.urcb[RP] enabled, 3 members, 2 points of the table');
    bench.send({ members: ALL });
    expect(asked).toEqual(['GGIO1$ST$Ind1']);
    expect(pointsOf(bench)).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it.each<[string, (item: string) => MmsType]>([
    ['are in another order', () => OTHER_ORDER],
    ['have another name', () => structure({ stVal: { kind: 'boolean' }, q: QUALITY, T: { kind: 'utc-time' } })],
    ['have one more', () => structure({ stVal: { kind: 'boolean' }, q: QUALITY, t: { kind: 'utc-time' }, subEna: { kind: 'boolean' } })],
    ['have one less', () => structure({ stVal: { kind: 'boolean' }, q: QUALITY })],
    ['are no structure', () => ({ kind: 'boolean' })],
    ['are not told', refuse],
    [
      'are not told in time',
      () => {
        throw new AppError('TIMEOUT_RESPONSE', quoted('late'));
      },
    ],
  ])('give no value where they %s; the others do, and it is told', async (_, onType) => {
    const bench = unproven(onType);
    const { detail, isRefused } = await bench.enable(URCB);
    expect(isRefused).toBeUndefined();
    expect(detail).toContain('1 points of the table');
    expect(detail).toContain('does not tell the structure of LD/GGIO1$ST$Ind1');
    bench.send({ members: ALL });
    expect(pointsOf(bench)).toEqual([[2, 1]]);
    expect(bench.failed).toEqual([]);
  });

  it('give values again as soon as the model was learnt', async () => {
    const bench = unproven(refuse);
    await bench.enable(URCB);
    bench.memory.proven = null;
    bench.send({ members: ALL });
    expect(pointsOf(bench)).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it('give none, also of a learnt model, where a device tells its types in parts and nobody knows their order', async () => {
    const bench = unproven(refuse);
    const { model } = bench.memory.model.index;
    bench.memory.model.use({ ...model, unordered: new Set(['LD/GGIO1$ST$Ind1']) }, 'device', 0);
    bench.memory.proven = null;
    await bench.enable(URCB);
    bench.send({ members: ALL });
    expect(pointsOf(bench)).toEqual([[2, 1]]);
  });

  it('leave the block alone where the connection is lost meanwhile', async () => {
    const bench = unproven(() => {
      throw new AppError('TRANSPORT_LOST', quoted('gone'));
    });
    await expect(bench.enable(URCB)).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    expect(bench.device.writes).toEqual([]);
  });

  it('are read by the names of their attributes when reports are compared with a read', async () => {
    const bench = unproven(() => OTHER_ORDER, CHECK_MS);
    bench.device.values.set('GGIO1$ST$Ind1$stVal', boolean(true));
    bench.device.values.set('GGIO1$ST$Ind1$q', good);
    await bench.reports.resume();
    await bench.enable(URCB);
    await bench.device.clock.advance(CHECK_MS);
    for (let turn = 0; turn < 30; turn++) await settle();
    expect(bench.values().find(({ point }) => point === 1)).toMatchObject({ value: 1, isEvent: false });
  });

  it('are asked for again where the block has other members', async () => {
    const bench = unproven(() => STATUS);
    await bench.enable(URCB);
    bench.device.onType = () => OTHER_ORDER;
    bench.device.members = ['LD/GGIO1$ST$Ind2', 'LD/GGIO1$ST$Ind1$stVal', 'LD/GGIO1$ST$Ind1$q'];
    bench.send({ members: ALL.slice(0, 1), memberCount: 1 } as Partial<Report>);
    for (let turn = 0; turn < 30; turn++) await settle();
    bench.came.length = 0;
    bench.send({ members: ALL, sequence: 1 } as Partial<Report>);
    expect(pointsOf(bench)).toEqual([[1, 1]]);
    expect(bench.notices.join()).toContain('does not tell the structure of LD/GGIO1$ST$Ind2');
  });
});
