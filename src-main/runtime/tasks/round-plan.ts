import type { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PlanOptions, PointConfig, PointFailure, ReadBatch } from '../../drivers/spi/index.ts';
import { runInTurns } from '../../platform/steps.ts';
import type { DeviceLink } from '../connection/device-link.ts';
import type { TaskKind } from '../types.ts';
import { configsInTurns } from '../values/configs-in-turns.ts';
import { type PointSelection, selectPoints } from './point-selection.ts';
import { failAll, type RoundTask, type TaskDevice } from './round.ts';
import { isSameConfig } from './task-config.ts';

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
  readonly #kind: TaskKind;
  readonly #skipKnownHoles: boolean;
  #selection: PointSelection = { readable: [], unreadable: [] };
  #selectionRevision: number | null = null;
  /** Reading revision of the table at the selection. */
  #selectedAt = 0;
  #plan: RoundPlan | null = null;
  #plannedFor: DeviceLink | null = null;
  #planRevision: number | undefined;

  constructor(device: TaskDevice, task: RoundTask) {
    this.#device = device;
    this.#config = task.config;
    this.#kind = task.kind;
    this.#skipKnownHoles = task.kind === 'automatic' && task.config.mode === 'batch';
  }

  /** True when a task of this kind and configuration would plan the same. */
  fits({ kind, config }: Pick<RoundTask, 'kind' | 'config'>): boolean {
    return kind === this.#kind && isSameConfig(config, this.#config);
  }

  /** Plan for a standing connection; `breathe` between the steps of making it. */
  async plan(link: DeviceLink, breathe: () => Promise<void>): Promise<RoundPlan> {
    const selectionChanged = await this.#select(breathe);
    const { planRevision } = link.connection;
    const isCurrent = this.#plannedFor === link && planRevision !== undefined && planRevision === this.#planRevision;
    if (this.#plan && !selectionChanged && isCurrent) return this.#plan;
    this.#plan = await this.#makePlan(link, breathe);
    this.#plannedFor = link;
    this.#planRevision = planRevision;
    return this.#plan;
  }

  /** Plan without a connection: every point fails with the same reason. */
  async planWithout(reason: AppError, breathe: () => Promise<void>): Promise<RoundPlan> {
    if (await this.#select(breathe)) this.#plan = null;
    const excluded = [...failAll(idsOf(this.#selection.readable), reason), ...this.#unreadable()];
    return { groups: [], excluded, total: excluded.length, predictedMs: null, plannedAt: this.#selectedAt };
  }

  /** True when the points have changed since the last round. */
  async #select(breathe: () => Promise<void>): Promise<boolean> {
    const { points, driver } = this.#device;
    if (points.configRevision === this.#selectionRevision) return false;
    const configs = await configsInTurns(points, breathe);
    // they are those of this moment
    this.#selectionRevision = points.configRevision;
    this.#selectedAt = points.readingRevision;
    this.#selection = selectPoints(configs, this.#config, driver);
    this.#plan = null;
    return true;
  }

  async #makePlan({ connection }: DeviceLink, breathe: () => Promise<void>): Promise<RoundPlan> {
    const { readable } = this.#selection;
    const options: PlanOptions = { mode: this.#config.mode === 'single' ? 'single' : 'batch', skipKnownHoles: this.#skipKnownHoles };
    const steps = connection.planSteps?.(readable, options);
    const plan = steps ? await runInTurns(steps, breathe) : connection.plan(readable, options);
    const planned = plan.excluded.length + plan.batches.reduce((sum, batch) => sum + batch.pointIds.length, 0);
    const excluded = [...plan.excluded, ...this.#unreadable()];
    if (planned < readable.length) excluded.push(...leftOut(readable, plan.batches, plan.excluded));
    const total = plan.batches.reduce((sum, batch) => sum + batch.pointIds.length, excluded.length);
    return { groups: plan.batches, excluded, total, predictedMs: plan.predictedMs, plannedAt: this.#selectedAt };
  }

  #unreadable(): PointFailure[] {
    const { unreadable } = this.#selection;
    if (unreadable.length === 0) return [];
    return failAll(idsOf(unreadable), unreadableError());
  }
}

/** A point the protocol has no read for. */
export function unreadableError(): AppError {
  return new AppError('CONFIG_INVALID', say('runtime.commands_only'));
}

/** A point that was asked for and has no value in the answer (service document 4.5 rule 2). */
export function noValueError(): AppError {
  return new AppError('PROTOCOL_MALFORMED', say('runtime.no_value'));
}

function idsOf(points: readonly PointConfig[]): number[] {
  return points.map((point) => point.id);
}

/** Every selected point counts, also one that a plan has forgotten. */
function leftOut(points: readonly PointConfig[], batches: readonly ReadBatch[], excluded: readonly PointFailure[]): PointFailure[] {
  const known = new Set(excluded.map((failure) => failure.pointId));
  for (const batch of batches) for (const id of batch.pointIds) known.add(id);
  const missing = idsOf(points).filter((id) => !known.has(id));
  return failAll(missing, new AppError('INTERNAL', say('runtime.not_planned')));
}
