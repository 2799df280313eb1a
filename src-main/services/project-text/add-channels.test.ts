import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { openProject } from '../../persistence/index.ts';
import type { ProjectStore } from '../../persistence/repositories.ts';
import { testChannel, testPoint } from '../../persistence/test-project.ts';
import { makeBench } from '../../runtime/testing/harness.ts';
import type { FilledChannel, ProjectHolder, ProjectSession } from '../ports.ts';
import { addChannels, removeUnfinished } from './add-channels.ts';

let folder = '';
let store: ProjectStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-add-'));
  store = open();
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = () => openProject(join(folder, 'p.loopcheck'), { create: true, holder: 'test', wallMs: () => 0 });
const plans = ['a', 'b'].map((name) => ({ settings: testChannel(name), points: [testPoint('P')] }));
const refuse = (error: unknown) => {
  throw error;
};
const names = () => store.channels.list().map(({ name }) => name);

/** A project whose store is `given`; `shown` takes note of what comes into operation. */
function holder(given: ProjectStore, shown: string[] = []): { -readonly [Key in keyof ProjectHolder]: ProjectHolder[Key] } {
  const channels = {
    stage: async (filled: readonly FilledChannel[]) => () => void shown.push(...filled.map(({ channel }) => channel.name)),
  };
  const session = { store: given, channels } as unknown as ProjectSession;
  return {
    current: () => session,
    open: async () => session,
    making: () => Promise.reject(new Error('not here')),
    rename: async () => session,
  };
}

it.each(['prepare', 'confirm'] as const)('leaves nothing behind when the points cannot be written at %s', async (where) => {
  let count = 0;
  const full = new AppError('STATE_STORE_FULL', quoted('The disk is full.'));
  const points: ProjectStore['points'] = {
    ...store.points,
    async prepare(...given) {
      count += 1;
      if (where === 'prepare' && count === 2) throw full;
      const load = await store.points.prepare(...given);
      if (where === 'prepare' || count === 1) return load;
      return {
        ...load,
        confirm() {
          throw full;
        },
      };
    },
  };
  const shown: string[] = [];
  await expect(addChannels(holder({ ...store, points }, shown), plans)).rejects.toBe(full);
  expect(shown).toEqual([]);
  expect(names()).toEqual([]);
  expect(store.settings.read('unfinished_channels')).toEqual([]);
  await store.swept();
  store.close();
  store = open();
  removeUnfinished(store, refuse);
  expect(names()).toEqual([]);
});

it('that a killed process was adding go at the next opening, the others stay', async () => {
  store.channels.add(testChannel('there'));
  const never = new Promise<never>(() => {});
  const points: ProjectStore['points'] = { ...store.points, prepare: () => never };
  void addChannels(holder({ ...store, points }), plans);
  expect(names()).toEqual(['there', 'a', 'b']);
  store.close();
  store = open();
  removeUnfinished(store, refuse);
  expect(names()).toEqual(['there']);
});

it('are not entered at all when one of the names is taken', async () => {
  store.channels.add(testChannel('b'));
  await expect(addChannels(holder(store), plans)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect(names()).toEqual(['b']);
  expect(store.settings.read('unfinished_channels')).toBeUndefined();
});

it('come into operation in the turn in which they are made to last, each with its points', async () => {
  const { manager } = makeBench();
  await manager.remove(1);
  const seen: unknown[] = [];
  const watched: ProjectStore = {
    ...store,
    atomically(changes) {
      const result = store.atomically(changes);
      queueMicrotask(() => seen.push(manager.list().map(({ settings, points }) => [settings.name, points.size])));
      return result;
    },
  };
  const session = { store: watched, channels: manager } as unknown as ProjectSession;
  await addChannels({ ...holder(store), current: () => session }, plans);
  expect(seen).toEqual([
    [],
    [
      ['a', 1],
      ['b', 1],
    ],
  ]);
});

it('that are not known to be finished any more than before stay on the list', async () => {
  store.settings.write('unfinished_channels', [99, 'x', 1.5]);
  const shown: string[] = [];
  await addChannels(holder(store, shown), plans);
  expect([shown, names()]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  expect(store.settings.read('unfinished_channels')).toEqual([99]);
});

it.each(['another one is open', 'another one is being opened'])('are not added when %s by then', async (what) => {
  const shown: string[] = [];
  const held = holder(store, shown);
  const { current } = held;
  const points: ProjectStore['points'] = {
    ...store.points,
    prepare(...given) {
      held.current = () => {
        if (what === 'another one is being opened') throw new AppError('STATE_BUSY', quoted('opening'));
        return {} as ProjectSession;
      };
      return store.points.prepare(...given);
    },
  };
  Object.assign(current(), { store: { ...store, points } });
  await expect(addChannels(held, plans)).rejects.toMatchObject({ code: 'STATE_CONFLICT', said: { code: 'service.other_project' } });
  expect(shown).toEqual([]);
  // the file is another's by now: what is left of it goes at its next opening
  expect([names(), (store.settings.read('unfinished_channels') as number[]).length]).toEqual([['a', 'b'], 2]);
  removeUnfinished(store, refuse);
  expect(names()).toEqual([]);
});

it('are told by what kept them from being added, also where nothing can be undone', async () => {
  const full = new AppError('STATE_STORE_FULL', quoted('The disk is full.'));
  const points: ProjectStore['points'] = { ...store.points, prepare: () => Promise.reject(full) };
  const channels: ProjectStore['channels'] = {
    ...store.channels,
    remove() {
      throw new Error('no room');
    },
  };
  await expect(addChannels(holder({ ...store, points, channels }), plans)).rejects.toBe(full);
  expect(store.settings.read('unfinished_channels')).toHaveLength(2);
});

it('stay where they were made to last, though they cannot come into operation', async () => {
  const fault = new Error('no');
  const held = holder(store);
  Object.assign(held.current().channels, {
    stage: async () => () => {
      throw fault;
    },
  });
  await expect(addChannels(held, plans)).rejects.toBe(fault);
  expect([names(), store.settings.read('unfinished_channels')]).toEqual([['a', 'b'], []]);
});

it('that cannot be removed at an opening are told, left out, and go at another one', () => {
  const [a, b] = ['a', 'b'].map((name) => store.channels.add(testChannel(name)).id);
  store.settings.write('unfinished_channels', [a, 99, b]);
  const told: unknown[] = [];
  const full = new Error('full');
  const channels: ProjectStore['channels'] = {
    ...store.channels,
    remove() {
      throw full;
    },
  };
  expect(removeUnfinished({ ...store, channels }, (error) => told.push(error))).toEqual([a, 99, b]);
  expect([told, names()]).toEqual([[full], ['a', 'b']]);
  expect(removeUnfinished(store, refuse)).toEqual([]);
  expect([names(), store.settings.read('unfinished_channels')]).toEqual([[], []]);
});

it('of a project in which none is unfinished nothing is written', () => {
  const settings: ProjectStore['settings'] = {
    ...store.settings,
    write() {
      throw new Error('written');
    },
  };
  expect(removeUnfinished({ ...store, settings }, refuse)).toEqual([]);
});
