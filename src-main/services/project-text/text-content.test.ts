import { expect, it } from 'vitest';
import { parseText } from './text-content.ts';

it('says where a text is no JSON, in words of its own', () => {
  const refusal = parseText(new TextEncoder().encode('{\n  "format": "loopcheck-project",\n}'));
  expect(refusal).toMatchObject({
    refusal: { path: '', message: 'is no JSON from line 3, column 1 on; look at that place and the one before it' },
  });
});
