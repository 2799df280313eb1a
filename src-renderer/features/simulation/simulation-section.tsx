import { Button, NumberInput, Switch } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Simulation } from '#shared/contract/simulation.ts';
import { POLL, useAction, useOperation } from '../../api/hooks.ts';
import { useSetTab } from '../../app/area.tsx';
import { useWords } from '../../i18n/words.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { shownNumber } from '../../ui/number.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { usePointsStore } from '../points/points-store.ts';
import { LineFaults } from './line-faults.tsx';
import { SeriesFiles } from './series-files.tsx';
import classes from './simulation.module.css';

type Fault = Simulation['faults'][number];
const NO_FAULTS: readonly Fault[] = [];
const idOf = ({ point_id }: Fault) => String(point_id);
const rowProps = ({ code }: Fault) => ({ 'data-testid': 'simulation-fault', 'data-code': code });

function useFaultColumns(): readonly GridColumn<Fault>[] {
  const { t } = useTranslation('simulation');
  const words = useWords();
  return useMemo(
    () => [
      { ...textColumn<Fault>('code', t('column.code'), 160, ({ code }) => code), className: 'lc-mono', isRowHeader: true },
      { ...textColumn<Fault>('reason', t('column.reason'), 300, ({ reason, reason_message }) => words(reason_message, reason)), grows: 1 },
    ],
    [t, words],
  );
}

/** A number that is taken over when the field is left, or by Enter. */
function Setting({
  name,
  value,
  min,
  max,
  decimals,
  onTake,
}: {
  readonly name: 'speed' | 'period';
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
  onTake(value: number): void;
}) {
  const { t } = useTranslation('simulation');
  const [written, setWritten] = useState<number | string | null>(null);
  const asked = Number(written);
  const isRight = written === null || (written !== '' && asked >= min && asked <= max);
  const take = () => {
    if (written === null || !isRight) return;
    if (asked !== value) onTake(asked);
    setWritten(null);
  };
  return (
    <NumberInput
      label={t(name)}
      value={written ?? value}
      onChange={setWritten}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
      suffix={name === 'speed' ? ' ×' : ' ms'}
      decimalScale={decimals}
      error={isRight ? null : t('outOfBounds', { min, max })}
      w={130}
      data-testid={`simulation-${name}`}
    />
  );
}

function stateOf({ is_running, is_on, points }: Simulation): 'running' | 'paused' | 'none' | 'stopped' {
  if (is_running) return 'running';
  if (!is_on) return 'paused';
  return points > 0 ? 'stopped' : 'none';
}

const TONES = { running: 'ok', paused: 'warn', none: 'idle', stopped: 'idle' } as const;
const ICONS = { running: 'ok', paused: 'pause', none: 'idle', stopped: 'idle' } as const;

/** The simulation behind a served channel: how its formulas go, which give no value, and what its line does wrong. */
export function SimulationSection({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('simulation');
  const setTab = useSetTab();
  const columns = useFaultColumns();
  const { data, error } = useOperation('simulation', { channel_id: channel.id }, { pollMs: POLL.table });
  const rows = useLocalRows(data?.faults ?? NO_FAULTS, idOf);
  const set = useAction('setSimulation', ['simulation']);
  if (!data) return <ErrorNotice error={error} />;
  const change = (given: Omit<Parameters<typeof set.mutate>[0], 'channel_id'>) =>
    set.mutate({ channel_id: channel.id, ...given }, { onError: notifyError });
  const state = channel.status === 'running' ? stateOf(data) : 'stopped';
  const jump = ({ point_id: id, code }: Fault) => {
    usePointsStore.getState().want(channel.id, { id, code });
    setTab('points');
  };
  return (
    <div className={classes.panel} data-testid="simulation" data-state={state}>
      <section className={classes.steps} aria-label={t('title')}>
        <div className={classes.head}>
          <h2 className={classes.title}>{t('title')}</h2>
          <p className={classes.hint}>{t('hint')}</p>
        </div>
        <div className={classes.form}>
          <Switch
            label={t('on')}
            checked={data.is_on}
            disabled={set.isPending}
            onChange={(event) => change({ is_on: event.currentTarget.checked })}
            data-testid="simulation-on"
            mb={6}
          />
          <Setting name="speed" value={data.speed} min={0.001} max={1000} decimals={3} onTake={(speed) => change({ speed })} />
          <Setting
            name="period"
            value={data.period_ms}
            min={50}
            max={3_600_000}
            decimals={0}
            onTake={(period_ms) => change({ period_ms })}
          />
          <Button
            variant="default"
            leftSection={<Icon name="reload" size={14} />}
            onClick={() => change({ anew: true })}
            data-testid="simulation-anew"
          >
            {t('anew')}
          </Button>
        </div>
        <div className={classes.facts}>
          <StatusBadge tone={TONES[state]} icon={ICONS[state]}>
            {t(`state.${state}`)}
          </StatusBadge>
          <span>
            {t('points')} <b data-testid="simulation-points">{data.points}</b>
          </span>
          <span>
            {t('t')} <b>{shownNumber(data.t.toFixed(1))} s</b>
          </span>
          <span>
            {t('steps')} <b data-testid="simulation-steps">{data.steps}</b>
          </span>
          <span>
            {t('stepMs')} <b>{data.step_ms === null ? '–' : `${shownNumber(data.step_ms.toFixed(1))} ms`}</b>
          </span>
          <span>
            {t('faults')} <b data-testid="simulation-fault-count">{data.fault_count}</b>
          </span>
        </div>
        <div className={classes.grid}>
          <DataGrid
            name="simulation-faults"
            label={t('faults')}
            rows={rows}
            columns={columns}
            rowProps={rowProps}
            onOpen={jump}
            empty={t(data.points > 0 ? 'noFaults' : 'noFormulas')}
          />
        </div>
      </section>
      <aside className={classes.side}>
        <LineFaults key={channel.id} simulation={data} />
        <SeriesFiles channel={channel} />
      </aside>
    </div>
  );
}
