/** First digit of the classic Modbus reference for a function code: coils 0, discrete inputs 1, input registers 3, holding registers 4. */
function referenceDigit(funcCode: number): number | null {
  if (funcCode === 1 || funcCode === 5 || funcCode === 15) return 0;
  if (funcCode === 2) return 1;
  if (funcCode === 4) return 3;
  if (funcCode === 3 || funcCode === 6 || funcCode === 16 || funcCode === 22) return 4;
  return null;
}

/** Address as hexadecimal: four digits, eight beyond 16 bits: `0x001F`, `0x02010100`. */
export function formatHex(address: number): string {
  return `0x${address
    .toString(16)
    .toUpperCase()
    .padStart(address > 0xffff ? 8 : 4, '0')}`;
}

/**
 * The classic reference of a wire address (MODBUS Application Protocol V1.1b3, 4.4: data are numbered from 1), five digits up to
 * 9999 and six beyond: wire address 0 under function 3 is `40001`. Null where the function has none or the address is no wire address.
 */
export function modbusReference(wireAddress: number, funcCode: number | null): string | null {
  const digit = funcCode === null ? null : referenceDigit(funcCode);
  if (digit === null || wireAddress < 0 || wireAddress > 65_535) return null;
  const ordinal = wireAddress + 1;
  return `${digit}${String(ordinal).padStart(ordinal > 9999 ? 5 : 4, '0')}`;
}

/** Reads an address as people write it, decimal or `0x` hexadecimal; null when it is neither. */
export function parseAddress(text: string): number | null {
  const trimmed = text.trim();
  if (/^0x[0-9a-f]{1,8}$/i.test(trimmed)) return Number.parseInt(trimmed, 16);
  if (/^\d{1,10}$/.test(trimmed)) return Number(trimmed);
  return null;
}
