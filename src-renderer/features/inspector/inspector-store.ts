import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface InspectorState {
  readonly isOpen: boolean;
  toggle(): void;
}

/** Whether the inspector stands beside the table; remembered by this browser. */
export const useInspectorStore = create<InspectorState>()(
  persist((set) => ({ isOpen: false, toggle: () => set((state) => ({ isOpen: !state.isOpen })) }), {
    name: 'loopcheck.inspector',
    version: 1,
    partialize: ({ isOpen }) => ({ isOpen }),
  }),
);
