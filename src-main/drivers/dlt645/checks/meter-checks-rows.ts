/** Rows of the meter checks: what was read, what was expected, and what is to be thought of it. Pure. */

import { say } from '#shared/messages/index.ts';
import { isMessage, type Message, type Names, names } from '#shared/messages/message.ts';
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
  readonly reason: Message;
}

/** True for a reason in the place of what was read. */
export function isReason<T extends object | number | string | null>(read: T | Message): read is Message {
  return typeof read === 'object' && read !== null && isMessage(read);
}

/** What a row is about. */
export interface CheckTitle {
  readonly check: string;
  readonly name_en: string;
  readonly name_zh: string;
  readonly unit: string;
}

/** A check that there was nothing for. */
export function notPossible(title: CheckTitle, reason: Message): CheckRow {
  return { ...title, read: null, expected: null, difference: null, tolerance: null, verdict: 'not_possible', reason };
}

/** A number against another one. */
export function compare(title: CheckTitle, numbers: { read: number; expected: number; tolerance: number }, reason: Message): CheckRow {
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
    reason,
  };
}

type PartWord = 'rate' | 'phase';
const PARTS: Readonly<Record<PartWord, Names>> = { rate: names('rate', '费率'), phase: names('phase', '相') };

/** A total against the sum of its parts; parts that the meter has not count as nothing. */
export function compareSum(
  title: CheckTitle,
  values: readonly (number | null)[],
  words: { readonly part: PartWord; readonly tolerance: (total: number) => number },
): CheckRow {
  const [total, ...rest] = values;
  const parts = rest.filter((value) => value !== null);
  const part = PARTS[words.part];
  if (total === null || total === undefined) {
    return notPossible(title, say('dlt645.check_no_total'));
  }
  if (parts.length === 0) return notPossible(title, say('dlt645.check_no_parts', { part }));
  const expected = parts.reduce((sum, part) => sum + part, 0);
  const list = parts.map((part) => tidy(part)).join(' + ');
  return compare(
    title,
    { read: total, expected, tolerance: words.tolerance(total) },
    say('dlt645.check_sum', { list, count: parts.length, part }),
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
