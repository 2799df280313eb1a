import type { JobState } from '#shared/contract/jobs.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type Clock, cancelled } from '../../platform/clock.ts';
import { isoTime } from '../rows.ts';

/** What every snapshot of a job has, in the names of the contract. */
export interface JobFacts {
  readonly id: string;
  readonly channel_id: number | null;
  readonly state: JobState;
  readonly current: number;
  readonly total: number;
  readonly activity: string;
  readonly activity_message?: Message;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly last_error: string | null;
  readonly last_error_info?: Message;
  readonly dropped: number;
}

/** One job while it runs and after: its state, how far it is, and its end on request. */
export class JobRecord {
  readonly id: string;
  /** Aborted when somebody cancels the job. */
  readonly signal: AbortSignal;
  /** Steps done and in all, as far as known. */
  current = 0;
  total = 0;
  /** What it does now; null when it has ended. */
  activity: Message | null = null;
  readonly #clock: Clock;
  readonly #channelId: number | null;
  readonly #startedAt: number;
  readonly #end = new AbortController();
  #state: JobState = 'running';
  #endedAt: number | null = null;
  #lastError: Message | null = null;

  constructor(options: { readonly id: string; readonly channelId: number | null; readonly clock: Clock }) {
    this.id = options.id;
    this.#channelId = options.channelId;
    this.#clock = options.clock;
    this.#startedAt = options.clock.wallMs();
    this.signal = this.#end.signal;
  }

  get state(): JobState {
    return this.#state;
  }

  cancel(): void {
    if (this.#state === 'running') this.#end.abort(cancelled(say('jobs.cancelled')));
  }

  /** Throws `CANCELLED` once the end was asked for. */
  checkpoint(): void {
    if (this.signal.aborted) throw cancelled(say('jobs.cancelled'));
  }

  end(state: Exclude<JobState, 'running'>, error: Message | null): void {
    this.#state = state;
    this.#lastError = error;
    this.#endedAt = this.#clock.wallMs();
    this.activity = null;
  }

  facts(dropped = 0): JobFacts {
    return {
      id: this.id,
      channel_id: this.#channelId,
      state: this.#state,
      current: this.current,
      total: this.total,
      activity: this.activity ? english(this.activity) : '',
      ...(this.activity && { activity_message: this.activity }),
      started_at: isoTime(this.#startedAt),
      ended_at: isoTime(this.#endedAt),
      last_error: this.#lastError && english(this.#lastError),
      ...(this.#lastError && { last_error_info: this.#lastError }),
      dropped,
    };
  }
}

/** Why somebody would not, in the fields of a row; nothing where data came. */
export function detailRow(said: Message | null): { readonly detail: string; readonly detail_message?: Message } {
  return said === null ? { detail: '' } : { detail: english(said), detail_message: said };
}

/** A list that keeps the first entries up to a bound and counts the rest. */
export class BoundedFindings<T> {
  readonly items: T[] = [];
  dropped = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  push(item: T): void {
    if (this.items.length < this.#max) this.items.push(item);
    else this.dropped += 1;
  }
}
