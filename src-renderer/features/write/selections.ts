import { useEffect, useReducer } from 'react';
import { create } from 'zustand';
import type { Channel } from '#shared/contract/channels.ts';
import type { CommandOptions } from './command-options.ts';

/** How often the screen looks at what is left of a selection, in milliseconds. */
const TICK_MS = 500;

/** What a device has selected for this page. An execute carries the same value and options. */
export interface Selection {
  readonly channelId: number;
  readonly code: string;
  readonly value: number;
  readonly options: CommandOptions;
  /** End by the clock of the computer and by that of the page, in milliseconds; null: it does not end by itself, or it is not known. */
  readonly endsAt: { readonly wall: number; readonly monotonic: number } | null;
  /** The device says that it does not end by itself. */
  readonly isEndless: boolean;
  /** `over`: its time has run out; `lost`: its connection has ended. Null while it stands. */
  readonly ended: 'over' | 'lost' | null;
}

interface SelectionState {
  /** By point id. Outside of the dialog: a selection stands when the dialog is closed. */
  readonly selections: Readonly<Record<number, Selection>>;
}

export const useSelectionStore = create<SelectionState>()(() => ({ selections: {} }));

/** Remembers a selection that stands for `remainingMs` from now; null: no end is known. */
export function rememberSelection(pointId: number, selection: Omit<Selection, 'endsAt' | 'ended'>, remainingMs: number | null): void {
  const endsAt = remainingMs === null ? null : { wall: Date.now() + remainingMs, monotonic: performance.now() + remainingMs };
  useSelectionStore.setState(({ selections }) => ({ selections: { ...selections, [pointId]: { ...selection, endsAt, ended: null } } }));
}

export function forgetSelection(pointId: number): void {
  useSelectionStore.setState(({ selections: { [pointId]: _gone, ...selections } }) => ({ selections }));
}

/** Forgets what has ended, so that it is told once. */
export function forgetEnded(pointId: number): void {
  if (useSelectionStore.getState().selections[pointId]?.ended) forgetSelection(pointId);
}

function end(pointId: number, ended: 'over' | 'lost'): void {
  useSelectionStore.setState(({ selections }) => {
    const selection = selections[pointId];
    return selection ? { selections: { ...selections, [pointId]: { ...selection, ended } } } : {};
  });
}

/** Milliseconds that are left of a selection; null: no end is known. */
export function remainingOf({ endsAt }: Selection): number | null {
  return endsAt && Math.max(0, Math.min(endsAt.wall - Date.now(), endsAt.monotonic - performance.now()));
}

/** Milliseconds that are left, counted down on the screen. */
export function useRemaining(selection: Selection): number | null {
  const [, look] = useReducer((count: number) => count + 1, 0);
  const counts = selection.endsAt !== null && selection.ended === null;
  useEffect(() => {
    if (!counts) return;
    const timer = setInterval(look, TICK_MS);
    return () => clearInterval(timer);
  }, [counts]);
  return remainingOf(selection);
}

/** Ends selections whose time has run out or whose connection has ended; `onEnd` is told of each. */
export function useSelectionKeeper(channels: readonly Channel[] | undefined, onEnd: (pointId: number, selection: Selection) => void): void {
  const selections = useSelectionStore((state) => state.selections);
  useEffect(() => {
    const standing = Object.entries(selections).filter(([, { ended }]) => ended === null);
    if (standing.length === 0) return;
    const watch = () => {
      for (const [id, selection] of standing) {
        const isLost = channels?.some(({ id: channel, status }) => channel === selection.channelId && status !== 'running') === true;
        if (!isLost && remainingOf(selection) !== 0) continue;
        end(Number(id), isLost ? 'lost' : 'over');
        onEnd(Number(id), { ...selection, ended: isLost ? 'lost' : 'over' });
      }
    };
    watch();
    const timer = setInterval(watch, TICK_MS);
    return () => clearInterval(timer);
  }, [selections, channels, onEnd]);
}
