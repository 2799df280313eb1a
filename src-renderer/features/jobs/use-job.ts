import type { Job } from '#shared/contract/jobs.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { notifyError } from '../../ui/notify.ts';

/** Poll period of a job that is looked at, in milliseconds. */
const POLL_MS = 400;

type JobOf<Kind extends Job['kind']> = Extract<Job, { kind: Kind }>;

export interface JobView<Kind extends Job['kind']> {
  /** The job that runs, or the one that ended last; null before the first. */
  readonly job: JobOf<Kind> | null;
  readonly isRunning: boolean;
  /** False until it is known whether one runs: a button that starts one would move from under the pointer when the last one is shown. */
  readonly isKnown: boolean;
  /** The service does not answer. */
  readonly error: AppError | null;
  cancel(): void;
}

/** The latest job of one kind on a channel, or without a channel; polled while it is on the screen. */
export function useJob<Kind extends Job['kind']>(kind: Kind, channelId: number | null): JobView<Kind> {
  const query = useOperation('listJobs', { kind, ...(channelId === null ? {} : { channel_id: channelId }) }, { pollMs: POLL_MS });
  const cancel = useAction('cancelJob', ['listJobs']);
  const job = query.data?.find((item): item is JobOf<Kind> => item.kind === kind) ?? null;
  return {
    job,
    isRunning: job?.state === 'running',
    isKnown: query.data !== undefined || query.error !== null,
    error: query.error,
    cancel: () => job && cancel.mutate({ job_id: job.id }, { onError: notifyError }),
  };
}
