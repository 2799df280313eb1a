import type { Formula, FormulaReference, SeriesReference } from '#shared/domain/formula/formula.ts';
import { parseFormula } from '#shared/domain/formula/formula.ts';
import type { Work } from '#shared/domain/formula/scope.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { PointStore } from '../values/point-table.ts';
import { columnNames, type RecordedValue, recordedAt, recordedBetween, type Series, valueAt } from './series.ts';

/** Points that are taken into a program between two turns of other work. */
const POINTS_A_TURN = 200;

/** Where values of points come from that no formula of this channel makes. */
export interface KnownPoints {
  /** Table of the channel itself. */
  readonly own: PointStore;
  /** Table of another channel by its name; undefined where there is none. */
  of(channel: string): PointStore | undefined;
  /** A file of recorded values by its name; undefined where there is none. */
  seriesOf(file: string): Series | undefined;
}

/** What a formula asks of a point: its value now, NaN where none is known, and then why. */
interface Source {
  value(): number;
  why(): Message;
}

/** A column of a file: its value at a second of the simulation, NaN where there is none, and then why. */
interface Curve {
  value(t: number): number;
  why(): Message;
}

/** A column whose rows are served one by one. */
export interface Recording {
  /** The file as it is now; another object where another one has taken its place. */
  file(): Series | undefined;
  at(t: number): RecordedValue;
  /** One by one, as they are asked for. */
  between(from: number, to: number): Iterable<RecordedValue>;
}

/** A point that has a formula, as far as it was worked out. */
export interface SimulatedPoint {
  readonly point: PointConfig;
  readonly formula: Formula;
  readonly work: Work;
  readonly sources: readonly Source[];
  readonly curves: readonly Curve[];
  /** Where its formula is nothing but a column that holds its values; else null. */
  readonly recording: Recording | null;
  /** What it had last; as `last` of the formula has it. */
  value: number;
  /** What is served of it; null: nothing yet. */
  served: number | null;
  /** Second up to which the rows of its recording were served; null: none was. */
  playedTo: number | null;
  /** The file that they were rows of. */
  playedFrom: Series | undefined;
}

/** A formula that cannot be worked out as it stands. */
export interface FormulaFault {
  readonly point: PointConfig;
  readonly reason: Message;
}

/** All formulas of a channel, each behind those that it asks. */
export interface Program {
  readonly points: readonly SimulatedPoint[];
  readonly faults: readonly FormulaFault[];
  /** Points of the channel that formulas ask and no formula makes. */
  readonly asked: readonly number[];
}

/**
 * Makes the program of a channel, `breathe` between the bits. Points that had the same formula `before` go on with what it remembers. Formulas that ask each
 * other in a circle are faults, and so is a point whose name nobody has; the others are worked out.
 */
export async function makeProgram(
  configs: readonly PointConfig[],
  known: KnownPoints,
  before: Program | null,
  breathe: () => Promise<void>,
): Promise<Program> {
  const former = new Map(before?.points.map((each) => [each.point.id, each]));
  const made = new Map<string, SimulatedPoint & { sources: Source[] }>();
  const faults: FormulaFault[] = [];
  for (const [index, point] of configs.entries()) {
    if (index % POINTS_A_TURN === 0) await breathe();
    const { simulate } = point.protocol;
    if (typeof simulate !== 'string' || simulate.trim() === '') continue;
    const was = former.get(point.id);
    if (was?.formula.text === simulate.trim()) {
      made.set(point.code, { ...was, point, sources: [] });
      continue;
    }
    const parsed = parseFormula(simulate);
    if ('fault' in parsed) faults.push({ point, reason: parsed.fault });
    else
      made.set(point.code, {
        point,
        formula: parsed.formula,
        work: parsed.formula.begin(),
        sources: [],
        curves: parsed.formula.series.map((reference) => curveOf(reference, known)),
        recording: recordingOf(parsed.formula, known),
        value: first(point, known),
        served: null,
        playedTo: null,
        playedFrom: undefined,
      });
  }
  const asked = new Set<number>();
  let linked = 0;
  for (const each of made.values()) {
    if (linked++ % POINTS_A_TURN === 0) await breathe();
    each.sources = each.formula.references.map((reference) => sourceOf(reference, made, known, asked));
  }
  const order = inOrder(made, faults);
  await breathe();
  return { points: order, faults, asked: [...asked] };
}

/** What a formula finds as the value before: what is served, else the start value, else 0. */
function first({ id, protocol }: PointConfig, { own }: KnownPoints): number {
  const state = own.state(id);
  if (state?.quality === 'good') return state.value;
  return typeof protocol.start_value === 'number' ? protocol.start_value : 0;
}

