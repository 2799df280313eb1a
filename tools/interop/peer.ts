import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

const LIFETIME_MS = 180_000;
const ANSWER_MS = 10_000;

/**
 * A program of its own that is told what to do by lines and answers each with one line. It lives three minutes at most; a command that is
 * not answered within 10 s rejects.
 */
export class Peer {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #lifetime: NodeJS.Timeout;

  constructor(program: string, args: readonly string[]) {
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.on('error', () => undefined);
    this.#child.stdin?.on('error', () => undefined);
    if (!this.#child.stdout) throw new Error('The peer has no output.');
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#lifetime = setTimeout(() => this.#child.kill('SIGKILL'), LIFETIME_MS);
  }

  /** Words of the next line of output. */
  async line(): Promise<string[]> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`the peer said nothing for ${ANSWER_MS} ms`)), ANSWER_MS);
    try {
      const next = await Promise.race([this.#lines.next(), late.promise]);
      if (next.done) throw new Error('the peer has ended');
      return next.value.trim().split(/\s+/);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a command; answers the words of the answer, e.g. `['ok', '1']` or `['exception', '2']`. */
  async ask(...words: readonly (string | number)[]): Promise<string[]> {
    this.#child.stdin?.write(`${words.join(' ')}\n`);
    return this.line();
  }

  /** Sends a command that must succeed; answers its numbers. */
  async numbers(...words: readonly (string | number)[]): Promise<number[]> {
    const [state, ...values] = await this.ask(...words);
    if (state !== 'ok') throw new Error(`the peer answers ${words.join(' ')} with ${[state, ...values].join(' ')}`);
    return values.map(Number);
  }

  async end(): Promise<void> {
    clearTimeout(this.#lifetime);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** Runs a program to its end, three minutes at most unless it is told otherwise. Answers its output, or null when it failed or does not exist. */
export function output(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  timeout = LIFETIME_MS,
): string | null {
  const result = spawnSync(program, args, { encoding: 'utf8', timeout, env });
  return result.status === 0 ? result.stdout : null;
}

let isIndexFresh = false;

/** Installs Debian packages where this is root on Debian; false where it is not, or when it failed. */
export function installPackages(...names: readonly string[]): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || output('apt-get', ['--version']) === null) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (!isIndexFresh) output('apt-get', ['update'], env);
  isIndexFresh = true;
  return output('apt-get', ['install', '-y', '--no-install-recommends', ...names], env) !== null;
}
