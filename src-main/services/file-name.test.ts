import { describe, expect, it } from 'vitest';
import { quoted } from '#shared/messages/index.ts';
import { fileName, ownId } from './file-name.ts';

describe('a name as the beginning of a file name', () => {
  it.each([
    ['PCS 1', 'PCS 1'],
    ['1号站/PCS:2', '1号站_PCS_2'],
    ['a<>|?*b', 'a_b'],
    ['..\\..\\etc', '.._.._etc'],
    ['  blanks  ', 'blanks'],
    ['   ', 'check'],
    ['', 'check'],
    ['x'.repeat(100), 'x'.repeat(80)],
  ])('%j is %j', (name, file) => {
    expect(fileName(name, 'check')).toBe(file);
  });
});

describe("the id of something of one's own", () => {
  const refusal = quoted('needs a letter');

  it.each([
    ['Meter DL/T 645', 'own-meter-dl-t-645'],
    ['电表 7', 'own-电表-7'],
    ['Ｍｅｔｅｒ', 'own-meter'],
    ['x'.repeat(100), `own-${'x'.repeat(60)}`],
    // a letter of two halves is not cut in the middle
    [`${'x'.repeat(59)}\u{20000}`, `own-${'x'.repeat(59)}`],
  ])('%s is %s', (name, id) => {
    expect(ownId(name, [], refusal)).toBe(id);
  });

  it('is that of the one with this name, and no other one has it', () => {
    const kept = [
      { id: 'own-a', name: 'A' },
      { id: 'own-a-2', name: 'a!' },
    ];
    expect([ownId('A', kept, refusal), ownId('a!', kept, refusal), ownId('a', kept, refusal)]).toEqual(['own-a', 'own-a-2', 'own-a-3']);
  });

  it.each(['', '---', '…'])('of %j is refused: nothing of it is left', (name) => {
    expect(() => ownId(name, [], refusal)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', said: refusal }));
  });
});
