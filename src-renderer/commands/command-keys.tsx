import { useHotkeys } from '@mantine/hooks';
import { usePreferences } from '../app/preferences.ts';
import { type Command, isCovered, keyOf, runCommand, useRegistry } from './registry.ts';

function isChosen({ id, keyId }: Command, keys: Readonly<Record<string, string>>): boolean {
  return (keyId ?? id) in keys;
}

/** Runs a command by its key, unless what has the focus took the key for itself, as a table takes Alt with an arrow in its header. */
function onKey(event: KeyboardEvent, command: Command): void {
  if (event.defaultPrevented) return;
  event.preventDefault();
  if (!event.repeat && !isCovered()) runCommand(command);
}

/** Listens to the keys of all commands on the screen; draws nothing. They rest while a dialog is open. */
export function CommandKeys() {
  const commands = useRegistry((state) => state.commands);
  const keys = usePreferences((state) => state.keys);
  const byKey = new Map<string, Command>();
  for (const command of commands.values()) {
    const key = keyOf(command, keys);
    // a chosen key may be the usual one of a command that was not on the screen when it was chosen
    if (key !== undefined && (!byKey.has(key) || isChosen(command, keys))) byKey.set(key, command);
  }
  useHotkeys(
    [...byKey].map(([key, command]) => [key, (event) => onKey(event, command), { preventDefault: false }]),
    [],
  );
  return null;
}
