import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { CheckItem, CheckSession } from '#shared/contract/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { fakeService } from '../testing/fake-service.ts';
import { rowBehind, useStepItems } from './use-step-items.ts';

const SESSION = { id: 1 } as CheckSession;
const NAMES = ['A', 'B', 'C', 'D', 'E'];
const item = (name: string) => ({ item: name, code: name }) as CheckItem;
const idOf = ({ item: id }: CheckItem) => id;

let order: string[];
let isRefused: boolean;
/** Rows as they were when the page looked last, over a service that has them in its own order. */
function show() {
  const service = fakeService({
    editCheckItems: ({ items, before }) => {
      if (isRefused) throw new AppError('STATE_CONFLICT', quoted('no'));
      const moved = items as string[];
      const rest = order.filter((name) => !moved.includes(name));
      const at = before === null ? rest.length : rest.indexOf(before as string);
      order = [...rest.slice(0, at), ...order.filter((name) => moved.includes(name)), ...rest.slice(at)];
      return { changed: moved.length };
    },
  });
  const seen = NAMES.map(item);
  const { result } = renderHook(() => useStepItems(SESSION, useLocalRows(seen, idOf)), {
    wrapper: ({ children }) => <Providers env="test">{children}</Providers>,
  });
  const step = (names: string, ...distances: readonly (1 | -1)[]) =>
    act(async () => {
      for (const distance of distances) result.current([...names].map(item), distance);
    });
  return { service, step, has: (wanted: string) => waitFor(() => expect(order.join('')).toBe(wanted)) };
}

beforeEach(() => {
  order = [...NAMES];
  isRefused = false;
});

it('finds the row behind a number of others', () => {
  expect([rowBehind(0, [0]), rowBehind(1, [0]), rowBehind(1, [1, 2]), rowBehind(2, [0, 3])]).toEqual([1, 2, 3, 4]);
});

it('moves an item by a row, and stays within the table', async () => {
  const { step, has, service } = show();
  await step('C', -1);
  await has('ACBDE');
  await step('A', -1);
  await step('E', 1);
  expect(service.of('editCheckItems')).toHaveLength(1);
});

it('adds up keys that come faster than the service, though the page has not looked meanwhile', async () => {
  const { step, has } = show();
  await step('A', 1, 1, 1);
  await has('BCDAE');
  await step('A', 1);
  await has('BCDEA');
  await step('A', -1);
  await has('BCDAE');
});

it('brings items that stand apart together, in their order', async () => {
  const { step, has } = show();
  await step('DB', -1);
  await has('BDACE');
  await step('DB', 1);
  await has('ABDCE');
});

it('begins from where the rows are once a step was refused', async () => {
  const { step, has } = show();
  isRefused = true;
  await step('A', 1);
  isRefused = false;
  await step('A', 1);
  await has('BACDE');
});
