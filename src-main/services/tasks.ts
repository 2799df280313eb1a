import type { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { AppError, invalidInput } from '#shared/domain/errors.ts';
import type { ChannelRuntime, TaskKind } from '../runtime/types.ts';
import type { Handlers } from './handlers.ts';
import { findDevice } from './lookup.ts';
import type { ServiceDeps } from './ports.ts';

type TaskHandlers = Pick<
  Handlers,
  'startAutoRead' | 'autoReadStatus' | 'stopAutoRead' | 'manualRead' | 'manualReadStatus' | 'stopManualRead'
>;

/** Background reads: submitted once, followed by their status (service document 4.3, 4.4). */
export function taskHandlers(deps: ServiceDeps): TaskHandlers {
  const device = (name: string) => findDevice(deps.projects.current(), name);
  const start = (kind: TaskKind) => (request: ReadTaskConfig & { readonly device_name: string }) => {
    const { device_name, ...config } = request;
    const channel = device(device_name);
    requireMode(channel, config);
    requireOwnChannel(channel, config);
    return channel.startTask(kind, config);
  };
  const status = (kind: TaskKind) => (request: { readonly device_name: string }) => device(request.device_name).taskSnapshot(kind);
  const stop = (kind: TaskKind) => (request: { readonly device_name: string }) => device(request.device_name).stopTask(kind);
  return {
    startAutoRead: start('automatic'),
    autoReadStatus: status('automatic'),
    stopAutoRead: stop('automatic'),
    manualRead: start('manual'),
    manualReadStatus: status('manual'),
    stopManualRead: stop('manual'),
  };
}

function requireMode(channel: ChannelRuntime, config: ReadTaskConfig): void {
  const { modes } = channel.driver.descriptor;
  if (modes.includes(config.mode)) return;
  const message = `this protocol has no mode "${config.mode}"; use ${modes.join(' or ')}`;
  throw invalidInput([{ path: 'mode', message }]);
}

function requireOwnChannel(channel: ChannelRuntime, config: ReadTaskConfig): void {
  if (config.channel_id === null || config.channel_id === channel.id) return;
  const message = `Device "${channel.settings.name}" is channel ${channel.id}, not ${config.channel_id}; leave channel_id out or correct it.`;
  throw new AppError('CONFIG_NOT_FOUND', message);
}
