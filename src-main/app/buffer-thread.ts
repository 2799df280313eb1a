import { existsSync } from 'node:fs';
import { say } from '#shared/messages/index.ts';
import { bufferPath } from '../persistence/buffer/buffer-path.ts';
import { BufferEngine } from '../persistence/buffer/engine.ts';
import type { BufferStore } from '../persistence/buffer-repositories.ts';
import { CallThread } from '../platform/call-thread.ts';
import { threadEntry } from '../platform/thread.ts';
import type { Threads } from '../platform/threads.ts';
import type { BufferOpener } from '../services/publish/buffers.ts';

/** Memory of the thread: some thousand records at a time. */
const MEGABYTES = 128;

/** What the thread is started with. */
export interface BufferJob {
  readonly path: string;
  readonly project: string;
}

/**
 * Keeps waiting records in a thread, which begins with the first call and ends with `close`; where no thread can be had, in place. One that ended by a
 * fault refuses what it had been asked, and the next call begins another one.
 */
export function createBufferThread(threads: Threads, entry: string | null = threadEntry('buffer-worker', import.meta.url)): BufferOpener {
  return (project, id) => {
    const path = bufferPath(project);
    return entry === null ? new BufferEngine(path, id) : new BufferThread(threads, entry, { path, project: id });
  };
}

class BufferThread implements BufferStore {
  readonly path: string;
  readonly #thread: CallThread;

  constructor(threads: Threads, entry: string, job: BufferJob) {
    this.path = job.path;
    this.#thread = new CallThread({ threads, entry, job, megabytes: MEGABYTES, ended: say('buffer.thread_ended') });
  }

  exists = () => existsSync(this.path);
  write: BufferStore['write'] = (...given) => this.#thread.ask('write', given);
  read: BufferStore['read'] = (...given) => this.#thread.ask('read', given);
  keepOnly: BufferStore['keepOnly'] = (...given) => this.#thread.ask('keepOnly', given);
  close: BufferStore['close'] = () => this.#thread.close();
}
