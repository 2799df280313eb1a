import type { OnReadOpts } from 'node:net';

/** What one read takes from a socket at most. */
const READ_OCTETS = 65_536;

/**
 * Takes the octets of one socket into one buffer and hands on a copy of what came. Left to itself, a socket makes a buffer of 64 KB for each
 * answer of a device, however short, and that costs more than all that is done with the answer.
 */
export class SocketReader {
  readonly options: OnReadOpts;
  #receive: ((chunk: Uint8Array) => void) | null = null;
  #early: Uint8Array[] = [];

  constructor() {
    this.options = {
      buffer: Buffer.allocUnsafeSlow(READ_OCTETS),
      callback: (count, buffer) => {
        this.#take(Buffer.from(buffer.subarray(0, count)));
        return true;
      },
    };
  }

  /** Hands on what has come, and all that comes. */
  start(receive: (chunk: Uint8Array) => void): void {
    this.#receive = receive;
    for (const chunk of this.#early.splice(0)) receive(chunk);
  }

  #take(chunk: Uint8Array): void {
    if (this.#receive) this.#receive(chunk);
    else this.#early.push(chunk);
  }
}
