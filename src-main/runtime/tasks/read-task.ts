import type { ReadTaskConfig, TaskSnapshot } from '#shared/contract/tasks.ts';
import type { TaskState } from '#shared/domain/enums.ts';
import { type AppError, isCancelled, toAppError } from '#shared/domain/errors.ts';
import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { delay, waitUntil } from '../../platform/clock.ts';
import type { TaskKind } from '../types.ts';
import { DataSetRound } from './dataset-round.ts';
import { GroupRound } from './group-round.ts';
import type { PlanningDevice } from './kept-planners.ts';
import type { RoundTask } from './round.ts';
import { freezeConfig } from './task-config.ts';

/** How late a round may start without moving the plan (decisions, "Round timing"). */
const LATE_START_MS = 20;

export interface ReadTaskOptions {
  readonly kind: TaskKind;
  readonly id: string;
  readonly config: ReadTaskConfig;
  readonly device: PlanningDevice;
  /** Called once, when the task has fully exited. */
  onExit(task: ReadTask): void;
}

/** Timers that are late by so much at the most are on time. */
const TIMERS_ON_TIME_MS = 2;

/**
 * One read task from its start to its end (service document 3): automatic ones repeat, manual ones run one round. All its state is
 * its own, so that a late result can only ever reach the task that asked for it (3.1 rule 3).
 */
export class ReadTask implements RoundTask {
  readonly kind: TaskKind;
  readonly id: string;
  readonly config: ReadTaskConfig;
  /** Settles, never rejects, when the task has fully exited; its state is `idle` or `failed` then. */
  readonly exited: Promise<void>;
  readonly #device: PlanningDevice;
  readonly #end = new AbortController();
  readonly #startedAt: number;
  #state: TaskState = 'running';
  #fault: AppError | null = null;
  #lastCycleAt: number | null = null;
  #cycleCount = 0;
  #current = 0;
  #total = 0;
  #success = 0;
  #fail = 0;
  #lastError: Message | null = null;
  #predictedMs: number | null;
  #lastCycleMs: number | null = null;

  constructor(options: ReadTaskOptions) {
    this.kind = options.kind;
    this.id = options.id;
    this.config = freezeConfig(options.config);
    this.#device = options.device;
    this.#startedAt = options.device.clock.wallMs();
    this.#predictedMs = options.device.forecasts.predictedMs(this.config);
    this.exited = this.#run().then(() => options.onExit(this));
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get state(): TaskState {
    return this.#state;
  }

  /** True until the task has fully exited. */
  get isActive(): boolean {
    return this.#state === 'running' || this.#state === 'stopping';
  }

  get lastError(): Message | null {
    return this.#lastError;
  }

  /** Sets the stop event: every wait ends, a request under way returns first. A failed task becomes idle, its error kept. */
  requestStop(): void {
    if (this.#state === 'failed') this.#state = 'idle';
    if (this.#state !== 'running') return;
    this.#state = 'stopping';
    this.#end.abort();
  }

  /** The channel went to `error`: the task ends as failed. A task that is being stopped ends as stopped. */
  failWith(error: AppError): void {
    if (this.#state !== 'running' || this.#fault) return;
    this.#fault = error;
    this.#end.abort();
  }

  /** The device was rebuilt and did not start again: a task that had ended for it is failed, with its configuration kept. */
  markFailed(error: AppError): void {
    if (this.isActive) return;
    this.#state = 'failed';
    this.#lastError = error.said;
  }

  /** The status of service document 2.4, made in one piece and frozen. */
  snapshot(): TaskSnapshot {
    return Object.freeze({
      state: this.#state,
      task_id: this.id,
      mode: this.config.mode,
      config: this.config,
      started_at: new Date(this.#startedAt).toISOString(),
      last_cycle_at: this.#lastCycleAt === null ? null : new Date(this.#lastCycleAt).toISOString(),
      cycle_count: this.#cycleCount,
      current: this.#current,
      total: this.#total,
      success: this.#success,
      fail: this.#fail,
      last_error: this.#lastError && english(this.#lastError),
      ...(this.#lastError && { last_error_info: this.#lastError }),
      ...(this.#predictedMs === null ? {} : { predicted_cycle_ms: tenths(this.#predictedMs) }),
      ...(this.#lastCycleMs === null ? {} : { last_cycle_ms: tenths(this.#lastCycleMs) }),
    });
  }

  begin(total: number, predictedMs: number | null): void {
    this.#total = total;
    // Without a connection nothing is planned; the line is as slow as before.
    this.#predictedMs = predictedMs ?? this.#predictedMs;
  }

  settle(success: number, fail: number): void {
    this.#success += success;
    this.#fail += fail;
    this.#current = this.#success + this.#fail;
  }

  noteFailure(error: AppError): void {
    this.#lastError = error.said;
  }

  async #run(): Promise<void> {
    // Whoever starts a task gets its first snapshot before the first request.
    await Promise.resolve();
    try {
      await this.#rounds();
    } catch (thrown) {
      if (!isCancelled(thrown)) this.#fault ??= toAppError(thrown);
    }
    if (this.#fault) this.#lastError = this.#fault.said;
    this.#state = this.#fault && this.#state === 'running' ? 'failed' : 'idle';
  }

  /** Round timing of service document 3.2: starts lie one cycle apart; an overrun moves the plan to the actual start. */
  async #rounds(): Promise<void> {
    const { clock } = this.#device;
    const cycle = this.config.cycle_interval_ms;
    const round = this.config.mode === 'dataset' ? new DataSetRound(this.#device, this) : new GroupRound(this.#device, this);
    if (this.kind === 'automatic') this.#device.suspension.probeSoon();
    let planned = clock.monotonicMs();
    while (!this.signal.aborted) {
      this.#current = this.#total = this.#success = this.#fail = 0;
      const beganAt = clock.monotonicMs();
      const isComplete = await round.run();
      if (isComplete) {
        this.#cycleCount += 1;
        this.#lastCycleAt = clock.wallMs();
        this.#lastCycleMs = clock.monotonicMs() - beganAt;
      }
      if (this.kind === 'manual') return;
      planned = Math.max(clock.monotonicMs(), planned + cycle);
      // where timers are on time a plain one will do, and costs nothing
      if (clock.timerLatenessMs > TIMERS_ON_TIME_MS) await waitUntil(clock, planned, this.signal);
      else await delay(clock, planned - clock.monotonicMs(), this.signal);
      // Timers are a little late, and that leaves the plan. After more, two starts would lie too close; rounds that were missed are not made up.
      if (clock.monotonicMs() - planned > LATE_START_MS) planned = clock.monotonicMs();
    }
  }
}

/** Milliseconds with one decimal: what people and scripts can use. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
