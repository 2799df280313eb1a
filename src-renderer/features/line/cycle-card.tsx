import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { LinePlan } from '#shared/contract/line.ts';
import type { TaskSnapshot } from '#shared/contract/tasks.ts';
import { formatDuration } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { useTerms } from '../channels/protocol-facts.ts';
import classes from './line.module.css';

interface TimeBarProps {
  readonly name: string;
  readonly hint?: string;
  readonly ms: number | null;
  /** Length of a full bar in milliseconds. */
  readonly fullMs: number;
  readonly none: string;
  readonly kind: 'predicted' | 'real' | 'planned';
}

/** One time of the cycle, its bar on the scale of all three. */
function TimeBar({ name, hint, ms, fullMs, none, kind }: TimeBarProps) {
  const label = <dt>{name}</dt>;
  return (
    <div className={classes.time} data-testid={`cycle-${kind}`}>
      {hint ? <Tooltip label={hint}>{label}</Tooltip> : label}
      <dd>
        {ms === null ? none : formatDuration(ms)}
        <div className={classes.track} aria-hidden="true">
          <div className={classes[kind]} style={{ width: `${ms === null || fullMs === 0 ? 0 : (ms / fullMs) * 100}%` }} />
        </div>
      </dd>
    </div>
  );
}

interface CycleCardProps {
  readonly plan: LinePlan | undefined;
  /** The task that runs or ran last. */
  readonly task: TaskSnapshot | undefined;
  readonly protocolType: Channel['protocol_type'];
}

/** The cycle as it was foreseen beside the one that was, and the one that is asked for. */
export function CycleCard({ plan, task, protocolType }: CycleCardProps) {
  const { t } = useTranslation('line');
  const terms = useTerms(protocolType);
  const predicted = task?.predicted_cycle_ms ?? plan?.predicted_cycle_ms ?? null;
  const real = task?.last_cycle_ms ?? null;
  const planned = task?.config.cycle_interval_ms ?? null;
  const fullMs = Math.max(predicted ?? 0, real ?? 0, planned ?? 0);
  const slowest = Math.max(predicted ?? 0, real ?? 0);
  const assumed = plan && plan.predicted_cycle_ms !== null ? plan.slaves.filter((slave) => !slave.is_measured).length : 0;
  const none = t('cycle.none');
  return (
    <section className={classes.card} aria-label={t('cycle.title')} data-testid="line-cycle">
      <h2>{t('cycle.title')}</h2>
      <dl className={classes.times}>
        <TimeBar name={t('cycle.predicted')} hint={t('cycle.predictedHint')} ms={predicted} fullMs={fullMs} none={none} kind="predicted" />
        <TimeBar name={t('cycle.real')} ms={real} fullMs={fullMs} none={none} kind="real" />
        <TimeBar name={t('cycle.planned')} ms={planned} fullMs={fullMs} none={none} kind="planned" />
      </dl>
      {plan ? <p className={classes.note}>{t('cycle.requests', { requests: plan.requests, octets: plan.octets })}</p> : null}
      {plan && plan.predicted_cycle_ms === null ? <p className={classes.note}>{t('cycle.fast')}</p> : null}
      {planned !== null && slowest > planned ? (
        <p className={`${classes.note} ${classes.warning}`}>
          <Icon name="warn" size={14} />
          {t('cycle.overrun')}
        </p>
      ) : null}
      {assumed > 0 ? <p className={classes.note}>{t('cycle.assumed', { count: assumed, context: terms.slave })}</p> : null}
    </section>
  );
}
