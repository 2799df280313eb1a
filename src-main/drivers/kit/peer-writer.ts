/** What is written to one peer: a turn of the program in one write, and a bound for what a peer that does not read leaves waiting. */

import { concatBytes } from '../../protocol-kit/bytes.ts';
import type { DriverLine } from '../spi/index.ts';

export interface PeerWriterOptions {
  readonly line: Pick<DriverLine, 'write'>;
  /** Calls at the end of this turn of the program. Left out: the owner flushes. */
  readonly soon?: (fn: () => void) => void;
  /** Octets that may wait for the peer. */
  readonly mostOctets: number;
  /** Each frame of a turn is a write of its own. */
  readonly writesApart?: boolean;
  /** Too many octets wait: the peer sends without reading. Nothing more is written; the owner ends the line. */
  onUnread(): void;
}

export class PeerWriter {
  readonly #options: PeerWriterOptions;
  #turn: Uint8Array[] = [];
  #waitingOctets = 0;

  constructor(options: PeerWriterOptions) {
    this.#options = options;
  }

  /** Octets that were given and that the line has not taken yet. */
  get waitingOctets(): number {
    return this.#waitingOctets;
  }

  /** Writes a frame with the next flush, together with the others of the turn. */
  add(bytes: Uint8Array): void {
    if (this.#turn.length === 0) this.#options.soon?.(() => this.flush());
    this.#turn.push(bytes);
    this.#waitingOctets += bytes.length;
  }

  /** Writes at once what was given since the last one. */
  flush(): void {
    const turn = this.#turn;
    const [first] = turn;
    if (!first) return;
    this.#turn = [];
    if (this.#waitingOctets > this.#options.mostOctets) {
      this.#options.onUnread();
      return;
    }
    const blocks = this.#options.writesApart ? turn : [turn.length === 1 ? first : concatBytes(...turn)];
    for (const bytes of blocks) this.#write(bytes);
  }

  #write(bytes: Uint8Array): void {
    const done = () => {
      this.#waitingOctets -= bytes.length;
    };
    // a write that fails is followed by the end of the line
    this.#options.line.write(bytes).then(done, done);
  }
}
