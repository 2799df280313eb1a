import { expect, it } from 'vitest';
import { toTsv } from './tsv.ts';

it('quotes cells with tabs, lines and quotes, and guards typed text against being run as a formula', () => {
  const text = toTsv(
    ['Code', 'Value'],
    [
      [{ text: '=1+1', isFreeText: true }, { text: '-5' }],
      [{ text: 'a\tb "c"', isFreeText: true }, { text: '007' }],
    ],
  );
  expect(text).toBe('Code\tValue\r\n\'=1+1\t-5\r\n"a\tb ""c"""\t007');
});
