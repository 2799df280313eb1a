import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Saves the model as an SCL file. */
export function ExportButton({ channelId }: { readonly channelId: number }) {
  const { t } = useTranslation('model');
  const save = useMutation({
    mutationFn: async () => {
      const { data } = await api.call('exportModel', { channel_id: channelId });
      saveFile(data);
      return data.name;
    },
    retry: false,
    onSuccess: (name) => notifyDone(t('document.exported', { name })),
    onError: (error) => notifyError(toAppError(error)),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={14} />}
      title={t('document.exportHint')}
      loading={save.isPending}
      onClick={() => save.mutate()}
      data-testid="model-export"
    >
      {t('document.export')}
    </Button>
  );
}
