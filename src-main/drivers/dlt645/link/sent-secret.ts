import { carriesSecret, functionOf } from '../codec/control.ts';

const NO_BYTES: Uint8Array = new Uint8Array(0);

/**
 * The latest request, where it holds a password. An echo of it whose beginning was cut off, as half-duplex adapters do, is no frame any more, so
 * nothing but this says that its octets must not be shown.
 */
export class SentSecret {
  #bytes = NO_BYTES;

  /** A request was sent with these octets. */
  sent(control: number, bytes: Uint8Array): void {
    this.#bytes = carriesSecret(functionOf(control)) ? bytes : NO_BYTES;
  }

  /** True when the octets stand in a row in it. */
  isPiece(piece: Uint8Array): boolean {
    const whole = this.#bytes;
    for (let at = 0; at + piece.length <= whole.length; at++) {
      if (piece.every((octet, index) => octet === whole[at + index])) return true;
    }
    return false;
  }
}
