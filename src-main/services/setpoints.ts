import type { RestoredSetpoint, TouchedSetpoint } from '#shared/contract/setpoints.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import type { TouchedSetpoint as StoredSetpoint } from '../persistence/repositories.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { isReadAlike } from '../runtime/values/reading-settings.ts';
import type { CallContext, Handlers } from './handlers.ts';
import { findChannel } from './lookup.ts';
import type { ServiceDeps } from './ports.ts';
import { checkWrite, readBack, sendOnce, told, type WriteRequest } from './writes.ts';

type SetpointHandlers = Pick<Handlers, 'touchedSetpoints' | 'restoreSetpoints' | 'keepSetpoints'>;

/** Setpoints that were written during the work on a device, and the way back. */
export function setpointHandlers(deps: ServiceDeps): SetpointHandlers {
  return {
    touchedSetpoints({ channel_id }) {
      const session = deps.projects.current();
      if (channel_id !== undefined) findChannel(session, channel_id);
      const stored = session.store.setpoints.list(channel_id);
      return { items: stored.map((setpoint) => setpointRow(session.channels.get(setpoint.point.channel_id), setpoint)) };
    },
    async restoreSetpoints({ channel_id, point_ids }, context) {
      const session = deps.projects.current();
      const channel = findChannel(session, channel_id);
      const stored = new Map(session.store.setpoints.list(channel_id).map((setpoint) => [setpoint.point.id, setpoint]));
      const wanted = [...new Set(point_ids)].map((id) => requireStored(stored.get(id), id));
      for (const setpoint of wanted) {
        const { point, value } = wayBack(channel, setpoint);
        checkWrite(deps, { channel, point }, writeOf(value), context);
      }
      const items: RestoredSetpoint[] = [];
      for (const setpoint of wanted) {
        const restored = await restore(deps, channel, setpoint, context);
        items.push(restored);
        if (restored.outcome !== 'accepted') break;
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

/** The value from before belongs to the settings that it was read with: with others it would be another one, or another place. */
function obstacleOf(channel: ChannelRuntime | undefined, { point, before }: StoredSetpoint): TouchedSetpoint['obstacle'] {
  const present = channel?.points.config(point.id);
  if (present === undefined) return 'deleted';
  if (!isReadAlike(point, present)) return 'edited';
  return before === null ? 'not_known' : null;
}

function requireStored(setpoint: StoredSetpoint | undefined, id: number): StoredSetpoint {
  if (setpoint === undefined) throw new AppError('CONFIG_NOT_FOUND', say('service.setpoint_untouched', { point: id }));
  return setpoint;
}

/** The point as it is now, and the value to write. Throws `STATE_CONFLICT` for a setpoint with an obstacle. */
function wayBack(channel: ChannelRuntime, setpoint: StoredSetpoint): { readonly point: PointConfig; readonly value: number } {
  const obstacle = obstacleOf(channel, setpoint);
  const point = channel.points.config(setpoint.point.id);
  if (obstacle === null && point !== undefined && setpoint.before !== null) return { point, value: setpoint.before };
  throw new AppError('STATE_CONFLICT', say(`service.setpoint_${obstacle ?? 'not_known'}`, { point: setpoint.point.code }));
}

function writeOf(value: number): WriteRequest {
  return { step: 'operate', value, options: {} };
}

async function restore(
  deps: ServiceDeps,
  channel: ChannelRuntime,
  setpoint: StoredSetpoint,
  context: CallContext<'command'>,
): Promise<RestoredSetpoint> {
  const ended = (outcome: RestoredSetpoint['outcome'], said: Message, auditId: number | null, isEqual: boolean | null = null) => {
    const value = setpoint.before ?? 0;
    return {
      point_id: setpoint.point.id,
      value,
      outcome,
      detail: english(said),
      detail_message: said,
      audit_id: auditId,
      is_equal: isEqual,
    };
  };
  try {
    // somebody may have edited the point since the first of them was sent
    const { point, value } = wayBack(channel, setpoint);
    const { done: result, auditId } = await sendOnce(deps, { channel, point }, writeOf(value), context);
    const read = result.outcome === 'accepted' ? await readBack(deps, { channel, point }, value, context) : null;
    return ended(result.outcome, told(result), auditId, read?.equal ?? null);
  } catch (thrown) {
    const error = toAppError(thrown);
    return ended(error.code === 'INTERNAL' ? 'unknown' : 'failed', error.said, null);
  }
}
