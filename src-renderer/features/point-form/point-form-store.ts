import { create } from 'zustand';
import type { Point } from '#shared/contract/points.ts';

interface PointFormTarget {
  readonly channelId: number;
  /** The point to change; left out to add one. */
  readonly point?: Point;
  /** With `point`: its settings are the start of a new point. */
  readonly copy?: boolean;
  /** Many points to change at once, in place of one. */
  readonly points?: readonly Point[];
}

interface PointFormState {
  readonly target: PointFormTarget | null;
}

/** Which point dialog is open. */
export const usePointFormStore = create<PointFormState>()(() => ({ target: null }));

/** Opens the dialog that adds a point to a channel, or changes the given one or many. */
export function openPointForm(target: PointFormTarget): void {
  usePointFormStore.setState({ target });
}

/** Closes the point dialog. */
export function closePointForm(): void {
  usePointFormStore.setState({ target: null });
}
