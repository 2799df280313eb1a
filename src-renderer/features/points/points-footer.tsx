import { ActionIcon, Pagination, Select, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import classes from './points.module.css';
import { PAGE_SIZES, usePointsStore } from './points-store.ts';
import type { Feedback } from './use-point-actions.ts';

interface PointsFooterProps {
  readonly channelId: number;
  readonly page: number;
  readonly pages: number;
  readonly pageSize: number;
  readonly total: number;
  readonly shown: number;
  readonly selected: number;
  readonly feedback: Feedback | null;
  /** Stands behind the feedback: what leads to the cause of a fault. */
  readonly cause: ReactNode;
  onDismiss(): void;
}

/** What was done last, how much is selected, and the pages. */
export function PointsFooter(props: PointsFooterProps) {
  const { t } = useTranslation('points');
  const { setPage, setPageSize } = usePointsStore.getState();
  const from = props.total === 0 ? 0 : (props.page - 1) * props.pageSize + 1;
  const controlLabels = { first: t('page.first'), previous: t('page.previous'), next: t('page.next'), last: t('page.last') };
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
      {props.selected > 0 ? <Text size="xs">{t('selected', { count: props.selected })}</Text> : null}
      <Text size="xs" c="dimmed" data-testid="points-range">
        {t('range', { from, to: props.total === 0 ? 0 : from + props.shown - 1, total: props.total })}
      </Text>
      <Select
        w={72}
        aria-label={t('pageSize')}
        allowDeselect={false}
        data={PAGE_SIZES.map(String)}
        value={String(props.pageSize)}
        onChange={(value) => setPageSize(props.channelId, Number(value))}
      />
      <Pagination
        size="xs"
        aria-label={t('pages')}
        total={props.pages}
        value={props.page}
        siblings={1}
        onChange={(page) => setPage(props.channelId, page)}
        getControlProps={(control) => ({ 'aria-label': controlLabels[control] })}
        getItemProps={(page) => ({ 'aria-label': t('page.number', { page }) })}
      />
    </div>
  );
}
