/**
 * An association as octets: session, presentation and ACSE over a transport connection, in either role (ITU-T X.225, X.226, X.227 as IEC
 * 61850-8-1 uses them). Takes octets, gives MMS PDUs. It knows nothing of MMS but that an initiate PDU travels with the association.
 */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { CancelTimer, Clock } from '../../../platform/clock.ts';
import type { CloseCause } from '../../../transport/types.ts';
import {
  type AssociationAnswer,
  type AssociationIndication,
  abortTsdu,
  acceptTsdu,
  connectTsdu,
  type OsiEndPoint,
  readAbort,
  readAccept,
  readConnect,
  readRefuse,
  releaseTsdu,
  USUAL_CONTEXTS,
} from './establishment.ts';
import { decodeUserData, userDataHead } from './presentation.ts';
import { closedBeforeAssociation, silentBeforeAssociation } from './refusals.ts';
import { DATA_HEADER, decodeSpdu, type Spdu } from './session.ts';
import { TransportConnection } from './transport.ts';

/**
 * Why a connection ended. `released`: in order, by either side. `aborted`: given up by this side. `failed`: refused (`PROTOCOL_REFUSED`),
 * lost or aborted by the peer (`TRANSPORT_LOST`), octets that break the rules (`FRAME_*`, `PROTOCOL_*`), or silence (`TIMEOUT_*`).
 */
export type OsiEnd = { readonly kind: 'released' | 'aborted' } | { readonly kind: 'failed'; readonly error: AppError };

export interface OsiEvents {
  /** Hands a TPKT to the line; answers its number in the frame log. */
  send(tpkt: Uint8Array): number;
  /** Every TPKT that came, before it has an effect; with the MMS PDU that it completed, else null. */
  onFrame(tpkt: Uint8Array, mms: Uint8Array | null): void;
  /** Octets that were no TPKT, and what would be right; the end follows. */
  onNoise(bytes: Uint8Array, said: Message): void;
  /** For an initiator: the association stands; the octets are the MMS initiate answer (`a9`), a view. Throws `PROTOCOL_*` to give it up. */
  onOpen?(initiate: Uint8Array): void;
  /** For a responder: a client wants to associate. Throws `PROTOCOL_*` to close. Left out: everybody is sent away. */
  onIndication?(indication: AssociationIndication): AssociationAnswer;
  /** An MMS PDU; a view. Throws `PROTOCOL_*` to abort the association. */
  onMms(pdu: Uint8Array): void;
  /** Called once; the owner closes the line, when what was sent has left. Nothing comes afterwards. */
  onEnd(end: OsiEnd): void;
}

export interface OsiOptions {
  readonly role: 'initiator' | 'responder';
  readonly clock: Clock;
  /** Own addresses and names, and those of the peer. A responder answers to any, and needs none. */
  readonly local: OsiEndPoint;
  readonly remote: OsiEndPoint;
  /** TPDU size that is offered or accepted at most, one of `TPDU_SIZES`; null leaves it out. */
  readonly tpduSize: number | null;
  /** Octets of the password for the AARQ; null without authentication. */
  readonly password: Uint8Array | null;
  /** Most octets of an MMS PDU that is received: what is proposed in the initiate PDU. */
  readonly maxPduOctets: number;
  /** From the start to the standing association, in milliseconds. */
  readonly associateTimeoutMs: number;
  /** From a release to its answer, in milliseconds. */
  readonly releaseTimeoutMs: number;
  /** Longest silence inside a TPKT or between the segments of a PDU, in milliseconds. */
  readonly fragmentTimeoutMs: number;
  readonly events: OsiEvents;
}

/** No addresses and names at all. */
export const NO_END_POINT: OsiEndPoint = {
  transportSelector: null,
  sessionSelector: null,
  presentationSelector: null,
  apTitle: null,
  aeQualifier: null,
};

const NO_OCTETS = new Uint8Array(0);
/** What session and presentation add to an MMS PDU, and more. */
const OVERHEAD = 128;
/** The establishment must fit whatever PDU size was chosen: names, password and contexts. */
const LEAST_TSDU = 4096;

type State = 'idle' | 'associating' | 'open' | 'releasing' | 'ended';

