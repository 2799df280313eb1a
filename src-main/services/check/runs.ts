import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { Handlers } from '../handlers.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { CheckBook } from './check-book.ts';
import { GuidedRun } from './guided-run.ts';
import { ListenRun } from './listen-run.ts';
import { comparedItems, referenceChoices } from './references.ts';
import { statesOfItems } from './states.ts';
import { UnattendedRun } from './unattended-run.ts';

/** The check of a project that is under way, or ended last. */
const runs = new WeakMap<ProjectSession, GuidedRun | ListenRun | UnattendedRun>();

/** Checks that are under way: one a project. */
export function checkRunHandlers(
  deps: ServiceDeps,
): Pick<Handlers, 'startCheck' | 'compareCheck' | 'checkReferences' | 'checkRun' | 'checkStep' | 'sendCheckCommand' | 'stopCheck'> {
  const presentRun = () => runs.get(deps.projects.current());
  /** Notes a check in the book of its project, so that its items stay as long as it runs. */
  const begin = (session: ProjectSession, book: CheckBook, run: GuidedRun | ListenRun | UnattendedRun) => {
    runs.set(session, run);
    book.inRun = () => (run.isRunning ? run.check.id : null);
    return run.snapshot();
  };
  /** Throws `STATE_CONFLICT` while a check is under way. */
  const requireIdle = () => {
    const present = presentRun();
    if (!present?.isRunning) return;
    throw new AppError('STATE_CONFLICT', say('check.run_busy', { operator: present.operator, session: present.check.name }));
  };
  /** Throws `STATE_CONFLICT` where another project was opened meanwhile. */
  const requireSame = (session: ProjectSession) => {
    if (deps.projects.current() !== session) throw new AppError('STATE_CONFLICT', say('service.expected_project'));
  };
  return {
    async startCheck({ session_id, operator, items: uuids, way, commands, settle_ms }) {
      const session = deps.projects.current();
      const book = CheckBook.of(deps);
      const check = book.find(session_id);
      const items = uuids ? uuids.map((uuid) => book.item(check.id, uuid)) : await dueItems(session, book, check.id);
      requireSame(session);
      requireIdle();
      if (items.length === 0) throw new AppError('STATE_CONFLICT', say('check.nothing_due'));
      const options = { operator, settleMs: settle_ms, items };
      if (way === 'listen' && commands) throw invalidField('commands', say('check.listen_sends_nothing'));
      const run = way === 'listen' ? new ListenRun(deps, check, options) : new GuidedRun(deps, check, { ...options, commands });
      return begin(session, book, run);
    },
    async compareCheck({ session_id, operator, items: uuids, reference_channel_id, tolerance, percent, timeout_ms }) {
      const session = deps.projects.current();
      const book = CheckBook.of(deps);
      const check = book.find(session_id);
      const chosen = uuids ? uuids.map((uuid) => book.item(check.id, uuid)) : await dueItems(session, book, check.id);
      const items = comparedItems(session, chosen, { channelId: reference_channel_id, tolerance, percent });
      requireSame(session);
      requireIdle();
      const run = new UnattendedRun(deps, check, { operator, items, timeoutMs: timeout_ms });
      return begin(session, book, run);
    },
    async checkReferences({ session_id, items: uuids }) {
      const session = deps.projects.current();
      const book = CheckBook.of(deps);
      const { id } = book.find(session_id);
      return referenceChoices(session, uuids ? uuids.map((uuid) => book.item(id, uuid)) : await dueItems(session, book, id));
    },
    checkRun: () => ({ run: presentRun()?.snapshot() ?? null }),
    async checkStep({ item, action, remark }) {
      const run = presentRun();
      if (!run?.isRunning) throw new AppError('STATE_CONFLICT', say('check.no_run'));
      await run.decide(item, action, remark);
      return run.snapshot();
    },
    async sendCheckCommand({ item, value }, context) {
      const run = presentRun();
      if (!run?.isRunning) throw new AppError('STATE_CONFLICT', say('check.no_run'));
      await run.send(item, value, context);
      return run.snapshot();
    },
    stopCheck() {
      const run = presentRun();
      run?.stop();
      return { run: run?.snapshot() ?? null };
    },
  };
}

/** Items that neither passed as they are now nor were accepted. */
async function dueItems(session: ProjectSession, book: CheckBook, id: number): Promise<StoredCheckItem[]> {
  const items = book.items(id);
  const states = await statesOfItems(session, items, await book.marks(id));
  return items.filter((_, at) => states[at]?.state !== 'passed' && states[at]?.state !== 'accepted');
}
