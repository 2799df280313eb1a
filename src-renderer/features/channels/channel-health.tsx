import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { slaveText } from '#shared/domain/notation.ts';
import { formatDuration } from '../../ui/format.ts';
import { formatTime } from '../../ui/time.ts';
import classes from './channel-view.module.css';
import { termsOf, useNotation } from './protocol-facts.ts';
import { useRequestRate } from './request-rate.ts';

interface CellProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly needsAttention?: boolean;
  /** For values with a unit. */
  readonly isWide?: boolean;
}

function Cell({ label, hint, value, needsAttention = false, isWide = false }: CellProps) {
  return (
    <Tooltip label={<span style={{ whiteSpace: 'pre-line' }}>{hint}</span>}>
      <div className={`${classes.cell} ${isWide ? classes.wide : ''} ${needsAttention ? classes.attention : ''}`}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    </Tooltip>
  );
}

const COUNTERS_CLIENT = ['timeouts', 'refusals', 'faults', 'late', 'reconnects'] as const;
const COUNTERS_SERVER = ['refusals', 'faults'] as const;

interface ChannelHealthProps {
  readonly channel: Channel;
  /** When the channel was polled, milliseconds. */
  readonly updatedAt: number;
}

/** Counters since the last start, in cells that keep their place. */
export function ChannelHealth({ channel, updatedAt }: ChannelHealthProps) {
  const { t } = useTranslation('channels');
  const { health, protocol_type } = channel;
  const notation = useNotation(protocol_type);
  const rate = useRequestRate(channel.id, health.requests, updatedAt);
  const serving = isServing(channel.conn_type);
  const suspended = health.suspended.map((item) =>
    t('health.suspendedOne', {
      context: termsOf(notation).slave,
      slave: slaveText(item.slave_id, notation),
      time: formatTime(item.next_probe_at).slice(0, 8),
    }),
  );
  return (
    <dl className={classes.health} aria-label={t('health.label')} data-testid="health">
      <Cell label={t('health.rate')} hint={t('health.rateHint')} value={rate === null ? '–' : rate.toFixed(1)} />
      {serving ? (
        <Cell label={t('health.clients')} hint={t('health.clientsHint')} value={String(health.clients)} />
      ) : (
        <Cell
          label={t('health.latency')}
          hint={t('health.latencyHint')}
          value={health.latency_ms === null ? '–' : formatDuration(health.latency_ms)}
          isWide
        />
      )}
      {(serving ? COUNTERS_SERVER : COUNTERS_CLIENT).map((name) => (
        <Cell
          key={name}
          label={t(`health.${name}`)}
          hint={t(`health.${name}Hint`)}
          value={String(health[name])}
          needsAttention={health[name] > 0}
        />
      ))}
      {serving ? null : (
        <Cell
          label={t('health.suspended')}
          hint={[t('health.suspendedHint'), ...suspended].join('\n')}
          value={String(suspended.length)}
          needsAttention={suspended.length > 0}
        />
      )}
    </dl>
  );
}
