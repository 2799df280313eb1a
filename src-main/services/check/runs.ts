import type { CheckRun } from '#shared/contract/check.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { Handlers } from '../handlers.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { CheckBook } from './check-book.ts';
import { Mirrors } from './elsewhere/mirrors.ts';
import { GatewayRun } from './gateway-run.ts';
import { GuidedRun } from './guided-run.ts';
import { ListenRun } from './listen-run.ts';
import { comparedItems, itemsOfFile, referenceChoices, tracedItems } from './references.ts';
import type { RunBase } from './run-base.ts';
import { statesOfItems } from './states.ts';
import { UnattendedRun } from './unattended-run.ts';

/** The check of a project that is under way, or ended last. */
const runs = new WeakMap<ProjectSession, RunBase>();

/** Takes the check before out of what has to end with its project. */
const leave = new WeakMap<ProjectSession, () => void>();

type RunOperation =
  | 'startCheck'
  | 'compareCheck'
  | 'compareCheckFile'
  | 'checkReferences'
  | 'traceCheck'
  | 'checkRun'
  | 'checkStep'
  | 'announceCheck'
  | 'sendCheckCommand'
  | 'stopCheck';

/** Checks that are under way: one a project. */
export function checkRunHandlers(deps: ServiceDeps): Pick<Handlers, RunOperation> {
  const presentRun = () => runs.get(deps.projects.current());
  /** Notes a check in the book of its project, so that its items stay as long as it runs. */
  const begin = (session: ProjectSession, book: CheckBook, run: RunBase) => {
    runs.set(session, run);
    leave.get(session)?.();
    leave.set(
      session,
      session.endings.add(() => run.endWithProject()),
    );
    book.inRun = () => (run.isAtWork ? run.check.id : null);
    return run.snapshot();
  };
  /** Throws `STATE_CONFLICT` while a check is under way, and while results of the one before are not in the file. */
  const requireIdle = () => {
    const present = presentRun();
    // what is under way behind a stop is of the check that was stopped
    if (present?.isRunning || (present?.isAtWork && present.waiting === 0))
      throw new AppError('STATE_CONFLICT', say('check.run_busy', { operator: present.operator, session: present.check.name }));
    if (present && present.waiting > 0) {
      const { waiting, snapshot } = { waiting: present.waiting, snapshot: present.snapshot() };
      throw new AppError('STATE_CONFLICT', say('check.results_wait', { count: waiting, reason: snapshot.error?.said ?? '' }));
    }
  };
  /** Throws `STATE_CONFLICT` where none is. */
  const requireRun = () => {
    const run = presentRun();
    if (!run?.isRunning) throw new AppError('STATE_CONFLICT', say('check.no_run'));
    return run;
  };
  /** Throws `STATE_CONFLICT` where another project was opened meanwhile. */
  const requireSame = (session: ProjectSession) => {
    if (deps.projects.current() !== session) throw new AppError('STATE_CONFLICT', say('service.expected_project'));
  };
  /**
   * Makes and begins a check of these items, those of other services looked at as long as it is at work. `make` calls `start` in the step in which it found that no other one is under way. Nothing is looked
   * at any more for one that does not begin.
   */
  const beginWith = async (items: readonly StoredCheckItem[], make: (start: (run: RunBase) => CheckRun) => Promise<CheckRun>) => {
    requireIdle();
    const session = deps.projects.current();
    const held = await Mirrors.of(deps).hold(items);
    try {
      requireSame(session);
      return await make((run) => {
        held.keep(() => run.isAtWork);
        return begin(session, CheckBook.of(deps), run);
      });
    } catch (thrown) {
      held.release();
      throw thrown;
    }
  };
  return {
    async startCheck({ session_id, operator, items: uuids, way, commands, settle_ms }) {
      const session = deps.projects.current();
      const book = CheckBook.of(deps);
      const check = book.find(session_id);
      return beginWith(candidates(book, check.id, uuids), async (start) => {
        const items = await chosenItems(session, book, check.id, uuids);
        requireSame(session);
        requireIdle();
        if (items.length === 0) throw new AppError('STATE_CONFLICT', say('check.nothing_due'));
        const options = { operator, settleMs: settle_ms, items };
        if (way === 'listen' && commands) throw invalidField('commands', say('check.listen_sends_nothing'));
        if (way === 'guided') return start(new GuidedRun(deps, check, { ...options, commands }));
        const run = await ListenRun.prepare(deps, check, options);
        // the list is long, and others did not wait
        requireIdle();
        run.begin();
        return start(run);
      });
    },
    async compareCheck({ session_id, operator, items: uuids, reference_channel_id, tolerance, percent, timeout_ms }) {
      const session = deps.projects.current();
      const book = CheckBook.of(deps);
      const check = book.find(session_id);
      return beginWith(candidates(book, check.id, uuids), async (start) => {
        const chosen = await chosenItems(session, book, check.id, uuids);
        const items = await comparedItems(session, chosen, { channelId: reference_channel_id, tolerance, percent });
        requireSame(session);
        requireIdle();
        return start(new UnattendedRun(deps, check, { operator, items, timeoutMs: timeout_ms }));
      });
    },
    async compareCheckFile({ session_id, operator, tolerance = 0, percent = 0, timeout_ms = 60_000, file }) {
      const session = deps.projects.current();
      const book = CheckBook.of(deps);
      const check = book.find(session_id);
      requireIdle();
      const rows = await deps.tables.references(new Uint8Array(await file.arrayBuffer()));
      requireSame(session);
      return beginWith(book.items(check.id), async (start) => {
        const items = await itemsOfFile(session, book.items(check.id), rows, { tolerance, percent });
        requireSame(session);
        requireIdle();
        return start(new UnattendedRun(deps, check, { operator, items, timeoutMs: timeout_ms }));
      });
    },
    async traceCheck({ session_id, operator, items: uuids, reference_channel_id, tolerance, percent, within_ms, settle_ms }) {
      const session = deps.projects.current();
      const book = CheckBook.of(deps);
      const check = book.find(session_id);
      return beginWith(candidates(book, check.id, uuids), async (start) => {
        const chosen = await chosenItems(session, book, check.id, uuids);
        const traced = await tracedItems(session, chosen, reference_channel_id);
        requireSame(session);
        requireIdle();
        const options = { operator, ...traced, tolerance, percent, withinMs: within_ms, settleMs: settle_ms };
        return start(new GatewayRun(deps, check, options));
      });
    },
    async checkReferences({ session_id, items: uuids }) {
      const session = deps.projects.current();
      const book = CheckBook.of(deps);
      const { id } = book.find(session_id);
      return referenceChoices(session, uuids ? uuids.map((uuid) => book.item(id, uuid)) : await dueItems(session, book, id));
    },
    checkRun: () => ({ run: presentRun()?.snapshot() ?? null }),
    async checkStep({ item, action, remark }) {
      const run = requireRun();
      await run.decide(item, action, remark);
      return run.snapshot();
    },
    announceCheck({ item, within_ms }) {
      const run = requireRun();
      run.announce(item, within_ms);
      return run.snapshot();
    },
    async sendCheckCommand({ item, value }, context) {
      const run = requireRun();
      await run.send(item, value, context);
      return run.snapshot();
    },
    async stopCheck({ fail_unmoved }) {
      const run = presentRun();
      run?.stop();
      if (fail_unmoved) await run?.failUnmoved();
      return { run: run?.snapshot() ?? null };
    },
  };
}

