import { Kbd, Modal, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { keyText } from './key-text.ts';
import { COMMAND_GROUPS, useRegistry } from './registry.ts';

/** Keys of the point table, which has them while it has the focus. */
const TABLE_KEYS = [
  ['↑ ↓', 'move'],
  ['Shift+↑ ↓', 'extend'],
  ['Space', 'tick'],
  ['Ctrl+A', 'all'],
  ['Enter', 'read'],
  ['Ctrl+C', 'copy'],
  ['Delete', 'delete'],
  ['Escape', 'none'],
] as const;

/** F1: the keys of what is on the screen, and those of the point table. */
export default function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['commands', 'app']);
  const commands = [...useRegistry((state) => state.commands).values()];
  return (
    <Modal opened onClose={onClose} size={520} title={t('commands:keys')} closeButtonProps={{ 'aria-label': t('app:action.close') }}>
      <Table data-testid="key-help" withRowBorders={false} verticalSpacing={3}>
        <Table.Tbody>
          {COMMAND_GROUPS.flatMap((group) => commands.filter((command) => command.group === group)).map(({ id, key, words }) =>
            key === undefined ? null : (
              <Table.Tr key={id}>
                <Table.Td w={130}>
                  <Kbd size="xs">{keyText(key)}</Kbd>
                </Table.Td>
                <Table.Td>{words}</Table.Td>
              </Table.Tr>
            ),
          )}
          <Table.Tr>
            <Table.Th colSpan={2}>{t('commands:inTable')}</Table.Th>
          </Table.Tr>
          {TABLE_KEYS.map(([key, name]) => (
            <Table.Tr key={key}>
              <Table.Td>
                <Kbd size="xs">{key}</Kbd>
              </Table.Td>
              <Table.Td>{t(`commands:table.${name}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
