import { create } from 'zustand';

export type AppDialog = 'settings' | 'project' | 'about' | 'audit' | 'keys' | 'requests';

interface DialogState {
  readonly open: AppDialog | null;
}

/** Which dialog of the service as a whole is open. */
export const useDialogStore = create<DialogState>()(() => ({ open: null }));

/** Opens a dialog of the service, or closes it with null. */
export function openDialog(open: AppDialog | null): void {
  useDialogStore.setState({ open });
}
