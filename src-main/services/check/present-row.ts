import type { CheckRun } from '#shared/contract/check.ts';
import type { ProjectSession } from '../ports.ts';
import { elsewhereRow } from './elsewhere/mirrors.ts';
import { seenNow } from './evidence.ts';
import type { ItemWatch } from './item-watch.ts';
import type { Moved } from './neighbours.ts';

/** An item under check, in the names of the contract. */
export function presentRow(
  session: ProjectSession,
  watched: ItemWatch,
  others: readonly Moved[],
  waitingMs: number,
): NonNullable<CheckRun['item']> {
  const { item, watch, hint } = watched;
  const found = watched.locate();
  const progress = watch?.progress();
  return {
    item: item.uuid,
    channel_id: found?.channel.elsewhere?.channelId ?? item.channelId,
    ...elsewhereRow(session, item),
    channel: found?.channel.settings.name ?? item.channel,
    point_id: found?.point.id ?? item.pointId,
    frame_type: item.frameType,
    code: found?.point.code ?? item.code,
    name: found?.point.name ?? item.name,
    group: item.group,
    expectation: item.expectation,
    is_there: found !== undefined || elsewhereRow(session, item).trouble !== undefined,
    is_watched: watch !== null,
    is_ready: watched.isReady,
    now: found ? seenNow(found) : null,
    wanted: (progress?.wanted ?? []).map(({ value, isSeen }) => ({ value, is_seen: isSeen })),
    changes: progress?.changes ?? 0,
    is_moving: progress?.isMoving ?? false,
    others: [...others],
    hint: [...hint],
    waiting_ms: waitingMs,
  };
}
