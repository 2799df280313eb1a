import type { FrameEntry } from '#shared/contract/frames.ts';
import type { Point } from '#shared/contract/points.ts';
import { useOperation } from '../../api/hooks.ts';
import { useSetTab } from '../../app/area.tsx';
import { useFramesStore } from '../frames/frames-store.ts';

/** The newest frames that asked for a point, carried or operated it, oldest first; none of the point before. */
export function usePointFrames(
  point: Point,
  limit: number,
  pollMs: number,
): { readonly items: readonly FrameEntry[]; readonly isKnown: boolean } {
  const input = { channel_id: point.channel_id, point_id: point.id, frame_type: point.frame_type, limit };
  const frames = useOperation('pointFrames', input, { pollMs });
  const isKnown = frames.isSuccess && !frames.isPlaceholderData;
  return { items: isKnown ? frames.data.items : [], isKnown };
}

/** Leads to a frame with its explanation. */
export function useOpenFrame(): (entry: FrameEntry) => void {
  const setTab = useSetTab();
  return (entry) => {
    useFramesStore.getState().want(entry);
    setTab('frames');
  };
}
