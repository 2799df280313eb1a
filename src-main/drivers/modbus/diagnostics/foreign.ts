/** Protocols that are no Modbus of the expected framing, told by the first octets they send. */
import type { ForeignProtocol } from '#shared/domain/doctor.ts';
import { u8, u16 } from '../../../protocol-kit/bytes.ts';
import { LENGTH_FIELD } from '../mbap.ts';
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

/** Octets that a protocol's own text begins with. */
const TEXT_STARTS: readonly (readonly [string, ForeignProtocol])[] = [
  ['HTTP/', 'http'],
  ['<!DOCTYPE', 'http'],
  ['<html', 'http'],
  ['SSH-', 'ssh'],
];
const DLT645_FRAME = 12;

/** What the octets are when they are no frames of `own`; null where nothing is recognised. */
export function recogniseForeign(octets: Uint8Array, own: 'modbus-rtu' | 'modbus-tcp'): ForeignProtocol | null {
  if (own === 'modbus-tcp' && findRtuFrames(octets).length > 0) return 'modbus-rtu';
  if (own === 'modbus-rtu' && findMbapFrames(octets).length > 0) return 'modbus-tcp';
  const text = asciiOf(octets);
  for (const [start, protocol] of TEXT_STARTS) if (text.toLowerCase().startsWith(start.toLowerCase())) return protocol;
  if (/^:[0-9A-F]{6,}\r?\n?/.test(text)) return 'modbus-ascii';
  if (isTls(octets)) return 'tls';
  if (isDlt645(octets)) return 'dlt645';
  if (u8(octets, 0) === 0x68 && u8(octets, 1) >= 4 && u8(octets, 1) + 2 <= octets.length) return 'iec104';
  if (u8(octets, 0) === 3 && u8(octets, 1) === 0 && u16(octets, 2) >= 7 && u16(octets, 2) === octets.length) return 'tpkt';
  return octets.length >= 4 && /^[\t\r\n\x20-\x7e]*$/.test(text) ? 'text' : null;
}

function asciiOf(octets: Uint8Array): string {
  return String.fromCharCode(...octets.subarray(0, 512));
}

/** Alert, handshake and data records of TLS 1.0 to 1.3. */
function isTls(octets: Uint8Array): boolean {
  return octets.length >= 5 && u8(octets, 0) >= 0x14 && u8(octets, 0) <= 0x17 && u8(octets, 1) === 3 && u8(octets, 2) <= 4;
}

/** DL/T 645: preambles FE, then 68, six octets of address, 68, …, 16 (DL/T 645-2007, 5.2). */
function isDlt645(octets: Uint8Array): boolean {
  let at = 0;
  while (u8(octets, at) === 0xfe) at++;
  if (octets.length - at < DLT645_FRAME || u8(octets, at) !== 0x68 || u8(octets, at + 7) !== 0x68) return false;
  return u8(octets, at + 11 + u8(octets, at + 9)) === 0x16;
}
