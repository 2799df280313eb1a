/** Finds valid ASCII frames of both directions in characters that were overheard (MODBUS over Serial Line V1.02, 2.5.2). */
import { u8 } from '../../../protocol-kit/bytes.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import { AsciiFramer } from '../rtu/ascii.ts';
import type { OverheardFrame } from './rtu-frames.ts';

/** All frames, in order; octets between them are noise. */
export function findAsciiFrames(octets: Uint8Array): readonly OverheardFrame[] {
  return new AsciiFramer('answer').push(octets).flatMap((item) => {
    if (item.kind === 'fault') return [];
    const { at, bytes, unitId, pdu, side } = item;
    return [{ start: at, end: at + bytes.length, unitId, functionCode: u8(pdu, 0) & ~EXCEPTION_BIT, pdu, direction: side }];
  });
}
