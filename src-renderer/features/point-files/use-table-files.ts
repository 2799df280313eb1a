import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { InputOf } from '#shared/contract/index.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';

type Wanted =
  | { readonly kind: 'exportPoints'; readonly input: InputOf<'exportPoints'> }
  | { readonly kind: 'pointsTemplate'; readonly input: InputOf<'pointsTemplate'> };

/** Makes and saves exports and templates; tells how it went. */
export function useTableFiles() {
  const { t } = useTranslation('files');
  return useMutation({
    mutationFn: async (wanted: Wanted) => {
      const { data } =
        wanted.kind === 'exportPoints' ? await api.call(wanted.kind, wanted.input) : await api.call(wanted.kind, wanted.input);
      saveFile(data);
      return data.name;
    },
    retry: false,
    onSuccess: (name) => notifyDone(t('exported', { name })),
    onError: (error) => notifyError(toAppError(error)),
  });
}
