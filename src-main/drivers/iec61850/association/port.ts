/** An association on a line: OSI layers, writing and frame log put together, for both roles. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { CloseCause } from '../../../transport/types.ts';
import { PeerWriter } from '../../kit/peer-writer.ts';
import type { DriverLine, FrameSink, HealthSink } from '../../spi/index.ts';
import { OsiConnection, type OsiEvents, type OsiOptions } from '../osi/connection.ts';

/** How a frame that came enters the frame log: `rx`, or an answer that nobody waits for; `link` is the number of what it answers. */
export interface FrameMeaning {
  readonly kind: 'rx' | 'late';
  readonly link?: number;
  readonly text?: Message;
}

export interface PortEvents extends Pick<OsiEvents, 'onOpen' | 'onIndication' | 'onEnd'> {
  /** An MMS PDU, a view; `seq` is the number of the frame that completed it. Throws `PROTOCOL_*` to abort the association. */
  onMms(pdu: Uint8Array, seq: number): void;
  /** Says what an MMS PDU is to the frame log, before `onMms`. Left out: `rx`. */
  meaningOf?(pdu: Uint8Array): FrameMeaning;
}

export interface PortOptions extends Omit<OsiOptions, 'events'> {
  readonly line: Pick<DriverLine, 'write' | 'close'>;
  readonly frames: FrameSink;
  readonly health: Pick<HealthSink, 'fault'>;
  readonly events: PortEvents;
}

/** A peer that sends without reading is let go when so many octets wait for it. */
const MOST_WAITING_OCTETS = 4_194_304;
const NO_BYTES = new Uint8Array(0);

export class AssociationPort {
  readonly osi: OsiConnection;
  readonly #options: PortOptions;
  readonly #writer: PeerWriter;
  #receivedSeq = 0;
  /** What the frames that are being sent answer. */
  #link: number | undefined;

  constructor(options: PortOptions) {
    this.#options = options;
    const { events, line, clock } = options;
    this.#writer = new PeerWriter({
      line,
      soon: (fn) => clock.soon(fn),
      mostOctets: MOST_WAITING_OCTETS,
      onUnread: () => this.osi.lineEnded({ kind: 'failed', error: new AppError('PROTOCOL_MISMATCH', say('iec61850.unread')) }),
    });
    this.osi = new OsiConnection({
      ...options,
      events: {
        send: (tpkt) => this.#send(tpkt),
        onFrame: (tpkt, mms) => this.#onFrame(tpkt, mms),
        onNoise: (bytes, said) => this.#onNoise(bytes, said),
        onOpen: (initiate) => events.onOpen?.(initiate),
        onIndication: (indication) => events.onIndication?.(indication) ?? { kind: 'close' },
        onMms: (pdu) => events.onMms(pdu, this.#receivedSeq),
        onEnd: (end) => {
          this.#writer.flush();
          this.#noteEnd(end);
          events.onEnd(end);
        },
      },
    });
  }

  /** Octets that were sent and that the line has not taken yet. */
  get waitingOctets(): number {
    return this.#writer.waitingOctets;
  }

  /** Octets from the line. */
  receive(chunk: Uint8Array): void {
    this.osi.push(chunk);
  }

  /** The line has ended. */
  lineEnded(cause: CloseCause): void {
    this.osi.lineEnded(cause);
  }

  /** Sends an MMS PDU; answers the number of its first frame. `link`: the frame it answers. Throws `TRANSPORT_NOT_CONNECTED`. */
  send(pdu: Uint8Array, link?: number): number {
    this.#link = link;
    try {
      return this.osi.send(pdu);
    } finally {
      this.#link = undefined;
    }
  }

  /** Sends an MMS PDU that is given in two parts; answers the number of its first frame. Throws `TRANSPORT_NOT_CONNECTED`. */
  sendParts(head: Uint8Array, rest: Uint8Array): number {
    return this.osi.send(rest, head);
  }

  #onFrame(tpkt: Uint8Array, mms: Uint8Array | null): void {
    const meaning: FrameMeaning = (mms && this.#options.events.meaningOf?.(mms)) ?? { kind: 'rx' };
    this.#receivedSeq = this.#options.frames.record({ ...meaning, bytes: tpkt });
  }

  #onNoise(bytes: Uint8Array, text: Message): void {
    this.#options.frames.record({ kind: 'noise', bytes, text });
    this.#options.health.fault();
  }

  #send(tpkt: Uint8Array): number {
    const link = this.#link;
    const seq = this.#options.frames.record(link === undefined ? { kind: 'tx', bytes: tpkt } : { kind: 'tx', bytes: tpkt, link });
    this.#writer.add(tpkt);
    return seq;
  }

  #noteEnd(end: Parameters<OsiEvents['onEnd']>[0]): void {
    const note = (text: Message) => this.#options.frames.record({ kind: 'note', bytes: NO_BYTES, text });
    if (this.osi.buffered > 0) note(say('iec61850.unfinished', { count: this.osi.buffered }));
    if (end.kind === 'failed') note(say('iec61850.association_ended', { reason: end.error.said }));
  }
}
