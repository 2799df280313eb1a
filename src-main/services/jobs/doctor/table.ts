import { isSerial } from '#shared/domain/enums.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverDiagnostics, ScanBlock, TableRemark, TableSample } from '../../../drivers/spi/diagnostics.ts';
import type { DriverChannelSettings, PointConfig, PointReading, PointValue, ReadBatch } from '../../../drivers/spi/index.ts';
import { engineeringText, engineeringValue, valueRuleOf } from '../../../runtime/values/engineering-value.ts';
import type { JobRecord } from '../job-record.ts';
import type { Asker } from './asker.ts';
import type { VerdictSheet } from './verdicts.ts';

/** Points that are tried, and of those with one decode. */
const MAX_SAMPLES = 16;
const PER_KIND = 4;
/** A device that leaves so many reads in a row unanswered is not asked further. */
const MAX_SILENT = 3;

/** A few points that stand for the table: of each slave, function and decode some, spread over it. */
export function pickSamples(points: readonly PointConfig[]): PointConfig[] {
  const kinds = new Map<string, PointConfig[]>();
  for (const point of points) {
    const kind = `${point.slave_id} ${point.func_code} ${point.decode}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), point]);
  }
  const picked: PointConfig[] = [];
  for (let turn = 0; turn < PER_KIND; turn++) {
    for (const group of kinds.values()) {
      const wanted = Math.min(PER_KIND, group.length);
      const point = turn < wanted ? group[Math.floor((turn * group.length) / wanted)] : undefined;
      if (point && picked.length < MAX_SAMPLES) picked.push(point);
    }
  }
  return picked;
}

export interface TableOptions {
  readonly asker: Asker;
  readonly diagnostics: DriverDiagnostics;
  readonly settings: DriverChannelSettings;
  readonly job: JobRecord;
  readonly sheet: VerdictSheet;
}

/** Reads samples one by one and judges the layer `table`. */
export async function examineTable(points: readonly PointConfig[], options: TableOptions): Promise<void> {
  const { job, sheet } = options;
  if (points.length === 0) {
    sheet.set('table', 'warning', 'TABLE_EMPTY');
    return;
  }
  const samples: TableSample[] = [];
  let silent = 0;
  for (const point of pickSamples(points)) {
    job.checkpoint();
    // that the line has ended is told by one read that failed
    if (silent >= MAX_SILENT || (options.asker.hasEnded && samples.at(-1)?.reading.kind === 'failure')) break;
    job.activity = say('jobs.reading', { code: point.code });
    const reading = await readPoint(point, options.asker);
    // the adapter was pulled meanwhile: that says nothing of the table
    if (reading.kind === 'failure' && isSerial(options.settings.connType) && reading.error.code.startsWith('TRANSPORT_'))
      throw reading.error;
    silent = reading.kind === 'failure' && reading.error.code === 'TIMEOUT_RESPONSE' ? silent + 1 : 0;
    samples.push({ point, reading, shown: (value) => shownValue(point, value) });
  }
  const remarks = await Promise.all(
    options.diagnostics.judgeTable(samples, options.settings).map((remark) => provenFunction(remark, samples, options)),
  );
  judge(samples, remarks, options);
}

function shownValue(point: PointConfig, reading: PointValue): string {
  const rule = valueRuleOf(point);
  const value = engineeringValue(rule, reading);
  return engineeringText(rule, reading, value) || String(Number(value.toPrecision(6)));
}

/** Tries the other functions where the device does not know that of the table; the remark as it is where none of them works either. */
async function provenFunction(remark: TableRemark, samples: readonly TableSample[], options: TableOptions): Promise<TableRemark> {
  if (remark.code !== 'TABLE_FUNCTION') return remark;
  const { point } = samples.find((sample) => sample.point.code === remark.params.code) ?? {};
  const functions = options.diagnostics.scanFunctions;
  const used = functions.find(({ code }) => code === remark.params.function);
  if (!point || !used) return remark;
  const start = point.address - options.settings.addressBase;
  for (const { code } of functions.filter((item) => item.isBit === used.isBit && item !== used)) {
    options.job.checkpoint();
    if (await isThere({ functionCode: code, start, quantity: 1 }, point.slave_id, options.asker)) {
      return { code: 'TABLE_FUNCTION_OTHER', params: { ...remark.params, works: code } };
    }
  }
  return remark;
}

async function isThere(block: ScanBlock, slaveId: number, asker: Asker): Promise<boolean> {
  try {
    const answer = await asker.ask(async ({ diagnostics }, context) => diagnostics?.scan(slaveId, block, context));
    return answer?.kind === 'values';
  } catch (thrown) {
    throwUnlessFailed(toAppError(thrown));
    return false;
  }
}

/** Throws what says that nobody asks for the device any more, or that there is none to ask. */
function throwUnlessFailed(error: AppError): void {
  if (error.code === 'CANCELLED' || error.code === 'INTERNAL' || error.code === 'STATE_NOT_STARTED') throw error;
}

async function readPoint(point: PointConfig, asker: Asker): Promise<PointReading> {
  const failure = (error: AppError): PointReading => ({ kind: 'failure', pointId: point.id, error });
  try {
    const plan = await asker.ask(async (connection) => connection.plan([point], { mode: 'single', skipKnownHoles: false }));
    const excluded = plan.excluded[0];
    if (excluded) return excluded;
    let batches: readonly ReadBatch[] = plan.batches;
    for (let batch = batches[0]; batch; batch = batches[0]) {
      const wanted = batch;
      const answer = await asker.ask((connection, context) => connection.read(wanted, context));
      const reading = answer.readings.find((item) => item.pointId === point.id);
      if (reading) return reading;
      batches = [...answer.next, ...batches.slice(1)];
    }
  } catch (thrown) {
    const error = toAppError(thrown);
    throwUnlessFailed(error);
    return failure(error);
  }
  throw new TypeError(`the driver gave no reading for point ${point.id}`);
}

/** Half of the samples, and one more, have to be missing for the table to be the wrong one. */
function judge(samples: readonly TableSample[], remarks: readonly TableRemark[], { diagnostics, sheet }: TableOptions): void {
  const asked = samples.length;
  const failures = samples.flatMap(({ point, reading }) => (reading.kind === 'failure' ? [{ point, error: reading.error }] : []));
  const missing = failures.filter(({ error }) => diagnostics.isMissingAddress(error));
  const order = remarks.find((remark) => remark.code === 'TABLE_ORDER');
  const unknown = remarks.find(({ code }) => code === 'TABLE_FUNCTION_OTHER' || code === 'TABLE_FUNCTION');
  // of a table with points that are missing as well the function is a hint
  const headline = missing.length === 0 ? (unknown ?? order) : undefined;
  const hints = remarks.filter((remark) => remark !== headline);
  const firstMissing = missing[0];
  const firstFailure = failures[0];
  if (firstMissing) {
    const { code, address } = firstMissing.point;
    const state = missing.length * 2 > asked ? 'bad' : 'warning';
    const counts = { missing: missing.length, asked, code };
    if (diagnostics.itemText)
      sheet.set('table', state, 'TABLE_MISSING_ITEM', { ...counts, item: diagnostics.itemText(firstMissing.point) });
    else sheet.set('table', state, 'TABLE_MISSING', { ...counts, address });
  } else if (headline) {
    const isAll = headline === unknown && failures.length === asked;
    sheet.set('table', isAll ? 'bad' : 'warning', headline.code, headline.params);
  } else if (firstFailure) {
    const state = failures.length === asked ? 'bad' : 'warning';
    sheet.set('table', state, 'TABLE_FAILED', { failed: failures.length, asked, detail: firstFailure.error.said });
  } else {
    sheet.set('table', 'good', 'TABLE_GOOD', { good: asked, asked });
  }
  for (const hint of hints) sheet.note('table', hint.code, hint.params);
}
