import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Job } from '#shared/contract/jobs.ts';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import classes from './jobs.module.css';

interface JobProgressProps {
  readonly job: Job;
  /** Words behind the counters, e.g. the longest time it can take. */
  readonly remark?: string;
  onCancel(): void;
}

/** How far a job is, what it does now, and its end on request. Keeps its height when it has ended. */
export function JobProgress({ job, remark, onCancel }: JobProgressProps) {
  const { t } = useTranslation(['tools', 'app']);
  const isRunning = job.state === 'running';
  const percent = job.total > 0 ? (100 * job.current) / job.total : 0;
  return (
    <div className={classes.progress} data-testid="job-progress" data-state={job.state}>
      <Progress value={isRunning ? percent : 100} color={job.state === 'failed' ? 'red' : 'steel'} aria-label={t('tools:progress')} />
      <div className={classes.line}>
        <span className={`${classes.activity} lc-ellipsis`} role="status">
          {isRunning ? <Said message={job.activity_message} text={job.activity} /> : t(`tools:state.${job.state}`)}
          {job.last_error ? (
            <>
              {': '}
              <Said message={job.last_error_info} text={job.last_error} />
            </>
          ) : null}
        </span>
        {remark ? <span className={classes.muted}>{remark}</span> : null}
        <span className={classes.muted}>
          {job.current} / {job.total}
        </span>
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<Icon name="stop" size={12} />}
          onClick={onCancel}
          disabled={!isRunning}
          data-testid="job-cancel"
        >
          {t('app:action.cancel')}
        </Button>
      </div>
    </div>
  );
}
