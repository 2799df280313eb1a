import { expect, it } from 'vitest';
import { ByDevice, MOST_DEVICES } from './by-device.ts';

it('forgets the device of which nothing was noted for longest, and no other', () => {
  const known = new ByDevice<number>();
  for (let device = 0; device < MOST_DEVICES; device++) known.set(device, 1);
  known.set(0, 2);
  known.set('000000000099', 3);
  expect([known.size, known.get(0), known.has(1), known.has(2), known.get('000000000099')]).toEqual([MOST_DEVICES, 2, false, true, 3]);
});
