/** The checks of a meter that a commissioning engineer does with a pocket calculator: sums, clock, ratios of transformers. Reads only. */

import { z } from 'zod';
import { ConnType } from '#shared/domain/enums.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import type { DriverOperation, OperationResult } from '../../spi/operations.ts';
import { edition, meter } from '../client/operation-params.ts';
import { checkClock } from './meter-checks-clock.ts';
import { CHECK_ITEMS, CHECK_TITLES, type CheckItems } from './meter-checks-items.ts';
import { CheckReader, type ReadItem } from './meter-checks-readings.ts';
import { type CheckRow, type CheckTitle, compare, compareSum, isReason, notPossible, tidy, worstOf } from './meter-checks-rows.ts';

/** Digits of the last place that a total and three phases may be off together, each by its rounding. */
const ROUNDINGS = 4;
/** A current or voltage below this share of its usual value tells nothing about a ratio. */
const LEAST_CURRENT_A = 0.02;
const LEAST_VOLTAGE_V = 5;

const ratio = z.number().positive().max(1_000_000).optional();

const params = z.object({
  meter,
  edition,
  energy_tolerance: z.number().min(0).max(1000).default(0.05).describe('total energy against the sum of its rates or phases, in kWh'),
  power_tolerance_percent: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .describe('total power against the sum of its phases, in percent of the total'),
  clock_tolerance_s: z.number().min(0).max(86_400).default(60).describe('clock of the meter against that of this computer, in seconds'),
  phase: z.enum(['A', 'B', 'C']).default('A').describe('phase that the reference readings were taken on'),
  reference_current: z.number().positive().optional().describe('primary current measured now, in A; needed for the CT ratio'),
  ct_ratio: ratio.describe('ratio of the current transformer by its plate, e.g. 50 for 250/5; left out: the one stored in the meter'),
  reference_voltage: z.number().positive().optional().describe('primary voltage measured now, in V; needed for the PT ratio'),
  pt_ratio: ratio.describe('ratio of the voltage transformer by its plate, e.g. 100 for 10000/100; 1 for none'),
  ratio_tolerance_percent: z.number().min(0).max(100).default(2).describe('measured ratio against the expected one, in percent'),
});
type Params = z.output<typeof params>;

/** The operation as the descriptor offers it. */
export const METER_CHECKS: DriverOperation = {
  name: 'meter_checks',
  summary: 'Check a meter: total against rates and phases, clock, CT and PT ratio against reference readings; reads only',
  params,
  effect: 'repeatable',
  connTypes: [ConnType.rtuMaster, ConnType.tcpClient],
};

export interface CheckEnvironment {
  readonly read: ReadItem;
  readonly clock: Clock;
  /** Local time of the meters, in milliseconds from UTC. */
  readonly utcOffsetMs: number;
}

/** Runs all checks on one meter. Throws what ends the line, and `CANCELLED`; what the meter refuses or leaves out is in its row. */
export async function runMeterChecks(
  given: Readonly<Record<string, unknown>>,
  { read, clock, utcOffsetMs }: CheckEnvironment,
  context: ExchangeContext,
): Promise<OperationResult> {
  const wanted = params.parse(given);
  const target = { slaveId: Number(wanted.meter), address: wanted.meter, edition: wanted.edition };
  const reader = new CheckReader(target, read, context);
  const items = CHECK_ITEMS[wanted.edition];
  const rows = [
    ...(await checkSums(reader, items, wanted)),
    ...(await checkClock({ reader, clock, items: items.clock, utcOffsetMs, toleranceS: wanted.clock_tolerance_s })),
    ...(await checkCurrentRatio(reader, items, wanted)),
    await checkVoltageRatio(reader, items, wanted),
  ];
  const at = clock.wallMs();
  const stages = [{ name: 'done', at, detail: tallyOf(rows) }];
  const result = { meter: wanted.meter, edition: wanted.edition, verdict: worstOf(rows), checks: rows };
  return { outcome: reader.hasAnswered ? 'accepted' : 'unknown', stages, result };
}

function tallyOf(rows: readonly CheckRow[]): Message {
  const count = (wanted: CheckRow['verdict']) => rows.filter(({ verdict }) => verdict === wanted).length;
  return say('dlt645.check_tally', { count: rows.length, ok: count('ok'), failed: count('failed'), open: count('not_possible') });
}

