import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_HEADER } from '#shared/client/client.ts';
import { roleOf } from '#shared/contract/effect.ts';
import { type Operation, operations } from '#shared/contract/index.ts';
import { streams } from '#shared/contract/live.ts';
import type { Role } from '#shared/domain/access.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { AccessBook, RemoteAnswer, RemoteBook } from '../services/ports.ts';
import { callerOf, requireRole } from './caller.ts';

/** What a caller says that the other service has to know. Its token is ours to add, and cookies are nobody's. */
const ASKED_ON: readonly string[] = ['content-type', 'content-length', 'accept', 'last-event-id', SESSION_HEADER];
/** What an answer says of itself. */
const ANSWERED_ON: readonly string[] = ['content-type', 'content-length', 'content-disposition', 'cache-control', 'retry-after'];

/** What the other service sends is data: as a page at our own address it could use this one. */
const NO_PAGE = "default-src 'none'; sandbox";

const PREFIX = /^\/api\/remote\/([1-9]\d{0,8})\/([^?]*)(\?.*)?$/;

const ROLES: ReadonlyMap<string, Role> = new Map([
  ...Object.values(operations).map((operation: Operation): [string, Role] => [`${operation.method} ${operation.path}`, roleOf(operation)]),
  ...Object.values(streams).map(({ method, path }): [string, Role] => [`${method} ${path}`, 'view']),
]);

/**
 * The whole API of the other services below `/api/remote/<id>/`. Body and answer pass through; nothing of them is kept. A caller needs the role here that the
 * same operation needs here; what only a newer service has, is for who may configure. The token of the other service decides there once more.
 */
export function registerRemotes(scope: FastifyInstance, remotes: RemoteBook, accesses: AccessBook): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    '*',
    (_request: FastifyRequest, payload: IncomingMessage, done: (error: Error | null, body?: unknown) => void) => done(null, payload),
  );
  scope.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'],
    url: '/api/remote/*',
    exposeHeadRoute: false,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    onRequest: async (request) => requireRole(request, ROLES.get(`${request.method} ${placeOf(request).path}`) ?? 'configure'),
    handler: (request, reply) => forward(request, reply, remotes, accesses),
  });
}

function placeOf({ url, method }: FastifyRequest): { readonly id: number; readonly path: string; readonly query: string } {
  const [, id, rest = '', query = ''] = PREFIX.exec(url) ?? [];
  const path = `/api/${rest}`;
  // dots and percent signs would be read anew by the other service, and mean another operation there
  if (id === undefined || rest.includes('..') || rest.includes('%'))
    throw new AppError('CONFIG_NOT_FOUND', say('http.no_route', { method, path: url.slice(0, 200) }));
  if (/^remotes?(\/|$)/i.test(rest)) throw new AppError('CONFIG_NOT_FOUND', say('remote.chain'));
  return { id: Number(id), path, query };
}

async function forward(request: FastifyRequest, reply: FastifyReply, remotes: RemoteBook, accesses: AccessBook): Promise<FastifyReply> {
  const { id, path, query } = placeOf(request);
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const { name: access } = callerOf(request);
  // who has lost the access hears no more
  if (access !== null)
    reply.raw.once(
      'close',
      accesses.whenRemoved(access, () => reply.raw.destroy()),
    );
  const headers = Object.fromEntries(
    ASKED_ON.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  const body = (request.body as IncomingMessage | undefined) ?? null;
  const answer = await remotes.ask(id, { method: request.method, path: `${path}${query}`, headers, body, signal: gone.signal });
  if (answer.status === 401) {
    answer.body.destroy();
    // of this service nobody has to show a token for it
    throw new AppError('PROTOCOL_REFUSED', say('remote.token_refused', { name: remotes.find(id).name }));
  }
  for (const name of ANSWERED_ON) pass(answer, name, reply);
  reply.header('content-security-policy', NO_PAGE).header('x-content-type-options', 'nosniff');
  return reply.code(answer.status).send(answer.body);
}

function pass({ headers }: RemoteAnswer, name: string, reply: FastifyReply): void {
  const value = headers[name];
  if (typeof value === 'string') reply.header(name, value);
}
