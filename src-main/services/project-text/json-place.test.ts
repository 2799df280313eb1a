import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPlace, namesTwice, nameTwice } from './json-place.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the place where a text stops being JSON', () => {
  it.each([
    ['', 1, 1],
    ['{\n  "a": 1,\n}', 3, 1],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['[1, 2', 1, 6],
    ['["\u7535\u538b", tru]', 1, 8],
    ['{"a" 1}', 1, 6],
    ["{'a': 1}", 1, 2],
    ['["a\nb"]', 1, 4],
    ['["\\x"]', 1, 3],
    ['{} {}', 1, 4],
    ['[1}', 1, 3],
    ['[01]', 1, 3],
  ])('of %j is line %i, column %i', (text, line, column) => {
    expect(jsonPlace(text)).toEqual({ line, column });
  });

  it('is found exactly where the parser refuses, in texts of values with a character more, less or other', () => {
    const signs = fc.constantFrom(...'{}[],:"\\ \n\t01-+.eEtrufalsn\u0001\u7535');
    const edit = fc.record({ at: fc.nat(), cut: fc.integer({ min: 0, max: 2 }), put: fc.array(signs, { maxLength: 2 }) });
    fc.assert(
      fc.property(fc.json(), fc.array(edit, { maxLength: 3 }), (json, edits) => {
        let text = json;
        for (const { at, cut, put } of edits) {
          const from = at % (text.length + 1);
          text = text.slice(0, from) + put.join('') + text.slice(from + cut);
        }
        expect(jsonPlace(text) === null).toBe(isJson(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('is found in megabytes of one text', () => {
    expect(jsonPlace(`["${'\u7535'.repeat(5_000_000)}"`)).toEqual({ line: 1, column: 5_000_004 });
  });
});

describe('a name that stands twice', () => {
  it('is found in an object whose names were doubled, and in no other', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(nameTwice(json)).toBe(null);
      }),
      { numRuns: 500 },
    );
    expect(nameTwice('[{"a":{"x":1,"y":{"x":2}},\n "b":3, "a":4}]')).toEqual({ name: 'a', line: 2, column: 9 });
    const text = '{"a":1,\n"a":{"b":2,\n\n"b":3,"b":4},"c":5}';
    const all = [
      { name: 'a', line: 2, column: 1 },
      { name: 'b', line: 4, column: 1 },
      { name: 'b', line: 4, column: 7 },
    ];
    expect(namesTwice(text, 9)).toEqual(all);
    expect(namesTwice(text, 2)).toEqual(all.slice(0, 2));
    expect(nameTwice('{"__proto__":1,"__proto__":2}')).toMatchObject({ name: '__proto__', column: 16 });
  });
});
