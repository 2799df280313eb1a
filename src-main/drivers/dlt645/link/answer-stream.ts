/** What comes in on the master's line of meters, cut into frames and noise. */
import { say } from '#shared/messages/index.ts';
import type { AnswerStream, Leftovers, StreamHold, StreamItem } from '../../kit/asking.ts';
import { FROM_METER } from '../codec/control.ts';
import type { MeterRequest } from '../meter-request.ts';
import { Dlt645Framer, type FramerItem, type ReceivedFrame } from './framer.ts';
import type { LineTiming } from './line-time.ts';
import { SentSecret } from './sent-secret.ts';

const NO_BYTES = new Uint8Array(0);

export class MeterAnswerStream implements AnswerStream<MeterRequest, ReceivedFrame> {
  /** The answer of a meter is never the octets of its request. */
  readonly isEchoUnknown = false;
  readonly #framer = new Dlt645Framer();
  readonly #secret = new SentSecret();
  readonly #timing: LineTiming;
  #lastOctetAt = Number.NEGATIVE_INFINITY;
  /** When what the framer holds began to come: delivered, and on the line. */
  #startedAt = Number.NEGATIVE_INFINITY;
  #beganAt = Number.NEGATIVE_INFINITY;

  constructor(timing: LineTiming) {
    this.#timing = timing;
  }

  get hold(): StreamHold {
    return { octets: this.#framer.buffered, startedAt: null, lastOctetAt: this.#lastOctetAt };
  }

  sent({ control }: MeterRequest, bytes: Uint8Array): void {
    this.#secret.sent(control, bytes);
  }

  ended(): void {
    // nothing of it matters here
  }

  push(chunk: Uint8Array, now: number): readonly StreamItem<ReceivedFrame>[] {
    const { octetMs, octetGapMs } = this.#timing;
    const stale = now - this.#lastOctetAt > octetGapMs ? this.#framer.silence() : [];
    const items = stale.map((item) => this.#streamItem(item));
    this.#lastOctetAt = now;
    if (this.#framer.buffered === 0) {
      this.#startedAt = now;
      this.#beganAt = now - chunk.length * octetMs;
    }
    for (const item of this.#framer.push(chunk)) {
      items.push(this.#streamItem(item));
      this.#startedAt = now;
    }
    return items;
  }

  giveUp(): Leftovers<ReceivedFrame> {
    return { items: this.#framer.silence().map((item) => this.#streamItem(item)), broken: NO_BYTES };
  }

  #streamItem(item: FramerItem): StreamItem<ReceivedFrame> {
    if (item.kind === 'frame') {
      if ((item.control & FROM_METER) === 0) return { kind: 'request', frame: item };
      return { kind: 'answer', frame: item, startedAt: this.#startedAt, beganAt: this.#beganAt };
    }
    const { bytes, fault } = item;
    const secretText = say('dlt645.came_back', { count: bytes.length });
    return { kind: 'noise', bytes, fault, ...(this.#secret.isPiece(bytes) ? { secretText } : {}) };
  }
}
