import { useHotkeys } from '@mantine/hooks';
import { isCovered, runCommand, useRegistry } from './registry.ts';

/** Listens to the keys of all commands on the screen; draws nothing. They rest while a dialog is open. */
export function CommandKeys() {
  const commands = useRegistry((state) => state.commands);
  const keyed = [...commands.values()].flatMap((command) => (command.key === undefined ? [] : [{ ...command, key: command.key }]));
  useHotkeys(
    keyed.map((command) => [command.key, ({ repeat }) => (repeat || isCovered() ? undefined : runCommand(command))]),
    [],
  );
  return null;
}
