import { expect, it } from 'vitest';
import type { PointConfig } from '../drivers/spi/index.ts';
import { withPending } from './point-overlay.ts';
import { testPoint } from './test-project.ts';

const point = (id: number, name = 'stored'): PointConfig => ({ ...testPoint(`P${id}`), name, channel_id: 1, id });
const none = { removed: [], changed: [], added: [] };

it('shows the points as they will be, in id order, the last change of each, whatever was carried over already', () => {
  const parts = [
    { ...none, removed: [2, 5] },
    { ...none, changed: [point(3, 'once')], added: [point(4, 'restored'), point(9, 'new'), point(10, 'new')] },
    { ...none, removed: [10], changed: [point(3, 'twice'), point(9, 'newer')] },
  ];
  const names = (rows: PointConfig[]) => [...withPending(rows, parts)].map(({ id, name }) => [id, name]);
  const expected = [
    [1, 'stored'],
    [3, 'twice'],
    [4, 'restored'],
    [6, 'stored'],
    [9, 'newer'],
  ];
  expect(names([1, 2, 3, 5, 6].map((id) => point(id)))).toEqual(expected);
  expect(names([1, 3, 4, 6, 9, 10].map((id) => point(id)))).toEqual(expected);
});
