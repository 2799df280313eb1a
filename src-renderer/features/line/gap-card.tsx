import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { LinePlan } from '#shared/contract/line.ts';
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
  return (
    <section className={classes.card} aria-label={t('gaps.title')} data-testid="line-gaps">
      <h2>{t('gaps.title')}</h2>
      {plan.larger_gaps.length === 0 ? (
        <p className={classes.note}>{t('gaps.none')}</p>
      ) : (
        <>
          <table className={classes.gaps}>
            <thead>
              <tr>
                <th scope="col">{t('gaps.gap')}</th>
                <th scope="col">{t('gaps.requests')}</th>
                <th scope="col">{t('gaps.time')}</th>
                <th scope="col">{t('gaps.gain')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.max_gap} data-gap={row.max_gap}>
                  <td>{row.max_gap}</td>
                  <td>{row.requests}</td>
                  <td>{row.predicted_cycle_ms === null ? '–' : formatDuration(row.predicted_cycle_ms)}</td>
                  <td>{row === plan ? <span className={classes.muted}>{t('gaps.now')}</span> : formatPercent(gainOf(row))}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className={classes.note}>{t('gaps.hint')}</p>
          <Button variant="default" onClick={() => openChannelDialog({ kind: 'edit', channel })} data-testid="line-edit-gap">
            {t('gaps.edit')}
          </Button>
        </>
      )}
    </section>
  );
}
