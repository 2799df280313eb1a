import { ColumnPointStore } from '../src-main/runtime/values/point-store.ts';
import { settledBytes } from './memory.ts';
import { plantPoint, plantReading } from './plant.ts';
import { type BenchResult, valueAtMost } from './result.ts';

const POINTS = 100_000;
const MAX_BYTES_A_POINT = 300;

/** A store of `count` plant points, all read once, with one in fifty failed. */
function plantStore(count: number): ColumnPointStore {
  const store = new ColumnPointStore();
  const points = function* () {
    for (let index = 0; index < count; index++) yield plantPoint(index);
  };
  store.add(points());
  for (let from = 1; from <= count; from += 100) {
    store.apply(
      Array.from({ length: Math.min(100, count - from + 1) }, (_, i) => plantReading(from + i, 0)),
      Date.now(),
    );
  }
  return store;
}

/** Octets a point that the table takes, with its search and sort memory in use. Needs --expose-gc. */
export async function run(): Promise<BenchResult[]> {
  plantStore(1_000);
  const before = await settledBytes();
  const store = plantStore(POINTS);
  for (const search of ['pcs', '电压', '_0001', 'yc_01']) {
    store.page({ search }, 'name', 'asc', 0, 50);
    store.page({ search }, 'value', 'desc', 50, 50);
  }
  store.byCode('PCS001_YC_0000');
  const bytes = ((await settledBytes()) - before) / POINTS;
  if (store.size !== POINTS) throw new Error('the table lost points');
  return [valueAtMost('point table: memory a point at 100,000 points', bytes, 'bytes', MAX_BYTES_A_POINT)];
}
