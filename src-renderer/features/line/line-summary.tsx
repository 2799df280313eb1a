import { Button, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { LineStats } from '#shared/contract/line.ts';
import { useAction } from '../../api/hooks.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { formatSince } from '../../ui/time.ts';
import { useProtocol } from '../channels/protocol-facts.ts';
import classes from './line.module.css';
import { formatPercent, formatQuantiles } from './line-text.ts';
import { ShareBar } from './share-bar.tsx';

interface CellProps {
  readonly name: string;
  readonly hint: string;
  readonly value: string | number;
  readonly needsAttention?: boolean;
  readonly testId?: string;
}

function Cell({ name, hint, value, needsAttention = false, testId }: CellProps) {
  return (
    <Tooltip label={hint}>
      <div className={classes.cell} data-testid={testId}>
        <dt>{name}</dt>
        <dd className={needsAttention ? classes.attention : undefined}>{value}</dd>
      </div>
    </Tooltip>
  );
}

const ERRORS = [
  ['timeouts', 'timeouts'],
  ['exceptions', 'exceptions'],
  ['checksum', 'checksum_errors'],
  ['noise', 'noise'],
  ['protocolErrors', 'protocol_errors'],
  ['late', 'late'],
] as const;

/** The line as a whole, in cells that keep their place. */
export function LineSummary({ channel, stats }: { readonly channel: Channel; readonly stats: LineStats }) {
  const { t } = useTranslation('line');
  const usual = useProtocol(channel.protocol_type)?.frame_check ?? '';
  // ASCII is a setting of a protocol whose frames have a CRC otherwise
  const context = channel.protocol.framing === 'ascii' ? 'sum' : usual;
  const reset = useAction('resetLineStats', ['lineStats']);
  const since = t('since', { time: formatSince(stats.since, new Date()), seconds: Math.round(stats.window_ms / 1000) });
  return (
    <div className={classes.summary} data-testid="line-summary">
      <div className={classes.whole}>
        <ShareBar load={stats.load_percent} busy={stats.busy_percent} />
        <span className={`${classes.muted} lc-ellipsis`} title={since}>
          {since}
        </span>
      </div>
      <dl className={classes.cells}>
        <Cell name={t('load')} hint={t('loadHint')} value={formatPercent(stats.load_percent)} testId="line-load" />
        <Cell name={t('busy')} hint={t('busyHint')} value={formatPercent(stats.busy_percent)} testId="line-busy" />
        <Cell name={t('requests')} hint={t('requestsHint')} value={stats.requests} testId="line-requests" />
        <Cell name={t('latency')} hint={t('latencyHint')} value={formatQuantiles(stats.latency_ms)} testId="line-latency" />
        {ERRORS.map(([name, field]) => (
          <Cell
            key={name}
            name={name === 'checksum' ? t('checksum', { context }) : t(name)}
            hint={t(`${name}Hint`)}
            value={stats[field]}
            needsAttention={stats[field] > 0}
            testId={`line-${field}`}
          />
        ))}
        {stats.compared ? (
          <Cell
            name={t('compared')}
            hint={t('comparedHint', { ...stats.compared, time: formatSince(stats.compared.last_at, new Date()) })}
            value={stats.compared.differing}
            needsAttention={stats.compared.differing > 0}
            testId="line-compared"
          />
        ) : null}
      </dl>
      <Tooltip label={t('resetHint')}>
        <Button
          variant="default"
          leftSection={<Icon name="reload" size={14} />}
          loading={reset.isPending}
          onClick={() => reset.mutate({ channel_id: channel.id }, { onError: notifyError })}
          data-testid="line-reset"
        >
          {t('reset')}
        </Button>
      </Tooltip>
    </div>
  );
}
