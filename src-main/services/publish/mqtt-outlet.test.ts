import { expect, it } from 'vitest';
import { topicOf } from './mqtt-outlet.ts';

const topic = (device: string, code: string) => topicOf('site', { device, code, frameType: 0, name: '', unit: '' });

it('a topic has one level for the device and one for the code, whatever stands in their names', () => {
  expect(topic('PCS 1', 'U_ab')).toBe('site/PCS 1/YC/U_ab');
  expect(topic('柜/7', 'a+b#')).toBe('site/柜%2F7/YC/a%2Bb%23');
  expect(topic('50%', '\u0085')).toBe('site/50%25/YC/%C2%85');
});

it('no two points share a topic', () => {
  const names = ['a/b', 'a_b', 'a%2Fb', 'a+b', 'a#b', 'a b', 'a\tb'];
  expect(new Set(names.map((name) => topic('d', name))).size).toBe(names.length);
});
