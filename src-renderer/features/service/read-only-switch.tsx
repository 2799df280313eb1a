import { Switch, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { POLL, useAction, useOperation } from '../../api/hooks.ts';
import { notifyError } from '../../ui/notify.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import classes from './status-bar.module.css';

/** Shows whether the service takes writes at all, and changes it; nothing before it is known. */
export function ReadOnlySwitch() {
  const { t } = useTranslation('app');
  const info = useOperation('serviceInfo', {}, { pollMs: POLL.status }).data;
  const settings = useOperation('getSettings', {}, { pollMs: POLL.slow });
  const update = useAction('updateSettings', ['serviceInfo', 'getSettings']);
  if (!info) return null;
  const { read_only: isReadOnly, caller } = info;
  const { role } = caller;
  const isForced = isReadOnly && settings.data?.read_only === false;
  const hint =
    role !== 'configure'
      ? t(`readOnly.role.${role}`)
      : isForced
        ? t('readOnly.forced')
        : isReadOnly
          ? t('readOnly.onHint')
          : t('readOnly.offHint');
  return (
    <Tooltip label={hint}>
      <div className={classes.guard} data-testid="read-only">
        <StatusBadge tone={isReadOnly ? 'busy' : 'idle'} icon={isReadOnly ? 'lock' : 'unlock'}>
          {isReadOnly ? t('readOnly.on') : t('readOnly.off')}
        </StatusBadge>
        <Switch
          aria-label={t('readOnly.switch')}
          checked={isReadOnly}
          disabled={role !== 'configure' || isForced || update.isPending || !settings.data}
          onChange={(event) => update.mutate({ read_only: event.currentTarget.checked }, { onError: notifyError })}
        />
      </div>
    </Tooltip>
  );
}
