import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { drawIcons } from './icons.ts';
import { inRoot } from './paths.ts';

it('are all drawn from resources/icons/icon.svg; after a change of it: npm run icons', async () => {
  const icons = await drawIcons();
  expect(icons.size).toBe(10);
  for (const [name, octets] of icons) {
    expect(readFileSync(inRoot('resources/icons', name)).equals(octets), name).toBe(true);
  }
});
