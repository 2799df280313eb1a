import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseValueTexts, writeValueTexts } from './value-texts.ts';

describe('texts of values', () => {
  it.each([
    ['0=分;1=合', { 0: '分', 1: '合' }],
    [' -1 ： fault ；\n2＝on:off;', { '-1': 'fault', 2: 'on:off' }],
    ['0=', { 0: '' }],
    ['', {}],
  ])('are read from %j', (written, texts) => expect(parseValueTexts(written)).toEqual(texts));

  it.each(['open', '0', 'x=1', '0=a;b', '1.5=half', '0 closed'])('are not read from %j', (written) =>
    expect(parseValueTexts(written)).toBeNull(),
  );

  it('are read again as they were written', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.integer().map(String), fc.string({ maxLength: 20 })), (texts) => {
        const written = writeValueTexts(texts);
        if (written !== null) expect(parseValueTexts(written)).toEqual(texts);
      }),
    ));

  it('that a line could not hold, and no texts, are not written', () => {
    for (const value of [{}, { 0: 'a;b' }, { 0: ' a' }, { x: 'a' }, { 0: 1 }, 'text', null]) expect(writeValueTexts(value)).toBeNull();
  });
});
