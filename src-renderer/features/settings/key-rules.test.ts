import { describe, expect, it } from 'vitest';
import type { Command } from '../../commands/registry.ts';
import { keyPressed, keyProblem } from './key-rules.ts';

const command = (id: string, key?: string, keyId?: string): Command => ({
  id,
  group: 'go',
  words: id,
  reason: null,
  run() {},
  ...(key === undefined ? {} : { key }),
  ...(keyId === undefined ? {} : { keyId }),
});

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) =>
  keyPressed({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });

describe('a pressed key', () => {
  it.each([
    [press('r', { ctrlKey: true }), 'mod+R'],
    [press('R', { metaKey: true, shiftKey: true }), 'mod+shift+R'],
    [press('F7'), 'F7'],
    [press('ArrowUp', { altKey: true }), 'alt+ArrowUp'],
    [press('Control', { ctrlKey: true }), null],
    [press('Shift', { shiftKey: true }), null],
  ])('is %s', (key, expected) => {
    expect(key).toBe(expected);
  });
});

describe('a key of a command', () => {
  const read = command('read-once', 'F5');
  const none = command('read-none', 'F5', 'read-once');
  const sidebar = command('sidebar', 'mod+B');
  const edit = command('edit-points', 'F2');
  const all = [read, none, sidebar, edit];
  const problem = (key: string, of = sidebar, keys: Record<string, string> = {}) => keyProblem(key, of, all, keys);

  it.each(['mod+J', 'F7', 'alt+P', 'mod+shift+B', 'mod+,', 'mod+ArrowUp', 'mod+\\'])('may be %s', (key) => {
    expect(problem(key)).toBeNull();
  });

  it.each(['B', 'shift+B', 'Enter', 'mod+Enter', 'Delete', 'Escape', 'Tab', 'ArrowUp', 'mod++', 'mod+ä', 'Dead'])(
    'may not be %s',
    (key) => {
      expect(problem(key)).toEqual({ kind: 'plain' });
    },
  );

  it.each(['mod+C', 'mod+W', 'alt+F4', 'F2', 'shift+F10'])('may not be %s, which is not ours to give', (key) => {
    expect(problem(key)).toEqual({ kind: 'reserved' });
  });

  it('may be the usual one of the command, whatever that is', () => {
    expect(problem('F2', edit, { 'edit-points': 'F7' })).toBeNull();
  });

  it('is refused while another command has it, by choice or as usual, and free when that one has given it up', () => {
    expect(problem('F5')).toEqual({ kind: 'taken', by: read });
    expect(problem('F7', sidebar, { 'read-once': 'F7' })).toEqual({ kind: 'taken', by: read });
    expect(problem('F5', sidebar, { 'read-once': '' })).toBeNull();
    // one that stands in for another has the same key
    expect(problem('F5', none)).toBeNull();
  });
});
