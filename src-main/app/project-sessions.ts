import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Logger } from '../platform/logger.ts';
import type { OpenProject, ProjectHolder, ProjectSession } from '../services/ports.ts';

/** A project in operation, with its orderly end. */
export interface RunningSession extends ProjectSession {
  /** Starts the channels that are to start with the service; answers at once. */
  autoStart(): void;
  /** Drops every line of the started channels and opens it anew, at the next call or after a pause if one is given. */
  linesSuspect(reason: Message, pauseMs?: number): Promise<void>;
  /** Stops tasks and channels, then closes the file. Bounded in time, idempotent. */
  close(): Promise<void>;
}

/** Opens a file, checks and locks it, and takes its channels into operation, stopped. Throws what refuses the file. */
export type SessionOpener = (path: string, options: Parameters<OpenProject>[1]) => Promise<RunningSession>;

/** Holds the one open project and changes it for another one. */
export class ProjectSessions implements ProjectHolder {
  readonly #open: SessionOpener;
  readonly #logger: Logger;
  #current: RunningSession;
  /** Another project that is being opened; the present one goes on meanwhile. */
  #opening: Promise<ProjectSession> | null = null;
  /** The change to another project that is under way. */
  #change: Promise<void> | null = null;
  #isClosed = false;

  private constructor(open: SessionOpener, logger: Logger, first: RunningSession) {
    this.#open = open;
    this.#logger = logger;
    this.#current = first;
  }

  /** Begins with the project at `path`, which is made when it is missing. Throws what refuses the file. */
  static async begin(open: SessionOpener, logger: Logger, path: string): Promise<ProjectSessions> {
    return new ProjectSessions(open, logger, await open(resolve(path), { create: true, beside: false }));
  }

  current(): RunningSession {
    this.#requireSteady();
    return this.#current;
  }

  async open(path: string, options: { readonly create: boolean }): Promise<ProjectSession> {
    this.#requireSteady();
    if (this.#opening) throw isBeingOpened();
    const wanted = resolve(path);
    if (isSameFile(wanted, this.#current.store.path)) return this.#current;
    this.#opening = this.#openBeside(wanted, options).finally(() => {
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
    if (this.#isClosed) {
      await next.close();
      this.#requireSteady();
    }
    this.#change = this.#continueWith(next);
    await this.#change;
    return next;
  }

  async #continueWith(next: RunningSession): Promise<void> {
    try {
      await this.#current.close();
    } catch (error) {
      this.#logger.error({ err: error, path: this.#current.store.path }, 'project was not closed in order');
    }
    this.#current = next;
    this.#change = null;
    if (!this.#isClosed) next.autoStart();
  }

  #requireSteady(): void {
    if (this.#isClosed) throw new AppError('STATE_CONFLICT', say('app.stopping'));
    if (this.#change) throw isBeingOpened();
  }
}

function isBeingOpened(): AppError {
  return new AppError('STATE_CONFLICT', say('app.project_opening'));
}

function isSameFile(a: string, b: string): boolean {
  return realPath(a) === realPath(b);
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}
