import type { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { AppError, isCancelled, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ExchangeContext, PointFailure, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DeviceLink } from '../connection/device-link.ts';
import type { TaskKind } from '../types.ts';
import type { PointStore } from '../values/point-table.ts';
import type { DataSetSnapshots } from './dataset-snapshot.ts';
import type { LineClaim, RequestQueue } from './request-queue.ts';
import type { RoundForecasts } from './round-forecasts.ts';
import type { SlaveSuspension } from './suspension.ts';

/** The device as a read task sees it. */
export interface TaskDevice {
  readonly clock: Clock;
  readonly points: PointStore;
  readonly dataSets: DataSetSnapshots;
  readonly queue: RequestQueue;
  readonly suspension: SlaveSuspension;
  readonly forecasts: RoundForecasts;
  readonly driver: Pick<ProtocolDriver, 'isReadable'>;
  /** True when reads are answered from what we serve, without I/O. */
  readonly isServing: boolean;
  /** Repeats of a read that timed out. */
  readonly retries: number;
  /** The standing connection; null while there is none. */
  readonly link: DeviceLink | null;
  /** Why there is no connection now. */
  whyNotConnected(): AppError;
}

/** The task as its round sees it. */
export interface RoundTask {
  readonly kind: TaskKind;
  readonly config: ReadTaskConfig;
  /** Aborted when the task has to end; checked before each point, group and in every wait (service document 3.1 rule 4). */
  readonly signal: AbortSignal;
  /** The round has so many items, and needs so much line time where that matters. */
  begin(total: number, predictedMs: number | null): void;
  /** A point, group or data set is finished. */
  settle(success: number, fail: number): void;
  /** Something failed; the latest text is kept. */
  noteFailure(error: AppError): void;
}

/** One kind of round. Answers whether all items were settled; throws when the task has failed. */
export interface Round {
  run(): Promise<boolean>;
}

/** The claim of a task on the line. */
export function taskClaim(task: RoundTask, link: DeviceLink): LineClaim {
  return { priority: task.kind, owner: task, window: link.window, signal: task.signal };
}

export function taskContext(task: RoundTask, retries: number): ExchangeContext {
  const { signal } = task;
  return { signal, retries, isStopping: () => signal.aborted };
}

/**
 * What a failed exchange means for its task: null when it was cancelled by the end of the task itself, or cut off because the channel
 * is stopped or rebuilt (service document 3.1 rule 2); otherwise the error its items fail with. An internal fault is thrown: the round
 * raises (decisions, "Read tasks").
 */
export function exchangeFailure(thrown: unknown, task: RoundTask, link: DeviceLink): AppError | null {
  const error = toAppError(thrown);
  if (error.code === 'INTERNAL') throw error;
  if (!isCancelled(error)) return isCutOff(error, task, link) ? null : error;
  return task.signal.aborted ? null : new AppError('TRANSPORT_LOST', say('runtime.given_up'), { cause: error });
}

/** True when the line was closed under a request because somebody asked for the end of its channel. */
function isCutOff(error: AppError, task: RoundTask, link: DeviceLink): boolean {
  return task.signal.aborted && isCancelled(link.ended) && error.code.startsWith('TRANSPORT_');
}

/** The same failure for each point. */
export function failAll(pointIds: readonly number[], error: AppError): PointFailure[] {
  return pointIds.map((pointId) => ({ kind: 'failure', pointId, error }));
}

/**
 * Runs `worker` once, or `count` times side by side on a multiplexed link. Throws the first error only after all have returned, so
 * that a task never ends before its I/O.
 */
export async function runWorkers(count: number, worker: () => Promise<void>): Promise<void> {
  if (count <= 1) return worker();
  const results = await Promise.allSettled(Array.from({ length: count }, worker));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
