import { create } from 'zustand';

interface LibraryState {
  /** The device library is open. */
  readonly isOpen: boolean;
  /** Channel of which a template is made. */
  readonly making: { readonly id: number; readonly name: string } | null;
}

/** What the screens of the device library show. */
export const useLibraryStore = create<LibraryState>()(() => ({ isOpen: false, making: null }));

/** Opens the device library, or closes it. */
export function showLibrary(isOpen: boolean): void {
  useLibraryStore.setState({ isOpen });
}

/** Asks for the name of a template of a channel, or closes that with null. */
export function makeTemplate(making: LibraryState['making']): void {
  useLibraryStore.setState({ making });
}
