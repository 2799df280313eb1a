import type { PointStep } from '#shared/contract/points-edit.ts';

/** Stands for the points as they were before the first step that is kept. */
export const START = 0;

/** The steps on the way from how the points are to how a step left them, in the order they are taken. */
export interface HistoryPath {
  readonly way: 'undo' | 'redo';
  readonly steps: readonly PointStep[];
}

/** The way to where `target` was the last change, or to the start; `items` as the service lists them, the latest first. */
export function pathTo(items: readonly PointStep[], target: number): HistoryPath {
  const goal = items.find(({ id }) => id === target);
  if (goal?.undone) return { way: 'redo', steps: items.filter(({ id, undone }) => undone && id <= target).toReversed() };
  return { way: 'undo', steps: items.filter(({ id, undone }) => !undone && id > target) };
}

/** The last step that is done; `START` where all are undone. */
export function present(items: readonly PointStep[]): number {
  return items.find(({ undone }) => !undone)?.id ?? START;
}
