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

/** Registers every operation of the contract: validation before it, the envelope around it. */
export function registerOperations(app: FastifyInstance, handlers: Handlers, options: RouteOptions): void {
  const uploads = new UploadQueue();
  const names = Object.keys(operations) as OperationName[];
  const takesForm = (name: OperationName) => (operations[name] as Operation).upload !== undefined;
  for (const name of names) if (!takesForm(name)) registerOperation(app, name, uploads, handlers, options);
  // One scope for all that take forms: a scope each took more than a tenth of a start.
  app.register(async (scope) => {
    await acceptForms(scope);
    for (const name of names) if (takesForm(name)) registerOperation(scope, name, uploads, handlers, options);
  });
}

function registerOperation(
  app: FastifyInstance,
  name: OperationName,
  uploads: UploadQueue,
  handlers: Handlers,
  options: RouteOptions,
): void {
  const operation: Operation = operations[name];
  const handle = handlers[name] as (request: unknown, context: CallContext) => unknown;
  const answer = async (request: FastifyRequest, reply: FastifyReply, body: unknown) => {
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
    const data = await handle(input, context);
    if (operation.download)
      return sendFile(reply, data as DownloadedFile | FileAnswer, operation.download.isShown ? 'inline' : 'attachment');
    const pieces = data instanceof JsonText ? data.pieces : [JSON.stringify(data)];
    if (options.checkResponses) responseChecker(name, operation)(pieces.join(''));
    reply.header('content-type', JSON_TYPE).header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    const answer = successPieces(pieces, warnings.list());
    return pieces.length === 1 ? answer.join('') : Readable.from(inTurns(answer));
  };
  const { upload } = operation;
  const role = roleOf(operation);
  app.route({
    method: operation.method,
    url: operation.path,
    bodyLimit: BODY_LIMITS[name] ?? BODY_LIMIT,
    // before the body is read: who may not ask does not cost anything
    onRequest: async (request) => requireRole(request, role),
    handler: upload
      ? (request, reply) =>
          uploads.run(request.raw, async () => {
            const drafts = new UploadDrafts(options.newDraft);
            try {
              return await answer(request, reply, await readUpload(request, upload, drafts));
            } finally {
              await drafts.discard();
            }
          })
      : (request, reply) => answer(request, reply, request.body),
  });
}

/** A long answer is made octets piece by piece, while it leaves: a caller who takes it quickly would have the thread until its end otherwise. */
async function* inTurns(pieces: readonly string[]): AsyncGenerator<Buffer> {
  const turns = new Turns();
  for (const piece of pieces) {
    // as text it would be gone over twice: for its length, and for its octets
    yield Buffer.from(piece);
    await turns.breathe();
  }
}
