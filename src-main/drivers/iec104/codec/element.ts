import type { InfoObject } from './objects.ts';
import type { TimeTag } from './time-tags.ts';

/** Where the low-allocation reading of a point value puts its result. */
export interface ElementTarget {
  value: number;
  /** In the places of QDS, whatever the type: see quality.ts. */
  quality: number;
}

/** Codec of the elements of one kind, without object address and time tag. Lengths are checked before any of these is called. */
export interface ElementCodec<T extends InfoObject = InfoObject> {
  readonly kind: T['kind'];
  /** Octets of the elements, without time tag. */
  readonly length: number;
  /** Reads the elements at `at`; reserved bits are dropped. */
  decode(octets: Uint8Array, at: number, address: number, time: TimeTag | null): T;
  /** Writes the elements at `at`. Throws PROTOCOL_MALFORMED for a number that its field cannot hold. */
  encode(object: T, octets: Uint8Array, at: number): void;
  /** Reads only value and quality, without making an object; null for types that carry no point value. */
  readonly read: ((octets: Uint8Array, at: number, target: ElementTarget) => void) | null;
}
