/** CRC-16 of Modbus RTU: polynomial 0xA001 (reflected 0x8005), start 0xFFFF; sent low octet first (MODBUS over Serial Line V1.02, 6.2.2). */

const TABLE = Uint16Array.from({ length: 256 }, (_, octet) => {
  let crc = octet;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  return crc;
});

/** CRC of the octets from `start` to `end`, end excluded. Over a frame with its own CRC it is 0. */
export function crc16(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = CRC16_START;
  for (let at = start; at < end; at++) crc = crc16Next(crc, bytes[at] ?? 0);
  return crc;
}

/** The register before the first octet. */
export const CRC16_START = 0xffff;

/** The register after one more octet. */
export function crc16Next(crc: number, octet: number): number {
  return (crc >>> 8) ^ (TABLE[(crc ^ octet) & 0xff] ?? 0);
}
