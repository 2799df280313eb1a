/** Two pseudo terminals joined by socat: what is written to one is read from the other. They have no baud rate and no control lines. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why there are no pty pairs here; null where there are. */
export const whyNoPtys: string | null = findWhy();

function findWhy(): string | null {
  if (process.platform === 'win32') return 'Windows has no pseudo terminals for socat';
  return spawnSync('socat', ['-V']).status === 0 ? null : 'socat is not installed (Debian: apt-get install socat)';
}

export interface PtyPair {
  readonly a: string;
  readonly b: string;
  /** Takes the ptys away, as an adapter that is pulled. */
  pull(): Promise<void>;
  end(): Promise<void>;
}

/** Opens a pair; `names` are file names below a folder of its own. */
export async function openPtyPair(folder = mkdtempSync(join(tmpdir(), 'loopcheck-pty-')), names = ['a', 'b']): Promise<PtyPair> {
  const [a, b] = [join(folder, names[0] ?? 'a'), join(folder, names[1] ?? 'b')];
  const child: ChildProcess = spawn('socat', [`pty,raw,echo=0,link=${a}`, `pty,raw,echo=0,link=${b}`], { stdio: 'ignore' });
  while (!existsSync(a) || !existsSync(b)) {
    if (child.exitCode !== null) throw new Error(`socat ended with ${child.exitCode}`);
    // biome-ignore lint/plugin: socat tells nobody that it has made its links
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const pull = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    a,
    b,
    pull,
    async end() {
      await pull();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
