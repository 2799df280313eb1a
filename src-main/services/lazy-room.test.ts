import { expect, it, vi } from 'vitest';
import type { Handlers } from './handlers.ts';
import { lazyRoom } from './lazy-room.ts';

type Room = Pick<Handlers, 'listTemplates' | 'deleteTemplate'>;

const context = { source: 'api', effect: 'query', warn() {} } as const;
const operations = { listTemplates: null, deleteTemplate: null };
const room = (): Room => {
  let listed = 0;
  return {
    listTemplates: () => ({ items: [], unreadable: [{ file: `${++listed}`, reason: '', reason_info: { key: 'x' } as never }] }),
    deleteTemplate() {
      throw new Error('refused');
    },
  };
};

it('is loaded with the first call, once for all that ask at the same time, and keeps what it knows', async () => {
  const load = vi.fn(async () => room());
  const lazy = lazyRoom<keyof Room>(operations, load);
  expect(Object.keys(lazy)).toEqual(['listTemplates', 'deleteTemplate']);
  expect(load).not.toHaveBeenCalled();
  const answers = await Promise.all([lazy.listTemplates({}, context), lazy.listTemplates({}, context)]);
  expect(answers.map((answer) => 'unreadable' in answer && answer.unreadable[0]?.file)).toEqual(['1', '2']);
  await expect(lazy.deleteTemplate({ id: 'a' }, { ...context, effect: 'repeatable' })).rejects.toThrow('refused');
  expect(load).toHaveBeenCalledOnce();
});

it('is tried again where it could not be loaded', async () => {
  const load = vi.fn(async () => room()).mockRejectedValueOnce(new Error('no such file'));
  const lazy = lazyRoom<keyof Room>(operations, load);
  await expect(lazy.listTemplates({}, context)).rejects.toThrow('no such file');
  await expect(lazy.listTemplates({}, context)).resolves.toHaveProperty('items');
});
