import { type SpawnOptions, spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { inRoot, root } from './paths.ts';

/** How a child process ended: its exit code, or null with the signal that ended it. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The environment with the project's own tools (and its Node 24) first on the path. */
export function projectEnv(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${inRoot('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}` };
}

/** `onOutput` gets what a program writes into a pipe, where `stdio` says that there is one. */
export type RunOptions = SpawnOptions & { readonly onOutput?: (chunk: Buffer) => void };

/** Runs a program in the repository with this terminal's input and output. Rejects only when it cannot be started. */
export function run(program: string, args: readonly string[], { onOutput, ...options }: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env: projectEnv(), stdio: 'inherit', ...options });
    if (onOutput) for (const pipe of [child.stdout, child.stderr]) pipe?.on('data', onOutput);
    child.once('error', reject);
    // all of its output has come by then
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/** Runs a JavaScript command-line tool of a dependency on this same Node, so that it works on every platform without a shell. */
export function runTool(script: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return run(process.execPath, [inRoot('node_modules', script), ...args], options);
}

/**
 * Runs a service in the foreground and passes SIGINT and SIGTERM on to it, so that it can stop in order.
 * Resolves with the exit code for this process.
 */
export function runService(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: process.cwd(), env: projectEnv(), stdio: 'inherit' });
    const pass = (signal: NodeJS.Signals) => {
      // Ctrl+C reaches the whole process group by itself; a signal sent to this process alone does not.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    process.on('SIGINT', pass);
    process.on('SIGTERM', pass);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGINT', pass);
      process.off('SIGTERM', pass);
      resolve(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1));
    });
  });
}
