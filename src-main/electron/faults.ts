import { app } from 'electron';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { noteCrash } from './crash-log.ts';
import { showFault } from './dialogs.ts';
import type { ProgramEnd } from './shutdown.ts';
import type { Texts } from './texts.ts';

export interface FaultOptions {
  readonly clock: Clock;
  readonly texts: Texts;
  readonly crashFile: string;
  readonly end: ProgramEnd;
  /** Null before there is a service. */
  logger(): Logger | null;
}

/**
 * An internal fault is written down, then everything is closed in order, and only then it is told: a box on the screen would hold up every
 * line until somebody clicks it away. Processes of the browser engine that died are written down too.
 */
export function setupFaults({ clock, texts, crashFile, end, logger }: FaultOptions): void {
  const onFault = (fault: unknown) => {
    noteCrash(crashFile, clock.wallMs(), 'main process', fault);
    logger()?.error({ err: fault }, 'fault outside of any request');
    end.fail(() => showFault(texts, fault, crashFile));
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  app.on('child-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || details.reason === 'killed') return;
    noteCrash(crashFile, clock.wallMs(), `process of the browser engine: ${details.type}`, details);
    logger()?.warn({ details }, 'a process of the browser engine ended');
  });
}
