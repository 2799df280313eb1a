import { expect, it } from 'vitest';
import { crc16 } from './crc.ts';

it('has the check value of CRC-16/MODBUS', () => {
  expect(crc16(new TextEncoder().encode('123456789'))).toBe(0x4b37);
});

it('is 0 over a frame with its CRC, low octet first', () => {
  const frame = Uint8Array.of(0x02, 0x07, 0x41, 0x12);
  expect(crc16(frame, 0, 2)).toBe(0x1241);
  expect(crc16(frame)).toBe(0);
});
