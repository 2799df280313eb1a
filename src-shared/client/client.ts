import type { z } from 'zod';
import { EFFECT_RULES } from '../contract/effect.ts';
import { type DataOf, type InputOf, type OperationName, operations } from '../contract/index.ts';
import type { DownloadedFile } from '../contract/operation.ts';
import { AppError, ERROR_CODES, type ErrorCode, type FieldIssue } from '../domain/errors.ts';
import { quoted } from '../messages/index.ts';
import type { MessageParams } from '../messages/message.ts';

/** One request as both doors carry it: over HTTP, or over IPC in the window. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with query, e.g. `/api/device/table?channel_id=1&page=1&page_size=50`. */
  readonly url: string;
  readonly body?: unknown;
  /** The file of an upload; the body is then the other fields of its form. */
  readonly file?: UploadedFile;
  /** Project that the request is meant for, as header `x-project-session`; it is refused when another one is open. */
  readonly session?: string;
}

/** Header of the project session that a request is meant for. */
export const SESSION_HEADER = 'x-project-session';

/** A file on its way to the service, as it crosses every door. */
export interface UploadedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ApiReply {
  readonly status: number;
  readonly body: unknown;
  /** The file of a download, in place of a body. */
  readonly file?: DownloadedFile;
}

/** A door: fetch in the browser, the preload bridge in the window, `inject` in tests. */
export type ApiTransport = (request: ApiRequest, signal?: AbortSignal) => Promise<ApiReply>;

export interface CallResult<Name extends OperationName> {
  readonly data: DataOf<Name>;
  /** Fields the service did not know and did not use. */
  readonly warnings: readonly FieldIssue[];
}

export interface ApiClient<Allowed extends OperationName = OperationName> {
  /** Calls one operation of the contract. Throws `AppError` with the service's code, message and data. */
  call<Name extends Allowed>(name: Name, input: InputOf<Name>, signal?: AbortSignal): Promise<CallResult<Name>>;
}

/** Splits the input of an operation into path with query, and body. Undefined fields are left out; so is the file of an upload. */
export function toRequest<Name extends OperationName>(name: Name, input: InputOf<Name>): ApiRequest {
  const entry = operations[name];
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  const queryShape: Record<string, z.ZodType> = entry.query.shape;
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (value instanceof File) continue;
    if (key in queryShape) query.set(key, String(value));
    else body[key] = value;
  }
  const text = query.toString();
  const url = text ? `${entry.path}?${text}` : entry.path;
  return entry.method === 'GET' || entry.method === 'DELETE' ? { method: entry.method, url } : { method: entry.method, url, body };
}

async function fileOf(input: object): Promise<UploadedFile | null> {
  const file = Object.values(input).find((value) => value instanceof File);
  return file ? { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) } : null;
}

const isEmpty = (body: unknown): boolean => typeof body === 'object' && body !== null && Object.keys(body).length === 0;

interface Envelope {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly message_code?: unknown;
  readonly params?: unknown;
  readonly error?: unknown;
  readonly data?: unknown;
  readonly warnings?: readonly FieldIssue[];
}

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && value in ERROR_CODES;
}

/** The error of the service as it was thrown there. Its English words are the service's, which may be newer than this client. */
function failureOf({ error, message, message_code, params, data }: Envelope, status: number): AppError {
  const text = typeof message === 'string' ? message : `The service answered with status ${status}.`;
  const isSaid = typeof message_code === 'string' && typeof params === 'object' && params !== null;
  const said = isSaid ? { code: message_code, params: params as MessageParams } : quoted(text);
  return new AppError(isErrorCode(error) ? error : 'INTERNAL', said, { text, data });
}

/** Pauses in milliseconds before a query is asked again. */
const ASKED_AGAIN_MS = [200, 600] as const;

/** Waits between two attempts. */
export type Pause = (ms: number) => Promise<void>;

/**
 * A door that is knocked on again when nobody answered, as the effect of the operation allows. What the service answered is an answer, an error
 * status as well.
 */
function askingAgain(name: OperationName, transport: ApiTransport, pause: Pause): ApiTransport {
  if (!EFFECT_RULES[operations[name].effect].isAskedAgain) return transport;
  return async (request, signal) => {
    for (const ms of ASKED_AGAIN_MS) {
      try {
        return await transport(request, signal);
      } catch (error) {
        if (signal?.aborted) throw error;
        await pause(ms);
        if (signal?.aborted) throw error;
      }
    }
    return transport(request, signal);
  };
}

export interface ClientOptions {
  /** With it, what may be asked again is asked again when the service did not answer. */
  readonly pause?: Pause;
  /** Session of the project that the caller knows; null: none yet. What changes something is refused in another one. */
  session?(): string | null;
}

/** The typed client over any door. Answers are trusted: the service's tests check them against the contract. */
export function createClient(transport: ApiTransport, { pause, session }: ClientOptions = {}): ApiClient {
  return {
    async call(name, input, signal) {
      // as it is now: another one may be opened while the file is read
      const meant = operations[name].effect === 'query' ? null : (session?.() ?? null);
      const file = await fileOf(input);
      const { body, ...request } = toRequest(name, input);
      // a form has its fields anyway
      const hasBody = body !== undefined && !(file && isEmpty(body));
      const carried = { ...(file ? { file } : {}), ...(hasBody ? { body } : {}) };
      const door = pause ? askingAgain(name, transport, pause) : transport;
      const reply = await door({ ...request, ...carried, ...(meant === null ? {} : { session: meant }) }, signal);
      if (reply.file && reply.status === 200) return { data: reply.file as DataOf<typeof name>, warnings: [] };
      const envelope = (typeof reply.body === 'object' && reply.body !== null ? reply.body : {}) as Envelope;
      if (reply.status >= 200 && reply.status < 300) {
        return { data: envelope.data as DataOf<typeof name>, warnings: envelope.warnings ?? [] };
      }
      throw failureOf(envelope, reply.status);
    },
  };
}
