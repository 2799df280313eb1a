import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface InspectorState {
  readonly isOpen: boolean;
  /** The frames of a point stand below the table. */
  readonly hasFrames: boolean;
  toggle(): void;
  toggleFrames(): void;
}

/** What stands around the table of points, the inspector and the frames of a row; remembered by this browser. */
export const useInspectorStore = create<InspectorState>()(
  persist(
    (set) => ({
      isOpen: false,
      hasFrames: false,
      toggle: () => set((state) => ({ isOpen: !state.isOpen })),
      toggleFrames: () => set((state) => ({ hasFrames: !state.hasFrames })),
    }),
    {
      name: 'loopcheck.inspector',
      version: 1,
      partialize: ({ isOpen, hasFrames }) => ({ isOpen, hasFrames }),
    },
  ),
);
