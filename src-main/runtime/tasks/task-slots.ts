import type { ReadTaskConfig, TaskSnapshot } from '#shared/contract/tasks.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { settlesWithin } from '../bounded.ts';
import type { TaskKind } from '../types.ts';
import type { PlanningDevice } from './kept-planners.ts';
import { ReadTask } from './read-task.ts';
import { DEFAULT_CONFIG, isSameConfig } from './task-config.ts';

/** How long the stop operation waits before it answers (service document 8). */
const STOP_WAIT_MS = 1_000;

const NO_TASK: TaskSnapshot = Object.freeze({
  state: 'idle',
  task_id: '00000000-0000-0000-0000-000000000000',
  mode: DEFAULT_CONFIG.mode,
  config: DEFAULT_CONFIG,
  started_at: null,
  last_cycle_at: null,
  cycle_count: 0,
  current: 0,
  total: 0,
  success: 0,
  fail: 0,
  last_error: null,
});

const KINDS: readonly TaskKind[] = ['automatic', 'manual'];

/** The automatic and the manual task of one device; they exclude each other (service document 4.5 rule 6). */
export class TaskSlots {
  readonly #device: PlanningDevice;
  readonly #newId: () => string;
  readonly #onExit: (task: ReadTask) => void;
  readonly #tasks = new Map<TaskKind, ReadTask>();
  /** The automatic task that `interrupt` will start again; null when somebody stopped it meanwhile. */
  #resumed: ReadTask | null = null;

  constructor(device: PlanningDevice, newId: () => string, onExit: (task: ReadTask) => void) {
    this.#device = device;
    this.#newId = newId;
    this.#onExit = onExit;
  }

  /**
   * Starts a task. The same configuration as the running task of this kind answers its snapshot. Anything else that has not fully
   * exited refuses with `STATE_CONFLICT` and its snapshot in `data`; then `mayStart` may refuse. A refused start changes nothing.
   */
  start(kind: TaskKind, config: ReadTaskConfig, mayStart: () => void): TaskSnapshot {
    const own = this.#tasks.get(kind);
    if (own?.state === 'running' && isSameConfig(own.config, config)) return own.snapshot();
    for (const task of this.#active()) throw conflict(task, kind);
    mayStart();
    const task = new ReadTask({ kind, id: this.#newId(), config, device: this.#device, onExit: this.#onExit });
    this.#tasks.set(kind, task);
    return task.snapshot();
  }

  /** Sets the stop event and waits 1.0 s at most for the task to exit; answers the status then, which may be `stopping`. */
  async stop(kind: TaskKind): Promise<TaskSnapshot> {
    const task = this.#tasks.get(kind);
    if (kind === 'automatic') this.#resumed = null;
    if (task) {
      task.requestStop();
      if (task.isActive) await settlesWithin(this.#device.clock, STOP_WAIT_MS, task.exited);
    }
    return this.snapshot(kind);
  }

  /**
   * Stops both tasks, runs `change` when they have ended, and starts the automatic one again with the same configuration and a new id,
   * unless somebody stopped it meanwhile or `mayResume` says no. Throws `STATE_CONFLICT` with the snapshot when a task does not end
   * within `waitMs`, and what `change` throws; after the former nothing has changed, and the automatic task goes on when it has ended.
   */
  async interrupt(change: () => void, waitMs: number, mayResume: () => boolean): Promise<void> {
    this.#resumed = this.runningAutomatic();
    this.requestStopAll();
    const hasEnded = await settlesWithin(this.#device.clock, waitMs, this.exited());
    const left = this.#active()[0];
    if (!hasEnded && left) {
      void this.exited().then(() => this.#resume(mayResume()));
      throw conflict(left, 'automatic');
    }
    try {
      change();
    } finally {
      this.#resume(mayResume());
    }
  }

  #resume(isAllowed: boolean): void {
    const task = this.#resumed;
    this.#resumed = null;
    if (!task || !isAllowed) return;
    try {
      this.start('automatic', task.config, () => undefined);
    } catch (thrown) {
      task.markFailed(toAppError(thrown));
    }
  }

  snapshot(kind: TaskKind): TaskSnapshot {
    const task = this.#tasks.get(kind);
    if (task) return task.snapshot();
    const predictedMs = this.#device.forecasts.predictedIdleMs();
    return predictedMs === null ? NO_TASK : { ...NO_TASK, predicted_cycle_ms: Math.round(predictedMs * 10) / 10 };
  }

  /** The automatic task that runs and was not asked to stop. */
  runningAutomatic(): ReadTask | null {
    const task = this.#tasks.get('automatic');
    return task?.state === 'running' ? task : null;
  }

  /** Sets the stop event of both; a failed task stays failed (decisions, "Read tasks"). */
  requestStopAll(): void {
    for (const task of this.#active()) task.requestStop();
  }

  /** Both tasks end as failed: the channel went to `error`. */
  failAll(error: AppError): void {
    for (const task of this.#active()) task.failWith(error);
  }

  /** Settles when both have fully exited. */
  async exited(): Promise<void> {
    await Promise.all(this.#active().map((task) => task.exited));
  }

  #active(): ReadTask[] {
    return KINDS.flatMap((kind) => this.#tasks.get(kind) ?? []).filter((task) => task.isActive);
  }
}

function conflict(task: ReadTask, asked: TaskKind): AppError {
  const data = task.snapshot();
  return new AppError('STATE_CONFLICT', say(conflictOf(task, asked), { task: say(`runtime.task_${task.kind}`) }), { data });
}

function conflictOf(task: ReadTask, asked: TaskKind) {
  if (task.state === 'stopping') return 'runtime.task_stopping';
  return task.kind === asked ? 'runtime.task_runs_otherwise' : 'runtime.task_runs';
}
