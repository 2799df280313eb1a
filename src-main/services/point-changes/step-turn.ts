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
  const own = new Set<number>();
  const codes: string[] = [];
  let looks = 0;
  const look = async (isFit: boolean, id: number) => {
    if (!isFit) unfit.push(id);
    looks += 1;
    if (looks % POINTS_A_LOOK === 0) await turns.breathe();
  };
  for (const point of leaving) {
    own.add(point.id);
    await look(isSamePoint(channel.points.config(point.id), point), point.id);
  }
  for (const { from, to } of changed) {
    own.add(from.id);
    codes.push(to.code);
    await look(isSamePoint(channel.points.config(from.id), from), from.id);
  }
  for (const { id, code } of coming) {
    codes.push(code);
    await look(channel.points.config(id) === undefined, id);
  }
  if (unfit.length > 0) {
    throw new AppError('STATE_CONFLICT', say('edit.unfit', { points: firstOf(unfit), channel: channel.settings.name, name: step.name }));
  }
  await requireFreeCodes(channel, codes, own, turns);
  await turns.next();
  return { removed: leaving.map(({ id }) => id), changed: changed.map(({ to }) => to), added: [], restored: coming };
}

/** True when a point is as it is expected, in every field. */
export function isSamePoint(present: PointConfig | undefined, expected: PointConfig): boolean {
  if (!present) return false;
  return POINT_FIELD_KEYS.every((key) =>
    key === 'protocol' ? JSON.stringify(present[key]) === JSON.stringify(expected[key]) : present[key] === expected[key],
  );
}
