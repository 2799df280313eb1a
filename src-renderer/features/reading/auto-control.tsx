import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TaskState } from '#shared/domain/enums.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { formatTime } from '../../ui/time.ts';
import classes from './reading.module.css';
import type { Reading } from './use-reading.ts';

const TONES: Readonly<Record<TaskState, Tone>> = { idle: 'idle', running: 'ok', stopping: 'busy', failed: 'bad' };

/** Automatic reading: on or off, its state, rounds and when the last one ended. */
export function AutoControl({ reading }: { readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  const { auto, obstacle } = reading;
  const state = auto?.state ?? 'idle';
  return (
    <fieldset className={classes.group} aria-label={t('auto')}>
      {state === 'running' || state === 'stopping' ? (
        <GuardedButton
          variant="default"
          leftSection={<Icon name="stop" size={14} />}
          reason={state === 'stopping' ? t('why.autoStopping') : null}
          hint={t('stopHint')}
          onClick={reading.stopAuto}
          testId="auto-stop"
        >
          {state === 'stopping' ? t('stopping') : t('stop')}
        </GuardedButton>
      ) : (
        <GuardedButton
          leftSection={<Icon name="play" size={14} />}
          reason={obstacle ? t(`why.${obstacle}`) : null}
          hint={t('startHint')}
          onClick={() => reading.startAuto()}
          testId="auto-start"
        >
          {t('start')}
        </GuardedButton>
      )}
      <div className={classes.state} data-testid="auto-state" data-state={state}>
        <StatusBadge tone={TONES[state]}>{t('autoState', { state: t(`state.${state}`) })}</StatusBadge>
        <Text size="xs" className={classes.counts}>
          <span data-testid="auto-rounds">{t('rounds', { count: auto?.cycle_count ?? 0 })}</span>
          {auto?.last_cycle_at ? (
            <span title={formatTime(auto.last_cycle_at)}>{t('lastRound', { time: formatTime(auto.last_cycle_at).slice(0, 8) })}</span>
          ) : null}
          {auto && auto.cycle_count > 0 ? (
            <>
              <span>{t('good', { count: auto.success })}</span>
              <span className={auto.fail > 0 ? classes.bad : undefined}>{t('failed', { count: auto.fail })}</span>
            </>
          ) : null}
        </Text>
      </div>
    </fieldset>
  );
}
