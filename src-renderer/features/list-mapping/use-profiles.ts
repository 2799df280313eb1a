import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DataOf, InputOf } from '#shared/contract/index.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';

type Profile = DataOf<'saveProfile'>;

/** What is done with profiles of foreign lists; tells how it went. */
export function useProfiles() {
  const { t } = useTranslation('lists');
  const client = useQueryClient();
  const renew = () => Promise.all(['listProfiles', 'analyseList'].map((key) => client.invalidateQueries({ queryKey: [key] })));
  const told =
    (key: 'saved' | 'deleted') =>
    async ({ name }: Profile) => {
      await renew();
      notifyDone(t(`profile.${key}`, { name }));
    };
  const save = useMutation<Profile, AppError, InputOf<'saveProfile'>>({
    mutationFn: async (input) => (await api.call('saveProfile', input)).data,
    retry: false,
    onSuccess: told('saved'),
  });
  const add = useMutation<Profile, AppError, File>({
    mutationFn: async (file) => (await api.call('addProfileFile', { file })).data,
    retry: false,
    onSuccess: told('saved'),
    onError: (error) => notifyError(toAppError(error)),
  });
  const remove = useMutation<Profile, AppError, string>({
    mutationFn: async (id) => (await api.call('deleteProfile', { id })).data,
    retry: false,
    onSuccess: told('deleted'),
  });
  const saveAsFile = useMutation<void, AppError, string>({
    mutationFn: async (id) => saveFile((await api.call('profileFile', { id })).data),
    retry: false,
    onError: (error) => notifyError(toAppError(error)),
  });
  return { save, add, remove, saveAsFile };
}
