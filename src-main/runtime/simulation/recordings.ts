import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig, ServedSetting } from '../../drivers/spi/index.ts';
import type { SimulatedPoint } from './program.ts';

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

/** What the rows of this step say of points that follow a column, all of it, in the order of the rows: what changed twice is served twice. */
export function playRecordings(
  points: readonly SimulatedPoint[],
  { from, to, speed }: Span,
  onFault: (point: PointConfig, reason: Message) => void,
): Played[] {
  const played: Played[] = [];
  for (const each of points) {
    const { recording, point } = each;
    if (!recording) continue;
    const file = recording.file();
    // in the place of what it followed another file may have been put: it goes on with what that one says by now
    const playedTo = file === each.playedFrom ? each.playedTo : null;
    each.playedTo = playedTo;
    each.playedFrom = file;
    const begin = playedTo ?? from;
    const before = playedTo === null ? [recording.at(begin)] : [];
    const rows = [...before, ...recording.between(begin, to)].filter(({ value, flags }) => Number.isFinite(value) || flags.length > 0);
    if (rows.length === 0 && (playedTo === null || Number.isNaN(recording.at(to).value)))
      onFault(point, each.curves[0]?.why() ?? say('simulation.no_number'));
    for (const { t, value, flags, delaySeconds } of rows) {
      if (Number.isFinite(value)) each.value = value;
      const agoMs = ((to - t + delaySeconds) / speed) * 1000;
      played.push({ each, t, setting: { point, value: each.value, flags, agoMs } });
    }
  }
  return played.sort((a, b) => a.t - b.t);
}

/** In pieces; what came to be at one moment stays together, as far as a piece can be twice as long. */
export function bundlesOf(played: readonly Played[], size: number): Played[][] {
  const bundles: Played[][] = [];
  for (const each of played) {
    const last = bundles.at(-1);
    const isSameMoment = last?.at(-1)?.t === each.t && last.length < 2 * size;
    if (last && (last.length < size || isSameMoment)) last.push(each);
    else bundles.push([each]);
  }
  return bundles;
}
