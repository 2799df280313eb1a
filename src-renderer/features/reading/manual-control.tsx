import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useKeyHint } from '../../commands/registry.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import classes from './reading.module.css';
import { isActive, isUntouched, latestTask } from './task-config.ts';
import type { Reading } from './use-reading.ts';

/** One round now, and the way to cancel it. */
export function ManualButton({ reading }: { readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  const key = useKeyHint('read-once');
  const { manual, obstacle } = reading;
  if (isActive(manual)) {
    return (
      <Button
        variant="default"
        miw={104}
        leftSection={<Icon name="stop" size={14} />}
        disabled={manual?.state === 'stopping'}
        onClick={reading.cancelManual}
        data-testid="read-cancel"
      >
        {manual?.state === 'stopping' ? t('cancelling') : t('cancel')}
      </Button>
    );
  }
  return (
    <GuardedButton
      variant="default"
      leftSection={<Icon name="read" size={14} />}
      miw={104}
      reason={obstacle ? t(`why.${obstacle}`) : null}
      hint={t(`onceHint.${reading.scope}`, { count: reading.ticked, key })}
      onClick={reading.readShown}
      testId="read-once"
    >
      {reading.scope === 'ticked' ? t('onceTicked', { count: reading.ticked }) : t('once')}
    </GuardedButton>
  );
}

/** Progress and counts of one round by hand, while it is what was read last. */
export function ManualProgress({ reading }: { readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  const { auto, manual } = reading;
  if (!manual || isUntouched(manual) || latestTask(auto, manual) !== manual) return null;
  return (
    <span className={classes.state} data-testid="manual-progress" data-state={manual.state} aria-live={isActive(manual) ? 'off' : 'polite'}>
      {isActive(manual) ? (
        <Progress.Root size="sm" className={classes.progress ?? ''}>
          <Progress.Section
            value={manual.total > 0 ? (100 * manual.current) / manual.total : 0}
            aria-label={t('progressLabel')}
            color={manual.fail > 0 ? 'amber' : 'steel'}
          />
        </Progress.Root>
      ) : null}
      <span>{t('progress', { current: manual.current, total: manual.total })}</span>
      {manual.fail > 0 ? <span className={classes.bad}>{t('failed', { count: manual.fail })}</span> : null}
      <span>{t('good', { count: manual.success })}</span>
    </span>
  );
}
