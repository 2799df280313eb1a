import { firstOf, say } from '#shared/messages/index.ts';
import type { NormalPoint, PointConfig } from '../../drivers/spi/index.ts';
import type { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { CallContext } from '../handlers.ts';
import { POINTS_A_LOOK } from './code-rules.ts';

/** A point as a request leaves it; `before` where it was there. */
export interface LeftPoint {
  /** Its place in the request, from 0. */
  readonly index: number;
  readonly before?: PointConfig | undefined;
  readonly after: NormalPoint;
}

/** What a request leaves in one channel. */
export interface LeftTable {
  readonly channel: ChannelRuntime;
  readonly points: readonly LeftPoint[];
  readonly removed: readonly PointConfig[];
  /** The codes of `points`. */
  readonly codes: ReadonlyMap<string, unknown>;
  /** Where the related code of a point stands in the request. */
  relatedPathOf(index: number): string;
}

/**
 * Warns of related codes that the request enters and nobody has, and of points that name a code which the request takes away. A related point may be
 * added later, so both are allowed. `placeOfAll` is where the request has its points.
 */
export async function warnOfRelations(
  { channel, points, removed, codes, relatedPathOf }: LeftTable,
  placeOfAll: string,
  context: CallContext,
  turns: Turns,
): Promise<void> {
  const own = new Set<number>();
  const gone = new Set<string>();
  for (const [at, { before }] of points.entries()) {
    if (at % POINTS_A_LOOK === 0) await turns.breathe();
    if (!before) continue;
    own.add(before.id);
    if (!codes.has(before.code)) gone.add(before.code);
  }
  for (const [at, { id, code }] of removed.entries()) {
    own.add(id);
    if (!codes.has(code)) gone.add(code);
    if (at % POINTS_A_LOOK === 0) await turns.breathe();
  }
  const isThere = (code: string) => codes.has(code) || (!gone.has(code) && channel.points.byCode(code) !== undefined);
  const left: string[] = [];
  for (const [at, { index, before, after }] of points.entries()) {
    if (at % POINTS_A_LOOK === 0) await turns.breathe();
    const { code, related_code: related } = after;
    if (related === '' || isThere(related)) continue;
    if (related !== before?.related_code) context.warn(relatedPathOf(index), say('service.related_missing', { code: related }));
    else if (gone.has(related)) left.push(`"${code}"`);
  }
  for (let from = 0; gone.size > 0 && from < channel.points.size; from += POINTS_A_LOOK) {
    for (const { id, code, related_code: related } of channel.points.configs(from, POINTS_A_LOOK)) {
      if (!own.has(id) && gone.has(related)) left.push(`"${code}"`);
    }
    await turns.breathe();
  }
  if (left.length > 0) context.warn(placeOfAll, say('service.related_left', { points: firstOf(left) }));
}
