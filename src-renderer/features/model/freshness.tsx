import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { ageOf } from '../points/point-text.ts';

interface FreshnessProps {
  readonly updatedAt: string | null;
  readonly isStale: boolean;
  readonly error: string | null;
  /** Time the answer came, UTC milliseconds. */
  readonly nowMs: number;
}

/** How old values are, and whether the last read failed; the error and the exact time as title. */
export function Freshness({ updatedAt, isStale, error, nowMs }: FreshnessProps) {
  const { t } = useTranslation(['model', 'points']);
  if (updatedAt === null && error === null) return <StatusBadge tone="idle">{t('model:fresh.never')}</StatusBadge>;
  const age = ageOf(updatedAt, nowMs);
  const old = age ? t(`points:age.${age.unit}`, { count: age.count }) : '';
  const word = isStale ? t('model:fresh.stale') : t('model:fresh.good');
  const title = [updatedAt === null ? '' : t('model:fresh.readAt', { time: formatDateTime(updatedAt) }), error ?? ''].filter(
    (text) => text !== '',
  );
  return (
    <StatusBadge tone={isStale ? 'warn' : 'ok'} title={title.join('\n')}>
      {old === '' ? word : `${word} · ${old}`}
    </StatusBadge>
  );
}
