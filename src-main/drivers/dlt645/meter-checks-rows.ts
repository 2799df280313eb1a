/** Rows of the meter checks: what was read, what was expected, and what is to be thought of it. Pure. */

/** `not_possible`: there was nothing to compare, `reason` says why. */
export type CheckVerdict = 'ok' | 'failed' | 'not_possible';

/** One check, in the names of the answer. Numbers are in `unit`. */
export interface CheckRow {
  readonly check: string;
  readonly name_en: string;
  readonly name_zh: string;
  readonly read: number | string | null;
  readonly expected: number | string | null;
  readonly difference: number | null;
  readonly tolerance: number | null;
  readonly unit: string;
  readonly verdict: CheckVerdict;
  /** What was compared with what, or why nothing could be. */
  readonly reason: string;
}

/** What a row is about. */
export interface CheckTitle {
  readonly check: string;
  readonly name_en: string;
  readonly name_zh: string;
  readonly unit: string;
}

/** A check that there was nothing for. */
export function notPossible(title: CheckTitle, reason: string): CheckRow {
  return { ...title, read: null, expected: null, difference: null, tolerance: null, verdict: 'not_possible', reason };
}

/** A number against another one. */
export function compare(title: CheckTitle, numbers: { read: number; expected: number; tolerance: number }, reason: string): CheckRow {
  const { read, expected, tolerance } = numbers;
  const difference = tidy(read - expected);
  // the smallest digit counts as equal, whatever binary fractions make of it
  const verdict = Math.abs(difference) <= tolerance + 1e-9 ? 'ok' : 'failed';
  return { ...title, read: tidy(read), expected: tidy(expected), difference, tolerance: tidy(tolerance), verdict, reason };
}

/** A total against the sum of its parts; parts that the meter has not count as nothing. */
export function compareSum(
  title: CheckTitle,
  values: readonly (number | null)[],
  words: { readonly part: string; readonly tolerance: (total: number) => number },
): CheckRow {
  const [total, ...rest] = values;
  const parts = rest.filter((value) => value !== null);
  if (total === null || total === undefined) return notPossible(title, 'The meter has no value for the total.');
  if (parts.length === 0) return notPossible(title, `The meter has no ${words.part}s.`);
  const expected = parts.reduce((sum, part) => sum + part, 0);
  const list = parts.map((part) => tidy(part)).join(' + ');
  return compare(
    title,
    { read: total, expected, tolerance: words.tolerance(total) },
    `Total against ${list} of ${parts.length} ${words.part}s.`,
  );
}

/** The worst verdict of all: `failed`, else `ok`, else `not_possible`. */
export function worstOf(rows: readonly Pick<CheckRow, 'verdict'>[]): CheckVerdict {
  if (rows.some(({ verdict }) => verdict === 'failed')) return 'failed';
  return rows.some(({ verdict }) => verdict === 'ok') ? 'ok' : 'not_possible';
}

/** Without the tail of binary fractions. */
export function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
