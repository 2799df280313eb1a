import { expect, it } from 'vitest';
import { knownCommands } from './known-commands.ts';

it('no two commands of one place have one key', () => {
  const places = new Map<string, string>();
  for (const { id, key, where } of knownCommands()) {
    if (key === undefined) continue;
    expect(places.get(`${where} ${key}`), `${id}: ${key}`).toBeUndefined();
    places.set(`${where} ${key}`, id);
  }
  expect(places.size).toBeGreaterThan(10);
});
