import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_HEADER } from '#shared/client/client.ts';
import { roleOf } from '#shared/contract/effect.ts';
import { type Operation, type OperationName, operations } from '#shared/contract/index.ts';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { Turns } from '../platform/turns.ts';
import { type CallContext, type FileAnswer, type Handlers, JsonText } from '../services/handlers.ts';
import { isFromWindow } from './bridge.ts';
import { callerOf, requireRole } from './caller.ts';
import { sendFile } from './download.ts';
import { successPieces } from './envelope.ts';
import { requestParser } from './request-parser.ts';
import { responseChecker } from './response-checker.ts';
import { acceptForms, readUpload, UploadDrafts } from './upload.ts';
import { UploadQueue } from './upload-queue.ts';

const MEBIBYTE = 1024 * 1024;

/** Largest body of an operation, in octets, where it is not the common limit: 100,000 points with every field fit. */
const BODY_LIMITS: Partial<Record<OperationName, number>> = {
  addPoints: 96 * MEBIBYTE,
  editPoints: 96 * MEBIBYTE,
  bulkPoints: 96 * MEBIBYTE,
};

/** Common limit of a body, in octets: 100,000 identifiers fit. */
export const BODY_LIMIT = 4 * MEBIBYTE;

export const JSON_TYPE = 'application/json; charset=utf-8';

export interface RouteOptions {
  /** Checks every answer against the contract; for tests. */
  readonly checkResponses: boolean;
  /** Path of a file that does not exist yet, for a file of a form. */
  newDraft(): string;
  /** Throws when the project with this session is not the one that is open now. */
  requireSession(session: string): void;
}

/** Everything below it that has no route of its own. */
const ANY_PATH = '/api/*';

/**
 * Registers every operation of the contract: validation before it, the envelope around it. Paths hold no parameters, so those that take JSON are one route
 * that looks its operation up: a route each, and one more for HEAD, took a sixth of a start.
 */
export function registerOperations(app: FastifyInstance, handlers: Handlers, options: RouteOptions): void {
  const answer = answerer(handlers, options);
  app.route({
    method: ['GET', 'POST', 'PUT', 'DELETE'],
    url: ANY_PATH,
    // before the body is read: who may not ask does not cost anything
    onRequest: async (request) => requireRole(request, roleOf(operations[asked(request)])),
    handler: (request, reply) => answer(asked(request), request, reply, request.body),
  });
  const uploads = new UploadQueue();
  // One scope for all that take forms: a scope each took more than a tenth of a start.
  app.register(async (scope) => {
    await acceptForms(scope);
    for (const name of NAMES) registerUpload(scope, name, { uploads, answer, newDraft: options.newDraft });
  });
}

const NAMES = Object.keys(operations) as OperationName[];

/** Operations that take JSON, by method and path. */
const BY_ROUTE: ReadonlyMap<string, OperationName> = new Map(
  NAMES.filter((name) => uploadOf(name) === undefined).map((name) => [`${operations[name].method} ${operations[name].path}`, name]),
);

function uploadOf(name: OperationName): Operation['upload'] {
  return (operations[name] as Operation).upload;
}

function operationAt({ method, params }: FastifyRequest): OperationName | undefined {
  // as the router has read it, percent signs and all
  const path = `/api/${(params as { readonly '*': string })['*']}`;
  return BY_ROUTE.get(`${method === 'HEAD' ? 'GET' : method} ${path}`);
}

/** True for a path below `/api` that nothing answers. */
export function isUnknownOperation(request: FastifyRequest): boolean {
  return request.routeOptions.url === ANY_PATH && operationAt(request) === undefined;
}

/** Largest body that a request may have, in octets. */
export function bodyLimitOf(request: FastifyRequest): number {
  const name = request.routeOptions.url === ANY_PATH ? operationAt(request) : undefined;
  return (name && BODY_LIMITS[name]) ?? BODY_LIMIT;
}

/** The operation of a request that was let in. */
function asked(request: FastifyRequest): OperationName {
  const name = operationAt(request);
  if (name === undefined) throw new Error(`${request.method} ${request.url} was let in, and no operation has it.`);
  return name;
}

type Answerer = (name: OperationName, request: FastifyRequest, reply: FastifyReply, body: unknown) => Promise<unknown>;

function answerer(handlers: Handlers, options: RouteOptions): Answerer {
  return async (name, request, reply, body) => {
    const operation: Operation = operations[name];
    const { request: input, warnings } = await requestParser(operation)(request.query, body);
    const session = request.headers[SESSION_HEADER];
    if (session !== undefined) options.requireSession(String(session));
    const context: CallContext = {
      source: isFromWindow(request) ? 'window' : 'api',
      caller: callerOf(request),
      effect: operation.effect,
      warn: (path, said) => warnings.add(path, said),
      whenGone: (call) => void reply.raw.once('close', call),
    };
    const handle = handlers[name] as (request: unknown, context: CallContext) => unknown;
    const data = await handle(input, context);
    if (operation.download)
      return sendFile(reply, data as DownloadedFile | FileAnswer, operation.download.isShown ? 'inline' : 'attachment');
    const pieces = data instanceof JsonText ? data.pieces : [JSON.stringify(data)];
    if (options.checkResponses) responseChecker(name, operation)(pieces.join(''));
    reply.header('content-type', JSON_TYPE).header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    const answer = successPieces(pieces, warnings.list());
    return pieces.length === 1 ? answer.join('') : Readable.from(inTurns(answer));
  };
}

interface UploadParts {
  readonly uploads: UploadQueue;
  readonly answer: Answerer;
  newDraft(): string;
}

/** The route of an operation that takes a form; none for another one. */
function registerUpload(scope: FastifyInstance, name: OperationName, { uploads, answer, newDraft }: UploadParts): void {
  const upload = uploadOf(name);
  if (!upload) return;
  const role = roleOf(operations[name]);
  scope.route({
    method: operations[name].method,
    url: operations[name].path,
    bodyLimit: BODY_LIMIT,
    onRequest: async (request) => requireRole(request, role),
    handler: (request, reply) =>
      uploads.run(request.raw, async () => {
        const drafts = new UploadDrafts(newDraft);
        try {
          return await answer(name, request, reply, await readUpload(request, upload, drafts));
        } finally {
          await drafts.discard();
        }
      }),
  });
}

/** Most octets of a unit of text in UTF-8. */
const MOST_OCTETS = 3;
/** Octets that are handed on together. */
const OCTETS_A_WRITE = 128 * 1024;

/** A long answer is made octets piece by piece, while it leaves: a caller who takes it quickly would have the thread until its end otherwise. */
async function* inTurns(pieces: readonly string[]): AsyncGenerator<Buffer> {
  const turns = new Turns();
  let room = Buffer.alloc(0);
  let filled = 0;
  for (const piece of pieces) {
    // as text, or into a buffer of its own length, it would be gone over twice: for its length, and for its octets
    const needed = filled + MOST_OCTETS * piece.length;
    if (needed > room.length) room = Buffer.concat([room.subarray(0, filled)], needed + OCTETS_A_WRITE);
    filled += room.write(piece, filled);
    if (filled < OCTETS_A_WRITE) continue;
    yield Buffer.from(room.subarray(0, filled));
    filled = 0;
    await turns.breathe();
  }
  if (filled > 0) yield Buffer.from(room.subarray(0, filled));
}
