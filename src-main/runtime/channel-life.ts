import type { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { StoredChannel } from '../persistence/repositories.ts';
import { cancelled } from '../platform/clock.ts';
import { serially } from '../platform/serially.ts';
import { settlesWithin } from './bounded.ts';
import type { ChannelParts } from './channel-parts.ts';
import { ConnectionLife, type LifeChannel } from './connection/connection-life.ts';
import type { DeviceLink } from './connection/device-link.ts';
import type { Session } from './connection/session.ts';
import { isReadElsewhere, toDriverSettings } from './settings.ts';
import type { ReadTask } from './tasks/read-task.ts';

/** How long stopping a device waits for its tasks before it closes the line (decisions, "Read tasks"). */
const STOP_TASKS_MS = 6_000;

/** An automatic task that a rebuild has stopped, to be started again on the new instance. */
interface Restart {
  readonly task: ReadTask;
  readonly config: ReadTaskConfig;
}

/** How a channel is started, stopped and rebuilt: one after the other, each with connection, device, tasks and simulation in their order. */
export class ChannelLife {
  readonly connection: ConnectionLife;
  readonly #parts: ChannelParts;
  /** One operation after the other, in the order they were asked for. */
  readonly #inTurn = serially();
  /** The connection that is closing, until nothing can return from it any more. */
  #closingLink: DeviceLink | null = null;
  #restart: Restart | null = null;
  #isRemoved = false;
  #connectedAt: number | null = null;
  /** Replaced at each stop: what was asked for before a stop does not happen after it. */
  #intent = new AbortController();
  #starting: Promise<void> | null = null;
  #stopping: Promise<void> | null = null;

  constructor(parts: ChannelParts) {
    this.#parts = parts;
    this.connection = new ConnectionLife(this.#lifeChannel());
  }

  /** As `ChannelRuntime` has it. */
  get connectedAt(): number | null {
    return this.#connectedAt;
  }

  start(): Promise<void> {
    if (this.#starting) return this.#starting;
    const { signal } = this.#intent;
    const starting = this.#inTurn(() => this.#start(signal)).finally(() => {
      if (this.#starting === starting) this.#starting = null;
    });
    this.#starting = starting;
    return starting;
  }

  stop(): Promise<void> {
    this.#intent.abort();
    this.#intent = new AbortController();
    this.#starting = null;
    if (this.connection.status === 'stopped') return this.#inTurn(async () => undefined);
    const reason = cancelled(say('runtime.stopped_now'));
    this.#halt(reason);
    if (this.#stopping) return this.#stopping;
    this.#stopping = this.#inTurn(() => this.#stop(reason));
    return this.#stopping;
  }

  /** Stops for good: nothing can be started any more. */
  remove(): Promise<void> {
    this.#isRemoved = true;
    return this.stop();
  }

  reload(): Promise<void> {
    const { signal } = this.#intent;
    return this.#inTurn(async () => {
      if (this.connection.isUp || this.connection.status === 'error') await this.#rebuild(signal);
    });
  }

  async reconfigure(settings: StoredChannel, isDocumentNew: boolean): Promise<void> {
    const parts = this.#parts;
    const { connector } = parts;
    const driver = parts.driverOf(settings);
    toDriverSettings(settings, driver);
    const isElsewhere = isReadElsewhere(parts.settings, settings, { before: parts.driver, after: driver });
    parts.settings = settings;
    parts.driver = driver;
    if (isElsewhere) this.#leaveDevice();
    if (isDocumentNew) connector.documentChanged();
    const { signal } = this.#intent;
    if (!isElsewhere && !connector.isOutdatedBy(settings)) return;
    this.#forgetOther();
    await this.#inTurn(async () => {
      const isOutdated = connector.isOutdatedBy(parts.settings);
      if (this.connection.isUp && isOutdated) await this.#rebuild(signal);
      this.#forgetOther();
      // there and back again: the connection has been the right one all the time
      if (!isOutdated) parts.points.meetDevice();
    });
  }

  /** Behind every start, stop and rebuild that was asked for, and the attempt to connect that is under way. */
  async settled(): Promise<void> {
    await this.#inTurn(async () => undefined);
    await this.connection.attempted();
  }

  /** Makes a change of the table between two tasks, and starts the automatic one again. */
  interruptTasks(change: () => void): Promise<void> {
    const { signal } = this.#intent;
    return this.#inTurn(() => this.#parts.tasks.interrupt(change, STOP_TASKS_MS, () => this.connection.isUp && !signal.aborted));
  }

  /** Drops the line and opens it anew, after `pauseMs`. */
  async suspect(reason: Message, pauseMs: number): Promise<void> {
    if (this.connection.isUp) await this.connection.suspect(new AppError('TRANSPORT_LOST', reason), pauseMs);
  }

  /** A rebuild does not start the automatic task again. */
  forgetRestart(): void {
    this.#restart = null;
  }

  async #start(signal: AbortSignal): Promise<void> {
    if (this.#isRemoved) throw new AppError('CONFIG_NOT_FOUND', say('runtime.removed'));
    if (signal.aborted) throw cancelled(say('runtime.stopped_starting'));
    if (this.connection.status === 'running') return;
    if (this.connection.status === 'reconnecting') return this.connection.retryNow();
    this.#parts.health.reset();
    this.#parts.faults.begin();
    await this.#open(signal);
  }

  async #open(signal: AbortSignal): Promise<void> {
    const { connector, settings, driver, points, device } = this.#parts;
    try {
      connector.use(settings, driver);
      // what the former device said meanwhile
      if (points.isLeft) device.dataSets.forget();
      points.meetDevice();
      await this.connection.open(signal);
    } catch (thrown) {
      throw signal.aborted ? cancelled(say('runtime.stopped_starting')) : toAppError(thrown);
    }
  }

  async #stop(reason: AppError): Promise<void> {
    await this.#shutDown(reason);
    this.#parts.points.markAllStale(say('runtime.stopped'));
    // From here on another stop is another one: it must not join this one, which sees nothing of a start in between.
    this.#stopping = null;
    this.connection.ended();
    this.#forgetOther();
  }

  /** What is known of the device or the document before the present one is not shown on a channel that goes to neither. */
  #forgetOther(): void {
    const { connector, settings } = this.#parts;
    const { status } = this.connection;
    if (status === 'stopped' || status === 'error') connector.forgetOther(settings);
  }

  /** Tasks first, then the line (service document 4.7 rule 1); a task that still waits for its I/O ends when its line is closed. */
  async #shutDown(reason: AppError): Promise<void> {
    this.#halt(reason);
    const { tasks, device, ports } = this.#parts;
    const ended = Promise.all([tasks.exited(), device.idle()]);
    await settlesWithin(ports.clock, STOP_TASKS_MS, ended);
    await this.connection.close(reason);
    await ended;
  }

  /** From now on nothing begins: no attempt to connect, no round, no request. What is under way may return. */
  #halt(reason: AppError): void {
    this.connection.beginClose(reason);
    this.#parts.tasks.requestStopAll();
    this.#detach(reason);
  }

  /** What was read is none of the device that the channel leads to now. */
  #leaveDevice(): void {
    this.#parts.points.leaveDevice();
    this.#parts.device.dataSets.forget();
  }

  /** Close and open anew; the automatic task that ran is started again by `#up`, or is failed when nothing stands. */
  async #rebuild(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw cancelled(say('runtime.stopped_rebuilding'));
    const task = this.#parts.tasks.runningAutomatic();
    this.#restart = task && { task, config: task.config };
    await this.#shutDown(cancelled(say('runtime.rebuilding')));
    try {
      await this.#open(signal);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!signal.aborted) this.#restart?.task.markFailed(error);
      this.#restart = null;
      throw error;
    }
  }

  #up(session: Session): void {
    const { device, connector, simulation, tasks } = this.#parts;
    device.attach(session.connection);
    if (connector.isServing) simulation.begin(session.connection);
    const restart = this.#restart;
    this.#restart = null;
    if (restart) tasks.start('automatic', restart.config, () => undefined);
  }

  #detach(reason: AppError): void {
    this.#parts.simulation.end();
    this.#closingLink = this.#parts.device.detach(reason) ?? this.#closingLink;
  }

  #lifeChannel(): LifeChannel {
    const parts = this.#parts;
    const { ports, connector, points, health } = parts;
    return {
      clock: ports.clock,
      random: () => ports.random(),
      get isAutoReconnect() {
        return parts.settings.auto_reconnect;
      },
      claimPort: () => connector.claimPort(),
      releasePort: () => connector.releasePort(),
      openSession: (onLost, signal) => connector.open(onLost, signal),
      onStatus: (status, error) => parts.journal.status(status, error),
      onUp: (session, isReconnect) => {
        if (isReconnect) health.reconnected();
        this.#connectedAt = ports.clock.monotonicMs();
        this.#up(session);
      },
      onDown: (reason) => {
        this.#connectedAt = null;
        this.#detach(reason);
        points.markAllStale(reason.said);
      },
      onClosed: (reason) => {
        this.#closingLink?.abandon(reason);
        this.#closingLink = null;
        points.markAllStale(reason.said);
      },
      onFatal: (reason) => parts.tasks.failAll(reason),
    };
  }
}
