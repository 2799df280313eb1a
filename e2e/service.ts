import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ENTRY = join(import.meta.dirname, '../out/main/headless.js');
const LISTENING = /is listening on (http:\S+)/;

/** A built service in a folder of its own, on a free port. */
export interface BuiltService {
  readonly url: string;
  /** Stops it in order; throws when it did not end so. */
  stop(): Promise<void>;
}

/** Starts a service, with the demo plant unless told otherwise; throws with what it said when it ends instead of listening. */
export async function startService({ hasDemo = true } = {}): Promise<BuiltService> {
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-e2e-'));
  const options = [...(hasDemo ? ['--demo'] : []), '--port', '0', '--data', folder];
  const child = spawn(process.execPath, [ENTRY, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const url = await listeningAt(child);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await ended;
      rmSync(folder, { recursive: true, force: true });
      if (code !== 0) throw new Error(`the service ended with ${code}`);
    },
  };
}

async function listeningAt(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line);
      const url = LISTENING.exec(line)?.[1];
      if (url === undefined) continue;
      child.stdout.resume();
      return url;
    }
  }
  throw new Error(`the service did not come up: ${said.join(' ')}`);
}
