import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckFinding, CheckReference, CheckResult, CheckSeen, CheckSession, Expectation } from '#shared/contract/check.ts';
import { CHECK_STATES, type CheckState, type CheckVerdict } from '#shared/domain/check.ts';
import { useWords } from '../../i18n/words.ts';
import { formatInterval } from '../../ui/format.ts';
import type { IconName } from '../../ui/icons.tsx';
import { shownNumber } from '../../ui/number.ts';
import type { Tone } from '../../ui/status-badge.tsx';
import { exactNumber } from '../points/point-text.ts';

interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
}

/** How each state looks; the word stands beside it always. */
export const STATE_LOOK: Readonly<Record<CheckState, Look>> = {
  not_checked: { tone: 'idle', icon: 'idle' },
  passed: { tone: 'ok', icon: 'ok' },
  failed: { tone: 'bad', icon: 'bad' },
  blocked: { tone: 'warn', icon: 'lock' },
  check_again: { tone: 'warn', icon: 'reload' },
  accepted: { tone: 'ok', icon: 'pin' },
};

export const VERDICT_LOOK: Readonly<Record<CheckVerdict, Look>> = {
  passed: STATE_LOOK.passed,
  failed: STATE_LOOK.failed,
  blocked: STATE_LOOK.blocked,
  accepted: STATE_LOOK.accepted,
  skipped: { tone: 'idle', icon: 'right' },
  remark: { tone: 'busy', icon: 'edit' },
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

function toleranceText({ tolerance, percent }: Pick<CheckReference, 'tolerance' | 'percent'>): string {
  const parts = [...(tolerance > 0 ? [exactNumber(tolerance)] : []), ...(percent > 0 ? [`${exactNumber(percent)} %`] : [])];
  return parts.length === 0 ? '' : ` ± ${parts.join(' / ')}`;
}

/** What has to be seen, in a few words: `0 · 230 ± 1`, `0 ⇄ 1`. */
export function useExpectationText(): (expectation: Expectation) => string {
  const { t } = useTranslation('check');
  return useMemo(
    () => (expectation) => {
      switch (expectation.kind) {
        case 'values':
          if (expectation.references.length === 0) return t('expect.person');
          return expectation.references.map((each) => `${exactNumber(each.value)}${toleranceText(each)}`).join(' · ');
        case 'states':
          return expectation.states.length === 1 ? `→ ${expectation.states[0]}` : expectation.states.join(' ⇄ ');
        case 'text':
          return `"${expectation.text}"`;
        case 'command': {
          const { value, feedback, within_ms } = expectation;
          return feedback === null
            ? t('expect.command', { value })
            : t('expect.feedback', { value, feedback, time: formatInterval(within_ms) });
        }
        case 'setpoint': {
          const { value, restore } = expectation;
          const what =
            value === null
              ? t('expect.setpointAsked')
              : t('expect.setpoint', { value: `${exactNumber(value)}${toleranceText(expectation)}` });
          return restore ? t('expect.restored', { what }) : what;
        }
        case 'pulse': {
          const { count, tolerance } = expectation;
          return tolerance > 0 ? t('expect.pulseTolerance', { count, tolerance }) : t('expect.pulse', { count });
        }
      }
    },
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
