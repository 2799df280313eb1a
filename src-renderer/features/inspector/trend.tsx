import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#shared/contract/points.ts';
import { hasValue, numberText } from '../points/point-text.ts';
import classes from './inspector.module.css';
import { linePoints, rangeOf, type TrendValue, withValue } from './trend-values.ts';

const WIDTH = 240;
const HEIGHT = 36;

/** The values that were read while the inspector shows this point. */
export function Trend({ point }: { readonly point: Point }) {
  const { t } = useTranslation('inspector');
  const [values, setValues] = useState<readonly TrendValue[]>([]);
  const { updated_at: at, value } = point;
  const isValue = hasValue(point);
  useEffect(() => {
    if (isValue && at !== null) setValues((before) => withValue(before, { at, value }));
  }, [isValue, at, value]);
  const range = rangeOf(values);
  if (!range) return null;
  const isLevel = range.least === range.most;
  const words = isLevel
    ? t('trendNone')
    : t('trendRange', { least: numberText(range.least, point), most: numberText(range.most, point), count: values.length });
  return (
    <figure className={classes.trend}>
      <figcaption className={classes.heading}>{t('trend')}</figcaption>
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} width="100%" height={HEIGHT} preserveAspectRatio="none" role="img" aria-label={words}>
        <polyline
          points={linePoints(values, WIDTH, HEIGHT)}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <span className={classes.muted}>{words}</span>
    </figure>
  );
}
