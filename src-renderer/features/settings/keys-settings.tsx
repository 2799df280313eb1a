import { Button, Group, Kbd, Text } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { prefer, usePreferences } from '../../app/preferences.ts';
import { keyText } from '../../commands/key-text.ts';
import { COMMAND_GROUPS, type Command, keyOf, useRegistry } from '../../commands/registry.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { useFocus } from '../../ui/use-focus.ts';
import { type KeyProblem, keyIdOf, keyPressed, keyProblem } from './key-rules.ts';

/** Every command on the screen once, in the order of the palette. */
function useCommandList(): readonly Command[] {
  const commands = [...useRegistry((state) => state.commands).values()];
  const ids = new Set<string>();
  return COMMAND_GROUPS.flatMap((group) => commands.filter((command) => command.group === group)).filter((command) => {
    const isNew = !ids.has(keyIdOf(command));
    ids.add(keyIdOf(command));
    return isNew;
  });
}

/** Keeps a key for a command; null goes back to the usual one. */
function keep(command: Command, key: string | null): void {
  const { [keyIdOf(command)]: _before, ...keys } = usePreferences.getState().keys;
  prefer({ keys: key === null ? keys : { ...keys, [keyIdOf(command)]: key } });
}

interface PressedKeyProps {
  readonly command: Command;
  readonly commands: readonly Command[];
  onEnd(): void;
}

/** Waits for a key, and takes it where nothing stands against it. Escape ends it, Delete takes the key away. */
function PressedKey({ command, commands, onEnd }: PressedKeyProps) {
  const { t } = useTranslation('settings');
  const [refused, setRefused] = useState<{ readonly key: string; readonly problem: KeyProblem } | null>(null);
  const button = useFocus<HTMLButtonElement>();
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Tab') return;
    event.preventDefault();
    // neither the dialog nor a command may hear it
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    const key = keyPressed(event);
    if (event.key === 'Escape') onEnd();
    else if (event.key === 'Delete' && key === 'Delete') {
      keep(command, '');
      onEnd();
    } else if (key !== null) {
      const problem = keyProblem(key, command, commands, usePreferences.getState().keys);
      setRefused(problem && { key, problem });
      if (problem) return;
      keep(command, key.toLowerCase() === command.key?.toLowerCase() ? null : key);
      onEnd();
    }
  }
  return (
    <>
      <Button
        ref={button}
        size="compact-xs"
        variant="light"
        onKeyDown={onKeyDown}
        onBlur={onEnd}
        data-mantine-stop-propagation="true"
        data-testid="key-press"
      >
        {t('keys.press')}
      </Button>
      {refused ? (
        <Text size="xs" c="red" role="alert" data-testid="key-problem">
          {refused.problem.kind === 'taken'
            ? t('keys.taken', { key: keyText(refused.key), command: refused.problem.by.words })
            : t(`keys.${refused.problem.kind}`, { key: keyText(refused.key) })}
        </Text>
      ) : null}
    </>
  );
}

/** Back to the usual key, unless another command was given it meanwhile. */
function UsualKey({ command, commands }: Omit<PressedKeyProps, 'onEnd'>) {
  const { t } = useTranslation('settings');
  const keys = usePreferences((state) => state.keys);
  const { key } = command;
  const problem = key === undefined ? null : keyProblem(key, command, commands, keys);
  const reason = problem?.kind === 'taken' && key !== undefined ? t('keys.taken', { key: keyText(key), command: problem.by.words }) : null;
  return (
    <GuardedButton
      size="compact-xs"
      variant="subtle"
      reason={reason}
      hint={t('keys.usualOf', { command: command.words })}
      onClick={() => keep(command, null)}
    >
      {t('keys.usual')}
    </GuardedButton>
  );
}

/** The keys of the commands on the screen; changed by pressing another one. */
export function KeysSettings() {
  const { t } = useTranslation(['settings', 'commands']);
  const commands = useCommandList();
  const keys = usePreferences((state) => state.keys);
  const [asked, setAsked] = useState<string | null>(null);
  const columns: readonly SmallColumn<Command>[] = [
    { id: 'command', name: t('keys.command'), isRowHeader: true, cell: ({ words }) => words },
    { id: 'group', name: t('keys.group'), isShort: true, cell: ({ group }) => t(`commands:group.${group}`) },
    {
      id: 'key',
      name: t('keys.key'),
      cell: (command) => {
        if (asked === keyIdOf(command)) return <PressedKey command={command} commands={commands} onEnd={() => setAsked(null)} />;
        const key = keyOf(command, keys);
        return key === undefined ? '–' : <Kbd size="xs">{keyText(key)}</Kbd>;
      },
    },
    {
      id: 'change',
      name: null,
      isShort: true,
      cell: (command) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          {keyIdOf(command) in keys ? <UsualKey command={command} commands={commands} /> : null}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => setAsked(keyIdOf(command))}
            aria-label={t('keys.changeOf', { command: command.words })}
            data-testid={`key-${keyIdOf(command)}`}
          >
            {t('keys.change')}
          </Button>
        </Group>
      ),
    },
  ];
  return (
    <>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text size="xs" c="dimmed">
          {t('keys.hint')}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          style={{ flexShrink: 0 }}
          disabled={Object.keys(keys).length === 0}
          onClick={() => prefer({ keys: {} })}
        >
          {t('keys.allUsual')}
        </Button>
      </Group>
      <SmallTable label={t('keys.title')} columns={columns} rows={commands} keyOf={keyIdOf} />
    </>
  );
}
