import { powerMonitor } from 'electron';
import type { Core } from '../app/types.ts';
import type { Logger } from '../platform/logger.ts';

export interface PowerOptions {
  readonly core: Pick<Core, 'suspend' | 'resume'>;
  readonly logger: Logger;
  /** The computer is shutting down. */
  onShutdown(): void;
}

/** Lines are closed in order before the computer sleeps, and opened anew when it wakes up. Call it when the app is ready. */
export function watchPower({ core, logger, onShutdown }: PowerOptions): void {
  const tell = (what: string) => (error: unknown) => logger.warn({ err: error }, what);
  powerMonitor.on('suspend', () => void core.suspend().catch(tell('lines were not closed before sleep')));
  powerMonitor.on('resume', () => void core.resume().catch(tell('lines were not opened anew after sleep')));
  powerMonitor.on('shutdown', onShutdown);
}
