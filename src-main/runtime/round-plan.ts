import type { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { PointConfig, PointFailure, ReadBatch } from '../drivers/spi.ts';
import type { DeviceLink } from './device-link.ts';
import { type PointSelection, selectPoints } from './point-selection.ts';
import { failAll, type RoundTask, type TaskDevice } from './round.ts';

/** What a round has to do: groups to ask for, and points that fail without I/O. */
export interface RoundPlan {
  readonly groups: readonly ReadBatch[];
  readonly excluded: readonly PointFailure[];
  readonly total: number;
  readonly predictedMs: number | null;
  /** Reading revision of the table the plan was made for: what it brings belongs to the points as they were then. */
  readonly plannedAt: number;
}

/**
 * Selection and plan of one task, kept until points, connection or what the connection has learnt change, so that a round of a
 * quiet device plans nothing (edits apply from the next round).
 */
export class RoundPlanner {
  readonly #device: TaskDevice;
  readonly #config: ReadTaskConfig;
  readonly #skipKnownHoles: boolean;
  #selection: PointSelection = { readable: [], unreadable: [] };
  #selectionRevision: number | null = null;
  #plan: RoundPlan | null = null;
  #plannedFor: DeviceLink | null = null;
  #planRevision: number | undefined;

  constructor(device: TaskDevice, task: RoundTask) {
    this.#device = device;
    this.#config = task.config;
    this.#skipKnownHoles = task.kind === 'automatic' && task.config.mode === 'batch';
  }

  /** Plan for a standing connection. */
  plan(link: DeviceLink): RoundPlan {
    const selectionChanged = this.#select();
    const { planRevision } = link.connection;
    const isCurrent = this.#plannedFor === link && planRevision !== undefined && planRevision === this.#planRevision;
    if (this.#plan && !selectionChanged && isCurrent) return this.#plan;
    this.#plan = this.#makePlan(link);
    this.#plannedFor = link;
    this.#planRevision = planRevision;
    return this.#plan;
  }

  /** Plan without a connection: every point fails with the same reason. */
  planWithout(reason: AppError): RoundPlan {
    if (this.#select()) this.#plan = null;
    const excluded = [...failAll(idsOf(this.#selection.readable), reason), ...this.#unreadable()];
    return { groups: [], excluded, total: excluded.length, predictedMs: null, plannedAt: this.#device.points.readingRevision };
  }

  /** True when the points have changed since the last round. */
  #select(): boolean {
    const { points, driver } = this.#device;
    if (points.configRevision === this.#selectionRevision) return false;
    this.#selection = selectPoints(points.configs(), this.#config, driver);
    this.#selectionRevision = points.configRevision;
    return true;
  }

  #makePlan(link: DeviceLink): RoundPlan {
    const { readable } = this.#selection;
    const mode = this.#config.mode === 'single' ? 'single' : 'batch';
    const plan = link.connection.plan(readable, { mode, skipKnownHoles: this.#skipKnownHoles });
    const planned = plan.excluded.length + plan.batches.reduce((sum, batch) => sum + batch.pointIds.length, 0);
    const excluded = [...plan.excluded, ...this.#unreadable()];
    if (planned < readable.length) excluded.push(...leftOut(readable, plan.batches, plan.excluded));
    const total = plan.batches.reduce((sum, batch) => sum + batch.pointIds.length, excluded.length);
    return { groups: plan.batches, excluded, total, predictedMs: plan.predictedMs, plannedAt: this.#device.points.readingRevision };
  }

  #unreadable(): PointFailure[] {
    const { unreadable } = this.#selection;
    if (unreadable.length === 0) return [];
    return failAll(idsOf(unreadable), unreadableError());
  }
}

/** A point the protocol has no read for. */
export function unreadableError(): AppError {
  return new AppError('CONFIG_INVALID', 'This point carries commands only; its protocol has no read for it.');
}

/** A point that was asked for and has no value in the answer (service document 4.5 rule 2). */
export function noValueError(): AppError {
  return new AppError('PROTOCOL_MALFORMED', 'The answer of the device has no value for this point.');
}

function idsOf(points: readonly PointConfig[]): number[] {
  return points.map((point) => point.id);
}

/** Every selected point counts, also one that a plan has forgotten. */
function leftOut(points: readonly PointConfig[], batches: readonly ReadBatch[], excluded: readonly PointFailure[]): PointFailure[] {
  const known = new Set(excluded.map((failure) => failure.pointId));
  for (const batch of batches) for (const id of batch.pointIds) known.add(id);
  const missing = idsOf(points).filter((id) => !known.has(id));
  return failAll(missing, new AppError('INTERNAL', 'The read plan has no request for this point.'));
}
