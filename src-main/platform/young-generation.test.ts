import v8 from 'node:v8';
import { afterEach, expect, it } from 'vitest';
import { keepYoungSmall, letYoungGrow } from './young-generation.ts';

const before = process.listeners('exit');

afterEach(() => {
  for (const listener of process.listeners('exit')) if (!before.includes(listener)) process.off('exit', listener);
});

const tag = () => v8.cachedDataVersionTag();

it('leaves the flags as they were for what is compiled while the service runs', () => {
  const usual = tag();
  keepYoungSmall();
  expect(tag()).not.toBe(usual);
  letYoungGrow();
  expect(tag()).toBe(usual);
});

it('has the flags of a start at the exit, where what was compiled is kept', () => {
  const usual = tag();
  keepYoungSmall();
  const atStart = tag();
  letYoungGrow();
  const kept = process.listeners('exit').at(-1);
  kept?.(0);
  expect(tag()).toBe(atStart);
  letYoungGrow();
  expect(tag()).toBe(usual);
});
