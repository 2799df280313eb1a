import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Comparison } from '#shared/contract/table-compare.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { i18n } from '../../i18n/index.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';
import classes from './compare.module.css';
import type { TakeOver, Taking } from './use-take-over.ts';

interface CompareFooterProps {
  readonly result: Comparison;
  readonly take: TakeOver;
  /** What is chosen. */
  readonly chosen: Taking;
  /** Selected rows are being fetched. */
  readonly isChoosing: boolean;
  /** Before the buttons that take over. */
  readonly children: ReactNode;
}

/** Saves a comparison, and takes it over: what is chosen, or all of it. */
export function CompareFooter({ result, take, chosen, isChoosing, children }: CompareFooterProps) {
  const { t } = useTranslation('tables');
  const { comparison_id, counts } = result;
  const save = useMutation({
    mutationFn: async (format: 'xlsx' | 'csv') => {
      const lang = i18n.language.startsWith('zh') ? 'zh' : 'en';
      saveFile((await api.call('exportComparison', { comparison_id, format, lang })).data);
    },
    retry: false,
    onError: (failure) => notifyError(toAppError(failure)),
  });
  const all: Taking = { codes: null, count: counts.added + counts.removed + counts.changed + counts.renamed, removed: counts.removed };
  const noTake = result.can_take ? null : t('compare.noTarget');
  const removed = take.asked?.removed ?? 0;
  return (
    <div className={classes.footer}>
      <Button
        variant="default"
        leftSection={<Icon name="download" size={14} />}
        loading={save.isPending}
        onClick={() => save.mutate('xlsx')}
        data-testid="compare-xlsx"
      >
        {t('compare.exportXlsx')}
      </Button>
      <Button variant="default" onClick={() => save.mutate('csv')} data-testid="compare-csv">
        {t('compare.exportCsv')}
      </Button>
      <span className={classes.spacer} />
      {children}
      <GuardedButton
        variant="default"
        reason={noTake ?? (all.count === 0 ? t('compare.nothingToTake') : null)}
        hint=""
        loading={take.isBusy}
        onClick={() => take.start(all)}
        testId="compare-take-all"
      >
        {t('compare.takeAll', { count: all.count })}
      </GuardedButton>
      <GuardedButton
        reason={noTake ?? (chosen.count === 0 ? t('compare.noneChosen') : null)}
        hint=""
        loading={take.isBusy || isChoosing}
        onClick={() => take.start(chosen)}
        testId="compare-take"
      >
        {t('compare.take', { count: chosen.count })}
      </GuardedButton>
      <ConfirmDialog
        opened={take.asked !== null}
        title={t('compare.deleteTitle')}
        confirmLabel={t('compare.deleteButton', { count: removed })}
        danger
        onConfirm={take.confirm}
        onClose={take.cancel}
      >
        <Text size="sm">{t('compare.deletes', { count: removed, name: result.before.name })}</Text>
      </ConfirmDialog>
    </div>
  );
}
