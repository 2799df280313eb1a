import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Clock } from './clock.ts';
import { within } from './within.ts';

/** Threads get so long to end. They do at once, unless one is in a call of the database, which is not broken off. */
const END_MS = 5000;

/** What a thread is begun for: one job, or calls until it is closed. */
export type ThreadUse = 'job' | 'calls';

/** What a thread is begun with. */
export interface ThreadStart {
  /** Crosses between threads. */
  readonly job: unknown;
  readonly megabytes: number;
}

/**
 * The threads of a service. Each is begun here, and none is left when the service has ended. A process of Electron that exits while threads run, or while
 * they are told to end, hangs now and then, as the engine is taken apart under them.
 */
export class Threads {
  readonly #living = new Map<Worker, ThreadUse>();
  #isEnding: Readonly<Record<ThreadUse, boolean>> = { job: false, calls: false };

  /** Begins a thread. Throws `STATE_CONFLICT` when threads for this use are ended. */
  begin(use: ThreadUse, entry: string, { job, megabytes }: ThreadStart): Worker {
    if (this.#isEnding[use]) throw isStopping();
    const worker = new Worker(entry, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: megabytes }, execArgv: [] });
    this.#living.set(worker, use);
    worker.on('exit', () => this.#living.delete(worker));
    return worker;
  }

  /** Why there are no threads for this use any more; null: there are. */
  refusal(use: ThreadUse): AppError | null {
    return this.#isEnding[use] ? isStopping() : null;
  }

  /** Breaks off all jobs: nobody waits for them when the service stops. None is begun any more. */
  endJobs(): void {
    this.#isEnding = { ...this.#isEnding, job: true };
    void Promise.all(this.#terminate('job'));
  }

  /** Ends all threads, and waits until they have ended, for some seconds at most; answers how many are left. None is begun any more. */
  async end(clock: Clock): Promise<number> {
    this.#isEnding = { job: true, calls: true };
    await within(clock, END_MS, Promise.all([...this.#terminate('job'), ...this.#terminate('calls')]));
    return this.#living.size;
  }

  #terminate(use: ThreadUse): Promise<number>[] {
    return [...this.#living].flatMap(([worker, its]) => (its === use ? [worker.terminate()] : []));
  }
}

function isStopping(): AppError {
  return new AppError('STATE_CONFLICT', say('app.stopping'));
}
