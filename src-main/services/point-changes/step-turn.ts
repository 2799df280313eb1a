import { AppError } from '#shared/domain/errors.ts';
import { POINT_FIELD_KEYS } from '#shared/domain/point-fields.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { PointsChange, StepSide, StoredStep } from '../../persistence/repositories.ts';
import type { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { POINTS_A_LOOK, requireFreeCodes } from './code-rules.ts';

/** Which way a step is taken. */
export type StepWay = 'undo' | 'redo';

/** A step as it is taken now: what has to be there, what comes. */
interface TurnedStep {
  readonly leaving: readonly PointConfig[];
  readonly changed: readonly { readonly from: PointConfig; readonly to: PointConfig }[];
  readonly coming: readonly PointConfig[];
}

function turned({ removed, changed, added }: StepSide, way: StepWay): TurnedStep {
  if (way === 'redo')
    return { leaving: removed, changed: changed.map(({ before, after }) => ({ from: before, to: after })), coming: added };
  // backwards: a code that went from point to point comes back the same way
  const back = changed.map(({ before, after }) => ({ from: after, to: before })).toReversed();
  return { leaving: added, changed: back, coming: removed };
}

/** The change of a channel that undoes a step or does it again. Throws `STATE_CONFLICT` where the table is not as the step expects it. */
export async function changeOfStep(
  channel: ChannelRuntime,
  side: StepSide,
  { way, step }: { readonly way: StepWay; readonly step: StoredStep },
  turns: Turns,
): Promise<PointsChange> {
  const { leaving, changed, coming } = turned(side, way);
  const unfit: number[] = [];
  for (const [index, point] of [...leaving, ...changed.map(({ from }) => from)].entries()) {
    if (!isSame(channel.points.config(point.id), point)) unfit.push(point.id);
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
  }
  for (const { id } of coming) if (channel.points.config(id) !== undefined) unfit.push(id);
  if (unfit.length > 0) {
    throw new AppError('STATE_CONFLICT', say('edit.unfit', { points: firstOf(unfit), channel: channel.settings.name, name: step.name }));
  }
  await turns.breathe();
  const own = new Set([...leaving, ...changed.map(({ to }) => to)].map(({ id }) => id));
  const codes = [...changed.map(({ to }) => to), ...coming].map(({ code }) => code);
  await requireFreeCodes(channel, codes, own, turns);
  return { removed: leaving.map(({ id }) => id), changed: changed.map(({ to }) => to), added: [], restored: coming };
}

function isSame(present: PointConfig | undefined, expected: PointConfig): boolean {
  if (!present) return false;
  return POINT_FIELD_KEYS.every((key) =>
    key === 'protocol' ? JSON.stringify(present[key]) === JSON.stringify(expected[key]) : present[key] === expected[key],
  );
}
