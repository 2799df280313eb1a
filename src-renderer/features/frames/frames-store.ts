import { create } from 'zustand';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { FRAME_FILTERS, type FrameFilter } from './tail.ts';

interface FramesState {
  readonly kinds: readonly FrameFilter[];
  readonly text: string;
  /** The expression that holds for a channel, by its id. */
  readonly filters: Readonly<Record<number, string>>;
  /** The frame that is explained beside the list when it opens next. */
  readonly wanted: FrameEntry | null;
  setKinds(kinds: readonly FrameFilter[]): void;
  setText(text: string): void;
  setFilter(channelId: number, filter: string): void;
  want(entry: FrameEntry | null): void;
}

/** What the frame list shows, as long as the page lives: the same for every channel, but the expression, which is each channel's own. */
export const useFramesStore = create<FramesState>((set) => ({
  kinds: FRAME_FILTERS,
  text: '',
  filters: {},
  wanted: null,
  setKinds: (kinds) => set({ kinds }),
  setText: (text) => set({ text }),
  setFilter: (channelId, filter) => set(({ filters }) => ({ filters: { ...filters, [channelId]: filter } })),
  want: (wanted) => set({ wanted }),
}));
