/** Where a command reads and writes; the process, or a test. */
export interface CliIo {
  /** Writes to the standard output; resolves when there is room for more. False: nobody reads it any more. */
  out(text: string | Uint8Array): Promise<boolean>;
  err(text: string): void;
  /** Asks a person; null where no terminal is there to ask at. */
  ask(question: string): Promise<string | null>;
  /** Aborted by Ctrl+C and the like, and when nobody reads the output any more; its reason is an `Interruption`. */
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Language of the system, as a tag. */
  readonly systemLanguage: string;
}

/** Why a command is to end. */
export type Interruption = 'SIGINT' | 'SIGTERM' | 'output_closed';

const SIGNALS: Readonly<Partial<Record<NodeJS.Signals, Interruption>>> = {
  SIGINT: 'SIGINT',
  SIGTERM: 'SIGTERM',
  SIGHUP: 'SIGTERM',
  ...(process.platform === 'win32' ? { SIGBREAK: 'SIGINT' as const } : {}),
};

/** Input, output and signals of this process. A second signal ends it at once. */
export function processIo(): CliIo & { flush(): Promise<void> } {
  const aborter = new AbortController();
  const end = (why: Interruption) => aborter.abort(why);
  for (const [name, why] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (aborter.signal.aborted) process.exit(why === 'SIGINT' ? 130 : 143);
      end(why);
    });
  }
  const { stdout, stderr } = process;
  let isOpen = true;
  stdout.on('error', () => {
    isOpen = false;
    end('output_closed');
  });
  stderr.on('error', () => {});
  const out = (text: string | Uint8Array) =>
    new Promise<boolean>((resolve) => {
      if (!isOpen) resolve(false);
      else stdout.write(text, (error) => resolve(!error));
    });
  return {
    out,
    err: (text) => void stderr.write(text),
    ask,
    signal: aborter.signal,
    env: process.env,
    systemLanguage: Intl.DateTimeFormat().resolvedOptions().locale,
    // pipes are written later on some systems, and the process ends at once
    flush: async () => {
      await Promise.all([out(''), new Promise<void>((resolve) => stderr.write('', () => resolve()))]);
    },
  };
  async function ask(question: string): Promise<string | null> {
    if (!process.stdin.isTTY || !stderr.isTTY) return null;
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input: process.stdin, output: stderr });
    // a terminal in question mode gives Ctrl+C to its reader
    lines.on('SIGINT', () => end('SIGINT'));
    const closed = new Promise<string>((resolve) => lines.on('close', () => resolve('')));
    try {
      return await Promise.race([lines.question(question, { signal: aborter.signal }), closed]);
    } finally {
      lines.close();
    }
  }
}
