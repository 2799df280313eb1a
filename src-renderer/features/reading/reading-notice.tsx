import { ActionIcon, Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { useWords } from '../../i18n/words.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { FindCause } from '../doctor/find-cause.tsx';
import { MOST_NAMED, type ScopeProblem } from './read-scope.ts';
import classes from './reading.module.css';
import { isActive } from './task-config.ts';
import type { Reading } from './use-reading.ts';

/** Which words explain a refused start: a conflict carries the snapshot of what is in the way. */
function conflictKey(error: AppError, reading: Reading): 'auto' | 'manual' | 'other' {
  if (error.data === null) return 'other';
  return isActive(reading.auto) ? 'auto' : 'manual';
}

function Conflict({ error, reading }: { readonly error: AppError; readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  return (
    <Alert color="amber" icon={<Icon name="warn" size={18} />} title={t('conflict.title')} role="alert" data-testid="reading-conflict">
      <Text>{t(`conflict.${conflictKey(error, reading)}`)}</Text>
      <Text size="xs">
        <Said message={error.said} text={error.message} />
      </Text>
    </Alert>
  );
}

function Refusal({ error, reading }: { readonly error: AppError; readonly reading: Reading }) {
  return error.code === 'STATE_CONFLICT' ? <Conflict error={error} reading={reading} /> : <ErrorNotice error={error} compact />;
}

function Problem({ problem }: { readonly problem: ScopeProblem }) {
  const { t } = useTranslation('reading');
  return (
    <Alert color="amber" icon={<Icon name="warn" size={18} />} title={t('scope.title')} role="alert" data-testid="reading-scope">
      {problem.kind === 'nothing' ? t('scope.nothing') : t('scope.tooMany', { count: problem.total, most: MOST_NAMED })}
    </Alert>
  );
}

/** Seconds with the digits that matter: `0.27`, `6.2`. */
function secondsText(ms: number): string {
  return (ms / 1000).toFixed(ms < 1000 ? 2 : 1);
}

/** Under the bar: why a start was refused, the last error of the task in words, and how long a round takes where the line is slow. */
export function ReadingNotice({ channel, reading }: { readonly channel: Channel; readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  const words = useWords();
  const { error, problem, auto, manual } = reading;
  if (error || problem) {
    return (
      <div className={classes.notice}>
        <div className={classes.noticeText}>
          {error ? <Refusal error={error} reading={reading} /> : problem ? <Problem problem={problem} /> : null}
        </div>
        <ActionIcon aria-label={t('dismiss')} onClick={reading.dismissError}>
          <Icon name="close" />
        </ActionIcon>
      </div>
    );
  }
  const latest = isActive(manual) || (manual?.started_at ?? '') > (auto?.started_at ?? '') ? manual : auto;
  const slow = latest?.predicted_cycle_ms;
  const took = slow === undefined ? undefined : latest?.last_cycle_ms;
  if (!latest?.last_error && slow === undefined) return null;
  return (
    <div className={classes.lastError} data-testid="reading-last-error">
      {slow === undefined ? null : (
        <Text size="xs" style={{ whiteSpace: 'nowrap' }} data-testid="reading-predicted">
          {t('predicted', { seconds: secondsText(slow) })}
          {took === undefined ? null : ` ${t('took', { seconds: secondsText(took) })}`}
        </Text>
      )}
      {latest?.last_error ? (
        <Text size="xs" className={classes.bad} title={words(latest.last_error_info, latest.last_error)}>
          <Icon name="warn" size={13} />
          <span className="lc-ellipsis">{t('lastError', { message: words(latest.last_error_info, latest.last_error) })}</span>
        </Text>
      ) : null}
      {latest?.last_error ? (
        <FindCause channel={channel} slaveIds={channel.health.suspended.map((item) => item.slave_id)} testId="reading-cause" />
      ) : null}
    </div>
  );
}
