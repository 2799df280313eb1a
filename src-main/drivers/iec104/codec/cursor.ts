import type { AsduView } from './asdu.ts';
import type { ElementTarget } from './element.ts';
import { uintLe } from './octets.ts';
import { STANDARD_SIZES } from './sizes.ts';
import { decodeCp24, decodeCp56, type TimeTag } from './time-tags.ts';

const NOTHING: AsduView = {
  typeId: 0,
  isSequence: false,
  cause: 0,
  isNegative: false,
  isTest: false,
  originator: 0,
  commonAddress: 0,
  count: 0,
  type: null,
  octets: new Uint8Array(0),
  at: 0,
  bodyAt: 0,
  sizes: STANDARD_SIZES,
};

/**
 * Walks over the point values of an ASDU without making an object for each: after `next` the fields speak of the current object.
 * For the types of monitored points only (1 to 21, 30 to 40); all others have no next object.
 */
export class ObjectCursor implements ElementTarget {
  /** Information object address. */
  address = 0;
  /** As in ValueObject and its neighbours; NaN and infinities as they are. */
  value = 0;
  /** In the places of QDS: OV (also CY of a counter), BL, SB, NT, IV. */
  quality = 0;
  /** Where the elements of the object begin in the octets of the view, and how many octets they have without the time tag. */
  elementAt = 0;
  elementLength = 0;
  #view: AsduView = NOTHING;
  #index = 0;
  #at = 0;

  /** Starts before the first object of a checked ASDU. */
  open(view: AsduView): this {
    this.#view = view;
    this.#index = 0;
    this.#at = view.bodyAt;
    this.elementLength = view.type?.element.length ?? 0;
    return this;
  }

  /** Goes to the next object; false behind the last one. */
  next(): boolean {
    const { type, count, octets, isSequence, sizes } = this.#view;
    if (type === null || type.element.read === null || this.#index >= count) return false;
    let at = this.#at;
    if (isSequence && this.#index > 0) {
      this.address += 1;
    } else {
      this.address = uintLe(octets, at, sizes.objectAddress);
      at += sizes.objectAddress;
    }
    this.elementAt = at;
    type.element.read(octets, at, this);
    this.#at = at + type.length;
    this.#index += 1;
    return true;
  }

  /** Time tag of the current object; null where the type has none. */
  time(): TimeTag | null {
    const { type, octets } = this.#view;
    if (type === null || type.time === null) return null;
    const at = this.elementAt + type.element.length;
    return type.time === 'cp56' ? decodeCp56(octets, at) : decodeCp24(octets, at);
  }
}
