import { ActionIcon, Button } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/icons.tsx';
import { shownNumber } from '../../ui/number.ts';
import { formatDateTime } from '../../ui/time.ts';
import { shortNumber } from '../points/point-text.ts';
import { type Known, knownAt, placeOf, pointOf, type TrendItem } from './chart-data.ts';
import { lookOf } from './curve-look.ts';
import { curveKey, useTrendStore } from './trend-store.ts';
import classes from './trends.module.css';

const shown = (value: number) => shownNumber(shortNumber(value));

function KnownCell({ known, unit }: { readonly known: Known | null; readonly unit: string }) {
  const { t } = useTranslation(['trends', 'points']);
  if (!known) return <td className={classes.number}>–</td>;
  const doubt =
    known.quality === 'good' ? null : known.quality === 'mixed' ? t('trends:curves.mixed') : t(`points:quality.${known.quality}`);
  return (
    <td className={`${classes.number} ${doubt ? classes.doubtful : ''}`}>
      {shown(known.value)} {unit}
      {doubt ? ` (${doubt})` : ''}
    </td>
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
  return (
    <>
      <table className={classes.table} aria-label={t('curves.label')}>
        <thead>
          <tr>
            <th scope="col">{t('curves.number')}</th>
            <th scope="col">{t('curves.point')}</th>
            <th scope="col" className={classes.number}>{`${t('curves.a')}${timeOf(a)}`}</th>
            <th scope="col" className={classes.number}>{`${t('curves.b')}${timeOf(b)}`}</th>
            <th scope="col" className={classes.number} data-testid="trend-span">
              {t('curves.difference')}
              {a !== null && b !== null ? ` · ${shown((b - a) / 1000)} s` : ''}
            </th>
            <th scope="col" className={classes.number}>
              {t('curves.samples')}
            </th>
            <th scope="col" aria-label={t('curves.clear')} />
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => {
            const { color, dash } = lookOf(index, scheme);
            const [first, second] = [a === null ? null : knownAt(item, a), b === null ? null : knownAt(item, b)];
            return (
              <tr key={curveKey(pointOf(item))} data-testid="trend-curve" data-code={item.code}>
                <td>
                  <svg width="36" height="10" aria-hidden="true">
                    <title>{index + 1}</title>
                    <line x1="0" y1="5" x2="36" y2="5" stroke={color} strokeWidth="2" strokeDasharray={dash.join(' ')} />
                  </svg>{' '}
                  {index + 1}
                </td>
                <td>
                  {`${placeOf(item)} · ${item.code}${item.name && item.name !== item.code ? ` · ${item.name}` : ''}`}
                  {item.live_since ? (
                    <span className={classes.since} data-testid="trend-live-since">
                      {' '}
                      {t('curves.liveSince', { time: formatDateTime(item.live_since) })}
                    </span>
                  ) : null}
                </td>
                <KnownCell known={first} unit={item.unit} />
                <KnownCell known={second} unit={item.unit} />
                <td className={classes.number} data-testid="trend-difference">
                  {first && second ? `${shown(second.value - first.value)} ${item.unit}` : '–'}
                </td>
                <td className={classes.number}>{shownNumber(String(item.total))}</td>
                <td>
                  <ActionIcon size="xs" aria-label={t('curves.remove', { code: item.code })} onClick={() => remove(pointOf(item))}>
                    <Icon name="close" size={12} />
                  </ActionIcon>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
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
