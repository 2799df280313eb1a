/**
 * How long an RTU frame is, from its first octets (MODBUS over Serial Line V1.02, 2.5.1; lengths of the PDUs by V1.1b3, 6). Lengths count
 * unit id and CRC.
 */
import { u8, u16 } from '../../../protocol-kit/bytes.ts';
import { bitOctets } from '../codec/checks.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import { MEI_IDENTIFICATION } from '../codec/request.ts';

/** Unit id, function code, CRC. */
export const LEAST_FRAME = 4;
/** Unit id, the longest PDU, CRC. */
export const MOST_FRAME = 256;
/** Octets around the PDU. */
export const FRAME_OVERHEAD = 3;
export const EXCEPTION_FRAME = 5;

/** No frame with this beginning exists; the length is not known before more octets came; the function is not known here. */
export const NO_FRAME = -1;
export const MORE_NEEDED = 0;
export const UNKNOWN_FUNCTION = -2;

const MOST_BYTE_COUNT = 250;

/** Length of the request that begins at `at` with `left` octets present; or one of the three signs above. */
export function requestLength(bytes: Uint8Array, at: number, left: number): number {
  if (left < 2) return MORE_NEEDED;
  switch (u8(bytes, at + 1)) {
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 8:
      return 8;
    case 7:
    case 11:
    case 12:
    case 17:
      return 4;
    case 15:
    case 16:
      return counted(bytes, at, left, 6, 9);
    case 20:
    case 21:
      return counted(bytes, at, left, 2, 5);
    case 22:
      return 10;
    case 23:
      return counted(bytes, at, left, 10, 13);
    case 24:
      return 6;
    case 43:
      if (left < 3) return MORE_NEEDED;
      return u8(bytes, at + 2) === MEI_IDENTIFICATION ? 7 : UNKNOWN_FUNCTION;
    default:
      return u8(bytes, at + 1) === 0 || u8(bytes, at + 1) >= EXCEPTION_BIT ? NO_FRAME : UNKNOWN_FUNCTION;
  }
}

/** Length of the answer that begins at `at` with `left` octets present; or one of the three signs above. */
export function answerLength(bytes: Uint8Array, at: number, left: number): number {
  if (left < 2) return MORE_NEEDED;
  const functionCode = u8(bytes, at + 1);
  if (functionCode > EXCEPTION_BIT) return EXCEPTION_FRAME;
  switch (functionCode) {
    case 1:
    case 2:
    case 12:
    case 17:
    case 20:
    case 21:
      return counted(bytes, at, left, 2, 5);
    case 3:
    case 4:
    case 23: {
      const length = counted(bytes, at, left, 2, 5);
      return length > 0 && (length & 1) === 0 ? NO_FRAME : length;
    }
    case 5:
    case 6:
    case 8:
    case 11:
    case 15:
    case 16:
      return 8;
    case 7:
      return 5;
    case 22:
      return 10;
    case 24:
      if (left < 4) return MORE_NEEDED;
      return u16(bytes, at + 2) <= MOST_BYTE_COUNT ? 6 + u16(bytes, at + 2) : NO_FRAME;
    case 43:
      if (left < 3) return MORE_NEEDED;
      return u8(bytes, at + 2) === MEI_IDENTIFICATION ? identificationLength(bytes, at, left) : UNKNOWN_FUNCTION;
    default:
      return functionCode === 0 || functionCode === EXCEPTION_BIT ? NO_FRAME : UNKNOWN_FUNCTION;
  }
}

/** A byte count at `countAt` behind the start, `fixed` octets beside what it counts. */
function counted(bytes: Uint8Array, at: number, left: number, countAt: number, fixed: number): number {
  if (left <= countAt) return MORE_NEEDED;
  const count = u8(bytes, at + countAt);
  return count === 0 || fixed + count > MOST_FRAME ? NO_FRAME : fixed + count;
}

/** Function 43/14 says how many objects follow, and each object how long it is (V1.1b3, 6.21). */
function identificationLength(bytes: Uint8Array, at: number, left: number): number {
  if (left < 8) return MORE_NEEDED;
  let length = 8;
  for (let objects = u8(bytes, at + 7); objects > 0; objects--) {
    if (left < length + 2) return length + 2 > MOST_FRAME - 2 ? NO_FRAME : MORE_NEEDED;
    length += 2 + u8(bytes, at + length + 1);
  }
  return length + 2 > MOST_FRAME ? NO_FRAME : length + 2;
}

/** Octets of the PDU that answers this request without exception; null where the request does not tell (functions 12, 17, 24 and 43). */
export function answerPduLength(request: Uint8Array): number | null {
  switch (u8(request, 0)) {
    case 1:
    case 2:
      return 2 + bitOctets(u16(request, 3));
    case 3:
    case 4:
    case 23:
      return 2 + 2 * u16(request, 3);
    case 5:
    case 6:
    case 8:
    case 11:
    case 15:
    case 16:
      return 5;
    case 7:
      return 2;
    case 20:
      return 2 + rangesAnswered(request);
    case 21:
      return request.length;
    case 22:
      return 7;
    default:
      return null;
  }
}

/** Octets that Read File Record answers for its ranges. */
function rangesAnswered(request: Uint8Array): number {
  let octets = 0;
  for (let at = 2; at + 7 <= request.length; at += 7) octets += 2 + 2 * u16(request, at + 5);
  return octets;
}
