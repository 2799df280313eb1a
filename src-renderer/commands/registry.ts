import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';

/** Where a command stands in the palette and in the help of the keys. */
export const COMMAND_GROUPS = ['go', 'channel', 'points', 'service'] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** One thing that can be done now: the palette, the keys and their help are made from it. */
export interface Command {
  readonly id: string;
  readonly group: CommandGroup;
  /** What it does, in the language of the page. */
  readonly words: string;
  /** As `useHotkeys` writes it: `F5`, `mod+R`. */
  readonly key?: string;
  /** A second key that does the same. */
  readonly alsoKey?: string;
  /** The key belongs to the text while one is written. */
  readonly leavesTyping?: boolean;
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

/** Offers a command as long as the component is on the screen; null offers nothing. */
export function useCommand(command: Command | null): void {
  const run = useEffectEvent(() => command?.run());
  const { id, group, words, key, alsoKey, leavesTyping, reason } = command ?? {};
  useEffect(() => {
    if (id === undefined || group === undefined || words === undefined) return;
    put({
      id,
      group,
      words,
      reason: reason ?? null,
      run: () => run(),
      ...(key === undefined ? {} : { key }),
      ...(alsoKey === undefined ? {} : { alsoKey }),
      ...(leavesTyping === undefined ? {} : { leavesTyping }),
    });
  }, [id, group, words, key, alsoKey, leavesTyping, reason]);
  // apart from the above: a command whose words change keeps its place
  useEffect(() => (id === undefined ? undefined : () => take(id)), [id]);
}

/** True while a dialog covers the page: keys of the page rest then. */
export function isCovered(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null;
}

/** Runs a command, unless something stands against it. */
export function runCommand(command: Command): void {
  if (command.reason === null) command.run();
}
