import { create } from 'zustand';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { FRAME_FILTERS, type FrameFilter } from './tail.ts';

interface FramesState {
  readonly kinds: readonly FrameFilter[];
  readonly text: string;
  /** The frame that is explained beside the list when it opens next. */
  readonly wanted: FrameEntry | null;
  setKinds(kinds: readonly FrameFilter[]): void;
  setText(text: string): void;
  want(entry: FrameEntry | null): void;
}

/** What the frame list shows; the same for every channel, as long as the page lives. */
export const useFramesStore = create<FramesState>((set) => ({
  kinds: FRAME_FILTERS,
  text: '',
  wanted: null,
  setKinds: (kinds) => set({ kinds }),
  setText: (text) => set({ text }),
  want: (wanted) => set({ wanted }),
}));
