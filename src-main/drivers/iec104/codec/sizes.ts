import { expectRange } from './checks.ts';

/** Octets of the fields whose size 104 fixes and devices in the field vary (IEC 60870-5-101, 7.1; IEC 60870-5-104, 8). */
export interface AsduSizes {
  /** Cause of transmission; with 2 the second octet is the originator address. */
  readonly cause: 1 | 2;
  readonly commonAddress: 1 | 2;
  readonly objectAddress: 1 | 2 | 3;
}

/** The sizes of IEC 60870-5-104: cause 2 with originator, common address 2, object address 3. */
export const STANDARD_SIZES: AsduSizes = { cause: 2, commonAddress: 2, objectAddress: 3 };

/** Longest ASDU of an APDU (IEC 60870-5-104, 5). */
export const MAX_ASDU_LENGTH = 249;

/** Octets of type, variable structure qualifier, cause and common address. */
export function headerLength(sizes: AsduSizes): number {
  return 2 + sizes.cause + sizes.commonAddress;
}

/** The common address of all stations: 65535, or 255 with one octet (IEC 60870-5-101, 7.2.4). */
export function broadcastAddress(sizes: AsduSizes): number {
  return sizes.commonAddress === 1 ? 0xff : 0xffff;
}

/** The highest object address of these sizes. */
export function maxObjectAddress(sizes: AsduSizes): number {
  return 2 ** (8 * sizes.objectAddress) - 1;
}

/** Throws PROTOCOL_MALFORMED for an object address that does not fit the size. */
export function expectObjectAddress(address: number, sizes: AsduSizes): void {
  expectRange('object address', address, 0, maxObjectAddress(sizes));
}
