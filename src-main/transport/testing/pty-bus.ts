/** Several pseudo terminals on one bus: what is written to one is read from all others. Each is held by socat, and the bus is this process. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PtyBus {
  /** Paths of the ports, in the order of their names. */
  readonly ports: readonly string[];
  /** Octets that came from each port. */
  readonly sent: readonly number[];
  /** Holds back what the port hears, or delivers it in one piece from now on. */
  hold(port: number, isHeld: boolean): void;
  end(): Promise<void>;
}

/** Opens a bus with one port a name. Needs socat (`whyNoPtys`). */
export async function openPtyBus(...names: readonly string[]): Promise<PtyBus> {
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-bus-'));
  const ports = names.map((name) => join(folder, name));
  const holders: ChildProcessWithoutNullStreams[] = ports.map((path) => spawn('socat', [`pty,raw,echo=0,link=${path}`, '-']));
  const sent = ports.map(() => 0);
  const held: (Buffer[] | null)[] = ports.map(() => null);
  for (const [from, holder] of holders.entries()) {
    holder.stdin.on('error', () => undefined);
    holder.stdout.on('data', (octets: Buffer) => {
      sent[from] = (sent[from] ?? 0) + octets.length;
      for (const [to, other] of holders.entries()) {
        if (to === from) continue;
        const waiting = held[to];
        if (waiting) waiting.push(octets);
        else other.stdin.write(octets);
      }
    });
  }
  while (!ports.every((path) => existsSync(path))) {
    // biome-ignore lint/plugin: socat tells nobody that it has made its links
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return {
    ports,
    sent,
    hold(port, isHeld) {
      const waiting = held[port];
      if (isHeld) held[port] = waiting ?? [];
      else {
        held[port] = null;
        if (waiting && waiting.length > 0) holders[port]?.stdin.write(Buffer.concat(waiting));
      }
    },
    async end() {
      for (const holder of holders) {
        if (holder.exitCode !== null || holder.signalCode !== null) continue;
        const exited = once(holder, 'exit');
        holder.kill('SIGKILL');
        await exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
