import type { ChannelStatus } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

/** What needs a started channel is refused; `data` is the snapshot of a task where one was asked for. */
export function notStarted(name: string, status: ChannelStatus, data: unknown = null): AppError {
  const now = status === 'error' ? 'in error' : status;
  return new AppError('STATE_NOT_STARTED', say('service.start_first', { channel: name, status: now }), { data });
}

/** What would send something on a channel that only listens is refused. */
export function listensOnly(name: string): AppError {
  return new AppError('STATE_CONFLICT', say('listen.only', { channel: name }));
}
