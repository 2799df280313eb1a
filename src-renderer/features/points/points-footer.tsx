import { ActionIcon, Text } from '@mantine/core';
import { memo, type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { Icon } from '../../ui/icons.tsx';
import classes from './points.module.css';
import type { Feedback } from './use-point-actions.ts';
import type { Sight } from './use-point-query.ts';

interface PointsFooterProps {
  readonly sight: Sight;
  readonly total: number;
  readonly selected: number;
  readonly isSelecting: boolean;
  readonly feedback: Feedback | null;
  /** Stands behind the feedback: what leads to the cause of a fault. */
  readonly cause: ReactNode;
  /** Stands before the numbers. */
  readonly children?: ReactNode;
  onDismiss(): void;
}

/** Which rows are in sight. Its room is that of the widest numbers: nothing around it is laid out anew while the table is scrolled. */
const Range = memo(function Range({ sight, total }: Pick<PointsFooterProps, 'sight' | 'total'>) {
  const { t } = useTranslation('points');
  const { first, last } = useStore(sight);
  const to = Math.min(total, last + 1);
  const widest = useMemo(() => t('range', { from: total, to: total, total }), [t, total]);
  return (
    <span className={classes.range} data-widest={widest}>
      <span data-testid="points-range">{t('range', { from: Math.min(to, first + 1), to, total })}</span>
    </span>
  );
});

const Selected = memo(function Selected({ count }: { readonly count: number }) {
  const { t } = useTranslation('points');
  return count > 0 ? <Text size="xs">{t('selected', { count })}</Text> : null;
});

/** What was done last, how much is selected, and where the table stands. It is there always: nothing moves when an error comes. */
export function PointsFooter(props: PointsFooterProps) {
  const { t } = useTranslation('points');
  return (
    <div className={classes.footer}>
      <div className={classes.feedback} role="status" aria-live="polite" data-testid="points-feedback">
        {props.feedback ? (
          <>
            {props.feedback.tone === 'failed' ? (
              <span className={classes.failed}>
                <Icon name="bad" size={14} />
              </span>
            ) : null}
            <span
              className={`${classes.feedbackText} ${props.feedback.tone === 'failed' ? classes.failed : ''}`}
              title={props.feedback.text}
            >
              {props.feedback.text}
            </span>
            {props.cause}
            <ActionIcon size="xs" aria-label={t('dismiss')} onClick={props.onDismiss}>
              <Icon name="close" size={12} />
            </ActionIcon>
          </>
        ) : null}
      </div>
      {props.children}
      {props.isSelecting ? <Text size="xs">{t('selecting')}</Text> : null}
      <Selected count={props.selected} />
      <Range sight={props.sight} total={props.total} />
    </div>
  );
}
