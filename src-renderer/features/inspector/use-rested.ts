import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Point } from '#shared/contract/points.ts';

/** Rows that the keyboard passes faster than this, in milliseconds, are not asked for: only the first of them, and the one where it stays. */
const REST_MS = 100;

interface Rested {
  /** The point that may be asked for, as operations name it. */
  readonly asked: { readonly channel_id: number; readonly point_id: number; readonly frame_type: Point['frame_type'] };
  /** It is the chosen one; else the keyboard is passing. */
  readonly isRested: boolean;
}

/** Tells whether a point is looked at, or only passed by a key that is held. */
export function useRested({ channel_id, id: point_id, frame_type }: Point): Rested {
  const chosen = useMemo(() => ({ channel_id, point_id, frame_type }), [channel_id, point_id, frame_type]);
  const [asked] = useDebouncedValue(chosen, REST_MS, { leading: true });
  return { asked, isRested: asked === chosen };
}
