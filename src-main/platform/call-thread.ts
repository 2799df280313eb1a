import { type MessagePort, parentPort, type Worker, workerData } from 'node:worker_threads';
import { AppError, type ErrorCode, toAppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import { giveBackMemory } from './thread-memory.ts';
import type { Threads } from './threads.ts';

/** A call, and its answer. */
interface Request {
  readonly id: number;
  readonly call: string;
  readonly given: readonly unknown[];
}
type Reply = { readonly id: number } & (
  | { readonly answer: unknown }
  | { readonly refused: { readonly code: ErrorCode; readonly said: Message } }
);

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** What a thread that answers calls is started with. */
export interface CallThreadParts {
  /** The threads it is one of. */
  readonly threads: Threads;
  /** Its file. */
  readonly entry: string;
  /** What it begins with; crosses between threads. */
  readonly job: unknown;
  readonly megabytes: number;
  /** What is said to those that wait when it ends by a fault. */
  readonly ended: Message;
}

/**
 * A thread that answers calls in their order. It begins with the first one and ends with `close`. One that ended by a fault refuses what it had been asked,
 * and the next call begins another one.
 */
export class CallThread {
  readonly #parts: CallThreadParts;
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #calls = 0;

  constructor(parts: CallThreadParts) {
    this.#parts = parts;
  }

  /** Calls the method of this name there. Rejects with what it refuses, and with `STATE_CONFLICT` when the service has stopped. */
  async ask<Answer>(call: string, given: readonly unknown[]): Promise<Answer> {
    this.#worker ??= this.#begin();
    const id = ++this.#calls;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#worker.postMessage({ id, call, given } satisfies Request);
    return (await answer) as Answer;
  }

  /** Calls `close` there, and ends it. */
  async close(): Promise<void> {
    if (!this.#worker) return;
    try {
      await this.ask('close', []);
    } finally {
      await this.#worker?.terminate();
    }
  }

  #begin(): Worker {
    const { threads, entry, job, megabytes, ended } = this.#parts;
    const worker = threads.begin('calls', entry, { job, megabytes });
    worker.on('message', (reply: Reply) => {
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
      for (const { reject } of waiting) reject(new AppError('INTERNAL', ended, { cause: fault }));
    });
    return worker;
  }
}

/** The other side: answers calls by the methods of what `make` makes of the job. Does nothing in the main thread. */
export function serveCalls<Job>(make: (job: Job) => object): void {
  if (!parentPort) return;
  const port: MessagePort = parentPort;
  const engine = make(workerData as Job) as Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>;
  const answer = async ({ id, call, given }: Request): Promise<Reply> => {
    try {
      const done = await engine[call]?.(...given);
      // it ends behind that
      if (call === 'close') giveBackMemory();
      return { id, answer: done };
    } catch (thrown) {
      const { code, said } = toAppError(thrown);
      return { id, refused: { code, said } };
    }
  };
  port.on('message', (request: Request) => void answer(request).then((reply) => port.postMessage(reply)));
}
