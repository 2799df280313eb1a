/** Protocols that are no Modbus of the expected framing, told by the first octets they send. */
import type { ForeignProtocol } from '#shared/domain/doctor.ts';
import { u8, u16 } from '../../../protocol-kit/bytes.ts';
import { recogniseStart } from '../../../protocol-kit/foreign.ts';
import { LENGTH_FIELD } from '../link/mbap.ts';
import { findRtuFrames } from './rtu-frames.ts';

/** Frames of Modbus TCP that stand back to back at the beginning: unit id and whether the exception bit is set. */
export interface MbapFrame {
  readonly end: number;
  readonly unitId: number;
}

/** Frames by their MBAP header from the first octet on, as far as they go. */
export function findMbapFrames(octets: Uint8Array): readonly MbapFrame[] {
  const frames: MbapFrame[] = [];
  let at = 0;
  while (octets.length - at >= 8 && u16(octets, at + 2) === 0) {
    const length = u16(octets, at + 4);
    const end = at + 6 + length;
    if (length < LENGTH_FIELD.least || length > LENGTH_FIELD.most || end > octets.length || u8(octets, at + 7) === 0) break;
    frames.push({ end, unitId: u8(octets, at + 6) });
    at = end;
  }
  return frames;
}

/** What the octets are when they are no frames of `own`; null where nothing is recognised. */
export function recogniseForeign(octets: Uint8Array, own: 'modbus-rtu' | 'modbus-tcp' | 'modbus-ascii'): ForeignProtocol | null {
  if (own !== 'modbus-rtu' && findRtuFrames(octets).length > 0) return 'modbus-rtu';
  if (own !== 'modbus-tcp' && findMbapFrames(octets).length > 0) return 'modbus-tcp';
  return recogniseStart(octets);
}
