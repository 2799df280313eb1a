import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { JsonGuard } from './json-guard.ts';

const BOUNDS = { entries: 5, fields: 4, depth: 4, values: 30 };

/** What a guard says to a text that arrives in pieces of `size` octets: an error, or nothing. */
function refusal(text: string, bounds = BOUNDS, size = 3): AppError | null {
  const guard = new JsonGuard(bounds);
  const octets = Buffer.from(text);
  try {
    for (let from = 0; from < octets.length; from += size) guard.push(octets.subarray(from, from + size));
    return null;
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
}

describe('JsonGuard', () => {
  it.each([
    '{"points":[1,2,3,4,5]}',
    '{"a":[],"b":{},"c":"[[[[[[","d":",,,,,,,,"}',
    '"\\",,,,,,,,,"',
    '[[[[]]]]',
    '{"a":"}]","b":["\\\\",1,2,3,4]}',
    'no JSON at all',
    '',
    ']]]]}}}}[1]',
  ])('lets %s through', (text) => {
    for (const size of [1, 2, 3, 100]) expect(refusal(text, BOUNDS, size)).toBeNull();
  });

  it.each([
    ['{"points":[1,2,3,4,5,6]}', 'CONFIG_INVALID', 'points', /at most 5 entries/],
    ['{"a":"x","points":[{},{},{},{},{},{', 'CONFIG_INVALID', 'points', /at most 5 entries/],
    ['{"a":{"b":[1,2,3,4,5,6]}}', 'CONFIG_INVALID', '', /a list must have at most 5/],
    ['[1,2,3,4,5,6]', 'CONFIG_INVALID', '', /at most 5/],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5}', 'CONFIG_TOO_LARGE', null, /fields in an object/],
    ['[[[[[', 'CONFIG_TOO_LARGE', null, /within each other/],
    [`[${'[1,2],'.repeat(5)}[1`, 'CONFIG_INVALID', '', /at most 5/],
    [`[${'[[1,2,3,4],[1,2,3,4]],'.repeat(4)}`, 'CONFIG_TOO_LARGE', null, /values/],
  ])('refuses %s', (text, code, path, words) => {
    for (const size of [1, 2, 7, 1000]) {
      const error = refusal(text, BOUNDS, size);
      expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
      if (path !== null) expect(error?.data).toMatchObject([{ path }]);
    }
  });

  it('lets every JSON value through that is within its bounds, however it is cut', () => {
    const wide = { entries: 1000, fields: 1000, depth: 100, values: 100_000 };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 50 }), (value, size) => {
        expect(refusal(JSON.stringify(value), wide, size)).toBeNull();
      }),
    );
  });

  it('refuses exactly the lists that are longer than they may be', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 20 }), fc.integer({ min: 1, max: 50 }), (list, size) => {
        const bounds = { entries: 10, fields: 1000, depth: 100, values: 100_000 };
        const inner = list.some((item) => Array.isArray(item) && item.length > 10);
        expect(refusal(JSON.stringify({ list }), bounds, size) !== null).toBe(list.length > 10 || inner);
      }),
    );
  });
});
