import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inRoot } from '../lib/paths.ts';

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 15_000;

/** An answer of the API: HTTP status, and `data` of the envelope. */
export interface ApiAnswer {
  readonly status: number;
  readonly message: string;
  readonly data: unknown;
}

/** The headless service from source, in a process and a data folder of its own, driven as a script would: over `/api`. */
export class Service {
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #dataDir: string;

  private constructor(child: ChildProcess, url: string, dataDir: string) {
    this.#child = child;
    this.#url = url;
    this.#dataDir = dataDir;
  }

  /** Rejects when the service does not listen within 30 s. `more`: further arguments, e.g. `--demo`. */
  static async start(more: readonly string[] = []): Promise<Service> {
    const dataDir = mkdtempSync(join(tmpdir(), 'loopcheck-interop-'));
    const child = spawn(process.execPath, [inRoot('src-main/headless.ts'), '--port', '0', '--data', dataDir, ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        const url = /Loopcheck is listening on (http\S+)/.exec(line)?.[1];
        if (url) return new Service(child, url, dataDir);
      }
    } finally {
      clearTimeout(limit);
    }
    throw new Error('The service did not start; its messages are above.');
  }

  /** Where it listens, e.g. `http://127.0.0.1:8991`. */
  get url(): string {
    return this.#url;
  }

  /** A JSON document of the API that comes without an envelope. */
  async document(path: string): Promise<unknown> {
    return JSON.parse(await this.text(path));
  }

  /** One request, its body as JSON, or the form that it is; never rejects for an answer that is an error. */
  async call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<ApiAnswer> {
    // an installation holds this program for minutes: a connection that was kept has been closed by then
    const connection = { connection: 'close' };
    const json = () => ({ headers: { ...connection, 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const sent = body instanceof FormData ? { headers: connection, body } : body === undefined ? { headers: connection } : json();
    const response = await fetch(this.#url + path, { method, ...sent });
    const envelope = (await response.json()) as { message: string; data: unknown };
    return { status: response.status, message: envelope.message, data: envelope.data };
  }

  /** One request that must succeed; answers its `data`. The caller names the shape, which the contract fixes. */
  async ask<Data>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Data> {
    const answer = await this.call(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path} answers ${answer.status} ${answer.message}`);
    return answer.data as Data;
  }

  /** A file of the API as text. */
  async text(path: string): Promise<string> {
    return new TextDecoder().decode(await this.file(path));
  }

  /** A file of the API. */
  async file(path: string): Promise<Uint8Array> {
    const response = await fetch(this.#url + path);
    if (response.status !== 200) throw new Error(`GET ${path} answers ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Ends the service as a script would and answers its exit code; kills it after 15 s. */
  async stop(): Promise<number | null> {
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await ended;
    }
    clearTimeout(limit);
    rmSync(this.#dataDir, { recursive: true, force: true });
    return this.#child.exitCode;
  }
}

/** A TCP port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}
