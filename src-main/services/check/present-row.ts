import type { CheckRun } from '#shared/contract/check.ts';
import type { ProjectSession } from '../ports.ts';
import { seenNow } from './evidence.ts';
import type { ItemWatch } from './item-watch.ts';
import { pointOfItem } from './states.ts';

type PresentRow = NonNullable<CheckRun['item']>;

/** An item that is looked at, in the names of the contract; `now` is monotonic. */
export function presentRow(
  session: ProjectSession,
  { item, watch, begunAt, hint }: ItemWatch,
  now: number,
  others: PresentRow['others'] = [],
): PresentRow {
  const found = pointOfItem(session, item);
  const progress = watch?.progress();
  return {
    item: item.uuid,
    channel_id: item.channelId,
    channel: found?.channel.settings.name ?? item.channel,
    point_id: item.pointId,
    frame_type: item.frameType,
    code: found?.point.code ?? item.code,
    name: found?.point.name ?? item.name,
    group: item.group,
    expectation: item.expectation,
    is_there: found !== undefined,
    is_watched: watch !== null,
    now: found ? seenNow(found) : null,
    wanted: (progress?.wanted ?? []).map(({ value, isSeen }) => ({ value, is_seen: isSeen })),
    changes: progress?.changes ?? 0,
    is_moving: progress?.isMoving ?? false,
    others,
    hint: [...hint],
    waiting_ms: Math.round(now - begunAt),
  };
}
