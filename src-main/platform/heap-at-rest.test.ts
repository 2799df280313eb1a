import module from 'node:module';
import v8 from 'node:v8';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { collectAtRest } from './heap-at-rest.ts';

// another test may have left it
beforeEach(() => v8.setFlagsFromString('--no-expose-gc'));
afterEach(() => vi.restoreAllMocks());

it('gives back what nobody holds, and leaves the flags as they were', async () => {
  const usual = v8.cachedDataVersionTag();
  let left: object | null = { octets: new Uint8Array(1_000_000) };
  const watched = new WeakRef(left);
  left = null;
  // a weak reference holds its object until the turn of the loop ends
  await new Promise(setImmediate);
  collectAtRest();
  expect(watched.deref()).toBeUndefined();
  expect(v8.cachedDataVersionTag()).toBe(usual);
});

it('keeps what was compiled before it goes, under the flags of a start', () => {
  const usual = v8.cachedDataVersionTag();
  const tags: number[] = [];
  vi.spyOn(module, 'flushCompileCache').mockImplementation(() => void tags.push(v8.cachedDataVersionTag()));
  collectAtRest();
  expect(tags).toHaveLength(1);
  expect(tags).not.toContain(usual);
});
