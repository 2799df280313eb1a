import { expect, it } from 'vitest';
import { requireAscii } from './ascii-chunks.ts';

it('lets pass what is plain ASCII, and names the place of what is not', () => {
  expect(() => requireAscii('a.js', 'const said = "\\u4f4d";\n')).not.toThrow();
  expect(() => requireAscii('a.js', '/*! by J\u00e4rn */ const said = 1;')).toThrow(/^a\.js is not plain ASCII.*by J\u00e4rn/);
});
