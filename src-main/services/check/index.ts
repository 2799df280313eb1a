import type { Handlers } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { checkFileHandlers } from './file-handlers.ts';
import { checkItemHandlers } from './items.ts';
import { checkOrderHandlers } from './order.ts';
import { checkPointHandlers } from './point-states.ts';
import { checkRecordHandlers } from './records.ts';
import { checkResultHandlers } from './results.ts';
import { checkRunHandlers } from './runs.ts';
import { checkSessionHandlers } from './sessions.ts';

/** The point-to-point check (`docs/guide/check.md`). */
export function checkHandlers(deps: ServiceDeps) {
  return {
    ...checkSessionHandlers(deps),
    ...checkItemHandlers(deps),
    ...checkResultHandlers(deps),
    ...checkRunHandlers(deps),
    ...checkPointHandlers(deps),
    ...checkRecordHandlers(deps),
    ...checkFileHandlers(deps),
    ...checkOrderHandlers(deps),
  } satisfies Partial<Handlers>;
}
