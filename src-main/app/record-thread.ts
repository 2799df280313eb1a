import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { serially } from '../platform/serially.ts';
import { runThread, ThreadLimitError, type ThreadLimits, threadEntry } from '../platform/thread.ts';
import type { RecordForms } from '../services/check/record-forms.ts';
import { frameDigests } from '../services/check/record-page.ts';
import { readView, type ViewedJob } from './record-view.ts';

/** The largest session takes some seconds. */
const LIMITS: ThreadLimits = { ms: 300_000, megabytes: 1_536 };

/** Makes HTML and xlsx of records in a thread, one after the other; where none can be had, in place. `viewDir`: folder of what shows records. */
export function createRecordThread(
  viewDir: string,
  entry: string | null = threadEntry('record-worker', import.meta.url),
  limits: ThreadLimits = LIMITS,
): RecordForms {
  // each may take a gigabyte
  const inTurn = serially();
  return {
    make: (given) =>
      inTurn(async () => {
        const job = { ...given, viewDir };
        const isMade = await runThread<ViewedJob, never, true>(entry, limits, { job }).catch((thrown) => {
          if (!(thrown instanceof ThreadLimitError)) throw thrown;
          throw new AppError('CONFIG_TOO_LARGE', say('check.record_large', { megabytes: limits.megabytes, seconds: limits.ms / 1000 }));
        });
        if (isMade) return;
        const [{ makeRecord }, { builtInDrivers }] = await Promise.all([import('./record-job.ts'), import('./built-in-drivers.ts')]);
        await makeRecord(job, builtInDrivers);
      }),
    frames: () => framesIn(viewDir),
  };
}

/** Digests of what stands around the data of an HTML, in each language; none where what shows records is not built. */
export function framesIn(viewDir: string): readonly string[] {
  try {
    return frameDigests(readView(viewDir));
  } catch {
    return [];
  }
}
