import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FRAME_FILE_FORMATS, type FrameFileFormat } from '#shared/contract/frames.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';
import { KeptDialog } from '../captures/kept-dialog.tsx';
import { useKeepCapture } from '../captures/use-keep-capture.tsx';

/** Saves the frame log of a channel as the service has it, or keeps it with the project: the whole of it, or what passes the expression. */
export function FramesExport({ channelId, filter }: { readonly channelId: number; readonly filter: string }) {
  const { t, i18n } = useTranslation(['frames', 'captures']);
  const [showsKept, setShowsKept] = useState(false);
  const { keep, isKeeping, question } = useKeepCapture(channelId, filter);
  const save = useMutation({
    mutationFn: async (format: FrameFileFormat) => {
      const lang = i18n.language.startsWith('zh') ? 'zh' : 'en';
      const { data } = await api.call('framesFile', { channel_id: channelId, format, lang, ...(filter === '' ? {} : { filter }) });
      saveFile(data);
      return data.name;
    },
    retry: false,
    onSuccess: (name) => notifyDone(t('frames:export.saved', { name })),
    onError: (error) => notifyError(toAppError(error)),
  });
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<Icon name="download" size={14} />}
            title={t(filter === '' ? 'frames:export.hint' : 'frames:export.hintFiltered')}
            loading={save.isPending || isKeeping}
            data-testid="frames-export"
          >
            {t('frames:export.menu')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FRAME_FILE_FORMATS.map((format) => (
            <Menu.Item key={format} onClick={() => save.mutate(format)} data-testid={`frames-export-${format}`}>
              {t(`frames:export.${format}`)}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={keep} data-testid="frames-keep">
            {t('captures:keep')}
          </Menu.Item>
          <Menu.Item onClick={() => setShowsKept(true)} data-testid="frames-kept">
            {t('captures:keepShow')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {question}
      {showsKept ? <KeptDialog onClose={() => setShowsKept(false)} /> : null}
    </>
  );
}
