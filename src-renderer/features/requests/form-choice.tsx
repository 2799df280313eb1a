import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { REQUEST_FORMS } from '#shared/client/request-text.ts';
import { FORM_NAMES, useRequestForm } from './request-words.ts';

/** What requests are written for. */
export function FormChoice() {
  const { t } = useTranslation('requests');
  const form = useRequestForm((state) => state.form);
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('form')}
      data={REQUEST_FORMS.map((value) => ({ value, label: FORM_NAMES[value] }))}
      value={form}
      onChange={(chosen) => useRequestForm.setState({ form: chosen })}
    />
  );
}
