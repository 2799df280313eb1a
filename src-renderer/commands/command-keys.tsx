import { useHotkeys } from '@mantine/hooks';
import { type Command, isCovered, runCommand, useRegistry } from './registry.ts';

/** Where a text is written. */
const TEXTS = ['INPUT', 'TEXTAREA', 'SELECT'];

function hotkeys(commands: readonly Command[]) {
  return commands.flatMap((command) => {
    const run = ({ repeat }: KeyboardEvent) => (repeat || isCovered() ? undefined : runCommand(command));
    return [command.key, command.alsoKey].flatMap((key) => (key === undefined ? [] : [[key, run] as const]));
  });
}

/** Listens to the keys of all commands on the screen; draws nothing. They rest while a dialog is open. */
export function CommandKeys() {
  const commands = [...useRegistry((state) => state.commands).values()];
  const ofAll = hotkeys(commands.filter(({ leavesTyping }) => leavesTyping !== true));
  const ofPage = hotkeys(commands.filter(({ leavesTyping }) => leavesTyping === true));
  useHotkeys(
    ofAll.map((each) => [...each]),
    [],
  );
  useHotkeys(
    ofPage.map((each) => [...each]),
    TEXTS,
  );
  return null;
}
