import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { ScanJob, ScanRange } from '#shared/contract/jobs.ts';
import { useAction } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { JobProgress } from '../jobs/job-progress.tsx';
import { useJob } from '../jobs/use-job.ts';
import { ScanForm } from './scan-form.tsx';
import { ScanValues } from './scan-values.tsx';
import classes from './tools.module.css';

/** Ranges that are drawn; the file has everything. */
const SHOWN_RANGES = 300;

function Range({ range }: { readonly range: ScanRange }) {
  const { t } = useTranslation('tools');
  const words = useWords();
  const isPresent = range.outcome === 'values';
  const place = t('scan.range', { code: range.func_code, from: range.start, to: range.start + range.quantity - 1 });
  return (
    <li title={words(range.detail_message, range.detail) || undefined}>
      <span className={isPresent ? classes.present : classes.absent}>
        <Icon name={isPresent ? 'ok' : 'idle'} size={13} label={t(`scan.outcome.${range.outcome}`)} />
      </span>
      {place}
    </li>
  );
}

function Ranges({ job }: { readonly job: ScanJob }) {
  const { t } = useTranslation('tools');
  const shown = job.findings.slice(0, SHOWN_RANGES);
  const more = job.findings.length - shown.length + job.dropped;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard (WCAG 2.1.1)
    <ul className={classes.ranges} tabIndex={0} aria-label={t('scan.ranges')} data-testid="scan-ranges">
      {shown.map((range) => (
        <Range key={`${range.func_code} ${range.start}`} range={range} />
      ))}
      {more > 0 ? <li>{t('scan.dropped', { count: more })}</li> : null}
    </ul>
  );
}

interface ScanSectionProps {
  readonly channel: Channel;
  readonly tools: NonNullable<ProtocolDescriptor['tools']>;
}

/** The scan of the registers of one slave: range, progress, what is there, and what can be made of it. */
export function ScanSection({ channel, tools }: ScanSectionProps) {
  const { t } = useTranslation('tools');
  const { job, isRunning, error, cancel } = useJob('scan', channel.id);
  const start = useAction('startScan', ['listJobs']);
  return (
    <section className={classes.scan} aria-label={t('scan.title')}>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('scan.title')}</h2>
        <p className={classes.hint}>{t('scan.hint')}</p>
      </div>
      <ScanForm channel={channel} tools={tools} isRunning={isRunning || start.isPending} onStart={(input) => start.mutate(input)} />
      <div className={classes.progress}>
        <ErrorNotice error={start.error ?? error} compact />
        {job ? <JobProgress job={job} remark={t('scan.remark', { found: job.found, requests: job.requests })} onCancel={cancel} /> : null}
      </div>
      {job ? (
        <div className={classes.result}>
          <Ranges job={job} />
          <ScanValues key={job.id} job={job} />
        </div>
      ) : (
        <EmptyState icon="search" title={t('scan.empty')} hint={t('scan.emptyHint')} />
      )}
    </section>
  );
}
