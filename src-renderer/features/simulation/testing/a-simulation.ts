import type { Simulation } from '#shared/contract/simulation.ts';
import { NO_LINE_FAULTS } from '../fault-form.ts';

/** A simulation that goes without a fault. */
export function aSimulation(change: Partial<Simulation> = {}): Simulation {
  return {
    channel_id: 1,
    is_on: true,
    is_running: true,
    speed: 1,
    period_ms: 1000,
    points: 3,
    t: 12.5,
    steps: 13,
    step_ms: 0.4,
    fault_count: 0,
    faults: [],
    line: NO_LINE_FAULTS,
    made: { silent: 0, half: 0, wrong_check: 0, no_end: 0, hang_up: 0, refused: 0, exceptions: 0 },
    has_checksum: false,
    has_exceptions: true,
    ...change,
  };
}
