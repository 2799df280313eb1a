import { Kbd, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '../app/preferences.ts';
import { type SmallColumn, SmallTable } from '../ui/data-grid/small-table.tsx';
import { keyText } from './key-text.ts';
import { COMMAND_GROUPS, keyOf, useRegistry } from './registry.ts';

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
  ['Alt+← →', 'moveColumn'],
  ['Shift+← →', 'width'],
  ['Delete', 'delete'],
  ['Escape', 'none'],
] as const;

/** F1: the keys of what is on the screen, and those of the tables. */
export default function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['commands', 'app']);
  const commands = [...useRegistry((state) => state.commands).values()];
  const keys = usePreferences((state) => state.keys);
  const ofPage = COMMAND_GROUPS.flatMap((group) => commands.filter((command) => command.group === group)).flatMap((command) => {
    const key = keyOf(command, keys);
    return key === undefined ? [] : [{ key: keyText(key), words: command.words }];
  });
  const ofTables = TABLE_KEYS.map(([key, name]) => ({ key, words: t(`commands:table.${name}`) }));
  const columns: readonly SmallColumn<{ readonly key: string; readonly words: string }>[] = [
    { id: 'key', name: null, isShort: true, isRowHeader: true, cell: ({ key }) => <Kbd size="xs">{key}</Kbd> },
    { id: 'words', name: null, cell: ({ words }) => words },
  ];
  return (
    <Modal opened onClose={onClose} size={520} title={t('commands:keys')} closeButtonProps={{ 'aria-label': t('app:action.close') }}>
      <Stack gap="sm" data-testid="key-help">
        <SmallTable isPlain label={t('commands:keys')} columns={columns} rows={ofPage} keyOf={({ key }) => key} />
        <Text fw={600}>{t('commands:inTable')}</Text>
        <SmallTable isPlain label={t('commands:inTable')} columns={columns} rows={ofTables} keyOf={({ key }) => key} />
      </Stack>
    </Modal>
  );
}
