import type { PointConfig } from '../../drivers/spi/index.ts';
import type { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import type { TableChanges } from '../table-changes.ts';
import { type ChangePlan, type ChangeRequest, type Outcome, planChanges } from './change-plan.ts';
import type { StepName } from './step-name.ts';

/** Where a point of a request is now; null for one that is gone. */
export interface PointPlace {
  readonly channel: ChannelRuntime;
  readonly id: number;
}

/** What was done. */
export interface DoneChanges {
  /** In the order of the request. */
  readonly places: readonly (PointPlace | null)[];
  /** Its step of the journal; null where nothing was changed. */
  readonly stepId: number | null;
  readonly turns: Turns;
}

/** The one way in which requests change points: checked as a whole, made in one step, entered into the journal. */
export class PointChanger {
  readonly #deps: ServiceDeps;
  readonly #tables: TableChanges;

  constructor(deps: ServiceDeps, tables: TableChanges) {
    this.#deps = deps;
    this.#tables = tables;
  }

  /** `answer` is made before anybody changes the tables again. */
  make<Answer>(request: ChangeRequest, nameOf: StepName, answer: (done: DoneChanges) => Promise<Answer>): Promise<Answer> {
    const { channel, ops, context } = request;
    const channels = [channel, ...ops.flatMap((op) => (op.op === 'move' ? op.to : []))];
    return this.#tables.run(channels, async (turns) => {
      await request.requireStill?.(turns);
      const plan = await planChanges(request, turns);
      await request.beforeMade?.(turns);
      const name = nameOf(ops.length, firstCode(plan, channel));
      let stepId: number | null = null;
      const onEntered = (id: number) => {
        stepId = id;
      };
      const facts = { at: isoTime(this.#deps.clock.wallMs()), source: context.source, name, onEntered };
      const added = await this.#tables.make(plan.changes, facts, turns);
      const places = plan.outcomes.map((outcome) => placeOf(outcome, channel, plan, added));
      return answer({ places, stepId, turns });
    });
  }
}

/** The code of a point that comes or changes, else of one that goes. */
function firstCode({ changes }: ChangePlan, channel: ChannelRuntime): string {
  const [now] = changes.flatMap(({ change }) => [change.changed[0] ?? [], change.added[0] ?? []].flat());
  const [gone] = changes.flatMap(({ change }) => change.removed.slice(0, 1));
  return now?.code ?? (gone === undefined ? '' : (channel.points.config(gone)?.code ?? ''));
}

function placeOf(
  outcome: Outcome,
  own: ChannelRuntime,
  { changes }: ChangePlan,
  added: readonly (readonly PointConfig[])[],
): PointPlace | null {
  if (outcome.kind === 'gone') return null;
  if (outcome.kind === 'changed') return { channel: own, id: outcome.id };
  const { channel, index } = outcome;
  const point = added[changes.findIndex((each) => each.channel === channel)]?.[index];
  return point ? { channel, id: point.id } : null;
}
