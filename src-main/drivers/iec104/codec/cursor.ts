import type { AsduView } from './asdu.ts';
import type { ElementCodec, ElementTarget } from './element.ts';
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
  /** Objects that are left. */
  #left = 0;
  #at = 0;
  /** False: the next object has no address of its own, it is the one behind. */
  #isAddressed = true;
  #isSequence = false;
  #octets: Uint8Array = NOTHING.octets;
  #element: ElementCodec | null = null;
  #addressSize: 1 | 2 | 3 = 3;
  /** Octets of an object behind its address. */
  #length = 0;

  /** Starts before the first object of a checked ASDU. */
  open(view: AsduView): this {
    const { type } = view;
    this.#view = view;
    this.#octets = view.octets;
    this.#element = type?.element ?? null;
    this.#left = type?.element.read ? view.count : 0;
    this.#at = view.bodyAt;
    this.#isAddressed = true;
    this.#isSequence = view.isSequence;
    this.#addressSize = view.sizes.objectAddress;
    this.#length = type?.length ?? 0;
    this.elementLength = type?.element.length ?? 0;
    return this;
  }

  /** Goes to the next object; false behind the last one. */
  next(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    let at = this.#at;
    if (this.#isAddressed) {
      this.address = uintLe(this.#octets, at, this.#addressSize);
      at += this.#addressSize;
      this.#isAddressed = !this.#isSequence;
    } else this.address += 1;
    this.elementAt = at;
    this.#element?.read?.(this.#octets, at, this);
    this.#at = at + this.#length;
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
