import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** A helper process of a benchmark. It runs a script of this folder and speaks by messages, one answer a request. */
export interface Peer {
  /** Rejects when the process ends before it answers, and when it takes longer than `withinMs`. */
  ask<Answer>(request: object, withinMs?: number): Promise<Answer>;
  end(): Promise<void>;
}

/** Starts `script` of this folder on this same Node with these arguments. Its death while a request is open rejects the request. */
export function startPeer(script: string, args: readonly string[] = []): Peer {
  const child: ChildProcess = fork(join(import.meta.dirname, script), [...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    ask<Answer>(request: object, withinMs?: number) {
      return new Promise<Answer>((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`${script} ended with ${code} before it answered`));
        const onLate = () => reject(new Error(`${script} has not answered ${JSON.stringify(request)} within ${withinMs} ms`));
        const limit = withinMs === undefined ? undefined : setTimeout(onLate, withinMs);
        child.once('exit', onExit);
        child.once('message', (answer) => {
          clearTimeout(limit);
          child.off('exit', onExit);
          resolve(answer as Answer);
        });
        child.send(request);
      });
    },
    end() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** The other side: answers each request of the parent by `handle`. A fault ends the process. */
export function servePeer<Request>(handle: (request: Request) => Promise<object>): void {
  process.on('message', (request) => {
    handle(request as Request).then(
      (answer) => process.send?.(answer),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
