/** A transport connection of class 0 over TPKTs, in either role: takes octets, gives TSDUs, and cuts what is sent to the TPDU size. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message, Names } from '#shared/messages/message.ts';
import type { CancelTimer, Clock } from '../../../platform/clock.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import {
  type ConnectTpdu,
  DEFAULT_TPDU_SIZE,
  DT_HEADER,
  decodeTpdu,
  disconnectReason,
  dtHeader,
  encodeConnect,
  encodeDisconnect,
  type Tpdu,
  TsduAssembler,
} from './cotp.ts';
import { foreignPeer, recogniseForeign, refusedBy } from './refusals.ts';
import { encodeTpkt, MOST_LENGTH, TPKT_HEADER, type TpktFault, TpktFramer, tpktPayload } from './tpkt.ts';

export interface TransportEvents {
  /** Hands a TPKT to the line; answers its number in the frame log. */
  send(tpkt: Uint8Array): number;
  /** A TPKT that is no last segment: part of a TSDU, or of the transport itself. */
  onFrame(tpkt: Uint8Array): void;
  /** Octets that were no TPKT. */
  onNoise(bytes: Uint8Array, said: Message): void;
  /** Data can be sent. */
  onOpen(): void;
  /** A TSDU, with the TPKT that completed it. */
  onTsdu(tsdu: Uint8Array, tpkt: Uint8Array): void;
  /** The peer disconnected; called once. The error is `PROTOCOL_REFUSED` before the connection was open, `TRANSPORT_LOST` afterwards. */
  onDisconnected(error: AppError): void;
  /** The peer broke a rule (`FRAME_*`, `PROTOCOL_*`) or left something unfinished (`TIMEOUT_RESPONSE`). */
  onFault(error: AppError): void;
}

export interface TransportOptions {
  readonly role: 'initiator' | 'responder';
  readonly clock: Clock;
  /** Largest TPDU that is offered or accepted; null leaves it out of an offer, and accepts any. */
  readonly tpduSize: number | null;
  /** Selectors of a CR; a responder answers with those that came. */
  readonly callingSelector: Uint8Array | null;
  readonly calledSelector: Uint8Array | null;
  /** Most octets of a TSDU that is received. */
  readonly maxTsduOctets: number;
  /** Longest silence inside a TPKT or between the segments of a TSDU, in milliseconds. */
  readonly fragmentTimeoutMs: number;
  readonly events: TransportEvents;
}

/** Our reference; one connection of the transport to a TCP connection needs no other. */
const REFERENCE = 1;
const NORMAL = 128;

export class TransportConnection {
  readonly #options: TransportOptions;
  readonly #framer = new TpktFramer();
  readonly #assembler = new TsduAssembler();
  #state: 'idle' | 'calling' | 'open' | 'closed' = 'idle';
  #peerReference = 0;
  #tpduSize = DEFAULT_TPDU_SIZE;
  #cancelTimer: CancelTimer | null = null;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Octets of a TPDU with its header, as both sides agreed. */
  get tpduSize(): number {
    return this.#tpduSize;
  }

  /** Octets that wait for the rest of their TPKT or TSDU. */
  get buffered(): number {
    return this.#framer.buffered + this.#assembler.buffered;
  }

  /** Sends the CR; for an initiator. */
  start(): void {
    const { tpduSize, callingSelector, calledSelector } = this.#options;
    this.#state = 'calling';
    this.#send(encodeConnect({ kind: 'cr', destination: 0, source: REFERENCE, class: 0, tpduSize, callingSelector, calledSelector }));
  }

