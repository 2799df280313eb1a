import type { TaskKind } from '../types.ts';
import type { RoundTask, TaskDevice } from './round.ts';
import { RoundPlanner } from './round-plan.ts';

/** A device that keeps what its rounds plan. */
export interface PlanningDevice extends TaskDevice {
  readonly planners: KeptPlanners;
}

/** The planner of the last task of each kind: the same read asked for again plans nothing that it planned before. */
export class KeptPlanners {
  readonly #kept = new Map<TaskKind, RoundPlanner>();

  for(device: TaskDevice, task: RoundTask): RoundPlanner {
    const kept = this.#kept.get(task.kind);
    if (kept?.fits(task)) return kept;
    const planner = new RoundPlanner(device, task);
    this.#kept.set(task.kind, planner);
    return planner;
  }
}
