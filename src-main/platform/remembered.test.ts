import { expect, it } from 'vitest';
import { remembered } from './remembered.ts';

it('asks once for a text, also where the answer is nothing, and forgets before it holds too many', () => {
  const asked: string[] = [];
  const ask = remembered((text) => {
    asked.push(text);
    return text === 'none' ? null : text.length;
  });
  expect([ask('abc'), ask('abc'), ask('none'), ask('none')]).toEqual([3, 3, null, null]);
  expect(asked).toEqual(['abc', 'none']);
  for (let at = 0; at < 10_000; at++) ask(`text ${at}`);
  ask('abc');
  expect(asked.filter((text) => text === 'abc')).toHaveLength(2);
});
