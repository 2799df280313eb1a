import { Kbd, Menu } from '@mantine/core';
import { usePreferences } from '../app/preferences.ts';
import { Icon } from '../ui/icons.tsx';
import { keyText } from './key-text.ts';
import { type Command, keyOf, runCommand } from './registry.ts';

/** Commands as the items of a menu; what takes something away stands apart at the end. */
export function CommandItems({ commands }: { readonly commands: readonly Command[] }) {
  const dangerous = commands.filter(({ isDangerous }) => isDangerous);
  return (
    <>
      {commands
        .filter(({ isDangerous }) => !isDangerous)
        .map((command) => (
          <CommandItem key={command.id} command={command} />
        ))}
      {dangerous.length > 0 ? <Menu.Divider /> : null}
      {dangerous.map((command) => (
        <CommandItem key={command.id} command={command} />
      ))}
    </>
  );
}

function CommandItem({ command }: { readonly command: Command }) {
  const { id, icon, words, menuWords = words, reason, isDangerous = false } = command;
  const key = keyOf(
    command,
    usePreferences((state) => state.keys),
  );
  return (
    <Menu.Item
      {...(isDangerous ? { color: 'red' } : {})}
      disabled={reason !== null}
      title={reason ?? undefined}
      leftSection={icon ? <Icon name={icon} /> : <span style={{ width: 16 }} />}
      rightSection={key === undefined ? null : <Kbd size="xs">{keyText(key)}</Kbd>}
      onClick={() => runCommand(command)}
      data-testid={`command-${id}`}
    >
      {menuWords}
    </Menu.Item>
  );
}
