import { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { Logger } from '../../platform/logger.ts';
import { notStarted } from '../../runtime/not-started.ts';
import { type CheckedChannel, isOwn } from './elsewhere/checked-channel.ts';

/** One manual read of points on each channel, those of other services by these; a read that is under way brings the values as well. */
export function readOnce(points: ReadonlyMap<CheckedChannel, readonly PointConfig[]>, logger: Logger): void {
  for (const [channel, chosen] of points) {
    channel.elsewhere?.readOnce(chosen);
    if (!isOwn(channel)) continue;
    try {
      const named = chosen.map(({ id, frame_type }) => ({ id, frame_type }));
      channel.startTask('manual', ReadTaskConfig.parse({ mode: 'batch', points: named }));
    } catch (thrown) {
      logger.info({ err: toAppError(thrown), channel: channel.settings.name }, 'a check started no read of its own');
    }
  }
}

/** Whether a task reads a channel. What is read of other services only they know: they refuse what comes beside a task. */
export function isRead(channel: CheckedChannel, kinds: readonly ('automatic' | 'manual')[]): boolean {
  return isOwn(channel) && kinds.some((kind) => channel.taskSnapshot(kind).state === 'running');
}

/** Why nothing comes from a channel; null for one that runs, or that is on its way back. */
export function notRunning(channel: CheckedChannel): Message | null {
  const { status } = channel.state();
  return status === 'running' || status === 'reconnecting' ? null : notStarted(channel.settings.name, status).said;
}

/** Why values that were waited for did not come; null where their line stands. */
export function lostOf(channel: CheckedChannel): Message | null {
  const { elsewhere } = channel;
  if (elsewhere) {
    const reason = elsewhere.trouble ?? elsewhere.readTrouble;
    if (reason) return say('check.elsewhere_lost', { service: elsewhere.service.name, reason });
  }
  return channel.state().status === 'running' ? null : say('check.line_lost', { channel: channel.settings.name });
}
