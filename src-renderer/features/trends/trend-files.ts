import type { TFunction } from 'i18next';
import { toCsv } from '../../ui/data-grid/tsv.ts';
import { saveFile } from '../../ui/save-file.ts';
import { formatDateTime } from '../../ui/time.ts';
import { fileRows, placeOf, type TrendItem } from './chart-data.ts';
import { lookOf } from './curve-look.ts';

const COLUMNS = ['time', 'device', 'code', 'name', 'unit', 'value', 'quality', 'min', 'max', 'count', 'notGood'] as const;

/** Saves what is shown as a csv file; values are exact, times in the zone that is shown. */
export function saveCurves(items: readonly TrendItem[], t: TFunction<'trends'>): void {
  const bytes = toCsv(
    COLUMNS.map((name) => t(`column.${name}`)),
    fileRows(items, formatDateTime),
  );
  saveFile({ name: 'trends.csv', bytes, mediaType: 'text/csv' });
}

const LINE = 18;

/** Saves the chart with the names of its curves as a picture; false where there is no chart. */
export async function savePicture(
  chart: HTMLCanvasElement | null,
  items: readonly TrendItem[],
  scheme: 'light' | 'dark',
): Promise<boolean> {
  if (!chart) return false;
  const ratio = devicePixelRatio;
  const canvas = document.createElement('canvas');
  canvas.width = chart.width;
  canvas.height = chart.height + (items.length + 1) * LINE * ratio;
  const context = canvas.getContext('2d');
  if (!context) return false;
  const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--lc-${name}`).trim();
  context.fillStyle = color('panel');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(chart, 0, 0);
  context.font = `${12 * ratio}px sans-serif`;
  for (const [index, item] of items.entries()) {
    const { code, name, unit } = item;
    const y = chart.height + (index + 0.7) * LINE * ratio;
    const look = lookOf(index, scheme);
    context.strokeStyle = look.color;
    context.lineWidth = 2 * ratio;
    context.setLineDash(look.dash.map((length) => length * ratio));
    context.beginPath();
    context.moveTo(8 * ratio, y - 4 * ratio);
    context.lineTo(44 * ratio, y - 4 * ratio);
    context.stroke();
    context.fillStyle = color('text');
    context.fillText(
      `${index + 1}  ${placeOf(item)} · ${code}${name && name !== code ? ` · ${name}` : ''}${unit && ` [${unit}]`}`,
      52 * ratio,
      y,
    );
  }
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!picture) return false;
  saveFile({ name: 'trends.png', bytes: new Uint8Array(await picture.arrayBuffer()), mediaType: 'image/png' });
  return true;
}
