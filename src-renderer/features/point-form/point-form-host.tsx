import { lazy, Suspense } from 'react';
import { usePointFormStore } from './point-form-store.ts';

const PointFormDialog = lazy(() => import('./point-form-dialog.tsx'));

/** Shows the point dialog while `openPointForm` has a target. */
export function PointFormHost() {
  const target = usePointFormStore((state) => state.target);
  if (!target) return null;
  const { channelId, point = null, copy = false, points = null } = target;
  return (
    <Suspense fallback={null}>
      <PointFormDialog channelId={channelId} point={copy ? null : point} template={copy ? point : null} points={points} />
    </Suspense>
  );
}
