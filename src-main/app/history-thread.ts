import { existsSync } from 'node:fs';
import { say } from '#shared/messages/index.ts';
import { HistoryEngine } from '../persistence/history/engine.ts';
import { historyPath } from '../persistence/history/history-path.ts';
import type { HistoryStore } from '../persistence/history-repositories.ts';
import { CallThread } from '../platform/call-thread.ts';
import { threadEntry } from '../platform/thread.ts';
import type { Threads } from '../platform/threads.ts';
import { Turns } from '../platform/turns.ts';
import type { HistoryOpener } from '../services/history/recorder.ts';

/** Memory of the thread: samples that are not packed, and what one answer needs. */
const MEGABYTES = 512;

type Calls = Pick<HistoryStore, 'append' | 'query' | 'status' | 'tidy' | 'close'>;

/** What the thread is started with. */
export interface HistoryJob {
  readonly path: string;
  readonly project: string;
}

/**
 * Keeps recorded values in a thread, which begins with the first call and ends with `close`; where no thread can be had, in place. One that ended by a
 * fault refuses what it had been asked, and the next call begins another one.
 */
export function createHistoryThread(
  threads: Threads,
  entry: string | null = threadEntry('history-worker', import.meta.url),
): HistoryOpener {
  return (project, id) => {
    const path = historyPath(project);
    return entry === null
      ? new HistoryEngine(path, id, () => new Turns('behind').next())
      : new HistoryThread(threads, entry, { path, project: id });
  };
}

class HistoryThread implements HistoryStore {
  readonly path: string;
  readonly #thread: CallThread;

  constructor(threads: Threads, entry: string, job: HistoryJob) {
    this.path = job.path;
    this.#thread = new CallThread({ threads, entry, job, megabytes: MEGABYTES, ended: say('history.thread_ended') });
  }

  exists = () => existsSync(this.path);
  append: Calls['append'] = (...given) => this.#thread.ask('append', given);
  query: Calls['query'] = (...given) => this.#thread.ask('query', given);
  status: Calls['status'] = (...given) => this.#thread.ask('status', given);
  tidy: Calls['tidy'] = (...given) => this.#thread.ask('tidy', given);
  close: Calls['close'] = () => this.#thread.close();
}
