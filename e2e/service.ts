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
  /** Its folder of data; `stop` removes it. */
  readonly folder: string;
  /** Stops it in order, and leaves its folder, to be started in it again; throws when it did not end so. */
  pause(): Promise<void>;
  /** Stops it in order; throws when it did not end so. */
  stop(): Promise<void>;
}

interface ServiceOptions {
  readonly hasDemo?: boolean;
  /** A free one where none is named. */
  readonly port?: number;
  /** Folder of one that was there before; a new one where none is named. */
  readonly folder?: string;
  /** Its clock goes so many milliseconds ahead. */
  readonly aheadMs?: number;
}

/** Starts a service, with the demo plant unless told otherwise; throws with what it said when it ends instead of listening. */
export async function startService(given: ServiceOptions = {}): Promise<BuiltService> {
  const { hasDemo = true, port = 0, aheadMs = 0, folder = mkdtempSync(join(tmpdir(), 'loopcheck-e2e-')) } = given;
  const options = [...(hasDemo ? ['--demo'] : []), '--port', String(port), '--data', folder];
  const clock = aheadMs === 0 ? [] : ['--import', `data:text/javascript,const now = Date.now; Date.now = () => now() %2B ${aheadMs}`];
  const child = spawn(process.execPath, [...clock, ENTRY, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const url = await listeningAt(child);
  const pause = async () => {
    child.kill('SIGTERM');
    const [code] = await ended;
    if (code !== 0) throw new Error(`the service ended with ${code}`);
  };
  return {
    url,
    folder,
    pause,
    async stop() {
      try {
        await pause();
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
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
