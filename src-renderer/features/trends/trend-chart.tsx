import { useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatDateTime } from '../../ui/time.ts';
import type { ChartTable } from './chart-data.ts';
import { lookOf } from './curve-look.ts';
import type { TrendMark } from './trend-marks.ts';
import classes from './trends.module.css';

export interface TrendChartProps {
  readonly label: string;
  readonly table: ChartTable;
  /** Unit of each curve: those of one unit share an axis. */
  readonly units: readonly string[];
  /** UTC milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly cursors: Readonly<Record<'a' | 'b', number | null>>;
  readonly marks: readonly TrendMark[];
  onRange(from: number, to: number): void;
  onReset(): void;
  onCursor(name: 'a' | 'b', at: number): void;
}

/** A press that moves by no more is a click, in pixels. */
const STILL = 4;
/** Width of an axis of values, in pixels. */
const AXIS = 72;
/** Least pixels from one time to the next: `14:03:07.250` with room on both sides. */
const TIME_SPACE = 90;
/** Share of the range that a key moves a cursor by. */
const STEP = 0.01;

/** What the drawing hooks read: it changes more often than the chart is made. */
type Overlay = Pick<TrendChartProps, 'cursors' | 'marks' | 'onRange' | 'onReset' | 'onCursor' | 'from' | 'to'>;

const cssColor = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--lc-${name}`).trim();

/** Curves over time: drag zooms, a click sets the first cursor, with Shift the second one; the same by keys. */
export function TrendChart(props: TrendChartProps) {
  const { label, table, units, from, to } = props;
  const box = useRef<HTMLFieldSetElement>(null);
  const chart = useRef<uPlot | null>(null);
  const overlay = useRef<Overlay>(props);
  const scheme = useComputedColorScheme('light');
  const shape = JSON.stringify([table.columns.map(({ curve, role }) => [curve, role]), units, scheme]);
  useLayoutEffect(() => {
    overlay.current = props;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart is made anew when its shape changes; data come below
  useEffect(() => {
    const host = box.current;
    if (!host) return;
    const made = new uPlot(
      optionsOf(host, { table, units, scheme, overlay }),
      [[], ...table.columns.map(() => [])] as uPlot.AlignedData,
      host,
    );
    chart.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: host.clientWidth, height: host.clientHeight }));
    resized.observe(host);
    return () => {
      resized.disconnect();
      made.destroy();
      chart.current = null;
    };
  }, [shape]);
  const drawn = useRef<readonly unknown[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart of another shape needs the data as well; cursors and marks are drawn over the curves
  useEffect(() => {
    const made = chart.current;
    if (!made) return;
    const what = [made, table, from, to];
    if (what.every((one, index) => one === drawn.current[index])) return made.redraw(false);
    drawn.current = what;
    made.batch(() => {
      made.setData([table.seconds, ...table.columns.map(({ values }) => values)] as uPlot.AlignedData, false);
      made.setScale('x', { min: from / 1000, max: to / 1000 });
    });
  }, [table, from, to, shape, props.cursors, props.marks]);
  return (
    <fieldset
      ref={box}
      className={classes.chart}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: cursors and range are moved by keys
      tabIndex={0}
      onKeyDown={(event) => moveByKey(event, overlay.current)}
      data-testid="trend-chart"
      data-points={table.seconds.length}
    />
  );
}

function moveByKey(event: KeyboardEvent, { from, to, cursors, onCursor, onRange, onReset }: Overlay): void {
  const span = to - from;
  const moves: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(-1),
    ArrowRight: () => move(1),
    PageUp: () => onRange(from - span / 2, to - span / 2),
    PageDown: () => onRange(from + span / 2, to + span / 2),
    '+': () => onRange(from + span / 4, to - span / 4),
    '-': () => onRange(from - span / 2, to + span / 2),
    Home: onReset,
  };
  function move(direction: number) {
    const name = event.shiftKey ? 'b' : 'a';
    const at = cursors[name] ?? from + span / 2;
    onCursor(name, Math.round(Math.min(to, Math.max(from, at + direction * STEP * span))));
  }
  const done = event.ctrlKey || event.metaKey || event.altKey ? undefined : moves[event.key];
  if (!done) return;
  event.preventDefault();
  done();
}

interface Given {
  readonly table: ChartTable;
  readonly units: readonly string[];
  readonly scheme: 'light' | 'dark';
  readonly overlay: { readonly current: Overlay };
}

function optionsOf(host: HTMLElement, { table, units, scheme, overlay }: Given): uPlot.Options {
  const [text, grid] = [cssColor('muted'), cssColor('border')];
  const scaleOf = (curve: number) => `y ${units[curve] ?? ''}`;
  const scales = [...new Set(units.map((_, curve) => scaleOf(curve)))];
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const series = table.columns.map(({ curve, role }): uPlot.Series => {
    const { color, dash } = lookOf(curve, scheme);
    const hasBand = table.columns.some((column) => column.curve === curve && column.role === 'min');
    const common = { scale: scaleOf(curve), points: { show: false }, spanGaps: false };
    if (role !== 'value') return { ...common, stroke: 'transparent', width: 0 };
    return { ...common, stroke: color, width: 1.5, dash, ...(hasBand || !stepped ? {} : { paths: stepped }) };
  });
  const bands = table.columns.flatMap(({ curve, role }, index): uPlot.Band[] =>
    role === 'min' ? [{ series: [index + 2, index + 1], fill: `${lookOf(curve, scheme).color}33` }] : [],
  );
  return {
    width: host.clientWidth,
    height: host.clientHeight,
    legend: { show: false },
    // above the curves: the units of their axes
    padding: [26, null, null, null],
    scales: { x: { time: true, auto: false }, ...Object.fromEntries(scales.map((name) => [name, {}])) },
    axes: [
      {
        ...axis,
        space: TIME_SPACE,
        values: (_, splits, _axis, _space, increment) => splits.map((seconds) => tickText(seconds, increment)),
      },
      ...scales.map((scale, index) => ({
        ...axis,
        scale,
        side: index % 2 === 0 ? 3 : 1,
        size: AXIS,
        grid: { show: index === 0, stroke: grid, width: 1 },
      })),
    ],
    series: [{}, ...series],
    bands,
    cursor: {
      drag: { x: true, y: false, setScale: false },
      bind: {
        dblclick: () => () => {
          overlay.current.onReset();
          return null;
        },
      },
    },
    hooks: {
      setSelect: [(made) => takeSelection(made, overlay.current)],
      ready: [(made) => takeClicks(made, overlay)],
      draw: [
        (made) => drawOver(made, overlay.current, cssColor('text')),
        (made) =>
          drawUnits(
            made,
            // an axis without values is not drawn, and its unit would stand outside of the chart
            scales.map((scale) => (made.scales[scale]?.min == null ? '' : scale.slice(2))),
            text,
          ),
      ],
    },
  };
}

/** Time of day; the date at midnight, and where the ticks are days apart. */
function tickText(seconds: number, increment: number): string {
  const full = formatDateTime(new Date(seconds * 1000).toISOString());
  if (increment >= 86_400) return full.slice(0, 10);
  if (increment >= 60) return full.slice(11, 16) === '00:00' ? full.slice(5, 10) : full.slice(11, 16);
  return increment >= 1 ? full.slice(11, 19) : full.slice(11);
}

function takeSelection(made: uPlot, { onRange }: Overlay): void {
  const { left, width } = made.select;
  if (width <= STILL) return;
  const at = (pixel: number) => Math.round(1000 * made.posToVal(pixel, 'x'));
  const [from, to] = [at(left), at(left + width)];
  made.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (to > from) onRange(from, to);
}

function takeClicks({ over, posToVal }: uPlot, overlay: { readonly current: Overlay }): void {
  let began = 0;
  over.addEventListener('mousedown', ({ clientX }) => {
    began = clientX;
  });
  over.addEventListener('click', ({ clientX, offsetX, shiftKey }) => {
    if (Math.abs(clientX - began) > STILL) return;
    overlay.current.onCursor(shiftKey ? 'b' : 'a', Math.round(1000 * posToVal(offsetX, 'x')));
  });
}

/** The units above their axes, upright: a V that lies on its side is no V. */
function drawUnits({ ctx, bbox }: uPlot, units: readonly string[], color: string): void {
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `bold ${12 * ratio}px sans-serif`;
  ctx.fillStyle = color;
  for (const [index, unit] of units.entries()) {
    const isLeft = index % 2 === 0;
    // those of one side stand beside each other, the first one at the curves
    const outside = (Math.floor(index / 2) * AXIS + 15) * ratio;
    ctx.textAlign = isLeft ? 'right' : 'left';
    ctx.fillText(unit, isLeft ? bbox.left - outside : bbox.left + bbox.width + outside, bbox.top - 13 * ratio);
  }
  ctx.restore();
}

function drawOver(made: uPlot, { cursors, marks, from, to }: Overlay, color: string): void {
  const { ctx, bbox } = made;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `${11 * ratio}px sans-serif`;
  ctx.textAlign = 'center';
  ctx.fillStyle = color;
  ctx.strokeStyle = color;
  const line = (ms: number, sign: string, dash: number[], row: number) => {
    if (ms < from || ms > to) return;
    const x = Math.round(made.valToPos(ms / 1000, 'x', true));
    ctx.setLineDash(dash.map((length) => length * ratio));
    ctx.lineWidth = ratio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top + 14 * ratio * (row + 1));
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(sign, x, bbox.top + (14 * row + 11) * ratio);
  };
  ctx.globalAlpha = 0.6;
  for (const { at, sign } of marks) line(at, sign, [1, 3], 1);
  ctx.globalAlpha = 1;
  if (cursors.a !== null) line(cursors.a, 'A', [], 0);
  if (cursors.b !== null) line(cursors.b, 'B', [6, 3], 0);
  ctx.restore();
}
