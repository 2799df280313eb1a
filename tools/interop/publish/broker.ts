import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installPackages, output } from '../peer.ts';

const MOSQUITTO = '/usr/sbin/mosquitto';
const LIFETIME_MS = 180_000;

/** True where broker and reader of Debian are there, or could be installed. */
export function hasMosquitto(): boolean {
  const isThere = () =>
    output('mosquitto_sub', ['--help']) !== null || output('sh', ['-c', `test -x ${MOSQUITTO} && command -v mosquitto_sub`]) !== null;
  return isThere() || (installPackages('mosquitto', 'mosquitto-clients') && isThere());
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** A mosquitto of its own on loopback, in a folder of its own; with a user where one is given. */
export class Broker {
  readonly port: number;
  readonly #dir: string;
  #child: ChildProcess | null = null;

  private constructor(port: number, dir: string) {
    this.port = port;
    this.#dir = dir;
  }

  /** `more`: further lines of its settings. */
  static async start(user?: { readonly name: string; readonly password: string }, more: readonly string[] = []): Promise<Broker> {
    const broker = new Broker(await freePort(), mkdtempSync(join(tmpdir(), 'loopcheck-mosquitto-')));
    const lines = [`listener ${broker.port} 127.0.0.1`, `allow_anonymous ${user ? 'false' : 'true'}`, 'persistence false', ...more];
    // as root it would become another user, who may not read the folder
    if (process.getuid?.() === 0) lines.push('user root');
    if (user) {
      const file = join(broker.#dir, 'passwords');
      if (output('mosquitto_passwd', ['-b', '-c', file, user.name, user.password]) === null) throw new Error('mosquitto_passwd failed');
      lines.push(`password_file ${file}`);
    }
    writeFileSync(join(broker.#dir, 'mosquitto.conf'), `${lines.join('\n')}\n`);
    await broker.run();
    return broker;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`;
  }

  /** Begins, also behind a kill; settles when it accepts connections. */
  async run(): Promise<void> {
    const child = spawn(MOSQUITTO, ['-c', join(this.#dir, 'mosquitto.conf')], { stdio: 'ignore' });
    child.on('error', () => undefined);
    this.#child = child;
    const end = performance.now() + 10_000;
    while (performance.now() < end) {
      const socket = connect(this.port, '127.0.0.1');
      const isOpen = await new Promise((resolve) => {
        socket.on('connect', () => resolve(true));
        socket.on('error', () => resolve(false));
      });
      socket.destroy();
      if (isOpen) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('mosquitto did not listen within 10 s');
  }

  async kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.kill(signal);
    if (signal !== 'SIGKILL') return;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    this.#child = null;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** mosquitto_sub on all topics below a prefix: what came, newest last. */
export class Reader {
  readonly messages: { readonly topic: string; readonly payload: string; readonly isRetained: boolean }[] = [];
  readonly #child: ChildProcess;
  readonly #lifetime: NodeJS.Timeout;

  constructor(broker: Broker, prefix: string, user?: { readonly name: string; readonly password: string }) {
    const who = user ? ['-u', user.name, '-P', user.password] : [];
    const args = ['-h', '127.0.0.1', '-p', String(broker.port), '-t', `${prefix}/#`, '-q', '1', '-F', '%r %t %p', ...who];
    this.#child = spawn('mosquitto_sub', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#child.on('error', () => undefined);
    this.#lifetime = setTimeout(() => this.#child.kill('SIGKILL'), LIFETIME_MS);
    if (!this.#child.stdout) throw new Error('mosquitto_sub has no output');
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const match = /^([01]) (\S+) (.*)$/.exec(line);
      if (match) this.messages.push({ topic: match[2] ?? '', payload: match[3] ?? '', isRetained: match[1] === '1' });
    });
  }

  /** Values of a topic in the order they came. */
  values(topic: string): unknown[] {
    return this.messages
      .filter((message) => message.topic === topic)
      .map(({ payload }) => (JSON.parse(payload) as { value: unknown }).value);
  }

  last(topic: string): string | undefined {
    return this.messages.findLast((message) => message.topic === topic)?.payload;
  }

  async end(): Promise<void> {
    clearTimeout(this.#lifetime);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
