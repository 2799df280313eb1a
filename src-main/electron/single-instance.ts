import { app } from 'electron';
import { openedProject } from './arguments.ts';

/**
 * Claims the data folder for this process; false when another window has it, which then comes to the front. The arguments of
 * the second start come from anybody: nothing of them is used but a project file, which `onSecondStart` asks a person about. Call it
 * before anything of the core is built.
 */
export function claimSingleInstance(onSecondStart: (project: string | null) => void): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', (_event, argv, folder) => onSecondStart(openedProject(argv, folder)));
  return true;
}
