import { describe, expect, it } from 'vitest';
import { patternProblem } from './safe-pattern.ts';

describe('a regular expression for the table', () => {
  it.each([
    'BAY(\\d+)_',
    '^x',
    'U$',
    '[A-Z]+\\d{1,3}',
    '(?:ab)+',
    'a|b',
    '(a|b)c',
    '\\(\\d+\\)',
    '[*+(]+',
    '(?<n>\\d+)',
    'x{2,}',
    '.*_.*',
    '\\\\1',
  ])('takes %s', (pattern) => expect(patternProblem(pattern)).toBeNull());

  it.each([
    ['(a+)+', 'nested'],
    ['(a*)*$', 'nested'],
    ['(a|aa)+$', 'nested'],
    ['((a+)b)*', 'nested'],
    ['((a|b)c){2,}', 'nested'],
    ['(\\d?){30}', 'nested'],
    ['.*.*.*.*=', 'many'],
    ['.{0,99}.{0,99}.{0,99}.{0,99}=', 'many'],
    ['(a)\\1', 'back'],
    ['(?<n>a)\\k<n>', 'back'],
    ['(', 'syntax'],
    ['[b-a]', 'syntax'],
    ['a'.repeat(201), 'long'],
  ])('refuses %s', (pattern, problem) => expect(patternProblem(pattern)).toBe(problem));

  // the limit is for what hangs
  it('leaves nothing that takes long on the longest texts of a table', { timeout: 20_000 }, () => {
    const text = `${'a'.repeat(199)}!`;
    for (const pattern of ['.*.*.*=', 'a*a*a*b', '[a-z]+[a-z]+[a-z]+$']) {
      expect(patternProblem(pattern)).toBeNull();
      expect(text.replace(new RegExp(pattern, 'gu'), '')).toBe(text);
    }
  });
});
