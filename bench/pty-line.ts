import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** When the octets of a request and of its answer were on the line, in milliseconds of one clock. */
export interface Exchange {
  readonly rx: readonly number[];
  readonly tx: readonly number[];
}

/** A pseudo terminal with an emulator behind it, and what the emulator has stamped so far. */
export interface PtyLine<Stamp extends Exchange> {
  readonly path: string;
  exchanges(): Stamp[];
  end(): Promise<void>;
}

/** Throws where a line cannot be emulated. */
export function requireSocat(): void {
  if (process.platform === 'win32' || spawnSync('socat', ['-V']).status !== 0) {
    throw new Error('the serial benchmark needs socat (Debian: apt-get install socat)');
  }
}

/** Opens a pseudo terminal whose other side is `script` of the folder of peers; it gets `args` and the file for its stamps. */
export async function openPtyLine<Stamp extends Exchange>(script: string, args: readonly (number | string)[]): Promise<PtyLine<Stamp>> {
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-line-'));
  const [path, stamps] = [join(folder, 'tty'), join(folder, 'stamps')];
  // nofork: the emulator holds the terminal itself, nothing copies octets in between
  const command = [process.execPath, join(import.meta.dirname, 'peers', script), ...args, stamps].join(' ');
  const child = spawn('socat', [`pty,raw,echo=0,link=${path}`, `EXEC:"${command}",nofork`], { stdio: ['ignore', 'inherit', 'inherit'] });
  while (!existsSync(path) || !existsSync(stamps)) {
    if (child.exitCode !== null) throw new Error(`socat ended with ${child.exitCode}`);
    await new Promise<void>((resolve) => setTimeout(resolve, 10));
  }
  return {
    path,
    exchanges: () =>
      readFileSync(stamps, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Stamp),
    async end() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
