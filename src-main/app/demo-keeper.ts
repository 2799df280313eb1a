import type { Logger } from '../platform/logger.ts';
import type { ProjectSessions } from './project-sessions.ts';
import type { Demo } from './types.ts';

interface DemoKeeperOptions {
  readonly sessions: Pick<ProjectSessions, 'current' | 'openFor'>;
  readonly logger: Logger;
  /** Makes its project where there is none; never throws. */
  place(path: string): void;
  /** Restores and starts the plant in the open project. */
  start(): Promise<Demo>;
}

/** The simulated plant: it runs in one project, as long as that is the open one. */
export class DemoKeeper {
  readonly #options: DemoKeeperOptions;
  #running: { readonly path: string; readonly demo: Demo } | null = null;
  #starting: Promise<void> | null = null;

  constructor(options: DemoKeeperOptions) {
    this.#options = options;
  }

  /** Opens the project at `path`, which is made when it is missing, and runs the plant there; one that runs in the open project already is left alone. */
  async open(path: string): Promise<void> {
    if (this.#running) return;
    this.#options.place(path);
    await this.run(path);
  }

  /** Runs the plant in the project at `path`. */
  run(path: string): Promise<void> {
    this.#starting ??= this.#run(path).finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  /** Call it with every project that is open now. */
  opened(path: string): void {
    if (this.#running && this.#running.path !== path) void this.stop();
  }

  /** Ends the simulation. Never rejects. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.demo.stop().catch((error) => this.#options.logger.error({ err: error }, 'the demo plant was not stopped in order'));
  }

  async #run(path: string): Promise<void> {
    const { sessions, start } = this.#options;
    await sessions.openFor(path, { create: true }, async () => {
      await this.stop();
      this.#running = { path: sessions.current().store.path, demo: await start() };
    });
  }
}
