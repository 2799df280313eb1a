/**
 * Finds valid RTU frames of both directions in octets that were overheard, by length and CRC alone (MODBUS over Serial Line V1.02, 2.5.1).
 */
import { u8 } from '../../../protocol-kit/bytes.ts';
import { crc16 } from '../../../protocol-kit/crc.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import { MEI_IDENTIFICATION } from '../codec/request.ts';

export interface OverheardFrame {
  readonly start: number;
  /** End of the frame, excluded. */
  readonly end: number;
  readonly unitId: number;
  readonly functionCode: number;
  readonly direction: 'request' | 'answer';
}

/** Unit id, function code and CRC; the longest frame. */
const LEAST = 4;
const MOST = 256;

/** All frames, in order; octets between them are noise. An ambiguous frame is an answer when it follows a request to the same unit. */
export function findRtuFrames(octets: Uint8Array): readonly OverheardFrame[] {
  const frames: OverheardFrame[] = [];
  let at = 0;
  while (at + LEAST <= octets.length) {
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
    { direction: 'answer', length: answerLength(octets, at) },
    { direction: 'request', length: requestLength(octets, at) },
  ] as const;
  for (const { direction, length } of isAnswered ? lengths : lengths.toReversed()) {
    if (length < LEAST || length > MOST || at + length > octets.length || crc16(octets, at, at + length) !== 0) continue;
    return { start: at, end: at + length, unitId, functionCode: functionCode & ~EXCEPTION_BIT, direction };
  }
  return null;
}

/** Length of the request that begins at `at`; 0 for a function that is not known. */
function requestLength(octets: Uint8Array, at: number): number {
  switch (u8(octets, at + 1)) {
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
      return 8;
    case 15:
    case 16:
      return 9 + u8(octets, at + 6);
    case 22:
      return 10;
    case 23:
      return 13 + u8(octets, at + 10);
    case 43:
      return 7;
    default:
      return 0;
  }
}

/** Length of the answer that begins at `at`; 0 for a function that is not known. */
function answerLength(octets: Uint8Array, at: number): number {
  const functionCode = u8(octets, at + 1);
  if ((functionCode & EXCEPTION_BIT) !== 0) return 5;
  switch (functionCode) {
    case 1:
    case 2:
    case 3:
    case 4:
    case 23:
      return 5 + u8(octets, at + 2);
    case 5:
    case 6:
    case 15:
    case 16:
      return 8;
    case 22:
      return 10;
    case 43:
      return u8(octets, at + 2) === MEI_IDENTIFICATION ? identificationLength(octets, at) : 0;
    default:
      return 0;
  }
}

function identificationLength(octets: Uint8Array, at: number): number {
  let end = at + 8;
  for (let left = u8(octets, at + 7); left > 0 && end - at <= MOST; left--) end += 2 + u8(octets, end + 1);
  return end - at + 2;
}

/** Wraps a PDU as an RTU frame. */
export function rtuFrame(unitId: number, pdu: Uint8Array): Uint8Array {
  const frame = new Uint8Array(pdu.length + 3);
  frame[0] = unitId;
  frame.set(pdu, 1);
  const crc = crc16(frame, 0, frame.length - 2);
  frame[frame.length - 2] = crc & 0xff;
  frame[frame.length - 1] = crc >>> 8;
  return frame;
}
