import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeviceModel } from '../src-main/drivers/iec61850/model/device-model.ts';
import { readSclDevice } from '../src-main/drivers/iec61850/model/scl/device.ts';
import { openScl } from '../src-main/drivers/iec61850/model/scl/file.ts';
import { largeModel, largeStation } from '../src-main/drivers/iec61850/model/testing/large.ts';
import { openTestProject, testChannel, testPoint } from '../src-main/persistence/test-project.ts';
import { runSteps } from '../src-main/platform/steps.ts';
import { FakeModel } from '../src-main/runtime/testing/fake-model.ts';
import { nodeRow, treeOf } from '../src-main/services/model/tree.ts';
import { type BenchResult, valueAtMost } from './result.ts';

const STORED_POINTS = 30_000;
const STATION_OCTETS = 20_000_000;

/** Processor time of this process, ms: what the rest of the computer does is not counted. */
function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function atMost(name: string, limitMs: number, work: () => unknown): BenchResult {
  return valueAtMost(`large: ${name}`, processorMs(work), 'ms', limitMs);
}

/** A learnt model of 50,000 attributes: opened and counted, searched to its end, and as the trees that are asked for. */
function models(): BenchResult[] {
  const learnt = largeModel();
  const model = new DeviceModel();
  const view = new FakeModel(910);
  return [
    atMost('a model of 50,000 attributes opened and counted', 1000, () => {
      model.use(learnt, 'device', 0);
      return [model.status, model.children('LD'), model.children('LD/GGIO7.Obj7x3')];
    }),
    atMost('a model of 50,000 attributes searched to its end', 3000, () => runSteps(model.search('obj519x23 nothing', 100))),
    atMost('the whole tree of 50,000 attributes as text', 2000, () =>
      JSON.stringify(treeOf(view, view.children(null) ?? [], Number.POSITIVE_INFINITY)),
    ),
    atMost('the pages of one of its devices', 500, () => {
      for (const { reference } of view.children('BCU1LD0') ?? []) (view.children(reference) ?? []).map((node) => nodeRow(node));
    }),
  ];
}

/** A station of 20 MB, looked at and one device of it read. */
function station(): BenchResult {
  const text = largeStation(STATION_OCTETS);
  return atMost('a station of 20 MB looked at, one device read', 5000, () => readSclDevice(openScl('big.scd', text), 'F7'));
}

/** Points added to a project file in one transaction. */
function stored(): BenchResult {
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-large-'));
  const store = openTestProject(join(folder, 'large.loopcheck'));
  try {
    const { id } = store.channels.add(testChannel('a'));
    const points = Array.from({ length: STORED_POINTS }, (_, index) => testPoint(`P${index}`));
    return atMost('30,000 points added to a project file', 10_000, () => store.points.add(id, points));
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is done with large models, files and tables, in processor time. */
export async function run(): Promise<BenchResult[]> {
  return [...models(), station(), stored()];
}
