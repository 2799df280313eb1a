import type { CheckFileType } from '#shared/domain/check.ts';
import { decodeCsv, detectDelimiter } from '../point-files/csv-text.ts';
import { TableFileFault } from '../point-files/table-file.ts';

/** What a file of one of these types begins with: octets at a place. */
const BEGINNINGS: readonly (readonly [type: CheckFileType, ...signs: readonly (readonly [at: number, octets: string])[]])[] = [
  ['image/png', [0, '89504e470d0a1a0a']],
  ['image/jpeg', [0, 'ffd8ff']],
  ['image/webp', [0, '52494646'], [8, '57454250']],
  ['application/pdf', [0, '255044462d']],
];
/** Tab, line feed, form feed, carriage return. */
const BREAKS = new Set([0x09, 0x0a, 0x0c, 0x0d]);
/** Characters in which the first two lines of a table end. */
const LONGEST_LINES = 64 * 1024;
const ZIP = '504b0304';
/** Name of the part that makes an archive a workbook, as it stands in its directory. */
const WORKBOOK_PART = Buffer.from('xl/workbook.xml');

/** The type of a file by its content; null for one that no session takes. The name is not asked: it says what somebody likes. */
export function fileType(octets: Uint8Array): CheckFileType | null {
  const bytes = Buffer.from(octets.buffer, octets.byteOffset, octets.length);
  const begins = (hex: string, at: number) => bytes.subarray(at, at + hex.length / 2).toString('hex') === hex;
  const found = BEGINNINGS.find(([, ...signs]) => signs.every(([at, hex]) => begins(hex, at)));
  if (found) return found[0];
  if (begins(ZIP, 0)) return bytes.includes(WORKBOOK_PART) ? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' : null;
  return textType(bytes);
}

/** Text is UTF-8 or GB 18030 without control characters; a table where its first two lines have the same delimiter. */
function textType(bytes: Buffer): CheckFileType | null {
  if (bytes.length === 0 || bytes.some((octet) => octet < 0x20 && !BREAKS.has(octet))) return null;
  try {
    const { text } = decodeCsv(bytes);
    const [first = '', second = ''] = text.slice(0, LONGEST_LINES).split(/\r\n|\n|\r/, 2);
    const delimiter = detectDelimiter(`${first}\n${second}`);
    return first.includes(delimiter) && second.includes(delimiter) ? 'text/csv' : 'text/plain';
  } catch (thrown) {
    if (thrown instanceof TableFileFault) return null;
    throw thrown;
  }
}
