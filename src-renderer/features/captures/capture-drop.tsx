import { Button, FileButton, Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LARGEST_TABLE_FILE } from '#shared/contract/point-files.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import classes from './captures.module.css';
import { KeptList } from './kept-list.tsx';
import { type CaptureState, nameOfSource } from './use-capture.ts';

/** File types offered by the file dialog; what the file holds decides. */
const ENDINGS = '.pcapng,.pcap,.cap';

/** The first step: a file that is dropped or chosen, or a capture that the project keeps. */
export function CaptureDrop({ state }: { readonly state: CaptureState }) {
  const { t } = useTranslation(['captures', 'app']);
  const { isOver, handlers } = useFileDrop(state.look);
  const limit = formatBytes(LARGEST_TABLE_FILE);
  if (state.isLooking && state.source !== null) {
    return (
      <div className={classes.drop} role="status" data-testid="capture-looking">
        <Loader size="sm" />
        <Text>{t('captures:reading', { name: nameOfSource(state.source) })}</Text>
        <Button variant="default" onClick={state.reset} data-testid="capture-cancel">
          {t('app:action.cancel')}
        </Button>
      </div>
    );
  }
  return (
    <>
      <Text size="sm">{t('captures:hint')}</Text>
      <section
        className={`${classes.drop} ${isOver ? classes.over : ''}`}
        aria-label={t('captures:drop')}
        {...handlers}
        data-testid="capture-drop"
      >
        <Icon name="upload" size={28} />
        <Text fw={600}>{t('captures:drop')}</Text>
        <FileButton onChange={(file) => file && state.look(file)} accept={ENDINGS} inputProps={{ 'aria-label': t('captures:choose') }}>
          {(props) => (
            <Button {...props} data-autofocus data-testid="capture-choose">
              {t('captures:choose')}
            </Button>
          )}
        </FileButton>
        <Text size="xs" className={classes.muted ?? ''}>
          {t('captures:limit', { limit })}
        </Text>
        {state.tooLarge === null ? null : (
          <Text c="red" role="alert">
            {t('captures:tooLarge', { size: formatBytes(state.tooLarge), limit })}
          </Text>
        )}
      </section>
      <ErrorNotice error={state.error} compact />
      <KeptList onLook={state.look} />
    </>
  );
}
