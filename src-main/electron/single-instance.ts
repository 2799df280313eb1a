import { app } from 'electron';

/**
 * Claims the data folder for this process; false when another window has it, which then comes to the front. The arguments of
 * the second start come from anybody and are not looked at. Call it before anything of the core is built.
 */
export function claimSingleInstance(onSecondStart: () => void): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', () => onSecondStart());
  return true;
}
