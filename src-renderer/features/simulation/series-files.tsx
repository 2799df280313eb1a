import { ActionIcon, Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Series } from '#shared/contract/simulation.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { ChooseFile } from '../../ui/drop-zone.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatDuration } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { shownNumber } from '../../ui/number.ts';
import { toClipboard } from '../../ui/to-clipboard.ts';
import { CaptureDialog } from '../captures/capture-dialog.tsx';
import classes from './simulation.module.css';

const ENDINGS = '.csv,.txt,.xlsx';

/** The formula that follows a column; the texts of a formula have no escapes. */
function formulaOf(file: string, column: string): string {
  return `series(${JSON.stringify(file)}, ${JSON.stringify(column)})`;
}

const HOUR_S = 3600;

/** Curves of a day or a year are told in hours. */
function spanText(seconds: number): string {
  return seconds < 2 * HOUR_S ? formatDuration(seconds * 1000) : `${shownNumber(String(Math.round((10 * seconds) / HOUR_S) / 10))} h`;
}

/** Files of recorded values of the project: added, made of a capture, looked at, removed; a click on a column copies its formula. */
export function SeriesFiles({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation(['simulation', 'captures']);
  const [hasCapture, setHasCapture] = useState(false);
  const { data, error } = useOperation('listSeries', {});
  const add = useAction('addSeries', ['listSeries', 'simulation']);
  const remove = useAction('removeSeries', ['listSeries', 'simulation']);
  const copy = (formula: string) =>
    void toClipboard(formula, t('simulation:series.copied', { formula }), t('simulation:series.copyFailed'));
  const take = (file: File | null) => {
    remove.reset();
    if (file) add.mutate({ file });
  };
  return (
    <section aria-label={t('simulation:series.title')} className={classes.series} data-testid="series">
      <h2 className={classes.title}>{t('simulation:series.title')}</h2>
      <p className={classes.hint}>{t('simulation:series.hint')}</p>
      {data?.items.map((series: Series) => (
        <div key={series.name} className={classes.file} data-series={series.name}>
          <div className={classes.fileHead}>
            <span className={`${classes.fileName} lc-ellipsis`} title={series.name}>
              {series.name}
            </span>
            <span>{t('simulation:series.size', { count: series.rows, time: spanText(series.seconds) })}</span>
            <ActionIcon
              size="sm"
              aria-label={t('simulation:series.remove', { name: series.name })}
              title={t('simulation:series.remove', { name: series.name })}
              onClick={() => remove.mutate({ name: series.name })}
            >
              <Icon name="trash" size={14} />
            </ActionIcon>
          </div>
          <div className={classes.columns}>
            {series.columns.map(({ name, gaps }) => (
              <Button
                key={name}
                size="compact-xs"
                variant="default"
                title={t(gaps > 0 ? 'simulation:series.copyGaps' : 'simulation:series.copy', {
                  formula: formulaOf(series.name, name),
                  count: gaps,
                })}
                onClick={() => copy(formulaOf(series.name, name))}
              >
                {name}
              </Button>
            ))}
          </div>
        </div>
      ))}
      <ErrorNotice error={add.error ?? remove.error ?? error} />
      <ChooseFile
        label={t('simulation:series.add')}
        onFile={take}
        accept={ENDINGS}
        mt={6}
        size="compact-sm"
        loading={add.isPending}
        leftSection={<Icon name="upload" size={14} />}
        data-testid="series-add"
      />
      <Button
        mt={6}
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="frames" size={14} />}
        onClick={() => setHasCapture(true)}
        data-testid="capture-open"
      >
        {t('captures:open')}
      </Button>
      {hasCapture ? <CaptureDialog channel={channel} onClose={() => setHasCapture(false)} /> : null}
    </section>
  );
}
