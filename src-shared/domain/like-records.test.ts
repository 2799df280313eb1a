import { expect, it } from 'vitest';
import { likeRecords } from './like-records.ts';

it('makes records of their own with the keys in order, and with what was asked for each', () => {
  const make = likeRecords(['id', 'name', 'limit']);
  const first = make((key, index) => `${key} ${index}`);
  const second = make((key) => (key === 'limit' ? undefined : key.length));
  expect(first).toEqual({ id: 'id 0', name: 'name 1', limit: 'limit 2' });
  expect(second).toStrictEqual({ id: 2, name: 4, limit: undefined });
  expect(Object.keys(second)).toEqual(['id', 'name', 'limit']);
});
