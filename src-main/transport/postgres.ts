import pg from 'pg';
import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import { CopyIn } from './postgres-copy.ts';
import type { DatabaseAddress, DatabaseAnswer, DatabaseLink, DatabaseOpener, DatabaseRefusal } from './store-types.ts';
import { webError } from './web-errors.ts';

/** The connection in order gets so long to end, in milliseconds. */
const CLOSE_MS = 1000;
/** SQLSTATE of classes that say that the way is not there: connection exceptions, operator intervention. */
const LOST = /^(08|57P)/;

/** Connects to PostgreSQL. One attempt. Host, user and password come from the address alone, whatever environment and files of this computer say. */
export const openDatabase: DatabaseOpener = async (address, timeoutMs) => {
  const { url } = address;
  const client = clientOf(address);
  // an error that comes twice must not end the process
  client.on('error', () => {});
  try {
    await within(client, timeoutMs, () => new AppError('TIMEOUT_CONNECT', say('publish.silent', { url, ms: timeoutMs })), client.connect());
  } catch (thrown) {
    destroy(client);
    throw thrown instanceof AppError ? thrown : connectError(thrown, url);
  }
  return linkOf(client, url, timeoutMs);
};

/** What stands in the address. Throws for one that is none, such as one with port 70000. */
function partsOf(url: string): { readonly host: string; readonly port: number; readonly database: string } {
  try {
    const { hostname, port, pathname } = new URL(url);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432), database: decodeURIComponent(pathname.slice(1)) };
  } catch (thrown) {
    throw webError(thrown, url);
  }
}

function clientOf({ url, user, password, tls, ca }: DatabaseAddress): pg.Client {
  return new pg.Client({
    ...partsOf(url),
    user,
    // as a function, so that no file of passwords is looked into
    password: async () => password ?? '',
    ssl: tls ? { rejectUnauthorized: true, ...(ca !== undefined && { ca }) } : false,
    application_name: 'Loopcheck',
    client_encoding: 'UTF8',
    keepAlive: true,
  });
}

function linkOf(client: pg.Client, url: string, timeoutMs: number): DatabaseLink {
  let isClosed = false;
  let reason: AppError | null = null;
  let lost: ((reason: AppError) => void) | null = null;
  const end = (error: AppError) => {
    if (isClosed) return;
    isClosed = true;
    reason = error;
    destroy(client);
    lost?.(error);
  };
  const gone = () => reason ?? new AppError('TRANSPORT_LOST', say('publish.lost', { url }));
  client.on('error', (error) => end(webError(error, url)));
  client.on('end', () => end(new AppError('TRANSPORT_LOST', say('publish.lost', { url }))));
  const ask = async (work: () => Promise<DatabaseAnswer>): Promise<DatabaseAnswer | DatabaseRefusal> => {
    if (isClosed) throw gone();
    try {
      const late = () => new AppError('TIMEOUT_RESPONSE', say('publish.silent', { url, ms: timeoutMs }));
      return await within(client, timeoutMs, late, work());
    } catch (thrown) {
      if (!(thrown instanceof pg.DatabaseError) || isClosed || LOST.test(thrown.code ?? '')) {
        end(thrown instanceof AppError ? thrown : webError(thrown, url));
        throw gone();
      }
      return { refused: { code: thrown.code ?? '', reason: thrown.message } };
    }
  };
  return {
    run: (statement) =>
      ask(async () => {
        const { command, rows } = await client.query<(string | null)[]>({ text: statement, rowMode: 'array', types: TEXTS });
        return { tag: command ?? '', rows };
      }),
    copy: (statement, data) => ask(() => new CopyIn(statement, data).on(client)),
    onLost(fn) {
      if (isClosed) fn(gone());
      else lost = fn;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([client.end().catch(() => {}), new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)))]);
      clearTimeout(timer);
      destroy(client);
    },
  };
}

/** All values as the texts that come. */
const TEXTS = { getTypeParser: () => (text: string) => text };

/** Waits for `work` at most so long; a connection that is silent for longer is dropped, because what comes late would answer something else. */
async function within<Result>(client: pg.Client, ms: number, late: () => AppError, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(late());
      destroy(client);
    }, ms);
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}

function destroy(client: pg.Client): void {
  // the types of the package leave it out
  (client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }).connection.stream.destroy();
}

/** Why no connection came up: SQLSTATE of PostgreSQL, appendix A. */
function connectError(thrown: unknown, url: string): AppError {
  if (thrown instanceof pg.DatabaseError) {
    const { code = '' } = thrown;
    const params = { url, code, reason: quoted(thrown.message) };
    if (code.startsWith('28')) return new AppError('PROTOCOL_REFUSED', say('database.credentials', params), { cause: thrown });
    if (code === '3D000') return new AppError('PROTOCOL_REFUSED', say('database.none', params), { cause: thrown });
    return new AppError('PROTOCOL_REFUSED', say('database.failed', params), { cause: thrown });
  }
  const message = thrown instanceof Error ? thrown.message : '';
  if (/^SASL: .*password must be/.test(message))
    return new AppError('PROTOCOL_REFUSED', say('database.no_password', { url }), { cause: thrown });
  if (message === 'The server does not support SSL connections')
    return new AppError('PROTOCOL_REFUSED', say('database.no_tls', { url }), { cause: thrown });
  return webError(thrown, url);
}
