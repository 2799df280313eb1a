import { Button } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useCommand, useKeyHint } from '../../commands/registry.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { useTryTable } from '../table-job/use-try-table.ts';
import classes from './table-check.module.css';
import { useTableCheckStore } from './table-check-store.ts';

interface TableCheckButtonProps {
  readonly channelId: number;
  /** There is a device that the table can be tried at. */
  readonly canTry: boolean;
}

/** How much there is to look at in a table; opens the findings below it (Ctrl+F7). Its width is always the same. */
export const TableCheckButton = memo(function TableCheckButton({ channelId, canTry }: TableCheckButtonProps) {
  const { t } = useTranslation('tables');
  const { toggle } = useTableCheckStore.getState();
  const isOpen = useTableCheckStore((state) => state.channelId === channelId);
  const { data } = useOperation('tableCheck', { channel_id: channelId, page: 1, page_size: 1 }, { pollMs: POLL.slow });
  const onToggle = () => toggle(channelId);
  const key = useKeyHint('table-check');
  useCommand({ id: 'table-check', group: 'points', words: t('check.command'), key: 'mod+F7', reason: null, run: onToggle });
  const onTry = useTryTable();
  const noDevice = canTry ? null : t('device.serving');
  useCommand({ id: 'try-table', group: 'points', words: t('device.command'), reason: noDevice, run: onTry });
  const counts = data?.counts;
  const count = counts ? counts.error + counts.warning : null;
  const icon: IconName = counts === undefined || count === 0 ? 'ok' : (counts?.error ?? 0) > 0 ? 'bad' : 'warn';
  const told = counts ? t('check.counts', { errors: counts.error, warnings: counts.warning, hints: counts.hint }) : '';
  return (
    <Button
      size="compact-xs"
      variant={isOpen ? 'light' : 'subtle'}
      color={icon === 'bad' ? 'red' : icon === 'warn' ? 'amber' : 'gray'}
      className={classes.button ?? ''}
      leftSection={<Icon name={icon} size={13} />}
      title={`${told}${key}`}
      aria-expanded={isOpen}
      onClick={onToggle}
      data-testid="table-check"
    >
      {t('check.button')} <span className={classes.count}>{count ?? '–'}</span>
    </Button>
  );
});
