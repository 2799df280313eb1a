import { Button, NumberInput, SegmentedControl, Tooltip } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { TABLE_OUTCOMES, type TableJob, TableJobBody, type TableJobRow } from '#shared/contract/table-job.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { POLL, useAction } from '../../api/hooks.ts';
import { useOperationRows } from '../../api/operation-rows.ts';
import { useSetTab } from '../../app/area.tsx';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';
import { DoctorSentence } from '../doctor/verdict-list.tsx';
import { JobProgress } from '../jobs/job-progress.tsx';
import { useJob } from '../jobs/use-job.ts';
import { usePointsStore } from '../points/points-store.ts';
import { isOpen } from '../write/write-rules.ts';
import classes from './table-job.module.css';
import { useTableJobColumns } from './table-job-columns.tsx';

const LARGEST_PAGE = 10_000;
const FINDS = ['changed', 'constant', 'hint'] as const;
const SHOWN = ['all', ...TABLE_OUTCOMES, ...FINDS] as const;
type Shown = (typeof SHOWN)[number];
const idOf = ({ point_id }: TableJobRow) => String(point_id);
const rowProps = ({ code, outcome }: TableJobRow) => ({ 'data-testid': 'tried-point', 'data-code': code, 'data-outcome': outcome ?? '' });

/** How many rows a filter has. */
function countOf({ counts, points }: TableJob, shown: Shown): number {
  if (shown === 'all') return points;
  return shown === 'hint' ? counts.hints : counts[shown];
}

function Rows({ job, channel }: { readonly job: TableJob; readonly channel: Channel }) {
  const { t } = useTranslation('tables');
  const setTab = useSetTab();
  const [shown, setShown] = useState<Shown>('all');
  const isWatched = job.watch_s > 0;
  const { rows, isKnown, error, retry } = useOperationRows(
    'tableJobRows',
    { job_id: job.id, ...(shown === 'all' ? {} : { show: shown }) },
    {
      pollMs: job.state === 'running' ? POLL.table : POLL.slow,
      largest: LARGEST_PAGE,
      idOf,
    },
  );
  const columns = useTableJobColumns(channel.protocol_type, isWatched);
  const save = useMutation({
    mutationFn: async () => saveFile((await api.call('tableJobCsv', { job_id: job.id })).data),
    retry: false,
    onError: (failure) => notifyError(toAppError(failure)),
  });
  function jump({ point_id: id, code }: TableJobRow) {
    usePointsStore.getState().want(channel.id, { id, code });
    setTab('points');
  }
  const words = (each: Shown) => {
    if (each === 'all') return t('device.all');
    return each === 'changed' || each === 'constant' || each === 'hint' ? t(`device.show.${each}`) : t(`device.outcome.${each}`);
  };
  const offered = SHOWN.filter((each) => isWatched || (each !== 'changed' && each !== 'constant'));
  return (
    <>
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label={t('device.label')}
          value={shown}
          onChange={(next) => setShown(SHOWN.find((each) => each === next) ?? 'all')}
          data={offered.map((value) => ({ value, label: `${words(value)} ${countOf(job, value)}` }))}
          data-testid="table-job-show"
        />
        <span className={classes.spacer} />
        <Button
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          loading={save.isPending}
          onClick={() => save.mutate()}
          data-testid="table-job-csv"
        >
          {t('device.csv')}
        </Button>
      </div>
      {error ? <ErrorNotice error={error} compact onRetry={retry} /> : null}
      <div className={classes.grid}>
        <DataGrid
          name="table-job"
          label={t('device.title')}
          rows={rows}
          columns={columns}
          topKey={shown}
          rowProps={rowProps}
          onOpen={jump}
          onKey={(event, { row }) => {
            if (event.key !== 'Enter' || !row) return;
            jump(row);
            event.preventDefault();
          }}
          empty={isKnown ? t('device.noneFit') : null}
        />
      </div>
    </>
  );
}

/** The point table tried at its device: started, watched, and what the device said to each point. */
export function TableSection({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('tables');
  const { job, isRunning, isKnown, error, cancel } = useJob('table', channel.id);
  const start = useAction('startTableJob', ['listJobs']);
  const [watch, setWatch] = useState<number | string>(0);
  const parsed = TableJobBody.safeParse({ channel_id: channel.id, watch_s: watch });
  const reason = isOpen(channel) ? (channel.point_count > 0 ? null : t('device.noPoints')) : t('device.notStarted');
  const run = () => parsed.success && start.mutate(parsed.data);
  return (
    <section className={classes.section} aria-label={t('device.title')} data-testid="table-job">
      <p className={classes.hint}>{t('device.hint')}</p>
      <form
        className={classes.bar}
        onSubmit={(event) => {
          event.preventDefault();
          if (reason === null && !isRunning) run();
        }}
      >
        <Tooltip label={t('device.watchHint')}>
          <NumberInput
            label={t('device.watch')}
            value={watch}
            onChange={setWatch}
            min={0}
            max={3600}
            allowDecimal={false}
            error={!parsed.success}
            w={190}
            data-path="watch_s"
          />
        </Tooltip>
        <GuardedButton
          reason={reason}
          hint={t('device.hint')}
          leftSection={<Icon name="search" size={14} />}
          loading={isRunning || !isKnown || start.isPending}
          onClick={run}
          testId="table-job-start"
        >
          {t('device.start')}
        </GuardedButton>
      </form>
      <div className={classes.progress}>
        <ErrorNotice error={start.error ?? error} compact />
        {job ? <JobProgress job={job} remark={t('device.remark', { requests: job.requests })} onCancel={cancel} /> : null}
      </div>
      {job && job.notes.length > 0 ? (
        <ul className={classes.notes}>
          {job.notes.map((note) => (
            <li key={note.code}>
              <DoctorSentence note={note} />
            </li>
          ))}
        </ul>
      ) : null}
      {job ? (
        <Rows key={job.id} job={job} channel={channel} />
      ) : (
        <EmptyState icon="search" title={t('device.empty')} hint={t('device.emptyHint')} />
      )}
    </section>
  );
}
