import { useDialogStore } from '../../app/dialog-store.ts';
import { isCovered } from '../../commands/registry.ts';
import { closeChannelDialog } from '../channels/channel-dialog-store.ts';
import { closeDoctor } from '../doctor/doctor-store.ts';
import { closeFind } from '../find/find-store.ts';
import { closeImport } from '../point-files/point-files-store.ts';
import { closePointForm } from '../point-form/point-form-store.ts';
import { useProjectsStore } from './projects-store.ts';

/** Dialogs of the program as a whole: they say the same in every project. */
const OF_NO_PROJECT: readonly unknown[] = ['about', 'keys', 'settings'];

/**
 * Closes every dialog that is about the project before: what it names by id is something else now. Those inside the work go with it, as it is drawn
 * anew. True when one was open.
 */
export function closeDialogs(): boolean {
  const { open } = useDialogStore.getState();
  const stays = OF_NO_PROJECT.includes(open);
  const wasOpen = isCovered() && !stays;
  if (!stays) useDialogStore.setState({ open: null });
  closePointForm();
  closeImport();
  closeChannelDialog();
  closeDoctor();
  closeFind();
  useProjectsStore.setState({ step: null, newChannel: null, asksDemo: false, readsText: false });
  return wasOpen;
}
