import { expect, it } from 'vitest';
import { toCsv, toTsv } from './tsv.ts';

it('quotes cells with tabs, lines and quotes', () => {
  expect(toTsv(['Code', 'Value'], [['a\tb "c"', '007']])).toBe('Code\tValue\r\n"a\tb ""c"""\t007');
  expect(toTsv(null, [['a', 'b']])).toBe('a\tb');
});

it('guards every text against being run as a formula, names of columns too', () => {
  for (const text of ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '-', '-5 °C', '+1+1', '-1e']) {
    expect(toTsv([text], [[text]])).toBe(`'${text}\r\n'${text}`);
  }
  expect(toTsv(null, [['\t=1', '\r=1']])).toBe('"\'\t=1"\t"\'\r=1"');
});

it('leaves numbers as they are', () => {
  const numbers = ['-5', '+5', '-0.25', '-1,5', '-1.5e-7', '-.5', '-12,345.6', '7', ''];
  expect(toTsv(null, [numbers])).toBe(numbers.join('\t'));
});

it('writes a file that spreadsheets open as UTF-8, with the same guard', () => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    toCsv(
      ['编码', 'Value'],
      [
        ['a,b', '=1+1'],
        ['c\td', '-1.5'],
      ],
    ),
  );
  expect(text).toBe('\uFEFF编码,Value\r\n"a,b",\'=1+1\r\nc\td,-1.5\r\n');
});
