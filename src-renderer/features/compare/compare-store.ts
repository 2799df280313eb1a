import { create } from 'zustand';

interface CompareState {
  /** Channel whose table is compared; null: the dialog is closed. */
  readonly channelId: number | null;
}

/** Whether the comparison of tables is open. */
export const useCompareStore = create<CompareState>()(() => ({ channelId: null }));

/** Opens the comparison for the table of a channel. */
export function openCompare(channelId: number): void {
  useCompareStore.setState({ channelId });
}

export function closeCompare(): void {
  useCompareStore.setState({ channelId: null });
}
