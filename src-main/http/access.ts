import { createHash, timingSafeEqual } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import type { Caller } from '#shared/domain/access.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { AccessBook } from '../services/ports.ts';

/** Header fields that access is decided on, as Node gives them. */
export interface AccessHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

export interface AccessOptions {
  /** Address the service binds, as it was asked for. */
  readonly host: string;
  readonly scheme?: 'http' | 'https';
  readonly token: string | null;
  readonly extraOrigins: readonly string[];
  /** Tokens beside that of the start. */
  readonly accesses: AccessBook;
}

/** Decides who may call. Checks throw `ACCESS_ORIGIN` (403) or `ACCESS_TOKEN` (401). */
export interface AccessPolicy {
  /** Call when the port is known; until then every Host is foreign. */
  bound(port: number): void;
  /** Host and Origin must be our own: keeps pages of other sites out, also when they make their name point to this computer. */
  checkOrigin(headers: AccessHeaders, isApi: boolean): void;
  /** Who asks, by the bearer token; the one of the start is compared in constant time. Without one only on loopback where none was set at the start. */
  callerOf(headers: AccessHeaders): Caller;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** True for addresses that only this computer can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** An address as it stands in a URL: IPv6 in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** An address at which this computer itself reaches what is bound to `host`: `0.0.0.0` and `::` are no addresses to call. */
export function ownAddress(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' || host === '[::]' ? '::1' : host;
}

/** True where a request without a token passes: nobody set one, and only this computer reaches the service. */
export function isOpen({ host, token }: Pick<AccessOptions, 'host' | 'token'>): boolean {
  return token === null && isLoopback(host);
}

/** Refuses a start that nobody could use: on any address but loopback a token is asked for, so there has to be one. */
export function requireSafeBinding(host: string, token: string | null, hasAccesses: boolean): void {
  if (isLoopback(host) || token || hasAccesses) return;
  throw new AppError('ACCESS_TOKEN', say('http.needs_token', { host }));
}

/** Who started the service, or sits at its computer. */
export const OWNER: Caller = { name: null, role: 'configure' };

/** Access as a service was started for. `addresses`: those that this computer has at the moment of the call. */
export function createAccessPolicy(options: AccessOptions, addresses: () => readonly string[] = ownAddresses): AccessPolicy {
  let hosts = new Set<string>();
  let origins = new Set<string>();
  let boundPort = 0;
  const { scheme = 'http' } = options;
  const usualPort = scheme === 'https' ? 443 : 80;
  const wanted = options.token === null ? null : digest(options.token);
  function look(): void {
    const port = boundPort;
    const names = ownNames(options.host, addresses);
    hosts = new Set(names.flatMap((name) => (port === usualPort ? [name, `${name}:${port}`] : [`${name}:${port}`])));
    origins = new Set([...[...hosts].map((host) => `${scheme}://${host}`), ...options.extraOrigins]);
  }
  /** A computer gets addresses while the service runs: by a cable, another network, a lease that came late. */
  function isOwn(host: string): boolean {
    if (!hosts.has(host) && boundPort !== 0 && !isLoopback(options.host)) look();
    return hosts.has(host);
  }
  return {
    bound(port) {
      boundPort = port;
      look();
    },
    checkOrigin(headers, isApi) {
      const host = headers.host?.toLowerCase() ?? '';
      if (!isOwn(host)) {
        throw new AppError('ACCESS_ORIGIN', say('http.foreign_host', { host: clip(host) }));
      }
      const { origin } = headers;
      if (origin !== undefined && !origins.has(origin.toLowerCase())) {
        throw new AppError('ACCESS_ORIGIN', say('http.foreign_origin', { origin: clip(origin) }));
      }
      const site = headers['sec-fetch-site'];
      if (isApi && origin === undefined && (site === 'cross-site' || site === 'same-site')) {
        throw new AppError('ACCESS_ORIGIN', say('http.foreign_site'));
      }
    },
    callerOf(headers) {
      const match = /^Bearer +(.+?) *$/i.exec(headers.authorization ?? '');
      const given = match?.[1];
      if (given !== undefined) {
        if (wanted && timingSafeEqual(digest(given), wanted)) return OWNER;
        const holder = options.accesses.holderOf(given);
        if (holder) return holder;
      }
      // where nobody has a token, one that a page still remembers means nothing
      if (isOpen(options) && (given === undefined || options.accesses.list().length === 0)) return OWNER;
      throw new AppError('ACCESS_TOKEN', given === undefined ? say('http.token_missing') : say('http.token_wrong'));
    },
  };
}

/** Names under which this service can rightly be called. */
function ownNames(host: string, addresses: () => readonly string[]): string[] {
  const names = [...LOOPBACK_NAMES, urlHost(host)];
  if (!isLoopback(host)) names.push(hostname(), ...addresses().map(urlHost));
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
