import { describe, expect, it } from 'vitest';
import { settle } from '../../platform/manual-clock.ts';
import type { PointConfig } from '../spi/index.ts';
import type { Report } from './reports/report.ts';
import { ReportBench, type ReportDevice, status, URCB } from './reports/testing/report-device.ts';
import { boolean } from './reports/testing/report-results.ts';
import { yc, yx } from './testing/client-bench.ts';

const IND1 = 'LD/GGIO1.Ind1.stVal[ST]';
const IND2 = 'LD/GGIO1.Ind2.stVal[ST]';
const POINTS = 3_000;
const [CHANGE, GI] = [1, 5];

/** A table of many points, two of which are in the data set. */
const large = (first: string, second: string): readonly PointConfig[] => [
  yx(1, first),
  yx(2, second),
  ...Array.from({ length: POINTS - 2 }, (_, at) => yc(at + 3, 'LD/MMXU1.TotW.mag.f[MX]')),
];

const all = (first: boolean, second: boolean): Report['members'] => [
  { place: 0, reference: null, value: status(first), reasons: [GI] },
  { place: 1, reference: null, value: boolean(second), reasons: [GI] },
];

const told = (bench: ReportBench) => bench.values().map(({ point, value }) => [point, value]);

/** Turns of the binding; from `holdBehind` on they wait until `open`. */
function watched(bench: ReportBench, holdBehind = Number.POSITIVE_INFINITY) {
  const opened = Promise.withResolvers<void>();
  const seen = {
    turns: 0,
    async open() {
      opened.resolve();
      for (let turn = 0; turn < 300; turn++) await settle();
    },
  };
  bench.breathe = () => {
    seen.turns += 1;
    return seen.turns > holdBehind ? opened.promise : Promise.resolve();
  };
  return seen;
}

async function enabled(table: readonly PointConfig[]): Promise<ReportBench> {
  const bench = new ReportBench(table);
  await bench.enable(URCB);
  return bench;
}

describe('the points of a large table that reports have values for', () => {
  it('are bound in turns before their first block is enabled', async () => {
    const bench = new ReportBench(large(IND1, IND2));
    const seen = watched(bench, 3);
    const written = (device: ReportDevice) => device.asked.filter((service) => service === 'write').length;
    const enabling = bench.enable(URCB);
    for (let turn = 0; turn < 50; turn++) await settle();
    expect([seen.turns, bench.table.bound, written(bench.device)]).toEqual([4, null, 0]);
    await seen.open();
    await enabling;
    expect(seen.turns).toBeGreaterThan(10);
    expect([bench.table.bound?.length, written(bench.device) > 0]).toEqual([POINTS, true]);
  });

  it('are bound in turns when the table changes, before a report comes', async () => {
    const bench = await enabled(large(IND1, IND2));
    const seen = watched(bench);
    bench.change(large(IND2, IND1));
    expect(bench.table.bound).toBeNull();
    await seen.open();
    expect(seen.turns).toBeGreaterThan(10);
    expect(bench.table.bound).toHaveLength(POINTS);
    bench.send({ members: all(true, false) });
    expect(told(bench)).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  it('are bound at once where a report comes on the way, by the table as it is then', async () => {
    const bench = await enabled(large(IND1, IND2));
    const seen = watched(bench, 5);
    bench.change(large(IND1, IND1));
    for (let turn = 0; turn < 20; turn++) await settle();
    bench.change(large(IND2, IND1));
    bench.send({ members: all(true, false) });
    expect(told(bench)).toEqual([
      [1, 0],
      [2, 1],
    ]);
    bench.send({ sequence: 1, members: [{ place: 0, reference: null, value: status(false), reasons: [CHANGE] }] });
    await seen.open();
    expect(told(bench).at(-1)).toEqual([2, 0]);
    expect(bench.table.bound).toHaveLength(POINTS);
  });

  it('are not bound any more when the channel has ended', async () => {
    const bench = await enabled(large(IND1, IND2));
    const seen = watched(bench, 5);
    bench.change(large(IND2, IND1));
    for (let turn = 0; turn < 20; turn++) await settle();
    bench.table.end();
    await seen.open();
    expect([seen.turns, bench.table.bound]).toEqual([6, null]);
  });

  it('are bound anew behind a fault in the middle, by whoever asks then', async () => {
    for (const ask of [
      ({ table }: ReportBench) => table.inTurns(new AbortController().signal),
      ({ table }: ReportBench) => table.atOnce(),
    ]) {
      const points = [...large(IND1, IND2)];
      const [last] = points.slice(-1);
      let faults = 1;
      Object.defineProperty(points, POINTS - 1, {
        get() {
          if (faults-- > 0) throw new RangeError('no room');
          return last;
        },
      });
      const bench = await enabled(points.slice(0, 2));
      bench.change(points);
      await watched(bench).open();
      expect([faults, bench.table.bound], 'nobody waits for it').toEqual([0, null]);
      faults = 1;
      await expect(async () => ask(bench)).rejects.toThrow('no room');
      expect(await ask(bench)).toHaveLength(POINTS);
      expect(bench.table.bound).toHaveLength(POINTS);
    }
  });
});
