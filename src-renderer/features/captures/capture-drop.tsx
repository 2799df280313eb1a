import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LARGEST_TABLE_FILE } from '#shared/contract/point-files.ts';
import { ChooseFile, DropZone, FileReading } from '../../ui/drop-zone.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import classes from './captures.module.css';
import { KeptList } from './kept-list.tsx';
import { type CaptureState, nameOfSource } from './use-capture.ts';

/** File types offered by the file dialog; what the file holds decides. */
const ENDINGS = '.pcapng,.pcap,.cap';

/** The first step: a file that is dropped or chosen, or a capture that the project keeps. */
export function CaptureDrop({ state }: { readonly state: CaptureState }) {
  const { t } = useTranslation(['captures', 'app']);
  const limit = formatBytes(LARGEST_TABLE_FILE);
  if (state.isLooking && state.source !== null) {
    return (
      <FileReading text={t('captures:reading', { name: nameOfSource(state.source) })} testId="capture-looking">
        <Button variant="default" onClick={state.reset} data-testid="capture-cancel">
          {t('app:action.cancel')}
        </Button>
      </FileReading>
    );
  }
  return (
    <>
      <Text size="sm">{t('captures:hint')}</Text>
      <DropZone label={t('captures:drop')} onFile={state.look} testId="capture-drop">
        <Icon name="upload" size={28} />
        <Text fw={600}>{t('captures:drop')}</Text>
        <ChooseFile
          label={t('captures:choose')}
          onFile={state.look}
          accept={ENDINGS}
          variant="filled"
          data-autofocus
          data-testid="capture-choose"
        />
        <Text size="xs" className={classes.muted ?? ''}>
          {t('captures:limit', { limit })}
        </Text>
        {state.tooLarge === null ? null : (
          <Text c="red" role="alert">
            {t('captures:tooLarge', { size: formatBytes(state.tooLarge), limit })}
          </Text>
        )}
      </DropZone>
      <ErrorNotice error={state.error} compact />
      <KeptList onLook={state.look} />
    </>
  );
}
