import type { InfoObject } from './objects.ts';
import type { TimeTag } from './time-tags.ts';

/** Values of the objects of one ASDU in their order, without an object for each. */
export interface ElementColumns {
  readonly value: Float64Array;
  /** In the places of QDS, whatever the type: see quality.ts. */
  readonly quality: Uint8Array;
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
  /** Reads only value and quality of `count` elements, the first at `at` and each `stride` octets behind the one before; null for types that carry no point value. */
  readonly read: ((octets: Uint8Array, at: number, stride: number, count: number, into: ElementColumns) => void) | null;
}
