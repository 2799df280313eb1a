import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { operations } from '#shared/contract/index.ts';
import { streams } from '#shared/contract/live.ts';
import { AppError } from '#shared/domain/errors.ts';
import { either, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Logger } from '../platform/logger.ts';
import type { Handlers } from '../services/handlers.ts';
import type { StreamHandlers } from '../services/live/streams.ts';
import type { AccessBook, RemoteBook } from '../services/ports.ts';
import { nearestName } from '../services/unknown-fields.ts';
import { type AccessPolicy, createAccessPolicy, OWNER } from './access.ts';
import { createWindowKey, isFromWindow } from './bridge.ts';
import { noteCaller } from './caller.ts';
import { answerClientError } from './client-error.ts';
import { describer } from './description.ts';
import { errorOf, failure } from './envelope.ts';
import { readJsonBody } from './json-body.ts';
import { registerPages } from './pages.ts';
import { registerRemotes } from './remotes.ts';
import { BODY_LIMIT, bodyLimitOf, isUnknownOperation, JSON_TYPE, registerOperations } from './routes.ts';
import { PAGE_HEADERS } from './security-headers.ts';
import { registerStreams } from './streams.ts';

export interface ServerOptions {
  readonly handlers: Handlers;
  readonly streams: StreamHandlers;
  readonly logger: Logger;
  readonly version: string;
  /** Address that will be bound, for the check of Host and Origin. */
  readonly host: string;
  readonly token: string | null;
  readonly extraOrigins: readonly string[];
  readonly accesses: AccessBook;
  readonly remotes: RemoteBook;
  /** Answers HTTPS with it; null answers HTTP. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
  readonly pagesDir: string | null;
  readonly checkResponses: boolean;
  /** Path of a file that does not exist yet, for a file of a form that is written to the disk. */
  newDraft(): string;
  /** True once the service is going down: `/api` then refuses new work. */
  isClosing(): boolean;
  /** Throws when the project with this session is not the one that is open now. */
  requireSession(session: string): void;
}

/** A file of the largest size takes about this long, in seconds. */
const RETRY_AFTER_S = 5;

/** Methods of operations and pages; every other one is an unknown route, whatever else it would have to bring. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);

/** The contract checks what comes and what leaves, so no route has a schema; the compilers of the framework would only be loaded. */
const NO_COMPILERS: NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']> = {
  buildValidator: () => unused,
  buildSerializer: () => unused,
};

function unused(): never {
  throw new Error('No route has a schema.');
}

/** The router of both doors, ready for requests; it does not listen yet. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { certificate } = options;
  const app = Fastify({
    forceCloseConnections: true,
    // A request without Host is refused by our own check, in the envelope like every failure.
    ...(certificate
      ? { https: { cert: certificate.cert, key: certificate.key, minVersion: 'TLSv1.2', requireHostHeader: false } }
      : { http: { requireHostHeader: false } }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: 120_000,
    clientErrorHandler: answerClientError,
    schemaController: { compilersFactory: NO_COMPILERS },
    frameworkErrors: (error, request, reply) => answerError(error, request, reply, options.logger),
  } as FastifyServerOptions);
  createWindowKey(app);
  const access = createAccessPolicy({ ...options, scheme: certificate ? 'https' : 'http' });
  app.server.on('listening', () => {
    const address = app.server.address();
    if (typeof address === 'object' && address) access.bound(address.port);
  });
  acceptJsonOnly(app);
  app.addHook('onRequest', (request, _reply, done) => {
    // A body that is announced as empty is absent, whatever its content type says.
    if (request.headers['content-length'] === '0') delete request.headers['content-type'];
    done(
      guard(() => {
        if (!isFromWindow(request)) access.checkOrigin(request.headers, false);
        if (!METHODS.has(request.method)) throw new AppError('CONFIG_NOT_FOUND', unknownRoute(request));
      }),
    );
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, options.logger));

  const answerWithPage = await registerPages(app, options.pagesDir);
  const describe = describer(options.pagesDir, options.version);
  await app.register(async (api) => registerApi(api, options, access, describe));
  app.get('/docs/json', (_request, reply) => describe(reply.headers(PAGE_HEADERS)));
  app.setNotFoundHandler((request, reply) => {
    const isApi = /^\/+api(\/|\?|$)/i.test(request.url);
    const page = isApi ? null : answerWithPage(request, reply);
    if (page) return page;
    throw new AppError('CONFIG_NOT_FOUND', unknownRoute(request));
  });
  await app.ready();
  return app;
}

function registerApi(api: FastifyInstance, options: ServerOptions, access: AccessPolicy, describe: ReturnType<typeof describer>): void {
  api.addHook('onRequest', (request, _reply, done) => {
    done(
      guard(() => {
        // a place that nobody answers is told to everybody
        if (isUnknownOperation(request)) throw new AppError('CONFIG_NOT_FOUND', unknownRoute(request));
        if (isFromWindow(request)) noteCaller(request, OWNER);
        else {
          access.checkOrigin(request.headers, true);
          noteCaller(request, access.callerOf(request.headers));
        }
        if (options.isClosing()) throw new AppError('STATE_CONFLICT', say('http.stopping'));
      }),
    );
  });
  registerOperations(api, options.handlers, options);
  registerStreams(api, options.streams, options.accesses);
  api.register(async (scope) => registerRemotes(scope, options.remotes, options.accesses));
  api.get('/api/openapi.json', (_request, reply) => describe(reply));
}

/** The only body that counts is JSON; other content types answer 415. An empty one is absent. */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { 'content-encoding': encoding = 'identity', 'content-length': length = Number.NaN } = request.headers;
    if (encoding !== 'identity') throw new AppError('CONFIG_MEDIA_TYPE', say('http.packed', { encoding: encoding.slice(0, 100) }));
    return readJsonBody(payload, { limit: bodyLimitOf(request), announced: Number(length) });
  });
}

function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const error = errorOf(thrown);
  const { status, body } = failure(error, request.id);
  if (status === 500) {
    const path = request.url.split('?', 1)[0];
    logger.error({ err: error.cause ?? error, requestId: request.id, method: request.method, path }, 'request met an internal fault');
  }
  if (status === 429) reply.header('retry-after', RETRY_AFTER_S);
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="Loopcheck"');
  reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .send(JSON.stringify(body));
}

/** Runs a check; answers what it threw, as Fastify's hooks want it. */
function guard(check: () => unknown): Error | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Says what is wrong with a path nobody answers: another method, or a path that it comes near to. */
function unknownRoute(request: FastifyRequest): Message {
  const path = request.url.split('?', 1)[0] ?? '';
  const known = [...Object.values(operations), ...Object.values(streams)];
  const methods = known.filter((operation) => operation.path === path).map((operation) => operation.method);
  const asked = { method: request.method, path: path.slice(0, 200) };
  if (methods.length > 0) return say('http.no_route_methods', { ...asked, methods: either(methods) });
  const near = nearestName(path, [...new Set(known.map((operation) => operation.path))]);
  return near ? say('http.no_route_near', { ...asked, near }) : say('http.no_route', asked);
}
