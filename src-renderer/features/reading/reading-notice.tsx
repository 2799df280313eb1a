import { ActionIcon, Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AppError } from '#shared/domain/errors.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
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

/** Over the page: why a read was refused. It moves nothing that is below, and goes when it is dismissed or a read starts. */
export function ReadingNotice({ reading }: { readonly reading: Reading }) {
  const { t } = useTranslation('reading');
  const { error, problem } = reading;
  if (!error && !problem) return null;
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
