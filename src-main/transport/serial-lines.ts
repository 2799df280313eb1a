import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type Clock, cancelled, delay } from '../platform/clock.ts';
import { AdapterMemory, namesOf, plainPath } from './serial-adapters.ts';
import { type SerialBinding, type SerialHandle, type SerialOpenOptions, systemSerialBinding } from './serial-binding.ts';
import { serialOpenError } from './serial-errors.ts';
import { listSerialPorts, type SystemSerialPort } from './serial-ports.ts';

/** A port that was opened, and under which name it really is. */
export interface OpenedPort {
  readonly handle: SerialHandle;
  readonly path: string;
  /** Whether the system still lists the port; null where it did not when the port was opened. Rejects when it does not list its ports. */
  isListed(): Promise<boolean | null>;
  /** Gives the port free; call it when `handle.close` has returned, or was given up. */
  release(closing: Promise<void>): void;
}

/** How a port is asked for. */
export interface PortRequest extends Omit<SerialOpenOptions, 'path'> {
  readonly path: string;
  /** Time the opening may take, its turn not counted. */
  readonly deadlineMs: number;
}

/**
 * The serial ports of this computer: one is opened at a time, each within its deadline, since a driver may hang in its open; an adapter
 * that was pulled is found again under another name; a port whose close never returned is known.
 */
export class SerialLines {
  readonly #clock: Clock;
  readonly #binding: SerialBinding;
  readonly #list: () => Promise<SystemSerialPort[]>;
  readonly #adapters = new AdapterMemory();
  readonly #open = new Set<string>();
  /** Closes that have not returned. */
  readonly #closing = new Map<string, Promise<void>>();
  #turn: Promise<void> = Promise.resolve();

  constructor(clock: Clock, binding: SerialBinding = systemSerialBinding, list: () => Promise<SystemSerialPort[]> = listSerialPorts) {
    this.#clock = clock;
    this.#binding = binding;
    this.#list = list;
  }

  /** Opens a port in its turn. Rejects with `TRANSPORT_*`, `TIMEOUT_CONNECT` after the deadline, `CANCELLED` when the signal ends it. */
  async open(request: PortRequest, signal: AbortSignal): Promise<OpenedPort> {
    const before = this.#turn;
    const turn = Promise.withResolvers<void>();
    this.#turn = before.then(() => turn.promise);
    try {
      await until(signal, before);
      return await this.#openNow(request, signal);
    } finally {
      turn.resolve();
    }
  }

  async #openNow(request: PortRequest, signal: AbortSignal): Promise<OpenedPort> {
    const { deadlineMs, ...options } = request;
    const wanted = plainPath(request.path);
    const ended = new AbortController();
    const limit = delay(this.#clock, deadlineMs, AbortSignal.any([signal, ended.signal])).then(() => {
      throw new AppError('TIMEOUT_CONNECT', say('transport.open_slow', { port: wanted, ms: deadlineMs }));
    });
    limit.catch(() => undefined);
    const opening = this.#openPort(wanted, options);
    try {
      return await Promise.race([opening, limit]);
    } catch (error) {
      // an open that comes to its end after all has nobody to serve any more
      opening.then(
        (late) => late.release(late.handle.close()),
        () => undefined,
      );
      throw error;
    } finally {
      ended.abort();
    }
  }

  async #openPort(wanted: string, options: Omit<PortRequest, 'deadlineMs'>): Promise<OpenedPort> {
    const ports = await this.#list().catch(() => []);
    const path = this.#adapters.find(wanted, ports, (taken) => this.#open.has(plainPath(taken)));
    await this.#closing.get(path);
    let handle: SerialHandle;
    try {
      handle = await this.#binding.open({ ...options, path });
    } catch (error) {
      throw serialOpenError(error, path, namesOf(ports));
    }
    this.#open.add(path);
    const port = ports.find((item) => plainPath(item.path) === path);
    if (port) this.#adapters.remember(wanted, port);
    return {
      handle,
      path,
      isListed: async () => (port ? (await this.#list()).some((item) => plainPath(item.path) === path) : null),
      release: (closing) => this.#release(path, closing),
    };
  }

  #release(path: string, closing: Promise<void>): void {
    this.#open.delete(path);
    const closed = closing.then(
      () => undefined,
      () => undefined,
    );
    this.#closing.set(path, closed);
    void closed.then(() => {
      if (this.#closing.get(path) === closed) this.#closing.delete(path);
    });
  }
}

/** Waits for `done`, or rejects with `CANCELLED` when the signal ends the wait. */
function until(signal: AbortSignal, done: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    void done.then(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}
