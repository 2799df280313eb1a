/** Entry of the thread that keeps recorded values; it talks with history-thread.ts. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HistoryEngine } from '../persistence/history/engine.ts';
import { serveCalls } from '../platform/call-thread.ts';
import type { HistoryJob } from './history-thread.ts';

serveCalls(({ path, project }: HistoryJob) => new HistoryEngine(path, project, () => nextTurn()));
