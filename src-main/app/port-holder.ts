import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { isLoopback, urlHost } from '../http/access.ts';
import { pinnedFetch } from '../transport/pinned-https.ts';

const ASK_TIMEOUT_MS = 1500;
/** State `listening` in /proc/net/tcp. */
const LISTENING = '0A';

/** Who listens on a port, as far as it can be known: another Loopcheck, a program by name, or nothing. Never throws. */
export async function describePortHolder(host: string, port: number): Promise<Message> {
  return (await askOverHttp(host, port)) ?? programByProc(port) ?? say('app.another_program');
}

/** True when a Loopcheck answers at this address, with or without a token. Never throws. */
export async function answersAsLoopcheck(url: string): Promise<boolean> {
  return URL.canParse(url) && (await askService(url)) !== null;
}

/** A Loopcheck says who it is; one with a token at least says its name. */
async function askOverHttp(host: string, port: number): Promise<Message | null> {
  const place = `${urlHost(isLoopback(host) ? host : '127.0.0.1')}:${port}`;
  return (await askService(`http://${place}`)) ?? (await askService(`https://${place}`));
}

async function askService(url: string): Promise<Message | null> {
  try {
    const ask = url.startsWith('https:') ? pinnedFetch(null) : fetch;
    const reply = await ask(`${url}/api/service/info`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) });
    if (reply.status === 401 && reply.headers.get('www-authenticate')?.includes('Loopcheck')) return say('app.another_loopcheck');
    const body: unknown = await reply.json();
    const info = (body as { data?: { name?: unknown; pid?: unknown } } | null)?.data;
    return info?.name === 'Loopcheck' ? say('app.another_loopcheck_process', { pid: String(info.pid) }) : null;
  } catch {
    return null;
  }
}

/** Linux tells the owner of a listening socket under /proc, for processes of the same user. */
function programByProc(port: number): Message | null {
  try {
    const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => listeningInodes(file, port)));
    if (inodes.size === 0) return null;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (!holdsSocket(pid, inodes)) continue;
      return say('app.program_process', { program: readFileSync(`/proc/${pid}/comm`, 'utf8').trim(), pid });
    }
  } catch {
    return null;
  }
  return null;
}

function listeningInodes(file: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = readFileSync(file, 'utf8').split('\n').slice(1);
  return rows.flatMap((row) => {
    const columns = row.trim().split(/\s+/);
    const isMatch = columns[1]?.endsWith(`:${wanted}`) && columns[3] === LISTENING;
    return isMatch && columns[9] ? [columns[9]] : [];
  });
}

function holdsSocket(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    });
  } catch {
    return false;
  }
}
