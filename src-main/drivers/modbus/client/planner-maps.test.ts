import { describe, expect, it } from 'vitest';
import { rtuFraming } from '../rtu/framing.ts';
import { greedyCost } from '../testing/greedy-merge.ts';
import { REALISTIC_MAPS } from '../testing/maps.ts';
import { dataOctets, LineTime } from './line-time.ts';
import { type ModbusBatch, planBatches } from './planner.ts';
import type { RequestCost } from './planner-requests.ts';

function costOf(batches: readonly ModbusBatch[], cost: RequestCost): number {
  const parts = batches.map((batch) => cost.perRequest(batch.slaveId) + cost.perOctet * dataOctets(batch.functionCode, batch.quantity));
  return parts.reduce((sum, part) => sum + part, 0);
}

describe('realistic maps on a serial line', () => {
  const line = new LineTime({ baudRate: 9600, dataBits: 8, stopBits: 1, parity: 'E', requestGapMs: null }, rtuFraming);

  it.each(REALISTIC_MAPS)('$name: takes no more line time than greedy merging at any max_gap, and less from 64 on', ({ points }) => {
    expect(points.length).toBeGreaterThan(1000);
    for (const turnRoundMs of [0, 30]) {
      const cost = line.cost(() => turnRoundMs);
      for (const maxGap of [0, 1, 2, 4, 8, 16, 32, 64, 124]) {
        const { batches } = planBatches(points, { maxGap, addressBase: 0, mode: 'batch', cost });
        const [own, greedy] = [costOf(batches, cost), greedyCost(points, maxGap, cost)];
        expect(own).toBeLessThanOrEqual(greedy);
        if (maxGap >= 64) expect(own).toBeLessThan(greedy);
      }
    }
  });
});
