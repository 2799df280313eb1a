import { Kbd, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '../app/preferences.ts';
import { type SmallColumn, SmallTable } from '../ui/data-grid/small-table.tsx';
import { keyText } from './key-text.ts';
import { knownCommands, WHERE, type Where, whereOf } from './known-commands.ts';
import { type Command, keyOf, useRegistry } from './registry.ts';

/** Keys of a table, which has them while it has the focus. */
const TABLE_KEYS = [
  ['↑ ↓ ← →', 'move'],
  ['Shift+↑ ↓', 'extend'],
  ['Space', 'tick'],
  ['Ctrl+A', 'all'],
  ['Enter', 'read'],
  ['F2 / Enter', 'edit'],
  ['Ctrl+C', 'copy'],
  ['Ctrl+V', 'paste'],
  ['Shift+F10', 'menu'],
  ['Alt+↑ ↓', 'moveRows'],
  ['Alt+← →', 'moveColumn'],
  ['Shift+← →', 'width'],
  ['Delete', 'delete'],
  ['Escape', 'none'],
] as const;

interface HelpRow {
  readonly id: string;
  /** Null: it has none. */
  readonly key: string | null;
  readonly words: string;
  readonly where: Where;
}

/** Stand in for a command while no channel is shown; that one is told. */
const STAND_INS: readonly string[] = ['read-none', 'automatic-none'];

/** Every command once: those on the screen as they are now, and those that another view offers. */
function useHelpRows(): readonly HelpRow[] {
  const commands = useRegistry((state) => state.commands);
  const keys = usePreferences((state) => state.keys);
  const toRow = (command: Pick<Command, 'id' | 'words' | 'key' | 'keyId'>, where: Where): HelpRow => {
    const key = keyOf(command, keys);
    return { id: command.id, key: key === undefined ? null : keyText(key), words: command.words, where };
  };
  const here = [...commands.values()]
    .filter(({ id }) => !STAND_INS.includes(id))
    .map((command) => toRow(command, whereOf(command.id, command.group)));
  const away = knownCommands()
    .filter(({ id }) => !commands.has(id))
    .map((command) => toRow(command, command.where));
  const all = [...here, ...away];
  // those with a key first: that is what the table is opened for
  return [true, false].flatMap((hasKey) =>
    WHERE.flatMap((place) => all.filter(({ key, where }) => (key !== null) === hasKey && where === place)),
  );
}

/** Shift+F1: every command with its key and where it works, and the keys of the tables. */
export default function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['commands', 'app']);
  const rows = useHelpRows();
  const ofTables = TABLE_KEYS.map(([key, name]) => ({ key, words: t(`commands:table.${name}`) }));
  const columns: readonly SmallColumn<HelpRow>[] = [
    {
      id: 'key',
      name: t('commands:help.key'),
      isShort: true,
      isRowHeader: true,
      cell: ({ key }) => (key === null ? '–' : <Kbd size="xs">{key}</Kbd>),
    },
    { id: 'words', name: t('commands:help.command'), cell: ({ words }) => words },
    { id: 'where', name: t('commands:help.where'), cell: ({ where }) => t(`commands:where.${where}`) },
  ];
  const tableColumns: readonly SmallColumn<{ readonly key: string; readonly words: string }>[] = [
    { id: 'key', name: null, isShort: true, isRowHeader: true, cell: ({ key }) => <Kbd size="xs">{key}</Kbd> },
    { id: 'words', name: null, cell: ({ words }) => words },
  ];
  return (
    <Modal opened onClose={onClose} size={680} title={t('commands:keys')} closeButtonProps={{ 'aria-label': t('app:action.close') }}>
      <Stack gap="sm" data-testid="key-help">
        <SmallTable
          label={t('commands:keys')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          rowData={({ id }) => ({ 'data-command': id })}
        />
        <Text fw={600}>{t('commands:inTable')}</Text>
        <SmallTable isPlain label={t('commands:inTable')} columns={tableColumns} rows={ofTables} keyOf={({ key }) => key} />
      </Stack>
    </Modal>
  );
}
