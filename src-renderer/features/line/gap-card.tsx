import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { LinePlan } from '#shared/contract/line.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { formatDuration } from '../../ui/format.ts';
import { openChannelDialog } from '../channels/channel-dialog-store.ts';
import classes from './line.module.css';
import { formatPercent, gainPercent } from './line-text.ts';

/** What a round would take with larger gaps: in time on a slow line, in requests on a fast one. */
export function GapCard({ channel, plan }: { readonly channel: Channel; readonly plan: LinePlan }) {
  const { t } = useTranslation('line');
  const rows = [plan, ...plan.larger_gaps];
  const gainOf = (row: (typeof rows)[number]) =>
    gainPercent(plan.predicted_cycle_ms, row.predicted_cycle_ms) ?? gainPercent(plan.requests, row.requests);
  const columns: readonly SmallColumn<(typeof rows)[number]>[] = [
    { id: 'gap', name: t('gaps.gap'), cell: (row) => row.max_gap },
    { id: 'requests', name: t('gaps.requests'), align: 'right', cell: (row) => row.requests },
    {
      id: 'time',
      name: t('gaps.time'),
      align: 'right',
      cell: (row) => (row.predicted_cycle_ms === null ? '–' : formatDuration(row.predicted_cycle_ms)),
    },
    {
      id: 'gain',
      name: t('gaps.gain'),
      align: 'right',
      cell: (row) => (row === plan ? <span className={classes.muted}>{t('gaps.now')}</span> : formatPercent(gainOf(row))),
    },
  ];
  return (
    <section className={classes.card} aria-label={t('gaps.title')} data-testid="line-gaps">
      <h2>{t('gaps.title')}</h2>
      {plan.larger_gaps.length === 0 ? (
        <p className={classes.note}>{t('gaps.none')}</p>
      ) : (
        <>
          <SmallTable
            label={t('gaps.title')}
            columns={columns}
            rows={rows}
            keyOf={(row) => row.max_gap}
            rowData={(row) => ({ 'data-gap': row.max_gap })}
          />
          <p className={classes.note}>{t('gaps.hint')}</p>
          <Button variant="default" onClick={() => openChannelDialog({ kind: 'edit', channel })} data-testid="line-edit-gap">
            {t('gaps.edit')}
          </Button>
        </>
      )}
    </section>
  );
}
