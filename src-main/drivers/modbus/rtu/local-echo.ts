/**
 * The local echo of two-wire adapters: what is sent comes back before the answer. It is recognised by its octets and dropped. The answers
 * to functions 5, 6 and 22 are the same octets as their requests; there only knowing the adapter tells echo from answer.
 */
import { u8 } from '../../../protocol-kit/bytes.ts';

const EMPTY = new Uint8Array(0);

/** Whether the adapter echoes: not known yet, or learnt, or said by the channel. */
export type EchoState = 'unknown' | 'yes' | 'no';

/** True for requests whose answer cannot be told from their echo (V1.1b3, 6.5, 6.6, 6.8, 6.16). */
export function answersLikeEcho(pdu: Uint8Array): boolean {
  const functionCode = u8(pdu, 0);
  return functionCode === 5 || functionCode === 6 || functionCode === 8 || functionCode === 22;
}

export class LocalEcho {
  readonly #isFixed: boolean;
  #state: EchoState;
  /** Octets that are sent and may come back first. */
  #sent: Uint8Array = EMPTY;
  /** How many of them have come back. */
  #matched = 0;
  #isAlike = false;
  /** `coming`: everything so far is the echo; `seen`: all of it came; `other`: something else came first; `none`: not looked for. */
  #phase: 'none' | 'coming' | 'seen' | 'other' = 'none';

  /** `state` other than unknown is what the channel says, and stays. */
  constructor(state: EchoState, isFixed: boolean) {
    this.#state = state;
    this.#isFixed = isFixed;
  }

  get state(): EchoState {
    return this.#state;
  }

  /** A frame goes out. `isAlike`: its answer has the same octets. */
  sent(frame: Uint8Array, isAlike: boolean): void {
    const isLookedFor = this.#state === 'yes' || (!this.#isFixed && !(isAlike && this.#state === 'no'));
    this.#phase = isLookedFor ? 'coming' : 'none';
    this.#sent = frame;
    this.#matched = 0;
    this.#isAlike = isAlike;
  }

  /** What is left of received octets without the echo; `isWhole` when the echo has come to its end in them. */
  take(chunk: Uint8Array): { readonly rest: Uint8Array; readonly isWhole: boolean } {
    if (this.#phase !== 'coming') return { rest: chunk, isWhole: false };
    let at = 0;
    while (at < chunk.length && this.#matched < this.#sent.length && chunk[at] === this.#sent[this.#matched]) {
      at += 1;
      this.#matched += 1;
    }
    if (this.#matched === this.#sent.length) {
      this.#phase = 'seen';
      if (!this.#isAlike) this.#learn('yes');
      return { rest: chunk.subarray(at), isWhole: true };
    }
    if (at === chunk.length) return { rest: EMPTY, isWhole: false };
    // something else: what began like the echo belongs to it
    this.#phase = 'other';
    return { rest: at === this.#matched ? chunk : Buffer.concat([this.#sent.subarray(0, this.#matched - at), chunk]), isWhole: false };
  }

  /** True when a frame is the echo after all, found behind octets of noise. */
  claims(frame: Uint8Array): boolean {
    if (this.#phase === 'none' || this.#phase === 'seen' || frame.length !== this.#sent.length) return false;
    for (let at = 0; at < frame.length; at++) if (frame[at] !== this.#sent[at]) return false;
    this.#phase = 'seen';
    if (!this.#isAlike) this.#learn('yes');
    return true;
  }

  /** Octets that began like an echo and did not become one. */
  release(): Uint8Array {
    if (this.#phase !== 'coming' || this.#matched === 0) return EMPTY;
    this.#phase = 'other';
    return this.#sent.subarray(0, this.#matched);
  }

  /** How the exchange ended: with an answer, without a single octet, or otherwise. */
  ended(how: 'answer' | 'nothing' | 'disturbed'): void {
    if (how === 'disturbed' || this.#phase === 'none') return;
    // an adapter that has echoed once does so for the life of the connection; an echo that was not seen was damaged
    if (this.#phase === 'seen' ? how === 'answer' : this.#state !== 'yes') this.#learn(this.#phase === 'seen' ? 'yes' : 'no');
    this.#phase = 'none';
  }

  #learn(state: EchoState): void {
    if (!this.#isFixed) this.#state = state;
  }
}
