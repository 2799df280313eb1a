import type { CheckVerification } from '#shared/contract/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { serially } from '../platform/serially.ts';
import { runThread, ThreadLimitError, type ThreadLimits, threadEntry } from '../platform/thread.ts';
import type { Threads } from '../platform/threads.ts';
import type { RecordForms } from '../services/check/record-forms.ts';
import type { ViewedJob, ViewPlace } from './record-view.ts';

/** The largest session takes some seconds. */
const LIMITS: ThreadLimits = { ms: 300_000, megabytes: 1_536 };

interface Answer {
  readonly found: CheckVerification | null;
}

/** Makes HTML and xlsx of records in a thread, and proves records there, one after the other; where no thread can be had, in place. */
export function createRecordThread(
  threads: Threads,
  view: ViewPlace,
  entry: string | null = threadEntry('record-worker', import.meta.url),
  limits: ThreadLimits = LIMITS,
): RecordForms {
  // each may take a gigabyte
  const inTurn = serially();
  const done = (job: ViewedJob): Promise<CheckVerification | null> =>
    inTurn(async () => {
      const answer = await runThread<ViewedJob, never, Answer>({ threads, entry, limits }, { job }).catch((thrown) => {
        if (!(thrown instanceof ThreadLimitError)) throw thrown;
        throw new AppError('CONFIG_TOO_LARGE', say('check.record_large', { megabytes: limits.megabytes, seconds: limits.ms / 1000 }));
      });
      if (answer) return answer.found;
      const [{ recordJob }, { builtInDrivers }] = await Promise.all([import('./record-job.ts'), import('./built-in-drivers.ts')]);
      return recordJob(job, builtInDrivers);
    });
  return {
    async make(make) {
      await done({ ...view, make });
    },
    verify: async (path) => (await done({ ...view, verify: path })) as CheckVerification,
  };
}
