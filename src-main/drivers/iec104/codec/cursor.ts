import type { AsduView } from './asdu.ts';
import type { ElementColumns } from './element.ts';
import { uintLe } from './octets.ts';
import { STANDARD_SIZES } from './sizes.ts';
import { decodeCp24, decodeCp56, type TimeTag } from './time-tags.ts';

/** The variable structure qualifier counts in seven bits (IEC 60870-5-101, 7.2.2). */
const MOST_OBJECTS = 127;

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
export class ObjectCursor {
  /** Information object address. */
  address = 0;
  /** Where the elements of the object begin in the octets of the view, and how many octets they have without the time tag. */
  elementAt = 0;
  elementLength = 0;
  #view: AsduView = NOTHING;
  readonly #columns: ElementColumns = { value: new Float64Array(MOST_OBJECTS), quality: new Uint8Array(MOST_OBJECTS) };
  #index = -1;
  #count = 0;
  /** Octets from one element to the next. */
  #stride = 0;
  /** Octets of the address in front of each element; 0 where only the first has one. */
  #addressSize: 0 | 1 | 2 | 3 = 0;

  /** Starts before the first object of a checked ASDU. */
  open(view: AsduView): this {
    const { type, octets, bodyAt, isSequence } = view;
    const { objectAddress } = view.sizes;
    const read = type?.element.read;
    this.#view = view;
    this.#index = -1;
    this.#count = read ? view.count : 0;
    this.#addressSize = isSequence ? 0 : objectAddress;
    this.#stride = this.#addressSize + (type?.length ?? 0);
    this.elementLength = type?.element.length ?? 0;
    this.elementAt = bodyAt + objectAddress - this.#stride;
    if (isSequence && this.#count > 0) this.address = uintLe(octets, bodyAt, objectAddress) - 1;
    read?.(octets, bodyAt + objectAddress, this.#stride, this.#count, this.#columns);
    return this;
  }

  /** As in ValueObject and its neighbours; NaN and infinities as they are. */
  get value(): number {
    return this.#columns.value[this.#index] as number;
  }

  /** In the places of QDS: OV (also CY of a counter), BL, SB, NT, IV. */
  get quality(): number {
    return this.#columns.quality[this.#index] as number;
  }

  /** Goes to the next object; false behind the last one. */
  next(): boolean {
    this.#index += 1;
    if (this.#index >= this.#count) return false;
    this.elementAt += this.#stride;
    const size = this.#addressSize;
    this.address = size === 0 ? this.address + 1 : uintLe(this.#view.octets, this.elementAt - size, size);
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
