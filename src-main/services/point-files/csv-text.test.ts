import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCsv, detectDelimiter, guard, parseCsv, unguard, writeCsv } from './csv-text.ts';
import { TableFileFault } from './table-file.ts';

/** 测点编码,电压 in GBK. */
const GBK = Uint8Array.from([0xb2, 0xe2, 0xb5, 0xe3, 0xb1, 0xe0, 0xc2, 0xeb, 0x2c, 0xb5, 0xe7, 0xd1, 0xb9]);
const faultOf = (action: () => unknown) => {
  try {
    action();
  } catch (error) {
    return error instanceof TableFileFault ? { rule: error.rule, params: error.params } : error;
  }
  return null;
};

describe('encoding of a csv', () => {
  it.each([
    ['UTF-8', new TextEncoder().encode('测点编码,电压'), 'utf-8'],
    ['UTF-8 with its mark', new TextEncoder().encode('\uFEFF测点编码,电压'), 'utf-8'],
    ['GBK', GBK, 'gb18030'],
    ['UTF-16 as a spreadsheet saves "Unicode text"', Buffer.from('\uFEFF测点编码,电压', 'utf16le'), 'utf-16le'],
    ['UTF-16 big end first', Buffer.from('\uFEFF测点编码,电压', 'utf16le').swap16(), 'utf-16be'],
  ])('%s', (_name, bytes, encoding) => {
    const decoded = decodeCsv(bytes);
    expect(decoded.encoding).toBe(encoding);
    expect(decoded.text.replace('\uFEFF', '')).toBe('测点编码,电压');
  });

  it.each([
    ['a letter beyond ASCII here and there', 'Zähler;Öl;Größe;Lüfter'],
    ['one that begins with half of a mark of UTF-16', 'ÿ1;2'],
    ['one that begins with the other half', 'þ1;2'],
    ['one that has half of a mark behind its first letter', 'aþ;2'],
    ['one that has the other half there', 'aÿ;2'],
  ])('Windows-1252: %s', (_, text) => {
    expect(decodeCsv(Buffer.from(text, 'latin1'))).toEqual({ encoding: 'windows-1252', text });
  });

  it('GBK whose pairs may end in ASCII', () => {
    expect(decodeCsv(Uint8Array.from([...GBK, 0x2c, 0xe9, 0x46]))).toEqual({ encoding: 'gb18030', text: '测点编码,电压,镕' });
  });

  it('octets of no encoding, and a file that is no text, are told', () => {
    expect(faultOf(() => decodeCsv(Uint8Array.from([0x41, 0xff, 0xff, 0x20, 0x80])))).toMatchObject({ rule: 'file_encoding' });
    expect(faultOf(() => decodeCsv(Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 1])))).toMatchObject({
      rule: 'file_unreadable',
      params: { detail: { code: 'table.no_text' } },
    });
  });
});

describe('delimiter', () => {
  it.each([
    ['a,b,c\n1,2,3', ','],
    ['a;b;c\n1,5;2;3', ';'],
    ['a\tb\tc\n1\t2\t3', '\t'],
    ['"x;y;z",b\n1,2', ','],
    ['"x ""y;z"" ;",b\n1,2', ','],
    ['"x\n;;;\ny",b\n1,2', ','],
    ['\n  \na;b,c;d\n1;2;3', ';'],
    ['A title, of a list\na;b;c', ';'],
    ['', ','],
    ['one column', ','],
  ])('of %j', (text, delimiter) => {
    expect(detectDelimiter(text)).toBe(delimiter);
  });
});

describe('rows of a csv', () => {
  it('keep leading zeros, quotes, line breaks inside a field, ragged rows and empty lines', () => {
    expect(parseCsv('\uFEFFa,b\r\n007,"x ""y""\r\nz"\r\n\r\nlonely\r\n1,2,3,4\r\n', ',').rows).toEqual([
      ['a', 'b'],
      ['007', 'x "y"\r\nz'],
      [null],
      ['lonely'],
      ['1', '2', '3', '4'],
    ]);
  });

  it.each([
    ['never ends', 2, 'a,b\n1,"open\n2,3\n4,5\n', 'table.quote_open'],
    ['never ends, in the first line', 1, '"a,b\n1,2\n', 'table.quote_open'],
    ['never ends, below fields and rows of more lines', 5, 'a,b\r\n1,"x\r\ny"\r\n\r\n2,"open\r\n3,4\r\n', 'table.quote_open'],
    ['ends inside a field', 2, 'a,b\n1,"x"y\n', 'table.quote_inside'],
    ['ends where the next one should begin', 3, 'a,b\n1,2\n3,"open\n4,5\n6,"z"\n', 'table.quote_inside'],
  ])('a quote that %s is told with the line in which its row begins', (_, line, text, code) => {
    expect(faultOf(() => parseCsv(text, ','))).toMatchObject({ rule: 'csv_broken', params: { line, detail: { code } } });
  });

  it('are written for every spreadsheet: mark, CRLF, quotes only where needed', () => {
    const bytes = writeCsv({
      name: '',
      header: ['编码', 'n'],
      rows: [
        ['a,b', 0.5],
        ['"q"', null],
        [' x', -1],
        ['a b', 0],
        ['x ', 1],
        ['=1', 2],
        ['a\0b', 3],
      ],
      choices: {},
      textColumns: [],
      isTable: true,
    });
    expect(Buffer.from(bytes).toString('utf8')).toBe(
      '\uFEFF编码,n\r\n"a,b",0.5\r\n"""q""",\r\n" x",-1\r\na b,0\r\n"x ",1\r\n\'=1,2\r\nab,3\r\n',
    );
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });
});

describe('guard against formulas', () => {
  it.each(['=1+1', '+86', '-5', '@SUM(A1)', '\t=1', '＝1+1', '＠x'])('%j does not begin a formula any more', (text) => {
    expect(guard(text)).toBe(`'${text}`);
  });

  it.each(['电压', '5-', 'a=b', "'quoted'", '', '0x10'])('%j stays', (text) => {
    expect(guard(text)).toBe(text);
  });

  it('numbers are no texts: a negative limit stays a number', () => {
    const bytes = writeCsv({ name: '', header: ['n'], rows: [[-5]], choices: {}, textColumns: [], isTable: true });
    expect(Buffer.from(bytes).toString('utf8')).toContain('\r\n-5\r\n');
  });

  it('is taken off exactly', () => {
    const near = fc.stringMatching(/^['=+\-@＝a]{0,6}$/);
    fc.assert(fc.property(fc.oneof(near, fc.string()), (text) => unguard(guard(text)) === text));
    fc.assert(fc.property(near, (text) => !/^[=+\-@＝]/.test(guard(text))));
  });
});
