import type { Job } from '#shared/contract/jobs.ts';
import { AppError, isCancelled, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { settlesWithin } from '../../runtime/bounded.ts';
import { JobRecord } from './job-record.ts';

/** Jobs that may run at once. */
const MAX_RUNNING = 4;
/** Results that are kept; the oldest give way. */
const MAX_KEPT = 20;
/** How long a cancel waits for the end before it answers. */
const CANCEL_WAIT_MS = 1000;

/** A kind of work: how it runs, and what it has found. */
export interface JobWork<Snapshot extends Job = Job> {
  /** Does the work; rejects with `CANCELLED` after the signal ended it, with anything else when it failed. Leaves nothing open either way. */
  run(job: JobRecord): Promise<void>;
  /** The job as it stands; `job` has what every kind shares. */
  snapshot(job: JobRecord): Snapshot;
}

/** Where a job works: two of one kind never work on one target. */
export interface JobTarget {
  readonly kind: Job['kind'];
  /** Text that is the same for the same place: `channel 3`, `serial COM3`. */
  readonly target: string;
  readonly channelId: number | null;
}

interface Entry {
  readonly target: JobTarget;
  readonly record: JobRecord;
  readonly work: JobWork;
  ended: Promise<void>;
}

/**
 * The long-running operations that somebody asked for by name. Each is bounded, cancelable and told by one snapshot; results are kept
 * until the same kind is asked for on the same target again, or until twenty newer ones have come.
 */
export class JobBoard {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #newId: () => string;
  /** In order of their start. */
  readonly #entries = new Map<string, Entry>();
  #isClosed = false;

  constructor(options: { readonly clock: Clock; readonly logger: Logger; readonly newId: () => string }) {
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#newId = options.newId;
  }

  /**
   * Starts a job and answers at once; `makeWork` is called when it may start. Throws `STATE_CONFLICT`, with the snapshot in its data, when this
   * kind runs on this target, and without one when too many jobs run; and what `makeWork` throws.
   */
  start<Snapshot extends Job>(target: JobTarget, makeWork: () => JobWork<Snapshot>): Snapshot {
    if (this.#isClosed) throw new AppError('STATE_CONFLICT', say('jobs.closing'));
    const same = [...this.#entries.values()].find((entry) => entry.target.kind === target.kind && entry.target.target === target.target);
    if (same?.record.state === 'running') {
      throw new AppError('STATE_CONFLICT', say('jobs.same_running', { kind: target.kind, target: target.target }), {
        data: same.work.snapshot(same.record),
      });
    }
    if (this.#running().length >= MAX_RUNNING) {
      throw new AppError('STATE_CONFLICT', say('jobs.many_running', { count: MAX_RUNNING }));
    }
    const work = makeWork();
    if (same) this.#entries.delete(same.record.id);
    const record = new JobRecord({ id: this.#newId(), channelId: target.channelId, clock: this.#clock });
    const entry: Entry = { target, record, work, ended: Promise.resolve() };
    this.#entries.set(record.id, entry);
    entry.ended = this.#run(entry);
    this.#forgetOldest();
    return work.snapshot(record);
  }

  /** The job with this id; throws `CONFIG_NOT_FOUND`. */
  get(id: string): Job {
    const { work, record } = this.#find(id);
    return work.snapshot(record);
  }

  /** The work behind a job, for what its snapshot has no room for; throws `CONFIG_NOT_FOUND`. */
  workOf(id: string): JobWork {
    return this.#find(id).work;
  }

  /** All jobs, newest first. */
  list(filter: { readonly channelId?: number | undefined; readonly kind?: Job['kind'] | undefined } = {}): Job[] {
    return [...this.#entries.values()]
      .filter(({ target }) => filter.channelId === undefined || target.channelId === filter.channelId)
      .filter(({ target }) => filter.kind === undefined || target.kind === filter.kind)
      .map(({ work, record }) => work.snapshot(record))
      .reverse();
  }

  /** Asks a job to end and waits 1 s at most for it; throws `CONFIG_NOT_FOUND`. */
  async cancel(id: string): Promise<Job> {
    const entry = this.#find(id);
    entry.record.cancel();
    await settlesWithin(this.#clock, CANCEL_WAIT_MS, entry.ended);
    return entry.work.snapshot(entry.record);
  }

  /** Ends all jobs; settles when the last has ended. No job starts afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { record } of this.#entries.values()) record.cancel();
    await Promise.all([...this.#entries.values()].map((entry) => entry.ended));
  }

  async #run({ record, work, target }: Entry): Promise<void> {
    try {
      await work.run(record);
      record.end('done', null);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (record.signal.aborted && isCancelled(error)) record.end('cancelled', null);
      else record.end('failed', error.said);
      if (error.code === 'INTERNAL') this.#logger.error({ err: error.cause ?? error, ...target }, 'a job met an internal fault');
    }
  }

  #find(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new AppError('CONFIG_NOT_FOUND', say('jobs.none', { id }));
    return entry;
  }

  #running(): Entry[] {
    return [...this.#entries.values()].filter(({ record }) => record.state === 'running');
  }

  #forgetOldest(): void {
    for (const [id, { record }] of this.#entries) {
      if (this.#entries.size <= MAX_KEPT) return;
      if (record.state !== 'running') this.#entries.delete(id);
    }
  }
}
