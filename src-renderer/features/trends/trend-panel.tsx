import { Button, Loader, Select, Switch, useComputedColorScheme } from '@mantine/core';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useProjectSession } from '../../app/project-session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { chartTable, curveOf } from './chart-data.ts';
import { CurveTable } from './curve-table.tsx';
import { PointPicker } from './point-picker.tsx';
import { RecordingForm } from './recording-form.tsx';
import type { TrendChartProps } from './trend-chart.tsx';
import { saveCurves, savePicture } from './trend-files.ts';
import { type TrendMark, useTrendMarks } from './trend-marks.ts';
import { TrendNotes } from './trend-notes.tsx';
import { type TrendRange, useTrendStore } from './trend-store.ts';
import classes from './trends.module.css';
import { useCurves } from './use-curves.ts';

const TrendChart = lazy(async () => ({ default: (await import('./trend-chart.tsx')).TrendChart }));

const LENGTHS = ['60', '600', '3600', '28800', '86400', '604800', '2592000'] as const;
/** A shorter range than this is not zoomed into, in milliseconds. */
const SHORTEST_MS = 100;
/** Marks that are listed; the chart has all. */
const LISTED = 200;

/** Curves of recorded values, of points of any channel. */
export default function TrendPanel({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('trends');
  const session = useProjectSession((state) => state.session);
  // not the cursors: they move often, and only the chart and the table below it show them
  const points = useTrendStore((state) => state.points);
  const range = useTrendStore((state) => state.range);
  const show = useTrendStore((state) => state.show);
  const belongTo = useTrendStore((state) => state.belongTo);
  const scheme = useComputedColorScheme('light');
  const [hasMarks, setHasMarks] = useState(true);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => belongTo(session), [session, belongTo]);
  const { items, from, to, services } = useCurves(points, range);
  const error = services.find(({ of }) => of === null)?.error;
  const table = useMemo(() => chartTable(items.map(curveOf)), [items]);
  const all = useTrendMarks(points, hasMarks);
  const marks = useMemo(() => all.filter(({ at }) => at >= from && at <= to), [all, from, to]);
  const units = useMemo(() => items.map(({ unit }) => unit), [items]);
  const hasData = points.length > 0 && Number.isFinite(from);
  return (
    <div className={classes.wrap} data-testid="trend-panel" ref={place}>
      <div className={classes.bar}>
        <PointPicker channel={channel} />
        <RangeChoice range={range} />
        <Switch label={t('marks')} checked={hasMarks} onChange={(event) => setHasMarks(event.currentTarget.checked)} />
        <div className={classes.spacer} />
        <RecordingForm channel={channel} />
        <Button
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          disabled={items.length === 0}
          onClick={() => saveCurves(items, t)}
          title={t('csv')}
          data-testid="trend-csv"
        >
          CSV
        </Button>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          disabled={items.length === 0}
          onClick={() => void savePicture(place.current?.querySelector('canvas') ?? null, items, scheme)}
          title={t('png')}
          data-testid="trend-png"
        >
          PNG
        </Button>
      </div>
      <TrendNotes items={items} services={services} />
      <ErrorNotice error={error} compact />
      {hasData ? (
        <>
          <Suspense fallback={<Loader size="sm" m="md" />}>
            <ChartWithCursors
              label={t('chart')}
              table={table}
              units={units}
              from={from}
              to={to}
              marks={marks}
              onRange={(begin, end) => end - begin >= SHORTEST_MS && show({ kind: 'fixed', from: Math.round(begin), to: Math.round(end) })}
              onReset={() => show({ kind: 'live', seconds: 600 })}
            />
          </Suspense>
          <div className={classes.below}>
            <CurveTable items={items} scheme={scheme} />
            <MarkList marks={marks} />
          </div>
        </>
      ) : (
        <EmptyState icon="trend" title={t('empty')} hint={t('emptyHint')} />
      )}
    </div>
  );
}

function ChartWithCursors(props: Omit<TrendChartProps, 'cursors' | 'onCursor'>) {
  const cursors = useTrendStore((state) => state.cursors);
  const setCursor = useTrendStore((state) => state.setCursor);
  return <TrendChart {...props} cursors={cursors} onCursor={setCursor} />;
}

/** How much of the time is shown. */
function RangeChoice({ range }: { readonly range: TrendRange }) {
  const { t } = useTranslation('trends');
  const show = useTrendStore((state) => state.show);
  const isLive = range.kind === 'live';
  const now = isLive ? String(range.seconds) : 'fixed';
  return (
    <>
      <Select
        w={100}
        aria-label={t('range')}
        data={[
          ...LENGTHS.map((value) => ({ value: String(value), label: t(`last.${value}`) })),
          ...(isLive ? [] : [{ value: 'fixed', label: t('fixed') }]),
        ]}
        value={now}
        onChange={(value) => value !== null && value !== 'fixed' && show({ kind: 'live', seconds: Number(value) })}
        allowDeselect={false}
        data-testid="trend-range"
      />
      <Button
        size="compact-xs"
        variant={isLive ? 'light' : 'default'}
        aria-pressed={isLive}
        title={t('liveHint')}
        onClick={() => show({ kind: 'live', seconds: isLive ? range.seconds : Math.max(60, Math.ceil((range.to - range.from) / 1000)) })}
        data-testid="trend-live"
      >
        {t('live')}
      </Button>
    </>
  );
}

function MarkList({ marks }: { readonly marks: readonly TrendMark[] }) {
  const { t } = useTranslation('trends');
  if (marks.length === 0) return null;
  return (
    <details>
      <summary className={classes.note} data-testid="trend-marks">
        {t('markList', { count: marks.length })}
      </summary>
      <ul className={classes.marks}>
        {marks.slice(-LISTED).map(({ id, at, sign, code, text }) => (
          <li key={id}>{`${formatDateTime(new Date(at).toISOString())} · ${t(`mark.${sign}`)} · ${code} ${text}`}</li>
        ))}
      </ul>
    </details>
  );
}
