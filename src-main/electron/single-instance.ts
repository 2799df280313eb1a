import { app } from 'electron';
import { type OpenedFile, openedFile } from './arguments.ts';

/**
 * Claims the data folder for this process; false when another window has it, which then comes to the front. The arguments of
 * the second start come from anybody: nothing of them is used but a file, of which `onSecondStart` does only what may be done with anybody's. Call it
 * before anything of the core is built.
 */
export function claimSingleInstance(onSecondStart: (file: OpenedFile | null) => void): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', (_event, argv, folder) => onSecondStart(openedFile(argv, folder)));
  return true;
}
