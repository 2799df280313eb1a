import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import { ChooseFile, DropZone, FileReading } from '../../ui/drop-zone.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
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
  const label = hasDocument ? t('document.dropOther') : t('document.drop');
  if (state.isReading) {
    return <FileReading text={t('document.reading')} />;
  }
  return (
    <>
      <DropZone label={label} onFile={state.read} testId="document-drop">
        <Icon name="upload" size={28} />
        <Text fw={600}>{label}</Text>
        <ChooseFile
          label={t('document.choose')}
          onFile={state.read}
          accept={[...facts.extensions, '.xml'].join(',')}
          variant={hasDocument ? 'default' : 'filled'}
          data-testid="document-choose"
        />
        <Text size="xs" c="dimmed" ta="center">
          {t('document.hint', { extensions: facts.extensions.join(' '), limit: formatBytes(facts.max_octets) })}
        </Text>
        {state.tooLarge === null ? null : (
          <Text c="red" role="alert">
            {t('document.tooLarge', { size: formatBytes(state.tooLarge), limit: formatBytes(facts.max_octets) })}
          </Text>
        )}
      </DropZone>
      <ErrorNotice error={state.error} compact />
    </>
  );
}
