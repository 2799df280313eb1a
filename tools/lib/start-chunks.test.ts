import { expect, it } from 'vitest';
import { chunkNames } from './start-chunks.ts';

/** A graph of modules by what each imports. */
const graphOf = (imports: Record<string, readonly string[]>) => ({
  getModuleInfo: (id: string) => (imports[id] ? { importedIds: imports[id] } : null),
});

const IMPORTS = {
  start: ['a', 'b'],
  a: ['both', 'threads'],
  b: ['a', 'both'],
  both: [],
  threads: ['both'],
  thread: ['threads'],
  command: ['both', 'own'],
  own: [],
};

it('puts together what the start alone uses, and by their users what others use too', () => {
  const names = chunkNames('start', ['thread', 'command'], graphOf(IMPORTS));
  expect(Object.fromEntries(names)).toEqual({
    start: 'start',
    a: 'start',
    b: 'start',
    both: expect.stringMatching(/^shared-/),
    threads: expect.stringMatching(/^shared-/),
  });
  expect(names.get('both')).not.toBe(names.get('threads'));
});

it('leaves to the bundler what the start does not load', () => {
  expect(chunkNames('start', ['command'], graphOf(IMPORTS)).has('own')).toBe(false);
});

it('refuses a module that is not there: its part would be loaded by the wrong ones', () => {
  expect(() => chunkNames('start', ['gone'], graphOf(IMPORTS))).toThrow('gone is no module of the build.');
});
