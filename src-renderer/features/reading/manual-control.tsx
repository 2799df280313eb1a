import { Button, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import classes from './reading.module.css';
import { isActive, isUntouched } from './task-config.ts';
import type { Reading } from './use-reading.ts';

/** One round now: the button, its progress and counts, and the way to cancel it. */
export function ManualControl({ reading }: { readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  const { manual, obstacle } = reading;
  const isRunning = isActive(manual);
  return (
    <fieldset className={classes.group} aria-label={t('once')}>
      {isRunning ? (
        <Button
          variant="default"
          leftSection={<Icon name="stop" size={14} />}
          disabled={manual?.state === 'stopping'}
          onClick={reading.cancelManual}
          data-testid="read-cancel"
        >
          {manual?.state === 'stopping' ? t('cancelling') : t('cancel')}
        </Button>
      ) : (
        <GuardedButton
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          miw={128}
          reason={obstacle ? t(`why.${obstacle}`) : null}
          hint={t(`onceHint.${reading.scope}`, { count: reading.ticked })}
          onClick={reading.readShown}
          testId="read-once"
        >
          {reading.scope === 'ticked' ? t('onceTicked', { count: reading.ticked }) : t('once')}
        </GuardedButton>
      )}
      <div className={classes.progress} data-testid="manual-progress" data-state={manual?.state}>
        <Progress.Root size="sm">
          <Progress.Section
            value={manual && manual.total > 0 ? (100 * manual.current) / manual.total : 0}
            aria-label={t('progressLabel')}
            color={manual && manual.fail > 0 ? 'amber' : 'steel'}
          />
        </Progress.Root>
        <Text size="xs" {...(isUntouched(manual) ? { c: 'dimmed' } : {})} className={classes.counts} aria-live="polite">
          {manual && !isUntouched(manual) ? (
            <>
              <span>{t('progress', { current: manual.current, total: manual.total })}</span>
              <span>{t('good', { count: manual.success })}</span>
              <span className={manual.fail > 0 ? classes.bad : undefined}>{t('failed', { count: manual.fail })}</span>
            </>
          ) : (
            t('last.none')
          )}
        </Text>
      </div>
    </fieldset>
  );
}
