import { keptCaptureHandlers } from './frame-files/kept-captures.ts';
import type { Handlers } from './handlers.ts';
import type { PointChanger } from './point-changes/point-changer.ts';
import type { ServiceDeps } from './ports.ts';
import { seriesHandlers } from './series/index.ts';
import { simulationHandlers } from './simulation.ts';

/** What served points do by themselves, and the recordings they can follow. */
export function simulationRoom(deps: ServiceDeps, changer: PointChanger) {
  return {
    ...simulationHandlers(deps),
    ...seriesHandlers(deps, changer),
    ...keptCaptureHandlers(deps),
  } satisfies Partial<Handlers>;
}
