/** Data of interrogations and scans: the present values of many objects, as few ASDUs as they fit into. */
import { encodeAsdu } from '../codec/asdu.ts';
import { makeAsdu } from '../codec/make.ts';
import type { AsduSizes } from '../codec/sizes.ts';
import { maxObjects, typeSpec } from '../codec/types.ts';
import { presentObject, type ServedObject } from './station-values.ts';

export interface ScanHeader {
  readonly cause: number;
  readonly originator: number;
}

/** So many consecutive addresses make a sequence (SQ 1) shorter than single objects. */
const LEAST_SEQUENCE = 2;

/** Walks over objects that are ordered by station, type and address; values are those of the moment in which an ASDU is made. */
export class StationScan {
  readonly #objects: readonly ServedObject[];
  readonly #header: ScanHeader;
  readonly #sizes: AsduSizes;
  #at = 0;

  constructor(objects: readonly ServedObject[], header: ScanHeader, sizes: AsduSizes) {
    this.#objects = objects;
    this.#header = header;
    this.#sizes = sizes;
  }

  /** The next ASDU; null behind the last one. */
  next(): Uint8Array | null {
    const first = this.#objects[this.#at];
    const type = first && typeSpec(first.typeId);
    if (!first || !type) return null;
    const sequence = this.#run(maxObjects(type, true, this.#sizes), true);
    const isSequence = sequence >= LEAST_SEQUENCE;
    const count = isSequence ? sequence : this.#run(maxObjects(type, false, this.#sizes), false);
    const objects = this.#objects.slice(this.#at, this.#at + count);
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

  /** How many objects from here on go together; consecutive ones only, or any up to where a sequence begins. */
  #run(most: number, isConsecutive: boolean): number {
    const first = this.#objects[this.#at];
    let count = 1;
    while (count < most) {
      const before = this.#objects[this.#at + count - 1];
      const next = this.#objects[this.#at + count];
      if (!first || !before || !next || next.typeId !== first.typeId || next.commonAddress !== first.commonAddress) break;
      if (isConsecutive && next.address !== before.address + 1) break;
      if (!isConsecutive && this.#objects[this.#at + count + 1]?.address === next.address + 1) break;
      count += 1;
    }
    return count;
  }
}

/** A counter that was frozen is reported as it was then. */
function reported({ isCounter, state }: ServedObject): number {
  return isCounter ? (state.frozen ?? state.raw) : state.raw;
}
