import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { DeviceTemplate } from '#shared/contract/library.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';
import { showLibrary } from './library-store.ts';

/** Names of a template in the language of the pages. */
export function useTemplateWords(): (template: DeviceTemplate) => { readonly name: string; readonly about: string } {
  const { i18n } = useTranslation();
  const isChinese = i18n.language.startsWith('zh');
  return ({ name, about, name_zh, about_zh }) => (isChinese ? { name: name_zh ?? name, about: about_zh ?? about } : { name, about });
}

/** What is done with templates; tells how it went. */
export function useLibrary() {
  const { t } = useTranslation('library');
  const client = useQueryClient();
  const use = useAction('useTemplate', ['listChannels', 'projectInfo']);
  const remove = useAction('deleteTemplate', ['listTemplates']);
  const add = useMutation<DeviceTemplate, AppError, File>({
    mutationFn: async (file) => (await api.call('addTemplateFile', { file })).data,
    retry: false,
    onSuccess: async ({ name }) => {
      await client.invalidateQueries({ queryKey: ['listTemplates'] });
      notifyDone(t('added', { name }));
    },
  });
  const saveAsFile = useMutation<void, AppError, string>({
    mutationFn: async (id) => saveFile((await api.call('templateFile', { id })).data),
    retry: false,
    onError: (error) => notifyError(toAppError(error)),
  });
  const made = (channel: Channel) => {
    notifyDone(t('made', { name: channel.name }));
    useUiStore.getState().selectChannel(channel.id);
    showLibrary(false);
  };
  return { use, remove, add, saveAsFile, made };
}
