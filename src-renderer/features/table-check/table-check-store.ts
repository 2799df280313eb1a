import { create } from 'zustand';
import type { FindingRule, FindingSeverity } from '#shared/domain/table-findings.ts';

/** Which findings are shown. */
export interface FindingFilter {
  readonly rule: FindingRule | null;
  /** `ignored`: those that somebody ignores, whatever they are. */
  readonly severity: FindingSeverity | 'all' | 'ignored';
}

interface TableCheckState {
  /** Channel whose findings are in sight below its table; null: none. */
  readonly channelId: number | null;
  readonly filter: FindingFilter;
  toggle(channelId: number): void;
  close(): void;
  narrow(change: Partial<FindingFilter>): void;
}

const ALL: FindingFilter = { rule: null, severity: 'all' };

/** Whether the findings of a table are in sight, and which of them. */
export const useTableCheckStore = create<TableCheckState>()((set) => ({
  channelId: null,
  filter: ALL,
  toggle: (channelId) => set((state) => ({ channelId: state.channelId === channelId ? null : channelId, filter: ALL })),
  close: () => set({ channelId: null }),
  narrow: (change) => set((state) => ({ filter: { ...state.filter, ...change } })),
}));
