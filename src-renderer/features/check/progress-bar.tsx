import { useTranslation } from 'react-i18next';
import type { CheckSession } from '#shared/contract/check.ts';
import type { CHECK_STATES } from '#shared/domain/check.ts';
import { Icon } from '../../ui/icons.tsx';
import { toneClass } from '../../ui/status-badge.tsx';
import classes from './check.module.css';
import { countOf, doneOf, STATE_LOOK, totalOf } from './check-text.ts';

interface CountsProps {
  readonly counts: CheckSession['counts'];
}

/** Done first, what is left last. */
const ORDER = [
  'passed',
  'accepted',
  'failed',
  'check_again',
  'blocked',
  'not_checked',
] as const satisfies readonly (typeof CHECK_STATES)[number][];

/** Items by state in one bar; a screen reader is told the numbers. */
export function ProgressBar({ counts }: CountsProps) {
  const { t } = useTranslation('check');
  const total = totalOf(counts);
  const words = ORDER.filter((state) => countOf(counts, state) > 0).map((state) => `${t(`state.${state}`)} ${countOf(counts, state)}`);
  const said = [t('progress', { done: doneOf(counts), count: total }), ...words].join(' · ');
  return (
    <span className={classes.bar} role="img" aria-label={said} title={said}>
      {ORDER.map((state) => (
        <span key={state} className={classes[`bar_${state}`]} style={{ flexGrow: countOf(counts, state) }} />
      ))}
    </span>
  );
}

/** The numbers beside the bar, each with its mark and its word. Counters of zero are not shown. */
export function StateCounts({ counts }: CountsProps) {
  const { t } = useTranslation('check');
  return (
    <span className={classes.counts} data-testid="check-counts">
      {ORDER.filter((state) => countOf(counts, state) > 0).map((state) => (
        <span key={state} className={`${classes.count} ${toneClass(STATE_LOOK[state].tone)}`} data-state={state}>
          <Icon name={STATE_LOOK[state].icon} size={13} />
          {t(`state.${state}`)} {countOf(counts, state)}
        </span>
      ))}
    </span>
  );
}
