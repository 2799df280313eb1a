import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig, ServedSetting } from '../../drivers/spi/index.ts';
import type { Recording, SimulatedPoint } from './program.ts';
import type { RecordedValue } from './series.ts';

/** Points that are looked at in front of a bundle: each may go through a whole column for its first value. */
const POINTS_A_LOOK = 10;

/** What a row says of a point, at its second of the simulation. */
export interface Played {
  readonly each: SimulatedPoint;
  readonly t: number;
  readonly setting: ServedSetting;
}

/** A step, in seconds of the simulation. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly speed: number;
}

interface Playing {
  /** Rows of a bundle. */
  readonly size: number;
  onFault(point: PointConfig, reason: Message): void;
}

/** A point whose next row is known. */
interface Due {
  readonly each: SimulatedPoint;
  /** Place of the point among the others: of one moment, rows come in the order of the points. */
  readonly order: number;
  readonly row: RecordedValue;
  readonly rest: Iterator<RecordedValue, void>;
}

/**
 * What the rows of a step say of points that follow a column, all of it, in the order of the rows: what changed twice is served twice. In bundles of `size`, each made when it is asked for,
 * because a step of a fast simulation may have hundreds of thousands of rows; what came to be at one moment stays together, as far as a bundle can be twice as long. In front of them come
 * empty ones, while the points are looked at.
 */
export function* playRecordings(
  points: readonly SimulatedPoint[],
  span: Span,
  { size, onFault }: Playing,
): Generator<readonly Played[], void> {
  const due: Due[] = [];
  for (const [order, each] of points.entries()) {
    if (!each.recording) continue;
    const rest = rowsOf(each, each.recording, span, onFault);
    put(due, { each, order, rest });
    if ((order + 1) % POINTS_A_LOOK === 0) yield [];
  }
  let bundle: Played[] = [];
  for (let next = due.pop(); next; next = due.pop()) {
    const { each, order, row, rest } = next;
    if (Number.isFinite(row.value)) each.value = row.value;
    const agoMs = ((span.to - row.t + row.delaySeconds) / span.speed) * 1000;
    bundle.push({ each, t: row.t, setting: { point: each.point, value: each.value, flags: row.flags, agoMs } });
    put(due, { each, order, rest });
    const isSameMoment = due.at(-1)?.row.t === row.t && bundle.length < 2 * size;
    if (bundle.length < size || isSameMoment) continue;
    yield bundle;
    bundle = [];
  }
  if (bundle.length > 0) yield bundle;
}

/** The rows of a step that say something of a point. */
function rowsOf(
  each: SimulatedPoint,
  recording: Recording,
  { from, to }: Span,
  onFault: Playing['onFault'],
): Iterator<RecordedValue, void> {
  const file = recording.file();
  // in the place of what it followed another file may have been put: it goes on with what that one says by now
  const playedTo = file === each.playedFrom ? each.playedTo : null;
  each.playedTo = playedTo;
  each.playedFrom = file;
  const begin = playedTo ?? from;
  const rows = saying(playedTo === null ? recording.at(begin) : null, recording.between(begin, to));
  const first = rows.next();
  if (first.done && (playedTo === null || Number.isNaN(recording.at(to).value)))
    onFault(each.point, each.curves[0]?.why() ?? say('simulation.no_number'));
  return behind(first, rows);
}

/** Those that have a value, or say that there is none. */
function* saying(before: RecordedValue | null, rows: Iterable<RecordedValue>): Generator<RecordedValue, void> {
  if (before && says(before)) yield before;
  for (const row of rows) if (says(row)) yield row;
}

function says({ value, flags }: RecordedValue): boolean {
  return Number.isFinite(value) || flags.length > 0;
}

function* behind(first: IteratorResult<RecordedValue, void>, rows: Iterator<RecordedValue, void>): Generator<RecordedValue, void> {
  for (let next = first; !next.done; next = rows.next()) yield next.value;
}

/** Enters the next row of a point, where it has one: the soonest stand last. */
function put(due: Due[], { each, order, rest }: Omit<Due, 'row'>): void {
  const next = rest.next();
  if (next.done) return;
  const made: Due = { each, order, row: next.value, rest };
  let [low, high] = [0, due.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(due[middle] as Due, made)) low = middle + 1;
    else high = middle;
  }
  due.splice(low, 0, made);
}

function isBehind(a: Due, b: Due): boolean {
  return a.row.t === b.row.t ? a.order > b.order : a.row.t > b.row.t;
}
