/**
 * Finds valid RTU frames of both directions in octets that were overheard, by length and CRC alone (MODBUS over Serial Line V1.02, 2.5.1).
 */
import { u8 } from '../../../protocol-kit/bytes.ts';
import { crc16 } from '../../../protocol-kit/crc.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import { answerLength, LEAST_FRAME, MOST_FRAME, requestLength } from '../rtu/lengths.ts';

export interface OverheardFrame {
  readonly start: number;
  /** End of the frame, excluded. */
  readonly end: number;
  readonly unitId: number;
  readonly functionCode: number;
  readonly pdu: Uint8Array;
  readonly direction: 'request' | 'answer';
}

/** All frames, in order; octets between them are noise. An ambiguous frame is an answer when it follows a request to the same unit. */
export function findRtuFrames(octets: Uint8Array): readonly OverheardFrame[] {
  const frames: OverheardFrame[] = [];
  let at = 0;
  while (at + LEAST_FRAME <= octets.length) {
    const frame = frameAt(octets, at, frames.at(-1));
    if (frame) frames.push(frame);
    at = frame ? frame.end : at + 1;
  }
  return frames;
}

function frameAt(octets: Uint8Array, at: number, before: OverheardFrame | undefined): OverheardFrame | null {
  const unitId = u8(octets, at);
  const functionCode = u8(octets, at + 1);
  const isAnswered = before?.direction === 'request' && before.unitId === unitId && before.functionCode === (functionCode & ~EXCEPTION_BIT);
  const lengths = [
    { direction: 'answer', length: answerLength(octets, at, octets.length - at) },
    { direction: 'request', length: requestLength(octets, at, octets.length - at) },
  ] as const;
  for (const { direction, length } of isAnswered ? lengths : lengths.toReversed()) {
    if (length < LEAST_FRAME || length > MOST_FRAME || at + length > octets.length || crc16(octets, at, at + length) !== 0) continue;
    const pdu = octets.subarray(at + 1, at + length - 2);
    return { start: at, end: at + length, unitId, functionCode: functionCode & ~EXCEPTION_BIT, pdu, direction };
  }
  return null;
}
