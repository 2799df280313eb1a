/** Protocols told by the first octets they send. */
import type { ForeignProtocol } from '#shared/domain/doctor.ts';
import { u8, u16 } from './bytes.ts';
import { crc16 } from './crc.ts';

/** Octets that a protocol's own text begins with. */
const TEXT_STARTS: readonly (readonly [string, ForeignProtocol])[] = [
  ['HTTP/', 'http'],
  ['<!DOCTYPE', 'http'],
  ['<html', 'http'],
  ['SSH-', 'ssh'],
];
const DLT645_FRAME = 12;
/** Length of the shortest and of the longest frame of Modbus RTU (MODBUS over Serial Line V1.02, 2.5.1). */
const RTU_FRAME = { least: 4, most: 256 };

/** What the octets are, Modbus by its binary framings left out; null where nothing is recognised. */
export function recogniseStart(octets: Uint8Array): ForeignProtocol | null {
  const text = asciiOf(octets);
  for (const [start, protocol] of TEXT_STARTS) if (text.toLowerCase().startsWith(start.toLowerCase())) return protocol;
  if (/^:[0-9A-F]{6,}\r?\n?/.test(text)) return 'modbus-ascii';
  if (isTls(octets)) return 'tls';
  if (isDlt645(octets)) return 'dlt645';
  if (u8(octets, 0) === 0x68 && u8(octets, 1) >= 4 && u8(octets, 1) + 2 <= octets.length) return 'iec104';
  if (u8(octets, 0) === 3 && u8(octets, 1) === 0 && u16(octets, 2) >= 7 && u16(octets, 2) === octets.length) return 'tpkt';
  return octets.length >= 4 && /^[\t\r\n\x20-\x7e]*$/.test(text) ? 'text' : null;
}

/** Modbus in either binary framing, by the first frame alone; null where the octets begin with none. */
export function recogniseModbus(octets: Uint8Array): 'modbus-rtu' | 'modbus-tcp' | null {
  if (octets.length >= 8 && u16(octets, 2) === 0 && u16(octets, 4) >= 2 && u16(octets, 4) + 6 <= octets.length) return 'modbus-tcp';
  for (let end = RTU_FRAME.least; end <= Math.min(octets.length, RTU_FRAME.most); end++) {
    if (crc16(octets, 0, end) === 0 && u8(octets, 0) !== 0) return 'modbus-rtu';
  }
  return null;
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
