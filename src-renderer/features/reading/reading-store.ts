import { create } from 'zustand';
import type { ReadDraft } from './task-config.ts';

interface ReadingState {
  /** What was entered for each channel and not yet started. */
  readonly drafts: Readonly<Record<number, ReadDraft>>;
  setDraft(channelId: number, draft: ReadDraft): void;
}

/** Entries of the reading bar by channel; they live as long as the page. The tasks themselves live in the service. */
export const useReadingStore = create<ReadingState>((set) => ({
  drafts: {},
  setDraft: (channelId, draft) => set((state) => ({ drafts: { ...state.drafts, [channelId]: draft } })),
}));
