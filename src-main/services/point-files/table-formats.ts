import { say } from '#shared/messages/index.ts';
import { decodeCsv, detectDelimiter, parseCsv, writeCsv } from './csv-text.ts';
import { type SheetDraft, type TableFile, TableFileFault, type TableFormat } from './table-file.ts';
import { readWorkbook, writeWorkbook } from './workbook.ts';

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** Compound file, the container of Excel 97 to 2003 and of workbooks with a password ([MS-CFB], 2.2). */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Reads a file by what it holds, whatever its name says. Throws `TableFileFault` for a file that is no table. */
export async function readTable(bytes: Uint8Array): Promise<TableFile> {
  if (bytes.length === 0) throw new TableFileFault('file_empty');
  if (beginsWith(bytes, ZIP)) return { format: 'xlsx', encoding: '', delimiter: '', sheets: await readWorkbook(bytes) };
  if (beginsWith(bytes, COMPOUND)) throw new TableFileFault(isEncrypted(bytes) ? 'file_encrypted' : 'file_old_xls');
  const { text, encoding } = decodeCsv(bytes);
  if (/^\uFEFF?\s*<(\?xml|!doctype|html|table)/i.test(text)) {
    throw new TableFileFault('file_unreadable', { detail: say('table.web_page') });
  }
  const delimiter = detectDelimiter(text);
  return { format: 'csv', encoding, delimiter, sheets: [parseCsv(text, delimiter)] };
}

/** Reads text from the clipboard of a spreadsheet. Throws `TableFileFault` for what is no text. */
export function readPasted(bytes: Uint8Array): TableFile {
  if (bytes.length === 0) throw new TableFileFault('file_empty');
  const { text, encoding } = decodeCsv(bytes);
  return { format: 'csv', encoding, delimiter: '\t', sheets: [parseCsv(text, '\t')] };
}

/** Writes a file; a csv holds the first sheet only. */
export async function writeTable(format: TableFormat, sheets: readonly SheetDraft[]): Promise<Uint8Array> {
  if (format === 'xlsx') return writeWorkbook(sheets);
  const [sheet] = sheets;
  return sheet ? writeCsv(sheet) : new Uint8Array();
}

function beginsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((octet, index) => bytes[index] === octet);
}

/** A workbook with a password is a stream of this name in a compound file ([MS-OFFCRYPTO], 2.3). */
function isEncrypted(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from('EncryptedPackage', 'utf16le'));
}
