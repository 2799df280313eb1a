/** What a simulated meter answers to the identifiers it has by itself. */
import type { PartInput } from '../codec/format.ts';
import { octetOf } from '../dictionary/pattern.ts';
import type { Counter, EnergyCounters } from './energy.ts';
import type { Measurement } from './load.ts';

/** A meter at one moment. What is measured and counted is made when it is asked for: that costs more than all the rest. */
export interface MeterState {
  /** Twelve digits. */
  readonly address: string;
  /** Local time of its clock. */
  readonly now: number;
  readonly measured: Measurement;
  readonly counters: EnergyCounters;
  /** Status word 3. */
  readonly relayWord: number;
}

/** DI2 of energies: the counters whose sum it is. */
const ENERGIES: readonly (readonly Counter[])[] = [
  ['forward', 'reverse'],
  ['forward'],
  ['reverse'],
  ['q1', 'q4'],
  ['q2', 'q3'],
  ['q1'],
  ['q2'],
  ['q3'],
  ['q4'],
  ['apparent'],
];

/** Parts of a single item of the 2007 edition in written order; null where the meter does not have it by itself. */
export function simulatedParts(di: number, state: MeterState): readonly PartInput[] | null {
  switch (octetOf(di, 3)) {
    case 0:
      return energy(di, state);
    case 1:
      return demand(di, state);
    case 2:
      return variable(di, state);
    case 3:
      // counts of events that never happened
      return octetOf(di, 0) === 0 ? [0, 0] : null;
    case 4:
      return parameter(di, state);
    default:
      return null;
  }
}

function energy(di: number, { counters }: MeterState): readonly PartInput[] | null {
  const parts = ENERGIES[octetOf(di, 2)];
  if (!parts) return null;
  let sum = 0;
  for (const counter of parts) {
    const value = counters.hundredths(counter, octetOf(di, 1), octetOf(di, 0));
    if (value === null) return null;
    sum += value;
  }
  return [sum / 100];
}

/** Shares of the active demand that the other quantities have. */
const DEMANDS: readonly number[] = [0, 1, 0.001, 0.3, 0, 0.3, 0, 0, 0.02, 1.05];

function demand(di: number, { counters }: MeterState): readonly PartInput[] | null {
  const share = DEMANDS[octetOf(di, 2)];
  const maximum = octetOf(di, 2) === 0 ? null : counters.demand(octetOf(di, 1), octetOf(di, 0));
  return share === undefined || !maximum ? null : [maximum.value * share, localText(maximum.at).slice(0, 10)];
}

function variable(di: number, state: MeterState): readonly PartInput[] | null {
  const { measured } = state;
  const phase = octetOf(di, 1) - 1;
  const of = (list: readonly number[], total?: number) => {
    const value = phase < 0 ? total : list[phase];
    return value === undefined ? null : [value];
  };
  switch (octetOf(di, 2)) {
    case 0x01:
      return of(measured.voltage);
    case 0x02:
      return of(measured.current);
    case 0x03:
      return of(measured.active, measured.activeTotal);
    case 0x04:
      return of(measured.reactive, measured.reactiveTotal);
    case 0x05:
      return of(measured.apparent, measured.apparentTotal);
    case 0x06:
      return of(measured.factor, measured.apparentTotal === 0 ? 1 : measured.activeTotal / measured.apparentTotal);
    case 0x07:
      return of(measured.factor.map((factor) => (Math.acos(Math.min(1, factor)) * 180) / Math.PI));
    case 0x80:
      return further(octetOf(di, 0), state);
    default:
      return null;
  }
}

function further(item: number, { measured, now, counters }: MeterState): readonly PartInput[] | null {
  const values: Readonly<Record<number, number>> = {
    1: 0.05,
    2: measured.frequency,
    3: measured.activeTotal,
    4: Math.min(measured.activeTotal, counters.demand(0, 0)?.value ?? 0),
    5: measured.reactiveTotal,
    6: measured.apparentTotal,
    7: 25 + (now % 3_600_000) / 3_600_000,
    8: 3.62,
    9: 6.01,
    10: 120,
  };
  const value = values[item];
  return value === undefined ? null : [value];
}

/** Identifier of the status word that shows the relay. */
export const STATUS_WORD_3 = 0x04000503;

/** Parameters that stay as they are. */
const PARAMETERS: ReadonlyMap<number, PartInput> = new Map<number, PartInput>([
  [0x04000103, 15], // demand period
  [0x04000104, 1], // sliding interval
  [0x04000201, 2], // time zones
  [0x04000202, 2], // day schedules
  [0x04000203, 8], // day slots
  [0x04000204, 4], // rates
  [0x04000404, '220V'], // rated voltage
  [0x04000405, '5A'], // rated current
  [0x04000406, '60A'], // maximum current
  [0x04000407, '1.0'], // accuracy
  [0x04000409, 400], // active constant
  [0x0400040a, 400], // reactive constant
  [0x0400040b, 'LC-SIM'], // model
]);

function parameter(di: number, { address, now, relayWord }: MeterState): readonly PartInput[] | null {
  const text = localText(now);
  const weekday = `0${new Date(now).getUTCDay()}`;
  switch (di) {
    case 0x04000101:
      return [text.slice(0, 6) + weekday];
    case 0x04000102:
      return [text.slice(6)];
    case 0x0400010c:
      return [text.slice(0, 6) + weekday + text.slice(6)];
    case 0x04000401:
    case 0x04000402:
      return [Number(address)];
    case 0x04000b01:
      return ['0100'];
  }
  if (di === STATUS_WORD_3) return [relayWord];
  if (di >>> 8 === 0x040005 && (di & 0xff) <= 7) return [0];
  const value = PARAMETERS.get(di);
  return value === undefined ? null : [value];
}

/** Local time as digits, YYMMDDhhmmss. */
export function localText(at: number): string {
  return new Date(at).toISOString().slice(2, 19).replace(/\D/g, '');
}
