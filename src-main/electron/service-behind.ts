import { type ApiClient, type ApiTransport, createClient } from '#shared/client/client.ts';
import type { RunningService } from '../app/start-service.ts';

/** The service behind the window, with its inner door for the pages. */
export interface WindowService {
  readonly service: RunningService;
  readonly transport: ApiTransport;
}

/** The service behind the window, which shows already while it starts: what the pages ask meanwhile waits. */
export class ServiceBehind {
  readonly #standing = Promise.withResolvers<WindowService>();
  #starting: Promise<WindowService | null> = Promise.resolve(null);
  #service: RunningService | null = null;

  /** Null until it stands. */
  get service(): RunningService | null {
    return this.#service;
  }

  /** The inner door. */
  readonly transport: ApiTransport = async (request) => (await this.#standing.promise).transport(request);

  /** Typed client on the inner door. */
  readonly api: ApiClient = createClient(this.transport);

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
  async close(): Promise<void> {
    const started = await this.#starting.catch(() => null);
    await started?.service.close();
  }
}
