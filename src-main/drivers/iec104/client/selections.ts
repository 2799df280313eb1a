/** What is selected at a station over one connection (IEC 60870-5-5, 6.8): a selection ends with the connection. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type AsduSizes, headerLength } from '../codec/sizes.ts';
import { typeSpec } from '../codec/types.ts';

/** Objects whose last selection is remembered, to cancel it with the same octets. */
const MOST_SELECTIONS = 1000;
/** S/E, the highest bit of the octet that ends the element of a command or set point. */
const SELECT = 0x80;

/** The last select message of an object. */
interface Selection {
  readonly octets: Uint8Array;
  /** The station has confirmed it, and it has been neither executed nor cancelled. */
  stands: boolean;
}

/** Objects go by names of the caller. */
export class Selections {
  readonly #sizes: AsduSizes;
  readonly #selected = new Map<string, Selection>();

  constructor(sizes: AsduSizes) {
    this.#sizes = sizes;
  }

  /** The last select message of an object; undefined for none. */
  lastOf(name: string): Uint8Array | undefined {
    return this.#selected.get(name)?.octets;
  }

  /** A select message was sent; `stands` of the answer is set when it is confirmed. */
  remember(name: string, octets: Uint8Array): { stands: boolean } {
    const selection: Selection = { octets, stands: false };
    this.#selected.delete(name);
    this.#selected.set(name, selection);
    const [oldest] = this.#selected.keys();
    if (this.#selected.size > MOST_SELECTIONS && oldest !== undefined) this.#selected.delete(oldest);
    return selection;
  }

  /** An execute or a cancel was sent. */
  end(name: string): void {
    const selection = this.#selected.get(name);
    if (selection) selection.stands = false;
  }

  /**
   * Throws `STATE_CONFLICT` unless a selection with value and qualifier of this execute message stands: a station refuses it then, or takes it for that of
   * somebody else. `code` is the point's.
   */
  require(name: string, code: string, execute: Uint8Array): void {
    const selection = this.#selected.get(name);
    if (!selection?.stands) {
      throw new AppError('STATE_CONFLICT', say('iec104.not_selected', { point: code }));
    }
    if (Buffer.compare(this.#plain(selection.octets), this.#plain(execute)) === 0) return;
    throw new AppError('STATE_CONFLICT', say('iec104.selected_other', { point: code }));
  }

  /** Value and qualifier, without S/E and time tag. */
  #plain(octets: Uint8Array): Uint8Array {
    const at = headerLength(this.#sizes) + this.#sizes.objectAddress;
    const element = Uint8Array.from(octets.subarray(at, at + (typeSpec(octets[0] ?? 0)?.element.length ?? 0)));
    const last = element.length - 1;
    element[last] = (element[last] ?? 0) & ~SELECT;
    return element;
  }
}
