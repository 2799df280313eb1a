import type { ReadTaskConfig, TaskSnapshot } from '#shared/contract/tasks.ts';
import type { FrameType, ReadMode } from '#shared/domain/enums.ts';

/** Bounds of the service document, section 4.3, in milliseconds. */
export const CYCLE_BOUNDS = { min: 100, max: 3_600_000 } as const;
export const PAUSE_BOUNDS = { min: 0, max: 3_600_000 } as const;

/** What a person has entered for the next read task. Numbers may be missing while a field is being typed in. */
export interface ReadDraft {
  readonly mode: ReadMode;
  readonly cycleMs: number | null;
  readonly pauseMs: number | null;
  readonly slaveId: number | null;
  readonly category: string;
  readonly item: string;
  readonly pointTypes: readonly FrameType[];
}

export const DEFAULT_DRAFT: ReadDraft = {
  mode: 'batch',
  cycleMs: 1000,
  pauseMs: 0,
  slaveId: null,
  category: '',
  item: '',
  pointTypes: [],
};

/** True when `value` is a whole number within bounds. */
export function isWithin(value: number | null, bounds: { readonly min: number; readonly max: number }): value is number {
  return value !== null && Number.isInteger(value) && value >= bounds.min && value <= bounds.max;
}

/** The draft a task's configuration came from. */
export function draftOf(config: ReadTaskConfig): ReadDraft {
  return {
    mode: config.mode,
    cycleMs: config.cycle_interval_ms,
    pauseMs: config.request_interval_ms,
    slaveId: config.slave_id,
    category: config.category,
    item: config.item,
    pointTypes: config.point_types,
  };
}

/** The request fields of a draft; null while a number is out of bounds. */
export function configOf(draft: ReadDraft) {
  if (!isWithin(draft.cycleMs, CYCLE_BOUNDS) || !isWithin(draft.pauseMs, PAUSE_BOUNDS)) return null;
  return {
    mode: draft.mode,
    cycle_interval_ms: draft.cycleMs,
    request_interval_ms: draft.pauseMs,
    slave_id: draft.slaveId,
    category: draft.category.trim(),
    item: draft.item.trim(),
    point_types: [...draft.pointTypes],
  };
}

/** How many filters narrow the task. */
export function countFilters(draft: ReadDraft): number {
  return [draft.slaveId !== null, draft.category.trim() !== '', draft.item.trim() !== '', draft.pointTypes.length > 0].filter(Boolean)
    .length;
}

/** True while a task is under way, its end included. */
export function isActive(task: TaskSnapshot | undefined): boolean {
  return task?.state === 'running' || task?.state === 'stopping';
}

/** True for a task that was never started. */
export function isUntouched(task: TaskSnapshot | undefined): boolean {
  return !task || task.started_at === null;
}

/** The read that began last, or is under way; undefined before any answer of the service. */
export function latestTask(auto: TaskSnapshot | undefined, manual: TaskSnapshot | undefined): TaskSnapshot | undefined {
  return isActive(manual) || (manual?.started_at ?? '') > (auto?.started_at ?? '') ? manual : auto;
}
