import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { CHECK_RECORD_LANGUAGES, type CheckRecordLanguage } from '#shared/domain/check.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { ownWindow } from '../../api/service-place.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { guideTo } from '../guide/guide.ts';

const FORMS = ['html', 'pdf', 'xlsx', 'json'] as const;
type Form = (typeof FORMS)[number];

interface Wanted {
  readonly form: Form;
  readonly lang: CheckRecordLanguage;
}

/** Saves a form of the record; false: somebody closed the dialog that asks where. */
async function save(sessionId: number, { form, lang }: Wanted): Promise<boolean> {
  if (form === 'pdf') {
    const outcome = await ownWindow()?.printRecord({ sessionId, lang });
    if (outcome?.kind === 'refused') throw new AppError(outcome.code, outcome.said);
    return outcome?.kind === 'saved';
  }
  const { data } = await api.call('checkRecord', { session_id: sessionId, format: form, lang });
  saveFile(data as DownloadedFile);
  return true;
}

/** Which form of the record, and in which language; PDF where the window can print by itself. */
export function ExportDialog({ sessionId, onClose }: { readonly sessionId: number; onClose(): void }) {
  const { t, i18n } = useTranslation(['record', 'app']);
  const [wanted, setWanted] = useState<Wanted>({ form: 'html', lang: i18n.language === 'en' ? 'en' : 'zh' });
  const saving = useMutation<boolean, AppError>({
    mutationFn: () => save(sessionId, wanted).catch((thrown) => Promise.reject(toAppError(thrown))),
    onSuccess: (isSaved) => (isSaved ? onClose() : undefined),
    retry: false,
  });
  const forms = FORMS.filter((form) => form !== 'pdf' || ownWindow() !== undefined);
  return (
    <Modal
      {...guideTo('check')}
      opened
      onClose={onClose}
      size={560}
      title={t('record:export.title')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Stack gap="sm" data-testid="export-dialog">
        <SegmentedControl
          data={forms.map((form) => ({ value: form, label: t(`record:export.form.${form}`) }))}
          value={wanted.form}
          onChange={(form) => setWanted({ ...wanted, form: form as Form })}
          aria-label={t('record:export.form.label')}
          data-testid="export-form"
        />
        <Text size="sm">{t(`record:export.hint.${wanted.form}`)}</Text>
        {wanted.form === 'json' ? null : (
          <SegmentedControl
            data={CHECK_RECORD_LANGUAGES.map((lang) => ({ value: lang, label: t(`record:export.lang.${lang}`) }))}
            value={wanted.lang}
            onChange={(lang) => setWanted({ ...wanted, lang: lang as CheckRecordLanguage })}
            aria-label={t('record:export.lang.label')}
            data-testid="export-lang"
          />
        )}
        <ErrorNotice error={saving.error} compact />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('app:action.close')}
          </Button>
          <Button loading={saving.isPending} onClick={() => saving.mutate()} data-autofocus data-testid="export-do">
            {t('record:export.save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
