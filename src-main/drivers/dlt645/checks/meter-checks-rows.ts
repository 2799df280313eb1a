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
  /** The same in Chinese. */
  readonly reason_zh: string;
}

/** A reason in both languages. */
export interface Reason {
  readonly en: string;
  readonly zh: string;
}

/** True for a reason in the place of what was read. */
export function isReason<T extends object | number | string | null>(read: T | Reason): read is Reason {
  return typeof read === 'object' && read !== null && 'zh' in read;
}

/** What a row is about. */
export interface CheckTitle {
  readonly check: string;
  readonly name_en: string;
  readonly name_zh: string;
  readonly unit: string;
}

/** A check that there was nothing for. */
export function notPossible(title: CheckTitle, { en, zh }: Reason): CheckRow {
  return { ...title, read: null, expected: null, difference: null, tolerance: null, verdict: 'not_possible', reason: en, reason_zh: zh };
}

/** A number against another one. */
export function compare(title: CheckTitle, numbers: { read: number; expected: number; tolerance: number }, reason: Reason): CheckRow {
  const { read, expected, tolerance } = numbers;
  const difference = tidy(read - expected);
  // the smallest digit counts as equal, whatever binary fractions make of it
  const verdict = Math.abs(difference) <= tolerance + 1e-9 ? 'ok' : 'failed';
  return {
    ...title,
    read: tidy(read),
    expected: tidy(expected),
    difference,
    tolerance: tidy(tolerance),
    verdict,
    reason: reason.en,
    reason_zh: reason.zh,
  };
}

type PartWord = 'rate' | 'phase';
const PART_ZH: Readonly<Record<PartWord, string>> = { rate: '费率', phase: '相' };

/** A total against the sum of its parts; parts that the meter has not count as nothing. */
export function compareSum(
  title: CheckTitle,
  values: readonly (number | null)[],
  words: { readonly part: PartWord; readonly tolerance: (total: number) => number },
): CheckRow {
  const [total, ...rest] = values;
  const parts = rest.filter((value) => value !== null);
  const part = PART_ZH[words.part];
  if (total === null || total === undefined) {
    return notPossible(title, { en: 'The meter has no value for the total.', zh: '电表没有总值。' });
  }
  if (parts.length === 0) return notPossible(title, { en: `The meter has no ${words.part}s.`, zh: `电表没有各${part}的值。` });
  const expected = parts.reduce((sum, part) => sum + part, 0);
  const list = parts.map((part) => tidy(part)).join(' + ');
  return compare(
    title,
    { read: total, expected, tolerance: words.tolerance(total) },
    {
      en: `Total against ${list} of ${parts.length} ${words.part}s.`,
      zh: `总与 ${parts.length} 个${part}之和 ${list} 相比。`,
    },
  );
}

/** The worst verdict of all: `failed`, else `ok`, else `not_possible`. */
export function worstOf(rows: readonly Pick<CheckRow, 'verdict'>[]): CheckVerdict {
  if (rows.some(({ verdict }) => verdict === 'failed')) return 'failed';
  return rows.some(({ verdict }) => verdict === 'ok') ? 'ok' : 'not_possible';
}

/** Without the tail of binary fractions. */
export function tidy(value: number): number {
  return Number(Number(value.toPrecision(12)).toFixed(10));
}
