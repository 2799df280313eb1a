import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { HistoryEngine } from '../persistence/history/engine.ts';
import { historyPath } from '../persistence/history/history-path.ts';
import type { HistoryStore } from '../persistence/history-repositories.ts';
import { threadEntry } from '../platform/thread.ts';
import { Turns } from '../platform/turns.ts';
import type { HistoryOpener } from '../services/history/recorder.ts';

/** Memory of the thread: samples that are not packed, and what one answer needs. */
const MEGABYTES = 512;

type Calls = Pick<HistoryStore, 'append' | 'query' | 'status' | 'tidy' | 'close'>;
export type HistoryCall = keyof Calls;

/** What the thread is started with. */
export interface HistoryJob {
  readonly path: string;
  readonly project: string;
}

/** A call, and its answer. */
export interface HistoryRequest {
  readonly id: number;
  readonly call: HistoryCall;
  readonly given: readonly unknown[];
}
export type HistoryReply = { readonly id: number } & (
  | { readonly answer: unknown }
  | { readonly refused: { readonly code: ErrorCode; readonly said: Message } }
);

/**
 * Keeps recorded values in a thread, which begins with the first call and ends with `close`; where no thread can be had, in place. One that ended by a
 * fault refuses what it had been asked, and the next call begins another one.
 */
export function createHistoryThread(entry: string | null = threadEntry('history-worker', import.meta.url)): HistoryOpener {
  return (project, id) => {
    const path = historyPath(project);
    return entry === null ? new HistoryEngine(path, id, () => new Turns('behind').next()) : new HistoryThread(entry, { path, project: id });
  };
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

class HistoryThread implements HistoryStore {
  readonly #entry: string;
  readonly #job: HistoryJob;
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #calls = 0;

  constructor(entry: string, job: HistoryJob) {
    this.#entry = entry;
    this.#job = job;
  }

  get path(): string {
    return this.#job.path;
  }

  exists = () => existsSync(this.path);
  append: Calls['append'] = (...given) => this.#ask('append', given);
  query: Calls['query'] = (...given) => this.#ask('query', given);
  status: Calls['status'] = (...given) => this.#ask('status', given);
  tidy: Calls['tidy'] = (...given) => this.#ask('tidy', given);

  async close(): Promise<void> {
    if (!this.#worker) return;
    try {
      await this.#ask('close', []);
    } finally {
      await this.#worker?.terminate();
    }
  }

  #ask<Name extends HistoryCall>(call: Name, given: Parameters<Calls[Name]>): ReturnType<Calls[Name]> {
    this.#worker ??= this.#begin();
    const id = ++this.#calls;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#worker.postMessage({ id, call, given } satisfies HistoryRequest);
    return answer as ReturnType<Calls[Name]>;
  }

  #begin(): Worker {
    const worker = new Worker(this.#entry, { workerData: this.#job, resourceLimits: { maxOldGenerationSizeMb: MEGABYTES }, execArgv: [] });
    worker.on('message', (reply: HistoryReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('answer' in reply) waiting?.resolve(reply.answer);
      else waiting?.reject(new AppError(reply.refused.code, reply.refused.said));
    });
    let fault: unknown;
    worker.on('error', (error) => {
      fault = error;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
      const waiting = [...this.#waiting.values()];
      this.#waiting = new Map();
      for (const { reject } of waiting) reject(new AppError('INTERNAL', say('history.thread_ended'), { cause: fault }));
    });
    return worker;
  }
}
