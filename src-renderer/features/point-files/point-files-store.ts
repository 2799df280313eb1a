import { create } from 'zustand';
import type { InputOf } from '#shared/contract/index.ts';

/** Rows of the clipboard in place of a file. */
export interface PastedRows {
  /** Null: the clipboard could not be read, and is asked for. */
  readonly text: string | null;
  /** What the rows are where they do not say it. */
  readonly type: NonNullable<InputOf<'importPoints'>['pasted']>;
}

interface PointFilesState {
  /** Channel whose import dialog is open. */
  readonly importInto: number | null;
  readonly pasted: PastedRows | null;
  /** A file that was dropped on the table: it is looked at at once. */
  readonly dropped: File | null;
}

/** Which import dialog is open. */
export const usePointFilesStore = create<PointFilesState>()(() => ({ importInto: null, pasted: null, dropped: null }));

/** Opens the import dialog of a channel, for a file or for rows that were copied. */
export function openImport(channelId: number, pasted: PastedRows | null = null): void {
  usePointFilesStore.setState({ importInto: channelId, pasted, dropped: null });
}

/** Opens it with a file that was dropped on the table of the channel. */
export function openImportOf(channelId: number, dropped: File): void {
  usePointFilesStore.setState({ importInto: channelId, pasted: null, dropped });
}

export function closeImport(): void {
  usePointFilesStore.setState({ importInto: null, pasted: null, dropped: null });
}