/** Items that a check may be of, before anybody looked at them. Throws `CONFIG_NOT_FOUND`. */
function candidates(book: CheckBook, id: number, uuids: readonly string[] | undefined): readonly StoredCheckItem[] {
  return uuids ? namedItems(book, id, uuids) : book.items(id);
}

/** The items that are named, else all that are due. */
async function chosenItems(
  session: ProjectSession,
  book: CheckBook,
  id: number,
  uuids: readonly string[] | undefined,
): Promise<StoredCheckItem[]> {
  return uuids ? namedItems(book, id, uuids) : dueItems(session, book, id);
}

/** Items by their names, in this order. Throws `CONFIG_NOT_FOUND`. */
function namedItems(book: CheckBook, id: number, uuids: readonly string[]): StoredCheckItem[] {
  const items = new Map(book.items(id).map((item) => [item.uuid, item]));
  return uuids.map((uuid) => items.get(uuid) ?? book.item(id, uuid));
}

/** Items that neither passed as they are now nor were accepted. */
async function dueItems(session: ProjectSession, book: CheckBook, id: number): Promise<StoredCheckItem[]> {
  const items = book.items(id);
  const states = await statesOfItems(session, items, await book.marks(id));
  return items.filter((_, at) => states[at]?.state !== 'passed' && states[at]?.state !== 'accepted');
}
