import { Checkbox, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { makeTemplate } from './library-store.ts';

const close = () => makeTemplate(null);

/** Keeps a channel as a template of the device library. */
export default function MakeTemplate({ channel }: { readonly channel: { readonly id: number; readonly name: string } }) {
  const { t } = useTranslation('library');
  const [name, setName] = useState(channel.name);
  const [about, setAbout] = useState('');
  const [withValues, setWithValues] = useState(true);
  const make = useAction('makeTemplate', ['listTemplates']);
  const start = () =>
    make.mutate(
      { channel_id: channel.id, name, about, with_values: withValues },
      {
        onSuccess: ({ data }) => {
          notifyDone(t('kept', { name: data.name, count: data.points }));
          close();
        },
      },
    );
  return (
    <ConfirmDialog
      opened
      title={t('makeTitle', { name: channel.name })}
      confirmLabel={t('keep')}
      pending={make.isPending}
      error={make.error}
      onConfirm={start}
      onClose={close}
    >
      <Text size="sm">{t('makeText')}</Text>
      <TextInput
        label={t('name')}
        value={name}
        maxLength={80}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        data-path="name"
      />
      <Textarea
        label={t('about')}
        value={about}
        maxLength={2000}
        autosize
        minRows={2}
        maxRows={6}
        onChange={(event) => setAbout(event.currentTarget.value)}
        data-path="about"
      />
      <Checkbox
        label={t('withValues')}
        checked={withValues}
        onChange={(event) => setWithValues(event.currentTarget.checked)}
        data-path="with_values"
      />
    </ConfirmDialog>
  );
}
