import type { Job } from '#shared/contract/jobs.ts';
import { delay } from '../../platform/clock.ts';
import type { CliService } from './client.ts';
import type { CliContext } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { CliFault } from './fault.ts';

const LOOK_MS = 200;

/** A job that has ended, and whether Ctrl+C ended it: what it had found stays. */
export interface EndedJob<Kind extends Job> {
  readonly job: Kind;
  readonly isStopped: boolean;
}

/** Waits for the end of a job; Ctrl+C ends the job in the service too. Throws a `CliFault` when it failed. */
export async function jobEnd<Kind extends Job>(context: CliContext, { api }: CliService, begun: Kind): Promise<EndedJob<Kind>> {
  const { io, clock, speech } = context;
  let job: Job = begun;
  let isStopped = false;
  while (job.state === 'running') {
    if (io.signal.aborted) {
      isStopped = true;
      job = (await api.call('cancelJob', { job_id: job.id })).data;
      if (job.state === 'running') await delay(clock, LOOK_MS);
      continue;
    }
    await delay(clock, LOOK_MS, io.signal).catch(() => {});
    if (!io.signal.aborted) job = (await api.call('jobStatus', { job_id: job.id })).data;
  }
  if (job.state === 'failed') {
    const reason = speech.message(job.last_error_info, job.last_error ?? '');
    throw new CliFault(EXIT.fault, speech.fill(speech.own.jobFailed, { reason }));
  }
  return { job: job as Kind, isStopped };
}
