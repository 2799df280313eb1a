import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { requireNewPlace } from '../persistence/new-place.ts';
import { realPath } from '../persistence/real-path.ts';
import type { ProjectStore } from '../persistence/repositories.ts';
import type { Logger } from '../platform/logger.ts';
import type { OpenProject, ProjectHolder, ProjectSession } from '../services/ports.ts';
import { requireTakesChanges } from '../services/taken-changes.ts';

/** A project in operation, with its orderly end. */
export interface RunningSession extends ProjectSession {
  /** Starts the channels that are to start with the service; answers at once. */
  autoStart(): void;
  /** Drops every line of the started channels and opens it anew, at the next call or after a pause if one is given. */
  linesSuspect(reason: Message, pauseMs?: number): Promise<void>;
  /** Brings to its end what goes on by itself, before the project is left; bounded in time. Throws what keeps something from being kept. */
  settle(): Promise<void>;
  /** Stops tasks and channels, then closes the file. Bounded in time, idempotent. */
  close(): Promise<void>;
}

/** Opens a file, checks and locks it, and takes its channels into operation, stopped. Throws what refuses the file. */
export type SessionOpener = (path: string, options: Parameters<OpenProject>[1]) => Promise<RunningSession>;

/** What the sessions do beside opening. */
export interface SessionPorts {
  readonly logger: Logger;
  /** Before the project is closed for its new name: its secrets are under both names. Throws what is in the way; nothing is changed then. */
  prepareMove(from: string, to: string): void;
  /** Gives a closed project file another name. Throws what is in the way; nothing is changed then. */
  move(from: string, to: string): void;
  /** What is remembered of the former name goes: the project is open under its new one. */
  moved(from: string, to: string): void;
  /** Told of every project that is open now. */
  onOpened(path: string): void;
}

/** Holds the one open project and changes it for another one. */
export class ProjectSessions implements ProjectHolder {
  readonly #open: SessionOpener;
  readonly #ports: SessionPorts;
  #current: RunningSession;
  /** Another project that is being opened; the present one goes on meanwhile. */
  #opening: Promise<ProjectSession> | null = null;
  /** A project is being made that will be opened. */
  #isMaking = false;
  /** The change to another project that is under way. */
  #change: Promise<void> | null = null;
  /** Why no project is open: it was closed for its new name, and could not be opened any more. */
  #lost: AppError | null = null;
  #isClosed = false;

  private constructor(open: SessionOpener, ports: SessionPorts, first: RunningSession) {
    this.#open = open;
    this.#ports = ports;
    this.#current = first;
    ports.onOpened(first.store.path);
  }

  /** Begins with the project at `path`, which is made when it is missing. Throws what refuses the file. */
  static async begin(open: SessionOpener, ports: SessionPorts, path: string): Promise<ProjectSessions> {
    return new ProjectSessions(open, ports, await open(resolve(path), { create: true, beside: false }));
  }

  current(): RunningSession {
    this.#requireSteady();
    if (this.#lost) throw this.#lost;
    return this.#current;
  }

  open(path: string, options: { readonly create: boolean }): Promise<ProjectSession> {
    return this.openFor(path, options, null);
  }

  /** As `open`; no other project is opened before `work` in it has ended. */
  async openFor(path: string, options: { readonly create: boolean }, work: (() => Promise<void>) | null): Promise<ProjectSession> {
    this.#requireSteady();
    this.#requireTurn();
    const wanted = resolve(path);
    const isOpen = !this.#lost && isSameFile(wanted, this.#current.store.path);
    if (isOpen && !work) return this.#current;
    const opening = async () => {
      const session = isOpen ? this.#current : await this.#openBeside(wanted, options);
      await work?.();
      return session;
    };
    this.#opening = opening().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async making<Result>(work: (open: (path: string) => Promise<ProjectSession>) => Promise<Result>): Promise<Result> {
    this.#requireSteady();
    this.#requireTurn();
    this.#isMaking = true;
    try {
      return await work((path) => {
        this.#isMaking = false;
        return this.open(path, { create: false });
      });
    } finally {
      this.#isMaking = false;
    }
  }

  async rename(path: string): Promise<ProjectSession> {
    const session = this.current();
    this.#requireTurn();
    const wanted = realPath(path);
    if (wanted === session.store.path) return session;
    requireNewPlace(wanted);
    const renaming = async () => {
      await session.settle();
      requireMovable(session.store);
      this.#ports.prepareMove(session.store.path, wanted);
      return this.#reopenAs(session.store.path, wanted);
    };
    this.#opening = renaming().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** Ends the open project; later calls of `current` are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => {});
    await this.#current.close();
  }

  async #openBeside(path: string, { create }: { readonly create: boolean }): Promise<ProjectSession> {
    const next = await this.#open(path, { create, beside: true });
    try {
      // what is not kept yet keeps the project open
      if (!this.#lost) await this.#current.settle();
      if (this.#isClosed) this.#requireSteady();
    } catch (thrown) {
      await next.close();
      throw thrown;
    }
    this.#change = this.#continueWith(next);
    await this.#change;
    return next;
  }

  async #reopenAs(from: string, to: string): Promise<ProjectSession> {
    let refusal: unknown = null;
    const work = async () => {
      await this.#endCurrent();
      try {
        this.#ports.move(from, to);
      } catch (thrown) {
        refusal = thrown;
      }
      await this.#openAgain(refusal === null ? to : from);
      if (refusal === null) this.#ports.moved(from, to);
    };
    this.#change = work().finally(() => {
      this.#change = null;
    });
    await this.#change;
    if (refusal !== null) throw renamedNot(refusal);
    return this.current();
  }

  async #openAgain(path: string): Promise<void> {
    try {
      this.#current = await this.#open(path, { create: false, beside: false });
    } catch (thrown) {
      this.#lost = new AppError('STATE_STORE', say('store.closed_lost', { reason: toAppError(thrown).said, path }), { cause: thrown });
      throw this.#lost;
    }
    this.#began();
  }

  async #endCurrent(): Promise<void> {
    try {
      await this.#current.close();
    } catch (error) {
      this.#ports.logger.error({ err: error, path: this.#current.store.path }, 'project was not closed in order');
    }
  }

  /** The project that is current now was just opened. */
  #began(): void {
    this.#lost = null;
    this.#ports.onOpened(this.#current.store.path);
    if (!this.#isClosed) this.#current.autoStart();
  }

  async #continueWith(next: RunningSession): Promise<void> {
    await this.#endCurrent();
    this.#current = next;
    this.#change = null;
    this.#began();
  }

  #requireTurn(): void {
    if (this.#opening || this.#isMaking) throw isBeingOpened();
  }

  #requireSteady(): void {
    if (this.#isClosed) throw new AppError('STATE_CONFLICT', say('app.stopping'));
    if (this.#change) throw isBeingOpened();
  }
}

/** Throws what keeps a file from being closed for its new name; its channels go on. */
function requireMovable(store: ProjectStore): void {
  requireTakesChanges(store);
  store.emptyLog();
}

/** What was found only when the project was closed already. */
function renamedNot(thrown: unknown): AppError {
  const { code, said } = toAppError(thrown);
  return new AppError(code, say('store.renamed_not', { reason: said }), { cause: thrown });
}

function isBeingOpened(): AppError {
  return new AppError('STATE_CONFLICT', say('app.project_opening'));
}

function isSameFile(a: string, b: string): boolean {
  return nativePath(a) === nativePath(b);
}

function nativePath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}
