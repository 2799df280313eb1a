import { type ApiClient, type ApiRequest, type ApiTransport, createClient, SESSION_HEADER } from '#shared/client/client.ts';
import { uploadForm } from '#shared/client/upload-form.ts';
import type { NameOf } from '#shared/contract/index.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { useProjectSession } from '../app/project-session.ts';
import { keepingRequest } from './sent-requests.ts';
import { placedUrl } from './service-place.ts';

const TOKEN_KEY = 'loopcheck.token';

/** Remembers the access token for this browser tab; it is needed only when the service was started with one. */
export function setToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
}

function bodyOf({ body, file }: ApiRequest): string | FormData | null {
  if (!file) return body === undefined ? null : JSON.stringify(body);
  return uploadForm({ body }, file);
}

const overHttp: ApiTransport = async (request, signal) => {
  const headers: Record<string, string> = {};
  const token = sessionStorage.getItem(TOKEN_KEY);
  if (token) headers.authorization = `Bearer ${token}`;
  if (request.session !== undefined) headers[SESSION_HEADER] = request.session;
  if (request.body !== undefined && !request.file) headers['content-type'] = 'application/json';
  const body = bodyOf(request);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers,
      ...(body === null ? {} : { body }),
      ...(signal ? { signal } : {}),
    });
    const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    if (name === undefined) return { status: response.status, body: await response.json() };
    const mediaType = response.headers.get('content-type') ?? '';
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, body: null, file: { name: decodeURIComponent(name), mediaType, bytes } };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new AppError('TRANSPORT_NOT_CONNECTED', say('app.service_silent'), { cause: error });
  }
};

const transport: ApiTransport = window.loopcheck ? (request) => bridge().api(request) : overHttp;

const door = createClient((request, signal) => transport({ ...request, url: placedUrl(request.url) }, signal), {
  pause,
  session: () => useProjectSession.getState().session,
});

/** Keeps what people do on the page, to be shown as requests of the API. */
const client: ApiClient = { call: (name, input, signal) => keepingRequest(name, input, () => door.call(name, input, signal)) };

/** The one client of the pages: over IPC in the desktop window, over HTTP in a browser. Commands have a door of their own. */
export const api: ApiClient<NameOf<'query' | 'repeatable'>> = client;

/** The service that the page came from, whichever one it shows. */
export const ownService: ApiClient<'listChannels'> = createClient(transport, { pause, session: () => null });

/**
 * What is only looked at in one service beside others; null: the one the page came from. With a session the answer is a refusal where another project is open there,
 * so that ids mean what they meant.
 */
export function serviceApi(service: number | null, session: string | null = null): ApiClient<NameOf<'query'>> {
  const meant = session === null ? {} : { session };
  return createClient((request, signal) => transport({ ...request, ...meant, url: placedUrl(request.url, service) }, signal), { pause });
}

/** For `sendCommand` alone, which asks for the arming of the channel. */
export const commandDoor: ApiClient<NameOf<'command'>> = client;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function bridge() {
  if (!window.loopcheck) throw new AppError('INTERNAL', say('app.bridge_missing'));
  return window.loopcheck;
}
