import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckFinding, CheckResult, CheckSeen, CheckSession, Expectation } from '#shared/contract/check.ts';
import { CHECK_STATES, type CheckState, type CheckVerdict } from '#shared/domain/check.ts';
import { useWords } from '../../i18n/words.ts';
import type { IconName } from '../../ui/icons.tsx';
import { shownNumber } from '../../ui/number.ts';
import type { Tone } from '../../ui/status-badge.tsx';
import { exactNumber } from '../points/point-text.ts';
import { expectationText } from './expectation-text.ts';

interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
}

/** How each state looks; the word stands beside it always. */
export const STATE_LOOK: Readonly<Record<CheckState, Look>> = {
  not_checked: { tone: 'idle', icon: 'idle' },
  passed: { tone: 'ok', icon: 'ok' },
  failed: { tone: 'bad', icon: 'bad' },
  blocked: { tone: 'warn', icon: 'barred' },
  check_again: { tone: 'warn', icon: 'reload' },
  accepted: { tone: 'ok', icon: 'nearly' },
};

export const VERDICT_LOOK: Readonly<Record<CheckVerdict, Look>> = {
  passed: STATE_LOOK.passed,
  failed: STATE_LOOK.failed,
  blocked: STATE_LOOK.blocked,
  accepted: STATE_LOOK.accepted,
  skipped: { tone: 'idle', icon: 'right' },
  remark: { tone: 'busy', icon: 'note' },
};

type Counts = CheckSession['counts'];

/** Items by state, as many as there are of each. */
export function countOf(counts: Counts, state: CheckState): number {
  return counts[state] ?? 0;
}

/** Items that need nothing more. */
export function doneOf(counts: Counts): number {
  return countOf(counts, 'passed') + countOf(counts, 'accepted');
}

export function totalOf(counts: Counts): number {
  return CHECK_STATES.reduce((sum, state) => sum + countOf(counts, state), 0);
}

/** `expectationText` in the language of the pages. */
export function useExpectationText(): (expectation: Expectation) => string {
  const { t } = useTranslation('check');
  return useMemo(
    // the names of the parameters are those of the texts, each of which has its own
    () => (expectation) =>
      expectationText(expectation, (key, params = {}) => t(`expect.${key}` as 'expect.command', params as { value: number })),
    [t],
  );
}

/** A finding by its name and with its figures. */
export function useFindingText(): (finding: CheckFinding) => string {
  const { t } = useTranslation('check');
  const words = useWords();
  return useMemo(
    () =>
      ({ name, said, text }) =>
        `${t(`finding.${name}`)}: ${words(said, text)}`,
    [t, words],
  );
}

/** A value as it was seen; null where there was none. */
export function seenText({ value, value_text, received_at }: CheckSeen): string | null {
  if (received_at === null) return null;
  if (value_text !== '') return value_text;
  return value === null ? null : shownNumber(exactNumber(Number(value.toPrecision(7))));
}

/** Code of the point that a result is of. */
export function codeOfResult({ point, seen }: CheckResult): string {
  return typeof point.code === 'string' ? point.code : (seen[0]?.code ?? '–');
}
