/** Data of interrogations and scans: the present values of many objects, as few ASDUs as they fit into. */
import { encodeAsdu } from '../codec/asdu.ts';
import { makeAsdu } from '../codec/make.ts';
import type { AsduSizes } from '../codec/sizes.ts';
import { maxObjects, typeSpec } from '../codec/types.ts';
import type { StationImage } from './station-image.ts';
import { presentObject, type ServedObject } from './station-values.ts';

export interface ScanHeader {
  readonly cause: number;
  readonly originator: number;
}

/** What the station serves, and how long its addresses are. */
export interface ScannedStation {
  readonly image: Pick<StationImage, 'objects' | 'object'>;
  readonly sizes: AsduSizes;
}

/** So many consecutive addresses make a sequence (SQ 1) shorter than single objects. */
const LEAST_SEQUENCE = 2;

/**
 * Walks over objects that are ordered by station, type and address; values are those of the moment in which an ASDU is made. An object that leaves the table
 * meanwhile is told as it was, one that came to its place under the same type in its stead, and none that is of another type now.
 */
export class StationScan {
  readonly #objects: readonly ServedObject[];
  readonly #header: ScanHeader;
  readonly #sizes: AsduSizes;
  readonly #image: ScannedStation['image'];
  /** All objects of the table that it began with. */
  readonly #began: readonly ServedObject[];
  #at = 0;

  constructor(objects: readonly ServedObject[], header: ScanHeader, { image, sizes }: ScannedStation) {
    this.#objects = objects;
    this.#header = header;
    this.#sizes = sizes;
    this.#image = image;
    this.#began = image.objects;
  }

  /** The next ASDU; null behind the last one. */
  next(): Uint8Array | null {
    while (this.#at < this.#objects.length && !this.#object(this.#at)) this.#at += 1;
    const first = this.#object(this.#at);
    const type = first && typeSpec(first.typeId);
    if (!first || !type) return null;
    const sequence = this.#run(maxObjects(type, true, this.#sizes), true);
    const isSequence = sequence >= LEAST_SEQUENCE;
    const count = isSequence ? sequence : this.#run(maxObjects(type, false, this.#sizes), false);
    const objects = Array.from({ length: count }, (_, index) => this.#object(this.#at + index) ?? first);
    this.#at += count;
    const { cause, originator } = this.#header;
    return encodeAsdu(
      makeAsdu({
        typeId: first.typeId,
        isSequence,
        cause,
        originator,
        commonAddress: first.commonAddress,
        objects: objects.map((object) => presentObject(object, reported(object))),
      }),
      this.#sizes,
    );
  }

  /** The object of this place as the table has it now; undefined for one that is of another type, and behind the last one. */
  #object(at: number): ServedObject | undefined {
    const object = this.#objects[at];
    if (!object || this.#image.objects === this.#began) return object;
    const now = this.#image.object(object.commonAddress, object.address) ?? object;
    return now.typeId === object.typeId ? now : undefined;
  }

  /** How many objects from here on go together; consecutive ones only, or any up to where a sequence begins. */
  #run(most: number, isConsecutive: boolean): number {
    const first = this.#object(this.#at);
    let count = 1;
    while (count < most) {
      const before = this.#object(this.#at + count - 1);
      const next = this.#object(this.#at + count);
      if (!first || !before || !next || next.typeId !== first.typeId || next.commonAddress !== first.commonAddress) break;
      if (isConsecutive && next.address !== before.address + 1) break;
      if (!isConsecutive && this.#object(this.#at + count + 1)?.address === next.address + 1) break;
      count += 1;
    }
    return count;
  }
}

/** A counter that was frozen is reported as it was then. */
function reported({ isCounter, state }: ServedObject): number {
  return isCounter ? (state.frozen ?? state.raw) : state.raw;
}
