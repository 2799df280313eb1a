import { modbusTcpDriver } from '../src-main/drivers/modbus/driver.ts';
import { testDraft } from '../src-main/drivers/testing/points.ts';
import { tableSheets } from '../src-main/services/point-files/export-table.ts';
import { planTable, readTableFile } from '../src-main/services/point-files/import-table.ts';
import { writeTable } from '../src-main/services/point-files/table-formats.ts';
import { CHANNEL, stored } from '../src-main/services/point-files/testing/tables.ts';
import { type BenchResult, median, valueAtMost } from './result.ts';

const ROWS = 10_000;
const REPEATS = 5;
/** "10,000 rows in seconds". */
const LIMIT_MS = 5_000;

/** A workbook of 10,000 points on the four sheets. */
function makeWorkbook(): Promise<Uint8Array> {
  const points = Array.from({ length: ROWS }, (_, index) => {
    const frameType = ([0, 0, 1, 3] as const)[index % 4] ?? 0;
    const draft = testDraft({
      frame_type: frameType,
      code: `P${index}`,
      name: `储能 ${index} 号测点`,
      address: (index * 4) % 60_000,
      slave_id: 1 + (index % 7),
      decode: frameType === 1 ? '0x20' : '0x42',
      mul_coe: 0.1,
      add_coe: 0,
      unit: 'kW',
      min_limit: -100,
      max_limit: 100,
      note: `row ${index}`,
    });
    return modbusTcpDriver.normalizePoint(draft, CHANNEL).point;
  });
  return writeTable('xlsx', tableSheets(stored(points), modbusTcpDriver.descriptor, 'xlsx'));
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Milliseconds from the octets of a file to the point where it may be applied. */
export async function run(): Promise<BenchResult[]> {
  const bytes = await makeWorkbook();
  const table = { driver: modbusTcpDriver, settings: CHANNEL, points: [] };
  const whole: number[] = [];
  for (let repeat = -1; repeat < REPEATS; repeat++) {
    const own = await millisecondsOf(async () => {
      const read = await readTableFile({ name: 'table.xlsx', bytes }, table);
      const { merge, findings } = await planTable(read, 'merge', table);
      if (merge?.added.length !== ROWS || findings.errors.count > 0) throw new Error('The import did not take every row.');
    });
    if (repeat >= 0) whole.push(own);
  }
  return [valueAtMost('import: 10,000 rows of a workbook read, checked and compared', median(whole), 'ms', LIMIT_MS)];
}
