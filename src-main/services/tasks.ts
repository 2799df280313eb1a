import type { ReadTaskConfig, TaskSnapshot, TaskSummary } from '#shared/contract/tasks.ts';
import type { TaskKind } from '../runtime/types.ts';
import type { Handlers } from './handlers.ts';
import { findDevice } from './lookup.ts';
import type { ServiceDeps } from './ports.ts';

type TaskHandlers = Pick<
  Handlers,
  'listTasks' | 'startAutoRead' | 'autoReadStatus' | 'stopAutoRead' | 'manualRead' | 'manualReadStatus' | 'stopManualRead'
>;

/** A task for an overview, without the points that a manual read names. */
export function summaryOf(task: TaskSnapshot): TaskSummary {
  const { points: _, ...config } = task.config;
  return { ...task, config };
}

/** Background reads: submitted once, followed by their status (service document 4.3, 4.4). */
export function taskHandlers(deps: ServiceDeps): TaskHandlers {
  const device = (name: string) => findDevice(deps.projects.current(), name);
  const start = (kind: TaskKind) => (request: ReadTaskConfig & { readonly device_name: string }) => {
    const { device_name, ...config } = request;
    return device(device_name).startTask(kind, config);
  };
  const status = (kind: TaskKind) => (request: { readonly device_name: string }) => device(request.device_name).taskSnapshot(kind);
  const stop = (kind: TaskKind) => (request: { readonly device_name: string }) => device(request.device_name).stopTask(kind);
  return {
    listTasks: () =>
      deps.projects
        .current()
        .channels.list()
        .map((channel) => ({
          channel_id: channel.id,
          auto: summaryOf(channel.taskSnapshot('automatic')),
          manual: summaryOf(channel.taskSnapshot('manual')),
        })),
    startAutoRead: start('automatic'),
    autoReadStatus: status('automatic'),
    stopAutoRead: stop('automatic'),
    manualRead: start('manual'),
    manualReadStatus: status('manual'),
    stopManualRead: stop('manual'),
  };
}
