import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ApiReply, type ApiRequest, type ApiTransport, SESSION_HEADER } from '#shared/client/client.ts';
import { uploadForm } from '#shared/client/upload-form.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { fileNameOf } from './download.ts';

const KEY_HEADER = 'x-loopcheck-window';
const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** One random key an instance: it never leaves the process, so no request over HTTP can pass for one of the window. */
const keys = new WeakMap<object, Buffer>();

/** Gives an instance its key; called once, by the builder of the server, with the root instance. */
export function createWindowKey(app: FastifyInstance): void {
  keys.set(app.server, randomBytes(32));
}

/** True for requests that came through `makeBridge` of the same instance. */
export function isFromWindow(request: FastifyRequest): boolean {
  const given = request.headers[KEY_HEADER];
  if (typeof given !== 'string') return false;
  const key = keys.get(request.server.server);
  const bytes = Buffer.from(given, 'hex');
  return key !== undefined && bytes.length === key.length && timingSafeEqual(bytes, key);
}

/**
 * The inner door: the same routes as over HTTP, without a socket. The caller is trusted (the desktop window, whose sender the IPC
 * handler checks), so neither token nor Host is asked for; what it may ask is still only `/api`.
 */
export function makeBridge(app: FastifyInstance): ApiTransport {
  return async (request): Promise<ApiReply> => {
    const key = keys.get(app.server);
    if (!key) throw new AppError('INTERNAL', say('http.no_inner_door'));
    const url = apiUrl(request.url);
    if (!METHODS.includes(request.method) || url === null) {
      throw new AppError('CONFIG_NOT_FOUND', say('http.window_paths'));
    }
    const body = request.method === 'GET' ? null : await bodyOf(request);
    const reply = await app.inject({
      method: request.method,
      url,
      headers: {
        [KEY_HEADER]: key.toString('hex'),
        ...(body ? { 'content-type': body.type } : {}),
        ...(request.session === undefined ? {} : { [SESSION_HEADER]: request.session }),
      },
      ...(body ? { payload: body.payload } : {}),
    });
    const name = fileNameOf(reply.headers['content-disposition']);
    if (name !== null) {
      const mediaType = String(reply.headers['content-type'] ?? '');
      return { status: reply.statusCode, body: null, file: { name, mediaType, bytes: new Uint8Array(reply.rawPayload) } };
    }
    const isJson = String(reply.headers['content-type'] ?? '').startsWith('application/json');
    return { status: reply.statusCode, body: isJson ? JSON.parse(reply.payload) : reply.payload };
  };
}

/** Path and query below `/api/` as a server reads them, dots resolved; null for any other place. */
function apiUrl(given: unknown): string | null {
  if (typeof given !== 'string' || !given.startsWith('/api/') || !URL.canParse(given, 'http://window')) return null;
  const { pathname, search } = new URL(given, 'http://window');
  return pathname.startsWith('/api/') ? `${pathname}${search}` : null;
}

/** The body as it goes over HTTP: JSON, or a form with one file and the fields beside it. Null without a body. */
async function bodyOf({ body, file }: ApiRequest): Promise<{ readonly type: string; readonly payload: string | Buffer } | null> {
  if (file) {
    const response = new Response(uploadForm({ body }, file));
    return { type: response.headers.get('content-type') ?? '', payload: Buffer.from(await response.arrayBuffer()) };
  }
  return body === undefined ? null : { type: 'application/json', payload: JSON.stringify(body) };
}
