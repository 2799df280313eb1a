/**
 * The client of MMS: one association with a server, its requests and what the server sends by itself (ISO 9506-2; IEC 61850-8-1, 8 and 9).
 * Give it the octets of the line with `receive` and its end with `lineEnded`; time comes from the clock.
 */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type CancelTimer, type Clock, cancelled } from '../../../platform/clock.ts';
import type { CloseCause } from '../../../transport/types.ts';
import type { DriverLine, FrameSink, HealthSink } from '../../spi/index.ts';
import { decodeMms, encodeMms, encodeService, invokeIdOf, requestHead } from '../mms/codec.ts';
import type { InformationReport, MmsPdu, MmsRequest, MmsResponse } from '../mms/pdu.ts';
import { rejectText } from '../mms/words.ts';
import { Calls } from './calls.ts';
import { KeepAlive } from './keep-alive.ts';
import { type AssociationSettings, type Negotiated, negotiate, proposal } from './negotiation.ts';
import { AssociationPort, type FrameMeaning } from './port.ts';
import { rejected, serviceError } from './refusals.ts';

export interface MmsClientEvents {
  /** What the server sends by itself: reports, LastApplError, CommandTermination. Its octets belong to it alone and may be kept. */
  onReport(report: InformationReport): void;
  /**
   * The association is gone though nobody asked for it; called once, and never after `close` or `abort`. The line is being closed, requests
   * under way have failed with the same error.
   */
  onLost(error: AppError): void;
}

export interface MmsClientOptions {
  readonly clock: Clock;
  readonly line: Pick<DriverLine, 'write' | 'close'>;
  readonly frames: FrameSink;
  readonly health: Pick<HealthSink, 'request' | 'response' | 'timeout' | 'refusal' | 'fault' | 'late'>;
  readonly settings: AssociationSettings;
  readonly events: MmsClientEvents;
}

export interface RequestOptions {
  /** Time limit from the sending; left out: that of the settings. */
  readonly timeoutMs?: number;
  /** Ends the wait for a place in the window with `CANCELLED`; a request that was sent waits for its answer or its time limit. */
  readonly signal?: AbortSignal;
  /** What `encodeService` makes of the request, for those that are sent again and again. */
  readonly service?: Uint8Array;
  /** Called when the request is on its way; an error before that says that nothing was sent. */
  readonly onSent?: () => void;
}

/** The response that belongs to a request. */
export type ResponseTo<Request extends MmsRequest> = Extract<MmsResponse, { readonly service: Request['service'] }>;

/** Requests in a row that may time out; then the association is given up. */
const MOST_TIMEOUTS = 2;
const UNRECOGNIZED_SERVICE = { reason: 1, code: 1 };
const STATUS_SERVICE = 0;
/** Tag of what the server sends by itself. */
const UNCONFIRMED = 0xa3;

export class MmsClient {
  readonly #options: MmsClientOptions;
  readonly #port: AssociationPort;
  readonly #calls: Calls<MmsResponse>;
  readonly #keepAlive: KeepAlive;
  #negotiated: Negotiated | null = null;
  #state: 'idle' | 'associating' | 'open' | 'closing' | 'ended' = 'idle';
  #timeoutsInRow = 0;
  #lateAnswers = 0;
  #unknownAnswers = 0;
  /** Settles `associate`. */
  #associated: { resolve(negotiated: Negotiated): void; reject(error: AppError): void } | null = null;
  /** Called when the conclude is answered, and when the association ends. */
  #onConcluded: (() => void) | null = null;
  #onEnded: (() => void) | null = null;

