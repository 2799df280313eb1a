import type { ApiClient, ApiTransport } from '#shared/client/client.ts';
import type { RunningService } from '../app/start-service.ts';

/** The service behind the window, with its inner door for the pages. */
export interface WindowService {
  readonly service: RunningService;
  readonly transport: ApiTransport;
}

/** The service behind the window, which shows already while it starts: what the pages ask meanwhile waits. */
export class ServiceBehind {
  readonly #standing = Promise.withResolvers<WindowService>();
  readonly #asked = Promise.withResolvers<void>();
  #starting: Promise<WindowService | null> = Promise.resolve(null);
  #service: RunningService | null = null;

  /** Null until it stands. */
  get service(): RunningService | null {
    return this.#service;
  }

  /** Resolves at the first request: the pages are loaded. */
  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  /** The inner door. */
  readonly transport: ApiTransport = async (request) => {
    this.#asked.resolve();
    return (await this.#standing.promise).transport(request);
  };

  /** Typed client on the inner door. */
  readonly api: ApiClient = { call: async (...asked) => (await this.#standing.promise).service.core.api.call(...asked) };

  /** Runs the start, which answers null when there is no service; answers the service. */
  async start(work: () => Promise<WindowService | null>): Promise<RunningService | null> {
    this.#starting = work();
    const started = await this.#starting;
    if (!started) return null;
    this.#service = started.service;
    this.#standing.resolve(started);
    return started.service;
  }

  /** Closes it in order; waits for a start that is under way. */
  readonly close = async (): Promise<void> => {
    const started = await this.#starting.catch(() => null);
    await started?.service.close();
  };

  /** Ends its threads, whatever else has not ended. */
  readonly endThreads = async (): Promise<void> => {
    await this.#service?.endThreads();
  };
}
