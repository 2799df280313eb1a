import { type ApiClient, type ApiReply, type ApiRequest, createClient, SESSION_HEADER } from '#shared/client/client.ts';
import { uploadForm } from '#shared/client/upload-form.ts';
import { type DataOf, type OperationName, operations } from '#shared/contract/index.ts';
import { streams } from '#shared/contract/live.ts';
import type { ServiceInfo } from '#shared/contract/service.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { fileNameOf } from '../../http/download.ts';
import { OtherCertificate, pinnedFetch } from '../../transport/pinned-https.ts';
import { EXIT } from './exit-codes.ts';
import { CliFault } from './fault.ts';
import type { ServicePlace } from './find-service.ts';
import type { Speech } from './words.ts';

/** A service that commands work with. */
export interface CliService {
  readonly url: string;
  readonly info: ServiceInfo;
  /** True: it runs in this process, for this command alone. */
  readonly isOwn: boolean;
  readonly isDemo: boolean;
  /** Calls one operation over HTTP; its answer is checked against the contract. Nothing is sent twice. */
  readonly api: ApiClient;
  /** Opens the stream of events; `place` is the id of the last event that was seen. */
  openStream(query: URLSearchParams, place: string | null, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Ends what was started for this command. */
  close(): Promise<void>;
}

/** The request went out and no answer came: whether it was carried out is not known. */
export class BrokenOff extends CliFault {}

/** The service did not answer at all: nothing was sent. */
export class NotReached extends CliFault {}

const NOTHING_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** What Node says of a certificate that nobody vouches for. */
const UNKNOWN_CERTIFICATE = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  // one of the two clocks is wrong
  'CERT_NOT_YET_VALID',
]);

/** A client of the service at this place, which has said who it is. Throws `NotReached`, or a `CliFault` for a wrong token or another program. */
export async function connectService(place: ServicePlace, speech: Speech, signal: AbortSignal): Promise<CliService> {
  const door = httpDoor(place, speech);
  const { data: info } = await checkedClient(door, place, speech, () => null).call('serviceInfo', {}, signal);
  return {
    url: place.url,
    info,
    isOwn: false,
    isDemo: false,
    api: checkedClient(door, place, speech, () => info.project_session),
    openStream: (query, lastId, aborted) => openStream(place, speech, query, lastId, aborted),
    close: async () => {},
  };
}

/** The typed client whose answers are parsed by the contract: a service of another version is told, not guessed at. */
function checkedClient(
  door: (request: ApiRequest, signal?: AbortSignal) => Promise<ApiReply>,
  { url }: ServicePlace,
  { own, fill }: Speech,
  session: () => string | null,
): ApiClient {
  const client = createClient(door, { session });
  return {
    async call(name, input, signal) {
      const { data, warnings } = await client.call(name, input, signal);
      const parsed = operations[name].data.safeParse(data);
      if (parsed.success) return { data: parsed.data as DataOf<typeof name>, warnings };
      const { path = [], message = '' } = parsed.error.issues[0] ?? {};
      const detail = `${path.join('.')}: ${message}`;
      const params = { url, path: operations[name].path, detail };
      throw new CliFault(EXIT.fault, fill(own.otherAnswer, params), own.otherAnswerNext);
    },
  };
}

function httpDoor(place: ServicePlace, speech: Speech) {
  return async (request: ApiRequest, signal?: AbortSignal): Promise<ApiReply> => {
    const { method, url, file, session } = request;
    const isJson = request.body !== undefined && !file;
    const headers = {
      ...authorization(place),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...(session === undefined ? {} : { [SESSION_HEADER]: session }),
    };
    const body = file ? uploadForm(request, file) : isJson ? JSON.stringify(request.body) : null;
    const reply = await reached(place, speech, signal, () =>
      fetchOf(place)(place.url + url, { method, headers, body, redirect: 'manual', signal: signal ?? null }),
    );
    const name = fileNameOf(reply.headers.get('content-disposition'));
    const octets = await reached(place, speech, signal, () => reply.arrayBuffer());
    if (name !== null && reply.status === 200) {
      const mediaType = reply.headers.get('content-type') ?? '';
      return { status: 200, body: null, file: { name, mediaType, bytes: new Uint8Array(octets) } };
    }
    return { status: reply.status, body: envelopeOf(new TextDecoder().decode(octets), place, speech) };
  };
}

/** How this service is reached. */
function fetchOf({ url, fingerprint }: ServicePlace): typeof fetch {
  return url.startsWith('https:') && fingerprint !== null ? pinnedFetch(fingerprint) : fetch;
}

function authorization({ token }: ServicePlace): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** An answer in the envelope; anything else is not ours. */
function envelopeOf(text: string, { url }: ServicePlace, { own, fill }: Speech): object {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'code' in body && 'data' in body) return body;
  } catch {
    // no JSON
  }
  throw new CliFault(EXIT.unreachable, fill(own.notLoopcheck, { url }), own.notReachedNext);
}

/** Does what may fail for want of a service. */
async function reached<Value>(
  { url }: ServicePlace,
  { own, fill }: Speech,
  signal: AbortSignal | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    if (signal?.aborted) throw new AppError('CANCELLED', quoted(String(signal.reason)));
    const cause = thrown instanceof Error ? (thrown.cause as NodeJS.ErrnoException | undefined) : undefined;
    const code = cause?.code ?? '';
    if (cause instanceof OtherCertificate) {
      throw new NotReached(EXIT.access, fill(own.otherCertificate, { url, fingerprint: cause.fingerprint }), own.otherCertificateNext);
    }
    if (UNKNOWN_CERTIFICATE.has(code)) throw new NotReached(EXIT.access, fill(own.unknownCertificate, { url }), own.unknownCertificateNext);
    const isRefusedHere = cause?.message === 'bad port';
    if (!NOTHING_SENT.has(code) && !isRefusedHere) throw new BrokenOff(EXIT.unreachable, own.brokenOff, own.notReachedNext);
    throw new NotReached(EXIT.unreachable, fill(own.notReached, { url, reason: cause?.message || code }), own.notReachedNext);
  }
}

async function openStream(
  place: ServicePlace,
  speech: Speech,
  query: URLSearchParams,
  lastId: string | null,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const headers = { ...authorization(place), ...(lastId === null ? {} : { 'last-event-id': lastId }) };
  const address = `${place.url}${streams.eventStream.path}?${query}`;
  const reply = await reached(place, speech, signal, () => fetchOf(place)(address, { headers, redirect: 'manual', signal }));
  if (reply.status === 200 && reply.body && reply.headers.get('content-type')?.startsWith('text/event-stream')) return reply.body;
  const text = await reached(place, speech, signal, () => reply.text());
  const refusing = createClient(async () => ({ status: reply.status, body: envelopeOf(text, place, speech) }));
  // throws what the envelope says
  await refusing.call('serviceInfo' satisfies OperationName, {});
  throw new CliFault(EXIT.unreachable, speech.fill(speech.own.notLoopcheck, { url: place.url }), speech.own.notReachedNext);
}
