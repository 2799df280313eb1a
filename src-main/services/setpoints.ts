import type { RestoredSetpoint, TouchedSetpoint } from '#shared/contract/setpoints.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import type { TouchedSetpoint as StoredSetpoint } from '../persistence/repositories.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { CallContext, Handlers } from './handlers.ts';
import { findChannel } from './lookup.ts';
import type { ServiceDeps } from './ports.ts';
import { placeOf } from './setpoint-before.ts';
import { checkWrite, readBack, sendOnce, told, type WriteRequest } from './writes.ts';

type SetpointHandlers = Pick<Handlers, 'touchedSetpoints' | 'restoreSetpoints' | 'keepSetpoints'>;

/** Setpoints that were written during the work on a device, and the way back. */
export function setpointHandlers(deps: ServiceDeps): SetpointHandlers {
  /** Channels whose setpoints are being written back. */
  const restoring = new Set<ChannelRuntime>();
  return {
    touchedSetpoints({ channel_id }) {
      const session = deps.projects.current();
      if (channel_id !== undefined) findChannel(session, channel_id);
      const stored = session.store.setpoints.list(channel_id);
      return { items: stored.map((setpoint) => setpointRow(session.channels.get(setpoint.point.channel_id), setpoint)) };
    },
    async restoreSetpoints({ channel_id, point_ids }, context) {
      const channel = findChannel(deps.projects.current(), channel_id);
      if (restoring.has(channel)) throw new AppError('STATE_CONFLICT', say('service.setpoints_restoring'));
      const wanted = [...new Set(point_ids)].map((id) => wayBack(deps, channel, id));
      for (const { point, value } of wanted) checkWrite(deps, { channel, point }, writeOf(value), context);
      const items: RestoredSetpoint[] = [];
      restoring.add(channel);
      try {
        for (const way of wanted) {
          const restored = await restore(deps, channel, way, context);
          items.push(restored);
          if (restored.outcome !== 'accepted' || restored.is_equal === false) break;
        }
      } finally {
        restoring.delete(channel);
      }
      return { items, left: wanted.length - items.length };
    },
    keepSetpoints({ channel_id, point_ids }) {
      const session = deps.projects.current();
      findChannel(session, channel_id);
      return { kept: session.store.setpoints.forget(channel_id, point_ids) };
    },
  };
}

function setpointRow(channel: ChannelRuntime | undefined, setpoint: StoredSetpoint): TouchedSetpoint {
  const { point, before, beforeAt, value, sentAt, outcome, auditId } = setpoint;
  return {
    channel_id: point.channel_id,
    point_id: point.id,
    code: point.code,
    name: point.name,
    unit: point.unit,
    before,
    before_at: beforeAt,
    value,
    sent_at: sentAt,
    outcome,
    audit_id: auditId,
    obstacle: obstacleOf(channel, setpoint),
  };
}

/** The value from before belongs to the device and the settings that it was read with: with others it would be another one, or another place. */
function obstacleOf(channel: ChannelRuntime | undefined, setpoint: StoredSetpoint): TouchedSetpoint['obstacle'] {
  return obstacleAs(channel, setpoint, channel?.points.config(setpoint.point.id));
}

/** The same with the point as it would be; undefined: it would be gone. */
export function obstacleAs(
  channel: ChannelRuntime | undefined,
  { device, place, before }: StoredSetpoint,
  point: PointConfig | undefined,
): TouchedSetpoint['obstacle'] {
  if (channel === undefined || point === undefined) return 'deleted';
  const now = placeOf({ channel, point });
  if (now.device !== device) return 'other_device';
  if (now.place !== place) return 'edited';
  return before === null ? 'not_known' : null;
}

/** How a setpoint is brought back: the point as it is now, the value, and the write that it is the way back from. */
interface WayBack {
  readonly point: PointConfig;
  readonly value: number;
  readonly auditId: number;
}

/** Throws `CONFIG_NOT_FOUND` for a setpoint that was not written, `STATE_CONFLICT` for one with an obstacle. */
function wayBack(deps: ServiceDeps, channel: ChannelRuntime, id: number): WayBack {
  const stored = deps.projects
    .current()
    .store.setpoints.list(channel.id)
    .filter(({ point }) => point.id === id);
  const setpoint = stored.find((each) => obstacleOf(channel, each) === null) ?? stored[0];
  if (setpoint === undefined) throw new AppError('CONFIG_NOT_FOUND', say('service.setpoint_untouched', { point: id }));
  const obstacle = obstacleOf(channel, setpoint);
  const point = channel.points.config(id);
  if (obstacle === null && point !== undefined && setpoint.before !== null)
    return { point, value: setpoint.before, auditId: setpoint.auditId };
  throw new AppError('STATE_CONFLICT', say(`service.setpoint_${obstacle ?? 'not_known'}`, { point: setpoint.point.code }));
}

function writeOf(value: number): WriteRequest {
  return { step: 'operate', value, options: {} };
}

async function restore(
  deps: ServiceDeps,
  channel: ChannelRuntime,
  agreed: WayBack,
  context: CallContext<'command'>,
): Promise<RestoredSetpoint> {
  const ended = (outcome: RestoredSetpoint['outcome'], said: Message, auditId: number | null, isEqual: boolean | null = null) => {
    return {
      point_id: agreed.point.id,
      value: agreed.value,
      outcome,
      detail: english(said),
      detail_message: said,
      audit_id: auditId,
      is_equal: isEqual,
    };
  };
  try {
    // since the first of them was sent somebody may have edited the point, begun to write it, or taken its value as right
    const { point, value, auditId: lastWrite } = wayBack(deps, channel, agreed.point.id);
    if (lastWrite > agreed.auditId) throw new AppError('STATE_CONFLICT', say('service.setpoint_written_again', { point: point.code }));
    const { done: result, auditId } = await sendOnce(deps, { channel, point }, writeOf(value), context);
    const read = result.outcome === 'accepted' ? await readBack(deps, { channel, point }, value, context) : null;
    return ended(result.outcome, told(result), auditId, read?.equal ?? null);
  } catch (thrown) {
    const error = toAppError(thrown);
    return ended(error.code === 'INTERNAL' ? 'unknown' : 'failed', error.said, null);
  }
}
