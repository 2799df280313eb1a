import type { ProjectSettings } from '#shared/contract/service.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { CheckBook } from './check/check-book.ts';
import type { Handlers } from './handlers.ts';
import type { ProjectSession, ServiceDeps } from './ports.ts';
import { isoTime } from './rows.ts';
import { projectWarnings, serviceWarning } from './service-warnings.ts';
import { readSettings } from './settings-store.ts';
import { checkPlace } from './updates/place.ts';

type ServiceHandlers = Pick<Handlers, 'serviceInfo' | 'stopService' | 'getSettings' | 'updateSettings' | 'makeToken' | 'removeToken'>;

/** Results of a check that the open project could not take in yet. */
function asideWarnings(deps: ServiceDeps) {
  const trouble = CheckBook.of(deps).asideTrouble;
  return trouble ? [serviceWarning('results_aside', trouble)] : [];
}

/** Characters of a token that may be shown: enough to tell two apart, too few to guess the rest. */
const SHOWN_END = 4;
/** A shorter one, which only a person can have chosen, shows nothing of itself. */
const LEAST_SHOWN = 16;

/** The end of a token; an empty text for one too short to show anything of. */
function endOf(token: string): string {
  return token.length < LEAST_SHOWN ? '' : token.slice(-SHOWN_END);
}

/** The service itself: what it is, its settings, its end. */
export function serviceHandlers(deps: ServiceDeps): ServiceHandlers {
  const { facts } = deps;
  const isReadOnly = () => facts.forcedReadOnly || readSettings(deps.projects.current().store.settings).read_only;
  const settings = () => {
    const { port, token, updates } = facts.nextStart.read();
    return {
      ...readSettings(deps.projects.current().store.settings),
      read_only: isReadOnly(),
      port,
      update_place: updates,
      token_end: token === null ? null : endOf(token),
    };
  };
  return {
    serviceInfo: (_request, { caller = { name: null, role: 'configure' } }) => ({
      name: 'Loopcheck',
      version: facts.version,
      pid: process.pid,
      started_at: isoTime(facts.startedAt),
      project_session: deps.projects.current().id,
      host: facts.host,
      port: facts.port(),
      fingerprint: facts.fingerprint,
      read_only: isReadOnly() || caller.role === 'view',
      caller,
      load: facts.load(),
      timer_lateness_ms: Math.round(deps.clock.timerLatenessMs * 10) / 10,
      warnings: [...projectWarnings(deps.projects.current()), ...asideWarnings(deps), ...facts.warnings()],
    }),
    stopService() {
      facts.requestStop();
      return { stopping: true };
    },
    getSettings: settings,
    updateSettings(changes) {
      if (changes.read_only === false && facts.forcedReadOnly) {
        throw new AppError('STATE_READ_ONLY', say('service.forced_read_only'));
      }
      const { port, update_place, ...ofProject } = changes;
      const updates = update_place === undefined ? undefined : checkPlace(update_place);
      // first what can fail alone: a full disk refuses both, a lost project does not refuse the port
      if (port !== undefined || updates !== undefined) {
        facts.nextStart.write({ ...(port === undefined ? {} : { port }), ...(updates === undefined ? {} : { updates }) });
      }
      changeProject(deps.projects.current(), ofProject);
      return settings();
    },
    makeToken() {
      const token = facts.newToken();
      facts.nextStart.write({ token });
      return { token };
    },
    removeToken() {
      facts.nextStart.write({ token: null });
      return settings();
    },
  };
}

/** Stores what is given, then lets it hold. */
function changeProject(
  { store, channels, events }: ProjectSession,
  changes: { readonly [Name in keyof ProjectSettings]?: ProjectSettings[Name] | undefined },
): void {
  for (const name of ['read_only', 'frame_log_bytes', 'events_kept', 'audit_kept'] as const) {
    if (changes[name] !== undefined) store.settings.write(name, changes[name]);
  }
  if (changes.frame_log_bytes !== undefined) channels.resizeFrameLogs(changes.frame_log_bytes);
  if (changes.events_kept !== undefined) events.resize(changes.events_kept);
  if (changes.audit_kept !== undefined) {
    store.audit.keep(changes.audit_kept);
    store.audit.trim();
  }
}
