import { useTranslation } from 'react-i18next';
import type { TaskState } from '#shared/domain/enums.ts';
import { useKeyHint } from '../../commands/registry.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { formatTime } from '../../ui/time.ts';
import classes from './reading.module.css';
import { isActive, latestTask } from './task-config.ts';
import type { Reading } from './use-reading.ts';

const TONES: Readonly<Record<TaskState, Tone>> = { idle: 'idle', running: 'ok', stopping: 'busy', failed: 'bad' };

/** Starts and stops automatic reading. */
export function AutoButton({ reading }: { readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  const key = useKeyHint('automatic');
  const { auto, obstacle } = reading;
  const isStopping = auto?.state === 'stopping';
  if (isActive(auto)) {
    return (
      <GuardedButton
        variant="default"
        leftSection={<Icon name="stop" size={14} />}
        reason={isStopping ? t('why.autoStopping') : null}
        hint={t('stopHint', { key })}
        onClick={reading.stopAuto}
        testId="auto-stop"
      >
        {isStopping ? t('stopping') : t('stop')}
      </GuardedButton>
    );
  }
  return (
    <GuardedButton
      variant="light"
      leftSection={<Icon name="play" size={14} />}
      reason={obstacle ? t(`why.${obstacle}`) : null}
      hint={t('startHint', { key })}
      onClick={() => reading.startAuto()}
      testId="auto-start"
    >
      {t('start')}
    </GuardedButton>
  );
}

/** Automatic reading: on or off; its rounds and when the last one ended, unless one round by hand came later. */
export function AutoState({ reading }: { readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  const { auto, manual } = reading;
  const state = auto?.state ?? 'idle';
  const isTold = auto !== undefined && latestTask(auto, manual) === auto && auto.started_at !== null;
  return (
    <span className={classes.state} data-testid="auto-state" data-state={state}>
      <StatusBadge tone={TONES[state]}>{t('autoState', { state: t(`state.${state}`) })}</StatusBadge>
      {isTold ? (
        <>
          {auto.cycle_count > 0 ? (
            <>
              {auto.fail > 0 ? <span className={classes.bad}>{t('failed', { count: auto.fail })}</span> : null}
              <span>{t('good', { count: auto.success })}</span>
            </>
          ) : null}
          <span
            data-testid="auto-rounds"
            {...(auto.last_cycle_at ? { title: t('lastRound', { time: formatTime(auto.last_cycle_at) }) } : {})}
          >
            {t('rounds', { count: auto.cycle_count })}
          </span>
        </>
      ) : null}
    </span>
  );
}
