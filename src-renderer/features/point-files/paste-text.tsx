import { Button, Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LARGEST_TABLE_FILE } from '#shared/contract/point-files.ts';
import { FileReading } from '../../ui/drop-zone.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import type { ImportState } from './use-import.ts';

/** The first step where the clipboard cannot be read by itself: somebody pastes into a field. */
export function PasteText({ state }: { readonly state: ImportState }) {
  const { t } = useTranslation(['edit', 'files']);
  const [text, setText] = useState('');
  if (state.isReading) {
    return <FileReading text={t('files:reading', { name: t('files:clipboard') })} />;
  }
  const look = () => state.choose(new File([text], 'clipboard.txt'));
  return (
    <>
      <Textarea
        label={t('edit:paste.label')}
        description={t('edit:paste.hint')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rows={14}
        spellCheck={false}
        data-autofocus
        data-path="paste_text"
      />
      {state.tooLarge === null ? null : (
        <Text c="red" role="alert">
          {t('files:tooLarge', { size: formatBytes(state.tooLarge), limit: formatBytes(LARGEST_TABLE_FILE) })}
        </Text>
      )}
      <ErrorNotice error={state.error} compact />
      <Group justify="flex-end" mt="sm">
        <Button onClick={look} disabled={text.trim() === ''} data-testid="paste-look">
          {t('edit:paste.look')}
        </Button>
      </Group>
    </>
  );
}
