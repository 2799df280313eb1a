import { create } from 'zustand';

export const TOOL_VIEWS = ['operations', 'simulation', 'unknown', 'scan', 'table'] as const;
export type ToolView = (typeof TOOL_VIEWS)[number];

interface ToolsState {
  /** The view that was asked for last; a channel without it shows its first. */
  readonly view: ToolView | null;
  show(view: ToolView): void;
}

/** Which of the tools of a channel is in sight. */
export const useToolsStore = create<ToolsState>()((set) => ({ view: null, show: (view) => set({ view }) }));
