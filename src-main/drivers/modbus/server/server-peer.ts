/** One client at our server: its frames in, our answers out, all answers of one chunk in one write. */

import { asMessage, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { u8 } from '../../../protocol-kit/bytes.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import { PeerWriter } from '../../kit/peer-writer.ts';
import type { ServedPeer } from '../../kit/served-connection.ts';
import type { FrameSink, PointReading } from '../../spi/index.ts';
import { requestDatagrams } from '../link/datagram.ts';
import type { Adu, Framer, FramerFault, Framing } from '../link/framer.ts';
import { mbapFraming } from '../link/mbap.ts';
import { type ServerAnswer, unitAnswer } from './server-answers.ts';
import type { PeerMaker, Serving } from './serving.ts';

/** Clients of Modbus TCP. */
export const mbapPeer: PeerMaker = (peer, frames, serving) => new ServerPeer(peer, frames, { ...serving, framing: mbapFraming });

/** Senders of Modbus UDP: one datagram is one request, and each answer is one datagram. */
export const datagramPeer: PeerMaker = (peer, frames, serving) => new ServerPeer(peer, frames, { ...serving, framing: requestDatagrams });

interface ServerPeerOptions extends Serving {
  readonly framing: Framing;
}

/** A client that asks without reading the answers is closed when so many octets wait for it. */
const MOST_WAITING_OCTETS = 1_048_576;
const NOTHING: readonly PointReading[] = [];

export class ServerPeer implements ServedPeer {
  readonly #options: ServerPeerOptions;
  readonly #peer: AcceptedPeer;
  readonly #frames: FrameSink;
  readonly #framer: Framer;
  readonly #writer: PeerWriter;
  #isClosed = false;

  constructor(peer: AcceptedPeer, frames: FrameSink, options: ServerPeerOptions) {
    this.#options = options;
    this.#peer = peer;
    this.#frames = frames;
    this.#framer = options.framing.framer();
    this.#writer = new PeerWriter({
      line: peer,
      mostOctets: MOST_WAITING_OCTETS,
      onUnread: () => this.#end(say('exchange.client_slow')),
    });
  }

  /** Lets requests come in; `onClosed` is called once when the client has gone. */
  start(onClosed: () => void): void {
    this.#peer.start({
      onData: (chunk) => this.#receive(chunk),
      onClosed: () => {
        this.#isClosed = true;
        onClosed();
      },
    });
  }

  /** Answers nothing any more. */
  close(): void {
    this.#isClosed = true;
  }

  #receive(chunk: Uint8Array): void {
    if (this.#isClosed) return;
    const { clock, health, sink } = this.#options.io;
    const receivedAt = clock.monotonicMs();
    let answered = 0;
    const changed: PointReading[] = [];
    let fault: FramerFault | null = null;
    for (const item of this.#framer.push(chunk)) {
      if (item.kind === 'fault') {
        this.#onFault(item);
        if (item.isFatal) fault = item;
        continue;
      }
      const answer = this.#answer(item);
      if (answer?.pdu) answered += 1;
      for (const reading of answer?.changed ?? NOTHING) changed.push(reading);
    }
    const latencyMs = clock.monotonicMs() - receivedAt;
    for (let count = answered; count > 0; count--) health.response(latencyMs);
    this.#writer.flush();
    if (changed.length > 0) sink.values(changed, true);
    if (fault) this.#end(say('exchange.client_fault', { reason: asMessage(fault.message) }));
  }

  /** Gives the answer to one request to the writer; null when it gets no answer. */
  #answer(adu: Adu): ServerAnswer | null {
    const { framing, image, asked, unknownUnit, io } = this.#options;
    io.health.request();
    const unit = image.unit(adu.unitId);
    const functionCode = u8(adu.pdu, 0);
    if (!unit) asked.notePdu(adu.unitId, adu.pdu, io.clock.wallMs());
    if (!unit && unknownUnit === 'silent') {
      this.#frames.record({ kind: 'rx', bytes: adu.bytes, text: say('modbus.no_point', { unit: adu.unitId }) });
      return null;
    }
    const seq = this.#frames.record({ kind: 'rx', bytes: adu.bytes });
    const answer = unitAnswer(this.#options, adu.unitId, adu.pdu);
    if (answer.pdu === null) return answer;
    const bytes = framing.encode(adu.transactionId ?? 0, adu.unitId, answer.pdu);
    this.#frames.record({ kind: 'tx', bytes, link: seq });
    if (answer.pdu[0] !== functionCode) io.health.refusal();
    this.#writer.add(bytes);
    return answer;
  }

  #onFault(fault: FramerFault): void {
    this.#options.io.health.fault();
    this.#frames.record({ kind: 'noise', bytes: fault.bytes, text: fault.message });
  }

  #end(notice: Message): void {
    this.#isClosed = true;
    this.#options.io.sink.notice(notice);
    this.#peer.close().catch(() => {});
  }
}
