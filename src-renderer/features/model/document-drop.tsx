import { Button, FileButton, Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import classes from './model.module.css';
import type { DocumentState } from './use-document.ts';

/** A file on its way to the service. */
export type DropState = Pick<DocumentState, 'isReading' | 'tooLarge' | 'error' | 'read'>;

interface DocumentDropProps {
  readonly state: DropState;
  readonly facts: NonNullable<ProtocolDescriptor['model']>;
  readonly hasDocument: boolean;
}

/** Takes a file that is dropped or chosen. */
export function DocumentDrop({ state, facts, hasDocument }: DocumentDropProps) {
  const { t } = useTranslation('model');
  const { isOver, handlers } = useFileDrop(state.read);
  const label = hasDocument ? t('document.dropOther') : t('document.drop');
  if (state.isReading) {
    return (
      <div className={classes.drop} role="status">
        <Loader size="sm" />
        <Text>{t('document.reading')}</Text>
      </div>
    );
  }
  return (
    <>
      <section className={`${classes.drop} ${isOver ? classes.over : ''}`} aria-label={label} {...handlers} data-testid="document-drop">
        <Icon name="upload" size={28} />
        <Text fw={600}>{label}</Text>
        <FileButton
          onChange={(file) => file && state.read(file)}
          accept={[...facts.extensions, '.xml'].join(',')}
          inputProps={{ 'aria-label': t('document.choose') }}
        >
          {(buttonProps) => (
            <Button {...buttonProps} variant={hasDocument ? 'default' : 'filled'} data-testid="document-choose">
              {t('document.choose')}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed" ta="center">
          {t('document.hint', { extensions: facts.extensions.join(' '), limit: formatBytes(facts.max_octets) })}
        </Text>
        {state.tooLarge === null ? null : (
          <Text c="red" role="alert">
            {t('document.tooLarge', { size: formatBytes(state.tooLarge), limit: formatBytes(facts.max_octets) })}
          </Text>
        )}
      </section>
      <ErrorNotice error={state.error} compact />
    </>
  );
}
