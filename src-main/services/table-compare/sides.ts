import type { ComparedSide } from '#shared/contract/table-compare.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { configsInTurns } from '../../runtime/values/configs-in-turns.ts';
import { findChannel } from '../lookup.ts';
import { POINTS_A_LOOK } from '../point-changes/code-rules.ts';
import type { ProjectSession } from '../ports.ts';
import type { TableChanges } from '../table-changes.ts';
import type { TakenSide } from './comparison.ts';
import { keptOf } from './kept.ts';

/** Takes a table as it is now. Throws `CONFIG_NOT_FOUND`, and `STATE_CONFLICT` for a step that nobody can go back to. */
export async function takeSide(session: ProjectSession, tables: TableChanges, side: ComparedSide): Promise<TakenSide> {
  if (side.of === 'file') {
    const { name, bytes } = keptOf(session).file(side.file_id);
    return { of: 'file', name, channel: null, stepId: null, points: null, input: { of: 'file', upload: { name, bytes } }, revision: null };
  }
  const channel = findChannel(session, side.channel_id);
  await channel.modelReady();
  const revision = channel.points.configRevision;
  const points =
    side.of === 'step'
      ? await tables.run(channel, (turns) => pointsBefore(session, channel, side.step_id, turns))
      : await configsInTurns(channel.points, new Turns().breathe);
  const { name } = channel.settings;
  const stepId = side.of === 'step' ? side.step_id : null;
  return { of: side.of, name, channel, stepId, points, input: { of: 'points', points }, revision };
}

/** The points of a channel as they were before a step: the steps from the latest down to it are taken back, on paper. */
async function pointsBefore(session: ProjectSession, channel: ChannelRuntime, stepId: number, turns: Turns): Promise<PointConfig[]> {
  const { steps } = session.store;
  const own = steps.all().filter(({ channels }) => channels.includes(channel.id));
  const from = own.findIndex(({ id }) => id === stepId);
  if (from < 0) throw new AppError('CONFIG_NOT_FOUND', say('edit.no_step', { step: stepId }));
  const back = own.slice(from).filter(({ isUndone }) => !isUndone);
  const lost = back.find(({ isKept }) => !isKept);
  if (lost) throw new AppError('STATE_CONFLICT', say('edit.too_large', { name: lost.name }));
  const points = new Map((await configsInTurns(channel.points, turns.breathe)).map((point) => [point.id, point]));
  let looks = 0;
  const look = async () => {
    looks += 1;
    if (looks % POINTS_A_LOOK === 0) await turns.breathe();
  };
  for (const { id } of back.toReversed()) {
    const sides = await steps.sides(id, turns.breathe);
    for (const { channelId, added, changed, removed } of sides) {
      if (channelId !== channel.id) continue;
      for (const point of added) {
        points.delete(point.id);
        await look();
      }
      for (const { before } of changed.toReversed()) {
        points.set(before.id, before);
        await look();
      }
      for (const point of removed) {
        points.set(point.id, point);
        await look();
      }
    }
  }
  await turns.next();
  return [...points.values()].sort((a, b) => a.id - b.id);
}
