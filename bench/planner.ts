import { LineTime } from '../src-main/drivers/modbus/client/line-time.ts';
import { planBatches } from '../src-main/drivers/modbus/client/planner.ts';
import { rtuFraming } from '../src-main/drivers/modbus/rtu/framing.ts';
import { greedyCost } from '../src-main/drivers/modbus/testing/greedy-merge.ts';
import { REALISTIC_MAPS } from '../src-main/drivers/modbus/testing/maps.ts';
import { testPoint } from '../src-main/drivers/testing/points.ts';
import { type BenchResult, ratioAtMost } from './result.ts';

const POINTS = 10_000;
const REPEATS = 60;
const MOST_SORTS = 5;
const MAX_GAP = 124;
const TURN_ROUND_MS = 10;
const NANOSECONDS = 1_000_000;

const line = new LineTime({ baudRate: 9600, dataBits: 8, stopBits: 1, parity: 'N', requestGapMs: null }, rtuFraming);
const cost = line.cost(() => TURN_ROUND_MS);
const options = { maxGap: MAX_GAP, addressBase: 0, mode: 'batch', cost } as const;

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Planning a large table that is in no order, beside sorting it by unit, function and address. */
function planningTime(): BenchResult {
  const points = Array.from({ length: POINTS }, (_, id) => {
    const place = (id * 7919) % 2500;
    return testPoint({ id, slave_id: 1 + (id % 4), address: place + Math.floor(place / 50) * 2 });
  });
  // The least of many: whatever else the computer does only adds to it.
  let [plan, sort] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let repeat = -REPEATS; repeat < REPEATS; repeat += 1) {
    const sorting = timeOf(() => points.toSorted((a, b) => a.slave_id - b.slave_id || a.address - b.address || a.id - b.id));
    const planning = timeOf(() => planBatches(points, options));
    if (repeat < 0) continue;
    plan = Math.min(plan, planning);
    sort = Math.min(sort, sorting);
  }
  return ratioAtMost('planner: planning 10,000 points, beside sorting them', plan, 'ms', sort, MOST_SORTS);
}

/** Line time of a round at 9600 8N1 by our plan, beside greedy merging with the same max_gap. */
function lineTimes(): BenchResult[] {
  return REALISTIC_MAPS.map(({ name, points }) => {
    const ours = planBatches(points, options)
      .batches.map((batch) => line.readMs(batch.functionCode, batch.quantity, TURN_ROUND_MS))
      .reduce((sum, part) => sum + part, 0);
    const greedy = greedyCost(points, MAX_GAP, cost) / NANOSECONDS;
    return ratioAtMost(`planner: line time of a round, ${name}, max_gap ${MAX_GAP}`, ours, 'ms', greedy, 1);
  });
}

/** Time to plan, and line time of what is planned. */
export async function run(): Promise<BenchResult[]> {
  return [planningTime(), ...lineTimes()];
}