export class OsiConnection {
  readonly #options: OsiOptions;
  readonly #transport: TransportConnection;
  #state: State = 'idle';
  /** True once the transport connection stood. */
  #hasTransport = false;
  #initiate: Uint8Array | null = null;
  #contexts = USUAL_CONTEXTS;
  #cancelTimer: CancelTimer | null = null;

  constructor(options: OsiOptions) {
    this.#options = options;
    const { role, clock, tpduSize, fragmentTimeoutMs, maxPduOctets, local, remote, events } = options;
    this.#transport = new TransportConnection({
      role,
      clock,
      tpduSize,
      fragmentTimeoutMs,
      maxTsduOctets: Math.max(maxPduOctets + OVERHEAD, LEAST_TSDU),
      callingSelector: local.transportSelector,
      calledSelector: remote.transportSelector,
      events: {
        send: (tpkt) => events.send(tpkt),
        onFrame: (tpkt) => events.onFrame(tpkt, null),
        onNoise: (bytes, said) => events.onNoise(bytes, said),
        onOpen: () => this.#onTransport(),
        onTsdu: (tsdu, tpkt) => this.#onTsdu(tsdu, tpkt),
        onDisconnected: (error) => this.#lost(error),
        onFault: (error) => this.#end({ kind: 'failed', error }),
      },
    });
  }

  get state(): State {
    return this.#state;
  }

  /** TPDU size both sides agreed on. */
  get tpduSize(): number {
    return this.#transport.tpduSize;
  }

  /** Octets that wait for the rest of their TPKT or PDU. */
  get buffered(): number {
    return this.#transport.buffered;
  }

  /** Begins, once the line stands. An initiator gives its MMS initiate request (`a8`) and sends; a responder gives null and waits. */
  start(initiate: Uint8Array | null): void {
    this.#initiate = initiate;
    this.#state = 'associating';
    const { associateTimeoutMs } = this.#options;
    this.#arm(associateTimeoutMs, () => this.#fail(silentBeforeAssociation(this.#hasTransport, associateTimeoutMs)));
    if (initiate) this.#transport.start();
  }

  /** Octets from the line, in any pieces; a chunk must not change afterwards. */
  push(chunk: Uint8Array): void {
    this.#transport.push(chunk);
  }

  /**
   * Sends an MMS PDU, whose first octets may be given apart; answers the number of its first TPKT in the frame log. Throws
   * `TRANSPORT_NOT_CONNECTED` without an association.
   */
  send(pdu: Uint8Array, head: Uint8Array = NO_OCTETS): number {
    if (this.#state !== 'open') {
      throw new AppError('TRANSPORT_NOT_CONNECTED', say('iec61850.no_association_peer'));
    }
    return this.#transport.send(DATA_HEADER, userDataHead(this.#contexts.mms, head.length + pdu.length), head, pdu);
  }

  /** Releases in order (FINISH, RLRQ); whatever the peer does then, the association ends within the release time. */
  release(): void {
    if (this.#state !== 'open') return;
    this.#state = 'releasing';
    this.#arm(this.#options.releaseTimeoutMs, () => this.#end({ kind: 'released' }));
    this.#transport.send(releaseTsdu('finish', this.#contexts));
  }

  /** Ends by a disconnect request of the transport, as some stacks do in place of a release. */
  disconnect(): void {
    if (this.#state === 'ended') return;
    this.#transport.disconnect();
    this.#end({ kind: 'released' });
  }

  /** Gives up the association at once, because of `error` where there is one; the peer is told. */
  abort(error?: AppError): void {
    if (this.#state === 'ended') return;
    this.#sendAbort();
    this.#end(error ? { kind: 'failed', error } : { kind: 'aborted' });
  }

  /** The line has ended. */
  lineEnded(cause: CloseCause): void {
    if (cause.kind === 'local') this.#end({ kind: 'aborted' });
    else if (cause.kind === 'failed') this.#lost(cause.error);
    else this.#lost(new AppError('TRANSPORT_LOST', say('iec61850.peer_closed')));
  }

  #onTransport(): void {
    this.#hasTransport = true;
    const { local, remote, password } = this.#options;
    if (this.#initiate) this.#transport.send(connectTsdu(local, remote, password, this.#initiate));
  }

  #onTsdu(tsdu: Uint8Array, tpkt: Uint8Array): void {
    const { events } = this.#options;
    let isTold = false;
    try {
      const spdu = decodeSpdu(tsdu);
      const mms = spdu.kind === 'data' ? this.#mmsIn(spdu.userData) : [];
      isTold = true;
      events.onFrame(tpkt, mms[0] ?? null);
      if (spdu.kind === 'data') for (const pdu of mms) this.#deliver(pdu);
      else this.#onSpdu(spdu);
    } catch (thrown) {
      // what cannot be understood ends the association, and the peer is told
      if (!(thrown instanceof AppError)) throw thrown;
      if (!isTold) events.onFrame(tpkt, null);
      this.#fail(thrown);
    }
  }

  #mmsIn(userData: Uint8Array): readonly Uint8Array[] {
    if (this.#state !== 'open' && this.#state !== 'releasing') {
      throw new AppError('PROTOCOL_MISMATCH', say('osi.early_association'));
    }
    const { mms } = this.#contexts;
    return decodeUserData(userData).map(({ contextId, octets }) => {
      if (contextId === mms) return octets;
      throw new AppError('PROTOCOL_MISMATCH', say('osi.foreign_context', { context: contextId, mms }));
    });
  }

  #deliver(pdu: Uint8Array): void {
    if (this.#state === 'open') this.#options.events.onMms(pdu);
  }

  #onSpdu(spdu: Exclude<Spdu, { kind: 'data' }>): void {
    const isInitiator = this.#options.role === 'initiator';
    const isAssociating = this.#state === 'associating';
    if (spdu.kind === 'accept' && isInitiator && isAssociating) this.#onAccept(spdu.userData);
    else if (spdu.kind === 'refuse' && isInitiator && isAssociating) throw readRefuse(spdu);
    else if (spdu.kind === 'connect' && !isInitiator && isAssociating) this.#onConnect(spdu);
    else if (spdu.kind === 'abort') this.#lost(readAbort(spdu.userData));
    else if (spdu.kind === 'disconnect' && this.#state === 'releasing') this.#end({ kind: 'released' });
    else if (spdu.kind === 'finish' && !isAssociating) {
      this.#transport.send(releaseTsdu('disconnect', this.#contexts));
      this.#end({ kind: 'released' });
    } else throw new AppError('PROTOCOL_MISMATCH', say('osi.unexpected_spdu', { spdu: spdu.kind.toUpperCase() }));
  }

  #onAccept(userData: Uint8Array): void {
    const initiate = readAccept(userData);
    this.#open();
    this.#options.events.onOpen?.(initiate);
  }

  #onConnect(spdu: Extract<Spdu, { kind: 'connect' | 'accept' }>): void {
    const request = readConnect(spdu);
    this.#contexts = request.contexts;
    const answer = this.#options.events.onIndication?.(request.indication) ?? { kind: 'close' };
    // opened first: the line may bring the next octets while it takes these
    if (answer.kind === 'accept') this.#open();
    if (answer.kind !== 'close') this.#transport.send(acceptTsdu(request, answer));
    if (answer.kind !== 'accept') this.#end({ kind: 'aborted' });
  }

  #open(): void {
    this.#disarm();
    this.#state = 'open';
  }

  #sendAbort(): void {
    if (this.#state === 'open' || this.#state === 'releasing') this.#transport.send(abortTsdu(this.#contexts));
  }

  #fail(error: AppError): void {
    this.#sendAbort();
    this.#end({ kind: 'failed', error });
  }

  /** Lost before it stood means refused: wrong password and too many clients look like this. Lost while releasing is the end that was wanted. */
  #lost(error: AppError): void {
    const isRefused = this.#state === 'associating' && this.#options.role === 'initiator' && error.code === 'TRANSPORT_LOST';
    if (this.#state === 'releasing') this.#end({ kind: 'released' });
    else this.#end({ kind: 'failed', error: isRefused ? closedBeforeAssociation(this.#hasTransport, error.said) : error });
  }

  #arm(ms: number, then: () => void): void {
    this.#disarm();
    this.#cancelTimer = this.#options.clock.after(ms, then);
  }

  #disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #end(end: OsiEnd): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#disarm();
    this.#transport.close();
    this.#options.events.onEnd(end);
  }
}
