import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '#shared/domain/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { ProjectHolder, ProjectSession } from '../services/ports.ts';

/** A project in operation, with its orderly end. */
export interface RunningSession extends ProjectSession {
  /** Starts the channels that are to start with the service; answers at once. */
  autoStart(): void;
  /** Drops every line of the started channels and opens it anew, at the next call or after a pause if one is given. */
  linesSuspect(reason: string, pauseMs?: number): Promise<void>;
  /** Stops tasks and channels, then closes the file. Bounded in time, idempotent. */
  close(): Promise<void>;
}

/** Opens a file, checks and locks it, and takes its channels into operation, stopped. Throws what refuses the file. */
export type SessionOpener = (path: string, options: { readonly create: boolean }) => RunningSession;

/** Holds the one open project and changes it for another one. */
export class ProjectSessions implements ProjectHolder {
  readonly #open: SessionOpener;
  readonly #logger: Logger;
  #current: RunningSession;
  /** The change to another project that is under way. */
  #change: Promise<void> | null = null;
  #isClosed = false;

  constructor(open: SessionOpener, logger: Logger, firstPath: string) {
    this.#open = open;
    this.#logger = logger;
    this.#current = open(resolve(firstPath), { create: true });
  }

  current(): RunningSession {
    this.#requireSteady();
    return this.#current;
  }

  async open(path: string, options: { readonly create: boolean }): Promise<ProjectSession> {
    this.#requireSteady();
    const wanted = resolve(path);
    if (isSameFile(wanted, this.#current.store.path)) return this.#current;
    const next = this.#open(wanted, options);
    this.#change = this.#continueWith(next);
    await this.#change;
    return next;
  }

  /** Ends the open project; later calls of `current` are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#change;
    await this.#current.close();
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
    if (this.#isClosed) throw new AppError('STATE_CONFLICT', 'The service is stopping; its project is closed.');
    if (this.#change) throw new AppError('STATE_CONFLICT', 'Another project is being opened; ask again in a moment.');
  }
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
