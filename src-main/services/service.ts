import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceDeps } from './ports.ts';
import { isoTime } from './rows.ts';
import { projectWarnings } from './service-warnings.ts';
import { readSettings } from './settings-store.ts';

type ServiceHandlers = Pick<Handlers, 'serviceInfo' | 'stopService' | 'getSettings' | 'updateSettings'>;

/** The service itself: what it is, its settings, its end. */
export function serviceHandlers(deps: ServiceDeps): ServiceHandlers {
  const { facts } = deps;
  const settings = () => {
    const stored = readSettings(deps.projects.current().store.settings);
    return { ...stored, read_only: stored.read_only || facts.forcedReadOnly };
  };
  return {
    serviceInfo: () => ({
      name: 'Loopcheck',
      version: facts.version,
      pid: process.pid,
      started_at: isoTime(facts.startedAt),
      host: facts.host,
      port: facts.port(),
      read_only: settings().read_only,
      timer_lateness_ms: Math.round(deps.clock.timerLatenessMs * 10) / 10,
      warnings: [...projectWarnings(deps.projects.current()), ...facts.warnings()],
    }),
    stopService() {
      facts.requestStop();
      return { stopping: true };
    },
    getSettings: settings,
    updateSettings(changes) {
      const { store, channels } = deps.projects.current();
      if (changes.read_only === false && facts.forcedReadOnly) {
        throw new AppError('STATE_READ_ONLY', say('service.forced_read_only'));
      }
      if (changes.read_only !== undefined) store.settings.write('read_only', changes.read_only);
      if (changes.frame_log_bytes !== undefined) {
        store.settings.write('frame_log_bytes', changes.frame_log_bytes);
        channels.resizeFrameLogs(changes.frame_log_bytes);
      }
      return settings();
    },
  };
}