  /** Octets from the line, in any pieces. */
  push(chunk: Uint8Array): void {
    const { events } = this.#options;
    if (this.#isClosed) return;
    for (const item of this.#framer.push(chunk)) {
      // the item before it may have been the end
      if (this.#isClosed) return;
      if (item.kind === 'tpkt') this.#onTpkt(item.bytes);
      else {
        const error = this.#faultOf(item);
        events.onNoise(item.bytes, error.said);
        this.#fail(error);
      }
    }
    this.#watch();
  }

  /** Sends a TSDU, given in parts, in as many DTs as it needs; answers the number of the first in the frame log. */
  send(...parts: readonly Uint8Array[]): number {
    const { events } = this.#options;
    const room = Math.min(this.#tpduSize, MOST_LENGTH - TPKT_HEADER) - DT_HEADER;
    let length = 0;
    for (const part of parts) length += part.length;
    if (length <= room) return events.send(encodeTpkt(dtHeader(true), ...parts));
    const tsdu = concatBytes(...parts);
    let first: number | null = null;
    for (let at = 0; at < length; at += room) {
      const end = Math.min(at + room, length);
      const seq = events.send(encodeTpkt(dtHeader(end === length), tsdu.subarray(at, end)));
      first ??= seq;
    }
    return first ?? 0;
  }

  /** Sends a DR, as the only end some stacks know. Nothing is taken or told afterwards. */
  disconnect(reason = NORMAL): void {
    if (this.#state === 'open') this.#send(encodeDisconnect(this.#peerReference, REFERENCE, reason));
    this.close();
  }

  /** Takes and tells nothing any more. */
  close(): void {
    this.#state = 'closed';
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  get #isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** A peer that has not answered yet may be none of ours. */
  #faultOf({ bytes, code, said }: TpktFault): AppError {
    const foreign = this.#state === 'calling' ? recogniseForeign(bytes) : null;
    return foreign ? foreignPeer(foreign) : new AppError(code, said);
  }

  #onTpkt(tpkt: Uint8Array): void {
    const { events } = this.#options;
    let tpdu: Tpdu;
    let tsdu: Uint8Array | null = null;
    try {
      tpdu = decodeTpdu(tpktPayload(tpkt));
      if (tpdu.kind === 'dt') tsdu = this.#join(tpdu);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      events.onFrame(tpkt);
      this.#fail(thrown);
      return;
    }
    if (tsdu) {
      events.onTsdu(tsdu, tpkt);
      return;
    }
    events.onFrame(tpkt);
    if (tpdu.kind !== 'dt') this.#onControl(tpdu);
  }

  #join(tpdu: Extract<Tpdu, { kind: 'dt' }>): Uint8Array | null {
    if (this.#state !== 'open') throw new AppError('PROTOCOL_MISMATCH', say('osi.early_transport'));
    return this.#assembler.push(tpdu.data, tpdu.isLast, this.#options.maxTsduOctets);
  }

  #onControl(tpdu: Exclude<Tpdu, { kind: 'dt' }>): void {
    const { role } = this.#options;
    if (tpdu.kind === 'dr') this.#onDisconnect('osi.disconnected', disconnectReason(tpdu.reason), tpdu.reason);
    else if (tpdu.kind === 'er') this.#onDisconnect('osi.rejected_tpdu', say('osi.cause', { cause: tpdu.cause }));
    else if (tpdu.kind === 'cc' && role === 'initiator' && this.#state === 'calling') this.#onConfirm(tpdu);
    else if (tpdu.kind === 'cr' && role === 'responder' && this.#state === 'idle') this.#onRequest(tpdu);
    else this.#fail(new AppError('PROTOCOL_MISMATCH', say('osi.unexpected_tpdu', { tpdu: tpdu.kind.toUpperCase() })));
  }

  #onDisconnect(what: 'osi.disconnected' | 'osi.rejected_tpdu', why: Names | Message, reason?: number): void {
    const isOpen = this.#state === 'open';
    this.close();
    const error = isOpen ? new AppError('TRANSPORT_LOST', say(what, { why })) : refusedBy('transport', why, reason);
    this.#options.events.onDisconnected(error);
  }

  /** The confirm may lower the size, in both directions. */
  #onConfirm(cc: ConnectTpdu): void {
    if (cc.class !== 0) {
      this.#fail(new AppError('PROTOCOL_MISMATCH', say('osi.transport_class', { class: cc.class })));
      return;
    }
    const offered = this.#options.tpduSize ?? DEFAULT_TPDU_SIZE;
    this.#open(cc, Math.min(offered, cc.tpduSize ?? offered));
  }

  #onRequest(cr: ConnectTpdu): void {
    const { tpduSize: own } = this.#options;
    const agreed = cr.tpduSize === null ? null : Math.min(cr.tpduSize, own ?? cr.tpduSize);
    this.#open(cr, agreed ?? Math.min(DEFAULT_TPDU_SIZE, own ?? DEFAULT_TPDU_SIZE));
    this.#send(encodeConnect({ ...cr, kind: 'cc', destination: cr.source, source: REFERENCE, class: 0, tpduSize: agreed }));
  }

  #open(peer: ConnectTpdu, tpduSize: number): void {
    this.#peerReference = peer.source;
    this.#tpduSize = tpduSize;
    this.#state = 'open';
    this.#options.events.onOpen();
  }

  #send(tpdu: Uint8Array): void {
    this.#options.events.send(encodeTpkt(tpdu));
  }

  /** Something unfinished must go on; each piece that comes gives it new time. */
  #watch(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#state === 'closed' || this.buffered === 0) return;
    const { clock, fragmentTimeoutMs } = this.#options;
    this.#cancelTimer = clock.after(fragmentTimeoutMs, () => {
      const said = say('osi.unfinished', { count: this.buffered, seconds: fragmentTimeoutMs / 1000 });
      this.#fail(new AppError('TIMEOUT_RESPONSE', said));
    });
  }

  #fail(error: AppError): void {
    if (this.#state === 'closed') return;
    this.close();
    this.#options.events.onFault(error);
  }
}
