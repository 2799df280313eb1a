import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LARGEST_TABLE_FILE } from '#shared/contract/point-files.ts';
import { ChooseFile, DropZone, FileReading } from '../../ui/drop-zone.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import classes from './import-dialog.module.css';
import type { ImportState } from './use-import.ts';
import { useTableFiles } from './use-table-files.ts';

/** File types offered by the file dialog; what the file holds decides. */
export const ACCEPTED = '.xlsx,.csv,.txt,.tsv,.json,.yaml,.yml';

interface FileDropProps {
  readonly channelId: number;
  readonly state: ImportState;
}

/** The first step: a file is dropped or chosen, or a template taken. */
export function FileDrop({ channelId, state }: FileDropProps) {
  const { t } = useTranslation('files');
  const files = useTableFiles();
  if (state.isReading) {
    return <FileReading text={t('reading', { name: state.file?.name ?? '' })} />;
  }
  return (
    <>
      <DropZone label={t('drop')} onFile={state.choose} testId="import-drop">
        <Icon name="upload" size={32} />
        <Text fw={600} size="md">
          {t('drop')}
        </Text>
        <ChooseFile
          label={t('choose')}
          onFile={state.choose}
          accept={ACCEPTED}
          variant="filled"
          data-autofocus
          data-testid="import-choose"
        />
        <Text className={classes.hint ?? ''} size="xs">
          {t('dropHint')}
        </Text>
        <div className={classes.templates}>
          {(['xlsx', 'csv'] as const).map((format) => (
            <Button
              key={format}
              variant="subtle"
              leftSection={<Icon name="download" size={14} />}
              onClick={() => files.mutate({ kind: 'pointsTemplate', input: { channel_id: channelId, format } })}
            >
              {format === 'xlsx' ? t('templateXlsx') : t('templateCsv')}
            </Button>
          ))}
        </div>
        {state.tooLarge === null ? null : (
          <Text c="red" role="alert">
            {t('tooLarge', { size: formatBytes(state.tooLarge), limit: formatBytes(LARGEST_TABLE_FILE) })}
          </Text>
        )}
      </DropZone>
      <ErrorNotice error={state.error} compact />
    </>
  );
}
