import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FRAME_FILE_FORMATS, type FrameFileFormat } from '#shared/contract/frames.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Saves the frame log of a channel as the service keeps it: the whole of it, or what passes the expression. */
export function FramesExport({ channelId, filter }: { readonly channelId: number; readonly filter: string }) {
  const { t, i18n } = useTranslation('frames');
  const save = useMutation({
    mutationFn: async (format: FrameFileFormat) => {
      const lang = i18n.language.startsWith('zh') ? 'zh' : 'en';
      const { data } = await api.call('framesFile', { channel_id: channelId, format, lang, ...(filter === '' ? {} : { filter }) });
      saveFile(data);
      return data.name;
    },
    retry: false,
    onSuccess: (name) => notifyDone(t('export.saved', { name })),
    onError: (error) => notifyError(toAppError(error)),
  });
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          title={t(filter === '' ? 'export.hint' : 'export.hintFiltered')}
          loading={save.isPending}
          data-testid="frames-export"
        >
          {t('export.menu')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FRAME_FILE_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => save.mutate(format)} data-testid={`frames-export-${format}`}>
            {t(`export.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
