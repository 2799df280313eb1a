import { create } from 'zustand';

interface PointFilesState {
  /** Channel whose import dialog is open. */
  readonly importInto: number | null;
}

/** Which import dialog is open. */
export const usePointFilesStore = create<PointFilesState>()(() => ({ importInto: null }));

/** Opens the import dialog of a channel. */
export function openImport(channelId: number): void {
  usePointFilesStore.setState({ importInto: channelId });
}

export function closeImport(): void {
  usePointFilesStore.setState({ importInto: null });
}