  constructor(options: MmsClientOptions) {
    this.#options = options;
    const { clock, settings, line, frames, health } = options;
    this.#port = new AssociationPort({
      ...settings,
      role: 'initiator',
      clock,
      line,
      frames,
      health,
      password: settings.password === '' ? null : new TextEncoder().encode(settings.password),
      events: {
        onOpen: (initiate) => this.#onOpen(initiate),
        onMms: (pdu) => this.#onMms(pdu),
        meaningOf: (pdu) => this.#meaningOf(pdu),
        onEnd: (end) => this.#onEnd(end.kind === 'failed' ? end.error : null),
      },
    });
    this.#calls = new Calls({
      clock,
      send: (invokeId, service) => this.#send(invokeId, service),
      onTimeout: () => this.#onTimeout(),
    });
    this.#keepAlive = new KeepAlive({
      clock,
      periodMs: settings.keepAliveMs,
      isIdle: () => this.#state === 'open' && this.#calls.outstanding === 0,
      hasStatus: () => this.#negotiated?.supports(STATUS_SERVICE) === true,
      request: (request) => this.request(request),
    });
  }

  /** What both sides agreed on; null before `associate` resolved. */
  get negotiated(): Negotiated | null {
    return this.#negotiated;
  }

  /** Whether requests can be sent. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Requests sent and not answered yet. */
  get outstanding(): number {
    return this.#calls.outstanding;
  }

  /** Answers that came after their time limit, and answers to what was never asked; both were dropped. */
  get dropped(): { readonly late: number; readonly unknown: number } {
    return { late: this.#lateAnswers, unknown: this.#unknownAnswers };
  }

  /**
   * Associates; once, when the line stands. Rejects with `PROTOCOL_REFUSED` (refused, or closed by the server before it answered: wrong
   * password, too many clients), `TIMEOUT_CONNECT`, other `PROTOCOL_*` and `FRAME_*` (no such server), `TRANSPORT_*`, `CANCELLED`. The
   * line is closed then.
   */
  associate(signal?: AbortSignal): Promise<Negotiated> {
    if (signal?.aborted) return Promise.reject(cancelled());
    this.#state = 'associating';
    return new Promise((resolve, reject) => {
      const onAbort = () => this.abort();
      const leave = () => signal?.removeEventListener('abort', onAbort);
      this.#associated = {
        resolve: (negotiated) => {
          leave();
          resolve(negotiated);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#port.osi.start(proposal(this.#options.settings));
    });
  }

  /** Octets from the line, in any pieces. */
  receive(chunk: Uint8Array): void {
    this.#port.receive(chunk);
  }

  /** The line has ended. */
  lineEnded(cause: CloseCause): void {
    this.#port.lineEnded(cause);
  }

  /**
   * Sends a confirmed request as soon as fewer than `window` are outstanding, and answers its response. Rejects with
   * - `DEVICE_EXCEPTION` (confirmed error) or `DEVICE_REJECTED` (reject), see `refusalOf` in refusals.ts; the association stands;
   * - `TIMEOUT_RESPONSE`; after two in a row the association is given up;
   * - `PROTOCOL_MALFORMED`, `PROTOCOL_MISMATCH` for an answer that cannot be read or is of another service; the association stands;
   * - `CONFIG_RANGE` when the request does not fit the negotiated PDU size; nothing was sent;
   * - `CANCELLED` by the signal before it was sent, and by `close` and `abort`;
   * - `TRANSPORT_NOT_CONNECTED` without an association, otherwise what ended it.
   */
  async request<const Request extends MmsRequest>(request: Request, options: RequestOptions = {}): Promise<ResponseTo<Request>> {
    if (this.#state !== 'open') throw new AppError('TRANSPORT_NOT_CONNECTED', say('iec61850.no_association'));
    const response = await this.#calls.call(options.service ?? encodeService(request), {
      timeoutMs: options.timeoutMs ?? this.#options.settings.requestTimeoutMs,
      signal: options.signal,
      onSent: options.onSent,
    });
    if (!isResponseTo(request, response)) {
      throw new AppError('PROTOCOL_MISMATCH', say('iec61850.answered_other', { asked: request.service, answered: response.service }));
    }
    return response;
  }

  /**
   * Ends in order: lets requests under way finish, concludes, releases. Each step is bounded by the release time; a server that answers with
   * a disconnect or by closing has understood as well. Resolves when the association is gone; the line is left to its owner.
   */
  async close(): Promise<void> {
    if (this.#state !== 'open') {
      this.abort();
      return;
    }
    this.#state = 'closing';
    const { releaseTimeoutMs } = this.#options.settings;
    await this.#within(releaseTimeoutMs, this.#calls.drain(cancelled(say('iec61850.closing'))));
    if (this.#calls.outstanding > 0) {
      this.abort();
      return;
    }
    await this.#within(releaseTimeoutMs, this.#conclude());
    const ended = new Promise<void>((resolve) => {
      this.#onEnded = resolve;
    });
    if (this.#isEnded) return;
    this.#port.osi.release();
    await ended;
  }

  /** Gives up the association at once; the server is told. Requests under way fail with `CANCELLED`. */
  abort(): void {
    if (this.#state === 'ended') return;
    if (this.#state !== 'idle') this.#state = 'closing';
    this.#port.osi.abort();
  }

  get #isEnded(): boolean {
    return this.#state === 'ended';
  }

  /** The conclude of MMS; resolves with its answer or with the end of the association. */
  #conclude(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isEnded) {
        resolve();
        return;
      }
      this.#onConcluded = resolve;
      this.#port.send(encodeMms({ kind: 'conclude-request' }));
    });
  }

  /** Waits for `what`, at most `ms`. */
  #within(ms: number, what: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel: CancelTimer = this.#options.clock.after(ms, resolve);
      void what.then(() => {
        cancel();
        resolve();
      });
    });
  }

  #onOpen(octets: Uint8Array): void {
    this.#negotiated = negotiate(octets, this.#options.settings, this.#port.osi.tpduSize);
    this.#calls.window = this.#negotiated.window;
    this.#state = 'open';
    this.#keepAlive.start();
    this.#associated?.resolve(this.#negotiated);
  }

  #send(invokeId: number, service: Uint8Array): number {
    const head = requestHead(invokeId, service.length);
    const count = head.length + service.length;
    const most = this.#negotiated?.maxPduOctets ?? this.#options.settings.maxPduOctets;
    if (count > most) throw new AppError('CONFIG_RANGE', say('iec61850.request_large', { count, most }));
    const seq = this.#port.sendParts(head, service);
    this.#keepAlive.sent();
    this.#options.health.request();
    return seq;
  }

  #onTimeout(): void {
    this.#options.health.timeout();
    this.#timeoutsInRow += 1;
    if (this.#timeoutsInRow < MOST_TIMEOUTS || this.#state !== 'open') return;
    const error = new AppError('TIMEOUT_RESPONSE', say('iec61850.silent_in_a_row', { count: MOST_TIMEOUTS }));
    this.#port.osi.abort(error);
  }

  /** Answers get the frame of their request; what nobody waits for is marked. */
  #meaningOf(pdu: Uint8Array): FrameMeaning {
    if (pdu[0] === 0xa0) return { kind: 'rx' };
    const invokeId = invokeIdOf(pdu);
    if (invokeId === null) return { kind: 'rx' };
    const call = this.#calls.find(invokeId);
    if (call) return { kind: 'rx', link: call.seq };
    const late = this.#calls.abandoned(invokeId);
    if (late !== undefined) return { kind: 'late', link: late };
    return { kind: 'late', text: say('iec61850.not_asked', { id: invokeId }) };
  }

  #onMms(octets: Uint8Array): void {
    let pdu: MmsPdu;
    try {
      // what is kept of a report must not hold the chunk it came in
      pdu = decodeMms(octets[0] === UNCONFIRMED ? new Uint8Array(octets) : octets);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      this.#onMalformed(octets, thrown);
      return;
    }
    switch (pdu.kind) {
      case 'response':
        this.#onAnswer(pdu.invokeId, pdu.response);
        return;
      case 'error':
        this.#onAnswer(pdu.invokeId, serviceError(pdu.error));
        return;
      case 'reject':
        if (pdu.invokeId !== null) this.#onAnswer(pdu.invokeId, rejected(pdu.reason, pdu.code));
        else this.#onFault(say('mms.rejected_any', { reason: rejectText(pdu.reason, pdu.code) }));
        return;
      case 'information-report':
        this.#options.events.onReport(pdu.report);
        return;
      case 'conclude-response':
      case 'conclude-error':
        this.#onConcluded?.();
        return;
      case 'conclude-request':
        this.#port.send(encodeMms({ kind: 'conclude-response' }));
        return;
      case 'request':
        this.#port.send(encodeMms({ kind: 'reject', invokeId: pdu.invokeId, ...UNRECOGNIZED_SERVICE }));
        return;
      default:
        this.#onFault(say('mms.useless', { kind: pdu.kind }));
    }
  }

  /** The request fails whose answer cannot be read; the association stands. */
  #onMalformed(octets: Uint8Array, error: AppError): void {
    const invokeId = octets[0] === 0xa0 ? null : invokeIdOf(octets);
    const call = invokeId === null ? undefined : this.#calls.find(invokeId);
    this.#onFault(error.said);
    call?.reject(error);
  }

  #onAnswer(invokeId: number, answer: MmsResponse | AppError): void {
    const { health, clock } = this.#options;
    const call = this.#calls.find(invokeId);
    if (!call) {
      this.#onUnasked(invokeId);
      return;
    }
    this.#timeoutsInRow = 0;
    health.response(clock.monotonicMs() - call.sentAt);
    if (!(answer instanceof AppError)) call.resolve(answer);
    else {
      health.refusal();
      call.reject(answer);
    }
  }

  #onUnasked(invokeId: number): void {
    if (this.#calls.abandoned(invokeId) === undefined) {
      this.#unknownAnswers += 1;
      this.#options.health.fault();
      return;
    }
    // late, but alive
    this.#timeoutsInRow = 0;
    this.#lateAnswers += 1;
    this.#options.health.late();
    this.#calls.settleLate(invokeId);
  }

  #onFault(text: Message): void {
    this.#options.health.fault();
    this.#options.frames.record({ kind: 'note', bytes: new Uint8Array(0), text });
  }

  /** `error` is null for an end that was orderly or our own. */
  #onEnd(error: AppError | null): void {
    const before = this.#state;
    this.#state = 'ended';
    this.#keepAlive.stop();
    const released = before === 'open' ? new AppError('TRANSPORT_LOST', say('iec61850.released')) : cancelled(say('exchange.closed_here'));
    const cause = error ?? released;
    this.#calls.end(before === 'closing' ? cancelled(say('exchange.closed_here')) : cause);
    this.#onConcluded?.();
    this.#onEnded?.();
    // after it resolved this does nothing
    this.#associated?.reject(before === 'closing' ? cancelled() : cause);
    if (before === 'open') this.#options.events.onLost(cause);
    if (before !== 'closing' || this.#negotiated === null) this.#options.line.close().catch(() => {});
  }
}

function isResponseTo<Request extends MmsRequest>(request: Request, response: MmsResponse): response is ResponseTo<Request> {
  return response.service === request.service;
}
