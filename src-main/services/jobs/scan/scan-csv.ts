import type { ScannedPlace, ScanValues } from './scan-values.ts';

const COLUMNS = [
  'function',
  'address',
  'address_hex',
  'hex',
  'uint16',
  'int16',
  'uint32_ABCD',
  'uint32_CDAB',
  'float32_ABCD',
  'float32_CDAB',
  'binary',
] as const;
const BOM = '\uFEFF';

const scratch = new DataView(new ArrayBuffer(4));

/** Four upper-case hex digits. */
export function hex16(value: number): string {
  return value.toString(16).toUpperCase().padStart(4, '0');
}

/** The values of a scan as csv: UTF-8 with BOM, CRLF, one line an address with the numbers that may begin there. */
export function scanCsv(values: ScanValues): Uint8Array {
  const lines = values.all().map((place) => cells(place, values).join(','));
  return new TextEncoder().encode(`${BOM}${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`);
}

function cells({ scanned, address, value }: ScannedPlace, values: ScanValues): (string | number)[] {
  const place = [scanned.code, address, `0x${hex16(address)}`];
  if (scanned.isBit) return [...place, value, value, '', '', '', '', '', value];
  const next = values.at(scanned.code, address + 1);
  const pair = next === undefined ? ['', '', '', ''] : pairs(value, next);
  return [...place, hex16(value), value, (value << 16) >> 16, ...pair, value.toString(2).padStart(16, '0')];
}

/** The register with its neighbour as unsigned number and as float, high word first and low word first. */
function pairs(first: number, second: number): (string | number)[] {
  const abcd = ((first << 16) | second) >>> 0;
  const cdab = ((second << 16) | first) >>> 0;
  return [abcd, cdab, floatText(abcd), floatText(cdab)];
}

function floatText(bits: number): string {
  scratch.setUint32(0, bits);
  const value = scratch.getFloat32(0);
  return Number.isFinite(value) ? String(Number(value.toPrecision(7))) : String(value);
}
