/** Work in a thread of its own: what takes long, or what a file may have been made to make long, must not hold the lines. */
import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type MessagePort, parentPort, type Worker, workerData } from 'node:worker_threads';
import { AppError, type ErrorCode, toAppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { giveBackMemory } from './thread-memory.ts';
import type { Threads } from './threads.ts';

/** What a thread may take before it is ended. */
export interface ThreadLimits {
  readonly ms: number;
  readonly megabytes: number;
}

/** Where jobs of a kind are done: whose threads these are, their file (null: there is none), and what one may take. */
export interface ThreadPlace {
  readonly threads: Threads;
  readonly entry: string | null;
  readonly limits: ThreadLimits;
}

/** One job for a thread. `Part` and `Answer` cross between threads, so they are data without functions. */
export interface ThreadJob<Job, Part> {
  readonly job: Job;
  /** Sent behind the job, one message each; between them other work gets its turn. */
  readonly parts?: Iterable<unknown>;
  /** Called for each part of the answer, in order, one in a turn of the event loop. */
  onPart?(part: Part): void;
}

/** A thread took more than its limits allow. */
export class ThreadLimitError extends Error {
  readonly what: 'time' | 'memory';

  constructor(what: ThreadLimitError['what']) {
    super(`The thread needed too much ${what}.`);
    this.name = 'ThreadLimitError';
    this.what = what;
  }
}

/** A thread that has done its job gets so long to end. */
const ENDS_MS = 10_000;

/** What tells the thread that a part of its answer was taken. */
const TAKEN = 'taken';

type Said =
  | { readonly kind: 'ready' }
  | { readonly kind: 'part'; readonly part: unknown }
  | { readonly kind: 'end'; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly said: Message; readonly data: unknown };

/** The file of a thread: beside its caller as source, at the top of the built program otherwise. Null when there is none. */
export function threadEntry(name: string, caller: string): string | null {
  const places = [`./${name}.ts`, `./${name}.js`, `../${name}.js`].map((place) => fileURLToPath(new URL(place, caller)));
  return places.find((place) => existsSync(place)) ?? null;
}

/**
 * Runs one job to its answer; null when no thread came up. Throws the `AppError` the job was refused with, `ThreadLimitError`, and `INTERNAL` for
 * a fault of our own; `STATE_CONFLICT` when the service stops. The thread ends by itself afterwards, or is ended where it has not come to its end; `threads` knows when it has.
 */
export async function runThread<Job, Part, Answer>(
  { threads, entry, limits }: ThreadPlace,
  { job, parts, onPart }: ThreadJob<Job, Part>,
): Promise<Answer | null> {
  if (entry === null) return null;
  const worker = threads.begin('job', entry, { job, megabytes: limits.megabytes });
  let timer: NodeJS.Timeout | undefined;
  let isAtEnd = false;
  try {
    return await new Promise<Answer | null>((resolve, reject) => {
      let isUp = false;
      let failure: Error | undefined;
      timer = setTimeout(() => reject(new ThreadLimitError('time')), limits.ms);
      worker.on('message', (said: Said) => {
        try {
          if (said.kind === 'ready') {
            isUp = true;
            if (parts) sendParts(worker, parts).catch(reject);
          } else if (said.kind === 'part') {
            onPart?.(said.part as Part);
            // Messages that lie ready are all read in one go, and reading one takes as long as it is large.
            setImmediate(() => worker.postMessage(TAKEN));
          } else {
            isAtEnd = true;
            if (said.kind === 'end') resolve(said.answer as Answer);
            else reject(new AppError(said.code, said.said, { data: said.data }));
          }
        } catch (error) {
          reject(error);
        }
      });
      // An error may overtake what the thread said before it; the exit comes behind both.
      worker.on('error', (error: Error) => {
        failure = error;
      });
      worker.on('exit', () => {
        const refusal = threads.refusal('job');
        if (refusal) reject(refusal);
        else if (isUp) reject(failure ? threadFault(failure) : new AppError('INTERNAL', say('app.thread_no_answer')));
        else resolve(null);
      });
    });
  } finally {
    clearTimeout(timer);
    if (isAtEnd) endLater(worker);
    else void worker.terminate();
  }
}

/** It gives its memory back and ends; one that does not is ended. */
function endLater(worker: Worker): void {
  const timer = setTimeout(() => void worker.terminate(), ENDS_MS).unref();
  worker.once('exit', () => clearTimeout(timer));
}

async function sendParts(worker: Worker, parts: Iterable<unknown>): Promise<void> {
  for (const part of parts) {
    worker.postMessage({ part });
    await nextTurn();
  }
  worker.postMessage(null);
}

function threadFault(error: Error & { code?: string }): Error {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return new ThreadLimitError('memory');
  return new AppError('INTERNAL', quoted(error.message), { cause: error });
}

/** What a job in a thread is given. */
export interface ThreadWork<Job> {
  readonly job: Job;
  /** The parts that come behind the job, to the last. */
  parts(): Promise<unknown[]>;
  /** Sends a part of the answer; settles when it was taken, so that never two of them lie ready. */
  say(part: unknown): Promise<void>;
}

/** The other side: does the one job this thread was started with, and ends. Does nothing in the main thread. */
export async function serveThread<Job>(work: (given: ThreadWork<Job>) => Promise<unknown>): Promise<void> {
  if (!parentPort) return;
  await doJob(parentPort, work);
  // nothing of the job is held any more
  parentPort.removeAllListeners('message');
  giveBackMemory();
  parentPort.close();
}

async function doJob<Job>(port: MessagePort, work: (given: ThreadWork<Job>) => Promise<unknown>): Promise<void> {
  const send = (said: Said) => port.postMessage(said);
  const inbox = new Inbox(port);
  send({ kind: 'ready' });
  try {
    const answer = await work({
      job: workerData as Job,
      parts: () => inbox.parts,
      say: (part) => {
        send({ kind: 'part', part });
        return inbox.taken();
      },
    });
    send({ kind: 'end', answer });
  } catch (thrown) {
    const { code, said, data } = toAppError(thrown);
    send({ kind: 'refused', code, said, data });
  }
}

/** What a thread is told: the parts of its job, then that parts of its answer were taken. */
class Inbox {
  readonly parts: Promise<unknown[]>;
  #onTaken: () => void = () => undefined;

  constructor(port: MessagePort) {
    const parts: unknown[] = [];
    this.parts = new Promise((resolve) => {
      port.on('message', (message: { readonly part: unknown } | typeof TAKEN | null) => {
        if (message === TAKEN) this.#onTaken();
        else if (message === null) resolve(parts);
        else parts.push(message.part);
      });
    });
  }

  /** Settles with the next part that was taken. */
  taken(): Promise<void> {
    return new Promise((resolve) => {
      this.#onTaken = resolve;
    });
  }
}
