import { describe, expect, it } from 'vitest';
import { fileType } from './file-type.ts';

const hex = (octets: string) => Buffer.from(octets.replaceAll(' ', ''), 'hex');
const text = (words: string) => new TextEncoder().encode(words);
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

describe('the type of a file', () => {
  it.each<[string, Uint8Array, string | null]>([
    ['a PNG', hex('89504e47 0d0a1a0a 00'), 'image/png'],
    ['a PNG whose sign is cut', hex('89504e47 0d0a1a'), null],
    ['a JPEG', hex('ffd8ff e0'), 'image/jpeg'],
    ['a WebP', hex('52494646 00000000 57454250'), 'image/webp'],
    ['a RIFF of another kind', hex('52494646 00000000 57415645'), null],
    ['a PDF', text('%PDF-1.7\n\u0000'), 'application/pdf'],
    ['a PDF behind other octets', text('x%PDF-1.7'), 'text/plain'],
    ['a workbook', Buffer.concat([hex('504b0304'), text('…xl/workbook.xml…')]), XLSX],
    ['another archive', Buffer.concat([hex('504b0304'), text('word/document.xml')]), null],
    ['nothing', hex(''), null],
    ['text', text('only words\nand more'), 'text/plain'],
    ['a line with a comma', text('words, and more\nwords'), 'text/plain'],
    ['a table', text('a,b\n1,2'), 'text/csv'],
    ['a table with semicolons', text('a;b\r\n1;2\r\n'), 'text/csv'],
    ['a table with tabs', text('a\tb\n1\t2'), 'text/csv'],
    ['one line alone', text('a,b'), 'text/plain'],
    ['Chinese in GB 18030', hex('b5e7d1b9 0a b5e7c1f7'), 'text/plain'],
    ['tab, line feed, form feed and carriage return', hex('41 09 0a 0c 0d 42'), 'text/plain'],
    ['a control character in text', hex('41 07 42'), null],
    ['a zero in text', hex('41 00 42'), null],
    ['the last control character', hex('41 1f 42'), null],
    ['a blank', hex('20'), 'text/plain'],
  ])('%s', (_, octets, type) => {
    expect(fileType(octets)).toBe(type);
  });

  it('is that of a part of a buffer, and not of what stands around it', () => {
    const whole = Buffer.concat([text('xx'), hex('ffd8ffe0'), text('yy')]);
    expect(fileType(whole.subarray(2, 6))).toBe('image/jpeg');
  });
});
