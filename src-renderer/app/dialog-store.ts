import { create } from 'zustand';

export type AppDialog = 'settings' | 'project' | 'about' | 'audit' | 'keys' | 'requests';

/** A part of the settings. */
export type SettingsTab = 'display' | 'service' | 'access' | 'publish' | 'remotes' | 'updates' | 'keys';

interface DialogState {
  readonly open: AppDialog | null;
  /** The part that the settings open with. */
  readonly tab: SettingsTab;
}

/** Which dialog of the service as a whole is open. */
export const useDialogStore = create<DialogState>()(() => ({ open: null, tab: 'display' }));

/** Opens a dialog of the service, or closes it with null. */
export function openDialog(open: AppDialog | null): void {
  useDialogStore.setState({ open, tab: 'display' });
}

/** Opens the settings at one of their parts. */
export function openSettings(tab: SettingsTab): void {
  useDialogStore.setState({ open: 'settings', tab });
}
