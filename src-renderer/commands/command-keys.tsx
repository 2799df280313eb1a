import { useHotkeys } from '@mantine/hooks';
import { usePreferences } from '../app/preferences.ts';
import { notifyReason } from '../ui/notify.ts';
import { TEXTS, useHeldKeys } from './held-keys.ts';
import { type Command, isCovered, keyOf, runCommand, useRegistry } from './registry.ts';

type Chosen = Readonly<Record<string, string>>;

function isChosen({ id, keyId }: Command, keys: Chosen): boolean {
  return (keyId ?? id) in keys;
}

/** A chosen key stands in the place of both usual ones. */
function keysOf(command: Command, keys: Chosen): readonly string[] {
  return [keyOf(command, keys), isChosen(command, keys) ? undefined : command.alsoKey].filter((key) => key !== undefined);
}

/** Runs a command by its key, unless what has the focus took the key for itself, as a table takes Alt with an arrow in its header. */
function onKey(event: KeyboardEvent, command: Command): void {
  if (event.defaultPrevented) return;
  if (command.leavesTyping && event.target instanceof Element && event.target.matches(TEXTS)) return;
  event.preventDefault();
  if (event.repeat || (isCovered() && !command.worksCovered)) return;
  // a key that does nothing and says nothing looks broken
  if (command.reason !== null) notifyReason(command.reason);
  runCommand(command);
}

/** Listens to the keys of all commands on the screen; draws nothing. They rest while a dialog is open. */
export function CommandKeys() {
  useHeldKeys();
  const commands = useRegistry((state) => state.commands);
  const keys = usePreferences((state) => state.keys);
  const byKey = new Map<string, Command>();
  for (const command of commands.values()) {
    for (const key of keysOf(command, keys)) {
      // a chosen key may be the usual one of a command that was not on the screen when it was chosen
      if (!byKey.has(key) || isChosen(command, keys)) byKey.set(key, command);
    }
  }
  useHotkeys(
    [...byKey].map(([key, command]) => [key, (event) => onKey(event, command), { preventDefault: false }]),
    [],
  );
  return null;
}
