import { useFileDialog } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { CheckSession } from '#shared/contract/check.ts';
import type { DataOf } from '#shared/contract/index.ts';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import type { GridMenuItem } from '../../ui/data-grid/grid-menu.tsx';
import { notifyDone, notifyError, notifyProblem } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';

const CHANGED = ['checkItems', 'checkSummary'] as const;
/** Codes without an item that are named. */
const MOST_NAMED = 10;

/** Order and templates of a session, in its menu. What of a file fits no item is named. */
export function useOrderItems({ id: session_id }: CheckSession): readonly GridMenuItem[] {
  const { t } = useTranslation('check');
  const order = useAction('orderCheckItems', CHANGED);
  const byList = useAction('orderByCableList', CHANGED);
  const apply = useAction('applyCheckTemplate', CHANGED);
  const told = ({ data: { changed, misfits, misfit_count } }: { readonly data: DataOf<'orderByCableList'> }) => {
    notifyDone(t('order.done', { count: changed }));
    const codes = misfits.slice(0, MOST_NAMED).map(({ code }) => code);
    if (misfit_count > 0) notifyProblem(t('order.misfits', { count: misfit_count, codes: codes.join(', ') }));
  };
  const list = useFileDialog({
    accept: '.csv,.xlsx',
    multiple: false,
    resetOnOpen: true,
    onChange: (files) => files?.[0] && byList.mutate({ session_id, file: files[0] }, { onSuccess: told, onError: notifyError }),
  });
  const template = useFileDialog({
    accept: '.json',
    multiple: false,
    resetOnOpen: true,
    onChange: (files) => files?.[0] && apply.mutate({ session_id, file: files[0] }, { onSuccess: told, onError: notifyError }),
  });
  const put = (by: 'table' | 'group' | 'code') => () =>
    order.mutate(
      { session_id, by },
      { onSuccess: ({ data }) => notifyDone(t('order.done', { count: data.changed })), onError: notifyError },
    );
  const save = () =>
    void api.call('checkTemplate', { session_id }).then(
      ({ data }) => saveFile(data as DownloadedFile),
      (thrown: unknown) => notifyError(toAppError(thrown)),
    );
  return [
    { id: 'order-table', words: t('order.table'), icon: 'list', reason: null, run: put('table') },
    { id: 'order-group', words: t('order.group'), icon: 'list', reason: null, run: put('group') },
    { id: 'order-code', words: t('order.code'), icon: 'list', reason: null, run: put('code') },
    { id: 'order-list', words: t('order.list'), icon: 'upload', reason: null, run: list.open },
    { id: 'template-save', words: t('order.save'), icon: 'download', reason: null, run: save },
    { id: 'template-apply', words: t('order.apply'), icon: 'upload', reason: null, run: template.open },
  ];
}
