/** Many good numbers out of the octets of one answer, for protocols that answer blocks of memory. */
import type { PointReading, PointValue } from './readings.ts';

/** How the octets of one point are read; prepared once for the life of a plan. */
export interface OctetDecoder {
  /** Octets it takes. */
  readonly size: number;
  /** The number of the device; a bigint for an integer beyond 2^53; null where a number does not say it all, and `value` has to be asked. */
  readonly read: (octets: Uint8Array, at: number) => number | bigint | null;
  /** As a reading, made of these octets. */
  value(octets: Uint8Array, at: number): PointValue;
}

/** A point in an answer: `offset` addresses behind its first one. */
export interface OctetItem {
  readonly offset: number;
  readonly decoder: OctetDecoder;
}

/**
 * Readings that are nothing but numbers out of octets, without a time, flags or words of the device. Whoever walks over them gets readings like any
 * other; the table takes the numbers alone, because an object for each of 125 registers costs more than decoding them.
 */
export class OctetReadings implements Iterable<PointReading> {
  /** The points of the items, one each. */
  readonly pointId: readonly number[];
  readonly items: readonly OctetItem[];
  /** They stay as they are. */
  readonly octets: Uint8Array;
  /** Octets of one address. */
  readonly stride: number;

  constructor(pointId: readonly number[], items: readonly OctetItem[], octets: Uint8Array, stride: number) {
    this.pointId = pointId;
    this.items = items;
    this.octets = octets;
    this.stride = stride;
  }

  get length(): number {
    return this.items.length;
  }

  *[Symbol.iterator](): Generator<PointValue> {
    for (const { decoder, offset } of this.items) yield decoder.value(this.octets, offset * this.stride);
  }
}
