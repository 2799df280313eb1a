import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { lazy, memo, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useCommand } from '../../commands/registry.ts';
import { Icon } from '../../ui/icons.tsx';
import { openCompare, useCompareStore } from '../compare/compare-store.ts';
import { openImport, usePointFilesStore } from './point-files-store.ts';
import { useTableFiles } from './use-table-files.ts';

const ImportDialog = lazy(() => import('./import-dialog.tsx'));
const CompareDialog = lazy(() => import('../compare/compare-dialog.tsx'));

/** Import, export and template of the point table of a channel; Ctrl+E exports. */
export const TableFilesMenu = memo(function TableFilesMenu({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation(['files', 'tables']);
  const files = useTableFiles();
  const channelId = channel.id;
  const isImporting = usePointFilesStore((state) => state.importInto === channelId);
  const pasted = usePointFilesStore((state) => state.pasted);
  const save = (format: 'xlsx' | 'csv') => files.mutate({ kind: 'exportPoints', input: { channel_id: channelId, format } });
  const template = (format: 'xlsx' | 'csv') => files.mutate({ kind: 'pointsTemplate', input: { channel_id: channelId, format } });
  const isComparing = useCompareStore((state) => state.channelId === channelId);
  useCommand({
    id: 'compare-tables',
    group: 'points',
    words: t('tables:compare.command'),
    reason: null,
    run: () => openCompare(channelId),
  });
  useCommand({ id: 'export-points', group: 'points', words: t('files:exportXlsx'), key: 'mod+E', reason: null, run: () => save('xlsx') });
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Tooltip label={t('files:menuHint')}>
            <ActionIcon size={30} variant="default" aria-label={t('files:menu')} loading={files.isPending} data-testid="table-files">
              <Icon name="file" />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="upload" />} onClick={() => openImport(channelId)} data-testid="import-points">
            {t('files:import')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="beside" />} onClick={() => openCompare(channelId)} data-testid="compare-tables">
            {t('tables:compare.menu')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="download" />} rightSection="Ctrl+E" onClick={() => save('xlsx')} data-testid="export-xlsx">
            {t('files:exportXlsx')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="download" />} onClick={() => save('csv')} data-testid="export-csv">
            {t('files:exportCsv')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="file" />} onClick={() => template('xlsx')} data-testid="template-xlsx">
            {t('files:templateXlsx')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="file" />} onClick={() => template('csv')} data-testid="template-csv">
            {t('files:templateCsv')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isImporting ? (
        <Suspense fallback={null}>
          <ImportDialog channel={channel} pasted={pasted} />
        </Suspense>
      ) : null}
      {isComparing ? (
        <Suspense fallback={null}>
          <CompareDialog channel={channel} />
        </Suspense>
      ) : null}
    </>
  );
});
