/**
 * Our slave on a line with RTU or ASCII frames, over a serial port or TCP: requests in, answers out after the silent gap (MODBUS over Serial Line
 * V1.02, 2.4.2 and 2.5.1). Other slaves and their answers are on the same bus; they are told from requests and left alone.
 */
import { say } from '#shared/messages/index.ts';
import { u8 } from '../../../protocol-kit/bytes.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import type { ServedPeer } from '../../kit/served-connection.ts';
import type { FrameSink } from '../../spi/index.ts';
import { functionMessage } from '../codec/functions.ts';
import { answerRequest, unitAnswer } from '../server/server-answers.ts';
import type { Serving } from '../server/serving.ts';
import type { LineFrame, LineFramer, LineFraming } from './line-framing.ts';
import type { EchoState } from './local-echo.ts';
import { SlaveEcho } from './slave-echo.ts';
import type { RtuTiming } from './timing.ts';

const BROADCAST = 0;
/** Functions that may be sent to all slaves. */
const BROADCAST_FUNCTIONS: readonly number[] = [5, 6, 15, 16, 22];
/** A client that asks without reading the answers is left when so many wait for it. */
const MOST_WAITING = 64;

export interface SlaveLineOptions extends Serving {
  readonly framing: LineFraming;
  readonly timing: RtuTiming;
  /** False on a bus that others may share: what is not for us is none of our business, whatever `unknownUnit` says. */
  readonly isAlone: boolean;
  /** Whether the adapter echoes what is sent; `unknown` finds it out. */
  readonly echo: EchoState;
}

export class SlaveLine implements ServedPeer {
  readonly #options: SlaveLineOptions;
  readonly #peer: AcceptedPeer;
  readonly #frames: FrameSink;
  readonly #framer: LineFramer;
  readonly #echo: SlaveEcho;
  readonly #waiting: Uint8Array[] = [];
  #lastOctetAt = Number.NEGATIVE_INFINITY;
  #busyUntil = Number.NEGATIVE_INFINITY;
  #isSending = false;
  #isClosed = false;
  #toldTwin = false;

  constructor(peer: AcceptedPeer, frames: FrameSink, options: SlaveLineOptions) {
    this.#options = options;
    this.#framer = options.framing.framer('request');
    this.#peer = peer;
    this.#frames = frames;
    this.#echo = new SlaveEcho(options.timing, options.echo);
  }

  start(onClosed: () => void): void {
    this.#peer.start({
      onData: (chunk) => this.#receive(chunk),
      onClosed: () => {
        this.#isClosed = true;
        onClosed();
      },
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  #receive(chunk: Uint8Array): void {
    if (this.#isClosed) return;
    const now = this.#options.io.clock.monotonicMs();
    // a frame that broke off holds nothing back once the master has gone on
    if (now - this.#lastOctetAt > this.#options.timing.brokenMs) this.#framer.markStale();
    this.#lastOctetAt = now;
    const octets = this.#echo.take(chunk, now);
    for (const item of this.#framer.push(octets)) {
      if (item.kind === 'frame') this.#onFrame(item);
      else {
        this.#options.io.health.fault(item.fault);
        this.#frames.record({ kind: 'noise', bytes: item.bytes, text: item.message });
      }
    }
  }

  #onFrame(frame: LineFrame): void {
    const { image, isAlone, unknownUnit } = this.#options;
    if (frame.side === 'answer') {
      this.#onForeignAnswer(frame);
      return;
    }
    if (!this.#options.isAlone && this.#echo.breaksLoop(frame.bytes, this.#lastOctetAt)) {
      this.#frames.record({ kind: 'rx', bytes: frame.bytes, text: say('modbus.may_be_echo') });
      return;
    }
    if (frame.unitId === BROADCAST) this.#onBroadcast(frame);
    else if (image.unit(frame.unitId) || (isAlone && unknownUnit === 'exception')) this.#answer(frame);
    else {
      if (isAlone) {
        this.#options.io.health.request();
        this.#options.asked.notePdu(frame.unitId, frame.pdu, this.#options.io.clock.wallMs());
      }
      this.#frames.record({ kind: 'rx', bytes: frame.bytes, text: say('modbus.no_point', { unit: frame.unitId }) });
    }
  }

  #answer(frame: LineFrame): void {
    const { health, sink } = this.#options.io;
    health.request();
    const seq = this.#frames.record({ kind: 'rx', bytes: frame.bytes });
    const { pdu, changed } = unitAnswer(this.#options, frame.unitId, frame.pdu);
    if (pdu === null) return;
    const bytes = this.#options.framing.encode(frame.unitId, pdu);
    if (pdu[0] !== u8(frame.pdu, 0)) health.refusal();
    if (changed.length > 0) sink.values(changed, true);
    this.#waiting.push(bytes);
    if (this.#waiting.length > MOST_WAITING) this.#end();
    else void this.#send(seq);
  }

  /** All slaves carry it out and none answers (V1.02, 2.2). */
  #onBroadcast(frame: LineFrame): void {
    const { io, image, device } = this.#options;
    const functionCode = u8(frame.pdu, 0);
    io.health.request();
    const isWrite = BROADCAST_FUNCTIONS.includes(functionCode);
    const text = isWrite
      ? say('modbus.broadcast_no_answer')
      : say('modbus.broadcast_question', { function: functionMessage(functionCode) });
    this.#frames.record({ kind: 'rx', bytes: frame.bytes, text });
    if (!isWrite) return;
    const changed = [...image.units()].flatMap(([unitId, areas]) => answerRequest(frame.pdu, { unitId, areas, device }).changed);
    if (changed.length > 0) io.sink.values(changed, true);
  }

  #onForeignAnswer(frame: LineFrame): void {
    if (this.#echo.isOwn(frame.bytes, this.#lastOctetAt)) return;
    const isTwin = this.#options.image.unit(frame.unitId) !== undefined;
    const whose = isTwin ? say('modbus.twin_answer') : say('modbus.foreign_answer');
    this.#frames.record({ kind: 'rx', bytes: frame.bytes, text: whose });
    if (!isTwin || this.#toldTwin) return;
    this.#toldTwin = true;
    this.#options.io.sink.notice(say('modbus.twin', { unit: frame.unitId }));
  }

  /** Sends what waits, one answer after the other, each behind its silence. */
  async #send(link: number): Promise<void> {
    const { io, timing } = this.#options;
    const receivedAt = this.#lastOctetAt;
    if (this.#isSending) return;
    this.#isSending = true;
    for (let bytes = this.#waiting.shift(); bytes && !this.#isClosed; bytes = this.#waiting.shift()) {
      const at = Math.max(this.#lastOctetAt, this.#busyUntil) + timing.gapMs;
      if (timing.gapMs > 0 && at > io.clock.monotonicMs()) await io.clock.until(at);
      if (this.#isClosed) break;
      this.#busyUntil = io.clock.monotonicMs() + bytes.length * timing.octetMs;
      this.#echo.sent(bytes, this.#busyUntil);
      this.#frames.record({ kind: 'tx', bytes, link });
      io.health.response(io.clock.monotonicMs() - receivedAt);
      this.#peer.write(bytes).catch(() => undefined);
    }
    this.#isSending = false;
  }

  #end(): void {
    this.#isClosed = true;
    this.#options.io.sink.notice(say('exchange.client_slow'));
    this.#peer.close().catch(() => {});
  }
}