async function checkSums(reader: CheckReader, items: CheckItems, wanted: Params): Promise<CheckRow[]> {
  const rates = { part: 'rate' as const, tolerance: () => wanted.energy_tolerance };
  const powers = ({ digit }: { readonly digit: number }) => ({
    part: 'phase' as const,
    tolerance: (total: number) => Math.max((Math.abs(total) * wanted.power_tolerance_percent) / 100, ROUNDINGS * digit),
  });
  const rows: CheckRow[] = [];
  for (const [title, { block, items: parts }, words] of [
    [CHECK_TITLES.forward, items.forward, rates],
    [CHECK_TITLES.reverse, items.reverse, rates],
    [CHECK_TITLES.active, items.active, powers(items.active)],
    [CHECK_TITLES.reactive, items.reactive, powers(items.reactive)],
  ] as const) {
    const read = await reader.block(block, parts);
    rows.push(read.kind === 'none' ? notPossible(title, read.reason) : compareSum(title, read.values, words));
  }
  rows.splice(2, 0, await checkPhaseEnergy(reader, items, wanted));
  return rows;
}

async function checkPhaseEnergy(reader: CheckReader, { phaseEnergy }: CheckItems, wanted: Params): Promise<CheckRow> {
  const title = CHECK_TITLES.phaseEnergy;
  if (phaseEnergy.length === 0) return notPossible(title, say('dlt645.check_no_phases_1997'));
  const read = await reader.block(null, phaseEnergy);
  if (read.kind === 'none') return notPossible(title, read.reason);
  return compareSum(title, read.values, { part: 'phase', tolerance: () => wanted.energy_tolerance });
}

const PHASES = ['A', 'B', 'C'];

function ofPhase(first: number, { phase }: Params, { phaseStep }: CheckItems): number {
  return first + PHASES.indexOf(phase) * phaseStep;
}

async function checkCurrentRatio(reader: CheckReader, items: CheckItems, wanted: Params): Promise<CheckRow[]> {
  const stored = items.storedRatio === null ? say('dlt645.check_no_ratio_1997') : await reader.number(items.storedRatio);
  const storedRow = storedCheck(stored, wanted.ct_ratio);
  const expected = wanted.ct_ratio ?? (typeof stored === 'number' ? stored : null);
  const { reference_current: reference } = wanted;
  if (reference === undefined) return [notPossible(CHECK_TITLES.ct, say('dlt645.check_current_needed')), storedRow];
  if (expected === null || expected === 0) return [notPossible(CHECK_TITLES.ct, say('dlt645.check_ct_needed')), storedRow];
  const shown = await reader.number(ofPhase(items.current, wanted, items));
  return [ratioRow(CHECK_TITLES.ct, { reference, shown, expected, least: LEAST_CURRENT_A, unit: 'A' }, wanted), storedRow];
}

function storedCheck(stored: number | null | Message, expected: number | undefined): CheckRow {
  if (isReason(stored)) return notPossible(CHECK_TITLES.stored, stored);
  if (stored === null) return notPossible(CHECK_TITLES.stored, say('dlt645.check_no_ratio'));
  if (expected === undefined) return notPossible(CHECK_TITLES.stored, say('dlt645.check_ct_to_compare', { stored }));
  return compare(CHECK_TITLES.stored, { read: stored, expected, tolerance: 0 }, say('dlt645.check_ratios'));
}

async function checkVoltageRatio(reader: CheckReader, items: CheckItems, wanted: Params): Promise<CheckRow> {
  const { reference_voltage: reference, pt_ratio: expected } = wanted;
  if (reference === undefined) return notPossible(CHECK_TITLES.pt, say('dlt645.check_voltage_needed'));
  if (expected === undefined) return notPossible(CHECK_TITLES.pt, say('dlt645.check_pt_needed'));
  const shown = await reader.number(ofPhase(items.voltage, wanted, items));
  return ratioRow(CHECK_TITLES.pt, { reference, shown, expected, least: LEAST_VOLTAGE_V, unit: 'V' }, wanted);
}

interface RatioReading {
  readonly reference: number;
  readonly shown: number | null | Message;
  readonly expected: number;
  /** Below this the meter shows nothing that could be divided by. */
  readonly least: number;
  readonly unit: string;
}

function ratioRow(title: CheckTitle, { reference, shown, expected, least, unit }: RatioReading, wanted: Params): CheckRow {
  if (isReason(shown)) return notPossible(title, shown);
  if (shown === null) return notPossible(title, say('dlt645.check_no_phase', { phase: wanted.phase }));
  if (Math.abs(shown) < least) return notPossible(title, say('dlt645.check_too_little', { shown, unit, phase: wanted.phase }));
  const read = tidy(reference / Math.abs(shown));
  const tolerance = (expected * wanted.ratio_tolerance_percent) / 100;
  const reason = say('dlt645.check_ratio', { reference, shown, unit, phase: wanted.phase });
  return compare(title, { read, expected, tolerance }, reason);
}
