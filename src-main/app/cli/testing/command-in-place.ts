import { pacedClock } from '../../../platform/testing/paced-clock.ts';
import { TEST_VIEW, until } from '../../testing/running-core.ts';
import { isCommandName } from '../commands.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { CliIo, Interruption } from '../io.ts';
import { runCli } from '../run-cli.ts';

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  /** What the person at the terminal answers; left out: there is no terminal. */
  readonly answer?: string;
  /** Lines after which the reader of the output is gone. */
  readonly lines?: number;
}

/** A command that runs in this process, with what it has written until now. */
export class CommandInPlace {
  out = '';
  err = '';
  readonly asked: string[] = [];
  readonly octets: Uint8Array[] = [];
  readonly ended: Promise<ExitCode>;
  readonly #aborter = new AbortController();

  /** Starts a command: its name, then its arguments. */
  constructor(args: readonly string[], { env = {}, answer, lines = Number.POSITIVE_INFINITY }: Surroundings = {}) {
    const io: CliIo = {
      out: async (text) => {
        if (typeof text !== 'string') this.octets.push(text);
        else this.out += text;
        const isRead = this.lines.length < lines;
        if (!isRead) this.interrupt('output_closed');
        return isRead;
      },
      err: (text) => {
        this.err += text;
      },
      ask: async (question) => {
        this.asked.push(question);
        return answer ?? null;
      },
      signal: this.#aborter.signal,
      env: { LANG: 'C', ...env },
      systemLanguage: 'en-GB',
    };
    const [name, ...others] = args;
    if (!isCommandName(name)) throw new Error(`no command: ${name}`);
    this.ended = runCli(name, others, { io, clock: pacedClock(), built: { viewDir: TEST_VIEW.dir, demoDir: null } });
  }

  /** Lines of the standard output that are whole. */
  get lines(): readonly string[] {
    return this.out.split('\n').slice(0, -1);
  }

  /** Its output as one JSON document. */
  get json(): unknown {
    return JSON.parse(this.out);
  }

  interrupt(why: Interruption): void {
    this.#aborter.abort(why);
  }

  /** Waits until what it wrote fits. */
  until(fits: (command: CommandInPlace) => boolean): Promise<unknown> {
    return until(
      async () => [fits(this), this.out, this.err] as const,
      ([isThere]) => isThere,
    );
  }
}

/** Runs a command to its end. */
export async function run(
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<{ code: ExitCode; out: string; err: string; command: CommandInPlace }> {
  const command = new CommandInPlace(args, surroundings);
  const code = await command.ended;
  return { code, out: command.out, err: command.err, command };
}
