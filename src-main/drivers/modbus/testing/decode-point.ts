import type { PointConfig, PointValue } from '../../spi/index.ts';
import { compileDecoder } from '../values.ts';

/** The reading of a point out of its own octets: two a register as they arrived, or one octet 0 or 1 for a coil or discrete input. */
export function decodePoint(point: PointConfig, octets: Uint8Array): PointValue {
  return compileDecoder(point).value(octets, 0);
}
