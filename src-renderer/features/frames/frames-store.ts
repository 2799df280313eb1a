import { create } from 'zustand';
import { FRAME_FILTERS, type FrameFilter } from './tail.ts';

interface FramesState {
  readonly kinds: readonly FrameFilter[];
  readonly text: string;
  setKinds(kinds: readonly FrameFilter[]): void;
  setText(text: string): void;
}

/** What the frame list shows; the same for every channel, as long as the page lives. */
export const useFramesStore = create<FramesState>((set) => ({
  kinds: FRAME_FILTERS,
  text: '',
  setKinds: (kinds) => set({ kinds }),
  setText: (text) => set({ text }),
}));