function sourceOf(
  { channel, code }: FormulaReference,
  made: ReadonlyMap<string, SimulatedPoint>,
  known: KnownPoints,
  asked: Set<number>,
): Source {
  if (channel !== null) return foreignSource(channel, code, known);
  const own = made.get(code);
  if (own) return { value: () => own.value, why: () => say('simulation.unknown_value', { point: code }) };
  const id = known.own.byCode(code);
  if (id === undefined) return { value: () => Number.NaN, why: () => say('simulation.no_point', { point: code }) };
  asked.add(id);
  return { value: () => goodValue(known.own, id), why: () => say('simulation.unknown_value', { point: code }) };
}

/** A point of another channel: channel and point may come and go. */
function foreignSource(channel: string, code: string, known: KnownPoints): Source {
  let table: PointStore | undefined;
  let revision = -1;
  let id: number | undefined;
  return {
    value() {
      const now = known.of(channel);
      if (now !== table || (now && now.configRevision !== revision)) {
        table = now;
        revision = now?.configRevision ?? -1;
        id = now?.byCode(code);
      }
      return table && id !== undefined ? goodValue(table, id) : Number.NaN;
    },
    why() {
      const point = `${channel}/${code}`;
      if (!table) return say('simulation.no_channel', { channel });
      return id === undefined ? say('simulation.no_point', { point }) : say('simulation.unknown_value', { point });
    },
  };
}

/** Files may come and go. */
function curveOf({ file, column, holds, isOnce }: SeriesReference, known: KnownPoints): Curve {
  return {
    value(t) {
      const series = known.seriesOf(file);
      return series ? valueAt(series, column, t, { holds, isOnce }) : Number.NaN;
    },
    why() {
      const series = known.seriesOf(file);
      if (!series) return say('simulation.no_series', { file });
      const names = columnNames(series);
      return names.includes(column)
        ? say('simulation.series_gap', { file, column })
        : say('simulation.no_column', { file, column, columns: firstOf(names) });
    },
  };
}

function recordingOf({ recording }: Formula, known: KnownPoints): Recording | null {
  if (!recording) return null;
  const { file, column, isOnce } = recording;
  return {
    file: () => known.seriesOf(file),
    at(t) {
      const series = known.seriesOf(file);
      return series ? recordedAt(series, column, t, isOnce) : { t, value: Number.NaN, flags: [], delaySeconds: 0 };
    },
    between(from, to) {
      const series = known.seriesOf(file);
      return series ? recordedBetween(series, column, from, to, isOnce) : [];
    },
  };
}

function goodValue(table: PointStore, id: number): number {
  const state = table.state(id);
  return state?.quality === 'good' ? state.value : Number.NaN;
}

/** Formulas behind those that they ask; those of a circle become faults, and what asks them is worked out with no value of theirs. */
function inOrder(made: ReadonlyMap<string, SimulatedPoint>, faults: FormulaFault[]): SimulatedPoint[] {
  const order: SimulatedPoint[] = [];
  const done = new Set<SimulatedPoint>();
  const circular = new Set<SimulatedPoint>();
  for (const begin of made.values()) {
    /** From the formula we began with down to the one that is looked at; a stack of our own, as chains may be as long as a table. */
    const path: { readonly each: SimulatedPoint; at: number }[] = [];
    const onPath = new Set<SimulatedPoint>();
    const enter = (each: SimulatedPoint) => {
      path.push({ each, at: 0 });
      onPath.add(each);
    };
    if (!done.has(begin)) enter(begin);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const reference = top.each.formula.references[top.at++];
      if (reference === undefined) {
        path.pop();
        onPath.delete(top.each);
        done.add(top.each);
        if (!circular.has(top.each)) order.push(top.each);
        continue;
      }
      const asked = reference.channel === null && !reference.isDelayed ? made.get(reference.code) : undefined;
      if (asked === undefined || done.has(asked)) continue;
      if (!onPath.has(asked)) {
        enter(asked);
        continue;
      }
      const circle = path.slice(path.findIndex(({ each }) => each === asked)).map(({ each }) => each);
      const points = [...circle, asked].map(({ point }) => point.code).join(' → ');
      for (const each of circle) {
        if (!circular.has(each)) faults.push({ point: each.point, reason: say('simulation.circle', { points }) });
        circular.add(each);
      }
    }
  }
  for (const each of circular) each.value = Number.NaN;
  return order;
}
