import { ActionIcon, Button } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { shownNumber } from '../../ui/number.ts';
import { formatDateTime } from '../../ui/time.ts';
import { shortNumber } from '../points/point-text.ts';
import { type Known, knownAt, placeOf, pointOf, type TrendItem } from './chart-data.ts';
import { lookOf } from './curve-look.ts';
import { curveKey, useTrendStore } from './trend-store.ts';
import classes from './trends.module.css';

const shown = (value: number) => shownNumber(shortNumber(value));

const knownOf = (item: TrendItem, ms: number | null) => (ms === null ? null : knownAt(item, ms));

function KnownValue({ known, unit }: { readonly known: Known | null; readonly unit: string }) {
  const { t } = useTranslation(['trends', 'points']);
  if (!known) return '–';
  if (known.quality === 'good') return `${shown(known.value)} ${unit}`;
  const doubt = known.quality === 'mixed' ? t('trends:curves.mixed') : t(`points:quality.${known.quality}`);
  return <span className={classes.doubtful}>{`${shown(known.value)} ${unit} (${doubt})`}</span>;
}

/** The line of a curve as it is drawn, and its number. */
function CurveMark({ index, scheme }: { readonly index: number; readonly scheme: 'light' | 'dark' }) {
  const { color, dash } = lookOf(index, scheme);
  return (
    <>
      <svg width="36" height="10" aria-hidden="true">
        <title>{index + 1}</title>
        <line x1="0" y1="5" x2="36" y2="5" stroke={color} strokeWidth="2" strokeDasharray={dash.join(' ')} />
      </svg>{' '}
      {index + 1}
    </>
  );
}

function CurvePoint({ item }: { readonly item: TrendItem }) {
  const { t } = useTranslation('trends');
  const name = item.name && item.name !== item.code ? ` · ${item.name}` : '';
  return (
    <>
      {`${placeOf(item)} · ${item.code}${name}`}
      {item.live_since ? (
        <span className={classes.since} data-testid="trend-live-since">
          {' '}
          {t('curves.liveSince', { time: formatDateTime(item.live_since) })}
        </span>
      ) : null}
    </>
  );
}

interface CurveTableProps {
  readonly items: readonly TrendItem[];
  readonly scheme: 'light' | 'dark';
}

/** Which curve is which, and the values at the cursors with their difference. */
export const CurveTable = memo(function CurveTable({ items, scheme }: CurveTableProps) {
  const { t } = useTranslation('trends');
  const { cursors, remove, setCursor } = useTrendStore();
  const { a, b } = cursors;
  const timeOf = (ms: number | null) => (ms === null ? '' : ` · ${formatDateTime(new Date(ms).toISOString())}`);
  const differenceOf = (item: TrendItem) => {
    const [first, second] = [knownOf(item, a), knownOf(item, b)];
    return first && second ? `${shown(second.value - first.value)} ${item.unit}` : '–';
  };
  const number = { align: 'right', isNumber: true } as const;
  const columns: readonly SmallColumn<TrendItem>[] = [
    { id: 'number', name: t('curves.number'), isShort: true, cell: (_, index) => <CurveMark index={index} scheme={scheme} /> },
    { id: 'point', name: t('curves.point'), cell: (item) => <CurvePoint item={item} /> },
    { id: 'a', name: `${t('curves.a')}${timeOf(a)}`, ...number, cell: (item) => <KnownValue known={knownOf(item, a)} unit={item.unit} /> },
    { id: 'b', name: `${t('curves.b')}${timeOf(b)}`, ...number, cell: (item) => <KnownValue known={knownOf(item, b)} unit={item.unit} /> },
    {
      id: 'difference',
      name: (
        <span data-testid="trend-span">
          {t('curves.difference')}
          {a !== null && b !== null ? ` · ${shown((b - a) / 1000)} s` : ''}
        </span>
      ),
      ...number,
      cell: (item) => <span data-testid="trend-difference">{differenceOf(item)}</span>,
    },
    { id: 'samples', name: t('curves.samples'), ...number, cell: ({ total }) => shownNumber(String(total)) },
    {
      id: 'remove',
      name: null,
      cell: (item) => (
        <ActionIcon size="xs" aria-label={t('curves.remove', { code: item.code })} onClick={() => remove(pointOf(item))}>
          <Icon name="close" size={12} />
        </ActionIcon>
      ),
    },
  ];
  return (
    <>
      <SmallTable
        label={t('curves.label')}
        columns={columns}
        rows={items}
        keyOf={(item) => curveKey(pointOf(item))}
        rowData={({ code }) => ({ 'data-testid': 'trend-curve', 'data-code': code })}
        isDense
      />
      {a !== null || b !== null ? (
        <Button
          mt={4}
          size="compact-xs"
          variant="subtle"
          onClick={() => {
            setCursor('a', null);
            setCursor('b', null);
          }}
        >
          {t('curves.clear')}
        </Button>
      ) : null}
    </>
  );
});
