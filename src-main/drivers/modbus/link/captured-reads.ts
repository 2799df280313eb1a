import { u8 } from '../../../protocol-kit/bytes.ts';
import type { CapturedRead, ReadFinder } from '../../spi/capture.ts';
import { unpackBits } from '../client/answers.ts';
import { decodeRequest } from '../codec/request.ts';
import { exceptionOf } from '../codec/response.ts';
import type { Adu } from './framer.ts';
import { MbapFramer } from './mbap.ts';

/** Requests that wait for their answer; of more, the oldest was never answered. */
const MOST_WAITING = 256;
/** In front of the data of a read answer: function code and byte count. */
const DATA_AT = 2;

/** The reads of a conversation of Modbus TCP: a request and the answer with its transaction id and unit. Refused, unanswered and torn ones are none. */
export class CapturedMbapReads implements ReadFinder {
  #toDevice = new MbapFramer();
  #toMaster = new MbapFramer();
  readonly #waiting = new Map<string, Uint8Array>();

  push(isToDevice: boolean, bytes: Uint8Array): readonly CapturedRead[] {
    const items = (isToDevice ? this.#toDevice : this.#toMaster).push(bytes);
    const found: CapturedRead[] = [];
    for (const item of items) {
      if (item.kind === 'fault') {
        if (item.isFatal) this.gap(isToDevice);
      } else if (isToDevice) this.#asked(item);
      else found.push(...this.#answered(item));
    }
    return found;
  }

  /** Octets of a direction are missing: where its next frame begins is not known, and the next octets may be one. */
  gap(isToDevice: boolean): void {
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

  #answered(frame: Adu): readonly CapturedRead[] {
    const asked = this.#waiting.get(keyOf(frame));
    this.#waiting.delete(keyOf(frame));
    const { unitId: slaveId, pdu } = frame;
    if (!asked || exceptionOf(pdu) !== 0 || u8(pdu, 0) !== u8(asked, 0)) return [];
    const request = requestOf(asked);
    if (!request || !('quantity' in request) || !('start' in request)) return [];
    const { functionCode, start, quantity } = request;
    if (functionCode < 1 || functionCode > 4) return [];
    const isBits = functionCode <= 2;
    const data = pdu.subarray(DATA_AT);
    const octets = isBits ? Math.ceil(quantity / 8) : 2 * quantity;
    if (data.length !== octets || u8(pdu, 1) !== octets) return [];
    const numbers = isBits ? [...unpackBits(data, quantity)] : registersOf(data);
    return [{ slaveId, functionCode, start, numbers }];
  }
}

function keyOf({ transactionId, unitId }: Adu): string {
  return `${transactionId} ${unitId}`;
}

function requestOf(pdu: Uint8Array) {
  try {
    return decodeRequest(pdu);
  } catch {
    return null;
  }
}

function registersOf(data: Uint8Array): number[] {
  return Array.from({ length: data.length / 2 }, (_, at) => (u8(data, 2 * at) << 8) | u8(data, 2 * at + 1));
}
