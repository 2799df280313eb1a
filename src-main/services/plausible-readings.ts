/** Which of several readings of the same registers looks like measured values. */
import type { PointConfig } from '../drivers/spi/index.ts';

/** Magnitudes that measured values have in whatever unit. */
const LEAST = 1e-6;
const LARGEST = 1e9;

/** Least and largest values by unit, where people have a feeling for them. */
const USUAL: readonly (readonly [unit: RegExp, least: number, largest: number])[] = [
  [/^Hz$/i, 40, 70],
  [/^(°C|℃|degC)$/i, -60, 300],
  [/^%$/, -110, 110],
  [/^V$/, -2_000, 50_000],
  [/^kV$/, -1_000, 1_000],
  [/^A$/, -10_000, 10_000],
  [/^(k?W|k?var|k?VA)$/i, -1e7, 1e7],
  [/^MW$/, -5_000, 5_000],
];

/** True for a number that a device may have measured: of a usual size for its unit, within its limits. */
export function looksMeasured(
  value: number,
  { unit, min_limit, max_limit }: Pick<PointConfig, 'unit' | 'min_limit' | 'max_limit'>,
): boolean {
  if (!Number.isFinite(value)) return false;
  if (value === 0) return true;
  if ((min_limit !== null && value < min_limit) || (max_limit !== null && value > max_limit)) return false;
  const size = Math.abs(value);
  if (size < LEAST) return false;
  const usual = USUAL.find(([pattern]) => pattern.test(unit));
  if (usual) return value >= usual[1] && value <= usual[2];
  return size <= LARGEST;
}

/** A reading as far as it tells. */
export interface ToldReading {
  readonly choice: string;
  /** Null where there is none. */
  readonly value: number | null;
  readonly plausible: boolean;
}

/** Rows that have to speak for a choice more than for any other. */
const MARGIN = 0.25;

/**
 * The choice under which clearly more rows look measured than under every other; null where none stands out. Rows that read the same everywhere, and zeros, tell nothing.
 */
export function plausibleChoice(rows: readonly (readonly ToldReading[])[]): string | null {
  const telling = rows.filter(
    (readings) =>
      new Set(readings.map(({ value, plausible }) => `${value} ${plausible}`)).size > 1 &&
      readings.some(({ value }) => value !== 0 && value !== null),
  );
  const choices = [...new Set(telling.flatMap((readings) => readings.map(({ choice }) => choice)))];
  const scores = choices
    .map((choice) => ({
      choice,
      score: telling.filter((readings) => readings.some((reading) => reading.choice === choice && reading.plausible && reading.value !== 0))
        .length,
    }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scores;
  return best && best.score - (second?.score ?? 0) >= Math.max(1, telling.length * MARGIN) ? best.choice : null;
}
