import { ColumnPointStore } from '../src-main/runtime/values/point-store.ts';
import { RowTexts } from '../src-main/services/row-text.ts';
import { pointRow } from '../src-main/services/rows.ts';
import { plantPoint, plantReading } from './plant.ts';
import { type BenchResult, median, ratioAtMost } from './result.ts';

const POINTS = 10_000;
const PAGE = 50;
const ROUNDS = 9;
const WARM_UP = 3;
/** A page that is kept, and one that is too large for that: it may only be no dearer. */
const KEPT_LIMIT = 0.25;
const LARGE_LIMIT = 1;

function plant(): ColumnPointStore {
  const store = new ColumnPointStore();
  store.add(Array.from({ length: POINTS }, (_, index) => plantPoint(index)));
  store.apply(
    Array.from({ length: POINTS }, (_, index) => plantReading(index + 1, 0)),
    Date.UTC(2026, 0, 1),
  );
  return store;
}

function cpuMsOf(repeats: number, work: () => string): number {
  const before = process.threadCpuUsage();
  let octets = 0;
  for (let count = 0; count < repeats; count++) octets += work().length;
  const { user, system } = process.threadCpuUsage(before);
  if (octets === 0) throw new Error('no rows');
  return (user + system) / 1000 / repeats;
}

/**
 * Processor time of the rows of a table page as `services/row-text.ts` writes them, beside the same rows made whole and written by `JSON.stringify`
 * (docs/adr/0015-answers-checked-in-tests.md): a page of 50 that a screen asks for again, and one of 10,000.
 */
export function rowTexts(): BenchResult[] {
  const store = plant();
  const rows = new RowTexts();
  return (
    [
      ['50 rows, same page', PAGE, 200, KEPT_LIMIT],
      ['10,000 rows', POINTS, 2, LARGE_LIMIT],
    ] as const
  ).map(([words, size, repeats, limit]) => {
    const ids = Array.from({ length: size }, (_, index) => index + 1);
    const written = () => rows.list(store, ids);
    const whole = () => JSON.stringify(ids.flatMap((id) => store.config(id) ?? []).map((point) => pointRow(point, store.state(point.id))));
    if (written() !== whole()) throw new Error('the texts differ');
    const costs = { written: [] as number[], whole: [] as number[] };
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const [own, other] = [cpuMsOf(repeats, written), cpuMsOf(repeats, whole)];
      if (round < 0) continue;
      costs.written.push(own);
      costs.whole.push(other);
    }
    const name = `table: CPU of ${words} as text, beside whole rows by JSON.stringify`;
    return ratioAtMost(name, median(costs.written), 'ms', median(costs.whole), limit);
  });
}
