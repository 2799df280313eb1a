import { powerMonitor } from 'electron';

/** Calls `onResume` each time the computer wakes up: lines that stood before sleep cannot be trusted. Call it when the app is ready. */
export function watchPower(onResume: () => Promise<void>): void {
  powerMonitor.on('resume', () => void onResume());
}
