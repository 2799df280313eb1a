import type { CapturedRead, ReadFinder } from '../../spi/capture.ts';
import type { Adu } from './framer.ts';
import { MbapFramer } from './mbap.ts';
import { AnsweredReads } from './read-answer.ts';

/** Requests that wait for their answer; of more, the oldest was never answered. */
const MOST_WAITING = 256;

/** The reads of a conversation of Modbus TCP: a request and the answer with its transaction id and unit. Refused, unanswered and torn ones are none. */
export class CapturedMbapReads implements ReadFinder {
  #toDevice = new MbapFramer();
  #toMaster = new MbapFramer();
  readonly #waiting = new Map<string, Uint8Array>();
  readonly #answered = new AnsweredReads();

  push(isToDevice: boolean | null, bytes: Uint8Array): readonly CapturedRead[] {
    const items = (isToDevice ? this.#toDevice : this.#toMaster).push(bytes);
    const found: CapturedRead[] = [];
    for (const item of items) {
      if (item.kind === 'fault') {
        if (item.isFatal) this.gap(isToDevice);
      } else if (isToDevice) this.#asked(item);
      else {
        const read = this.#readOf(item);
        if (read.length > 0) found.push(read);
      }
    }
    return found;
  }

  /** Octets of a direction are missing: where its next frame begins is not known, and the next octets may be one. */
  gap(isToDevice: boolean | null): void {
    if (isToDevice) this.#toDevice = new MbapFramer();
    else this.#toMaster = new MbapFramer();
  }

  #asked(frame: Adu): void {
    const key = keyOf(frame);
    this.#waiting.delete(key);
    this.#waiting.set(key, frame.pdu.slice());
    const [oldest] = this.#waiting.size > MOST_WAITING ? this.#waiting.keys() : [];
    if (oldest !== undefined) this.#waiting.delete(oldest);
  }

  #readOf(frame: Adu): CapturedRead {
    const asked = this.#waiting.get(keyOf(frame));
    this.#waiting.delete(keyOf(frame));
    return asked ? this.#answered.of(frame.unitId, asked, frame.pdu) : [];
  }
}

function keyOf({ transactionId, unitId }: Adu): string {
  return `${transactionId} ${unitId}`;
}
