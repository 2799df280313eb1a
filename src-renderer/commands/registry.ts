import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { usePreferences } from '../app/preferences.ts';
import type { IconName } from '../ui/icons.tsx';
import { keyText } from './key-text.ts';

/** Where a command stands in the palette and in the help of the keys. */
export const COMMAND_GROUPS = ['go', 'channel', 'points', 'service'] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** One thing that can be done now: the palette, the keys and their help are made from it. */
export interface Command {
  readonly id: string;
  readonly group: CommandGroup;
  /** What it does, in the language of the page. */
  readonly words: string;
  /** The usual key, as `useHotkeys` writes it: `F5`, `mod+R`. Somebody may have chosen another one: see `keyOf`. */
  readonly key?: string;
  /** A second key that does the same. */
  readonly alsoKey?: string;
  /** The key belongs to the text while one is written. */
  readonly leavesTyping?: boolean;
  /** Its key works while a dialog is open as well. */
  readonly worksCovered?: boolean;
  /** Id under which a chosen key is kept, for a command that stands in for another one; left out: its own. */
  readonly keyId?: string;
  /** In the menu of the thing it is for, which names it already; left out: `words`. */
  readonly menuWords?: string;
  readonly icon?: IconName;
  /** It takes something away that cannot be brought back. */
  readonly isDangerous?: boolean;
  /** Why it cannot be done now; null when it can. */
  readonly reason: string | null;
  run(): void;
}

interface RegistryState {
  readonly commands: ReadonlyMap<string, Command>;
}

/** The commands of what is on the screen. */
export const useRegistry = create<RegistryState>()(() => ({ commands: new Map() }));

function put(command: Command): void {
  useRegistry.setState(({ commands }) => ({ commands: new Map(commands).set(command.id, command) }));
}

function take(id: string): void {
  useRegistry.setState(({ commands }) => {
    const left = new Map(commands);
    left.delete(id);
    return { commands: left };
  });
}

/** False where nobody works now: its commands would be taken for those of the area beside it. */
export const CommandScope = createContext(true);

/** Offers a command as long as the component is on the screen; null offers nothing. */
export function useCommand(given: Command | null): void {
  const command = useContext(CommandScope) ? given : null;
  const run = useEffectEvent(() => command?.run());
  const { id, group, words, key, alsoKey, leavesTyping, worksCovered, keyId, reason } = command ?? {};
  useEffect(() => {
    if (id === undefined || group === undefined || words === undefined) return;
    const keyed = {
      ...(key === undefined ? {} : { key }),
      ...(alsoKey === undefined ? {} : { alsoKey }),
      ...(leavesTyping === undefined ? {} : { leavesTyping }),
      ...(worksCovered === undefined ? {} : { worksCovered }),
      ...(keyId === undefined ? {} : { keyId }),
    };
    put({ id, group, words, reason: reason ?? null, run: () => run(), ...keyed });
  }, [id, group, words, key, alsoKey, leavesTyping, worksCovered, keyId, reason]);
  // apart from the above: a command whose words change keeps its place
  useEffect(() => (id === undefined ? undefined : () => take(id)), [id]);
}

const NO_COMMANDS: readonly Command[] = [];

/** Offers several commands, in their order, as long as the component is on the screen. */
export function useCommands(given: readonly Command[]): void {
  const commands = useContext(CommandScope) ? given : NO_COMMANDS;
  const run = useEffectEvent((id: string) => commands.find((command) => command.id === id)?.run());
  const told = JSON.stringify(commands);
  useEffect(() => {
    for (const command of JSON.parse(told) as Omit<Command, 'run'>[]) put({ ...command, run: () => run(command.id) });
  }, [told]);
  const ids = JSON.stringify(commands.map(({ id }) => id));
  useEffect(
    () => () => {
      for (const id of JSON.parse(ids) as string[]) take(id);
    },
    [ids],
  );
}

/** The key of a command now: the chosen one, else the usual one; undefined for none. */
export function keyOf(
  { id, keyId, key }: Pick<Command, 'id' | 'keyId' | 'key'>,
  keys: Readonly<Record<string, string>>,
): string | undefined {
  return (keys[keyId ?? id] ?? key) || undefined;
}

/** The key of a command on the screen as people read it, in brackets behind a space: ` (F5)`; empty for none. */
export function useKeyHint(id: string): string {
  const command = useRegistry(({ commands }) => commands.get(id));
  const keys = usePreferences((state) => state.keys);
  const key = command && keyOf(command, keys);
  return key === undefined ? '' : ` (${keyText(key)})`;
}

/** True while a dialog covers the page: keys of the page rest then. */
export function isCovered(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null;
}

/** Runs a command, unless something stands against it. */
export function runCommand(command: Command): void {
  if (command.reason === null) command.run();
}
