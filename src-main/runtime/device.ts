import { EFFECT_RULES } from '#shared/contract/effect.ts';
import { AppError, isCancelled, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type {
  Command,
  CommandState,
  DriverCommandResult,
  DriverConnection,
  ExchangeContext,
  PointConfig,
  PointReading,
  ProtocolDriver,
  ReadBatch,
} from '../drivers/spi/index.ts';
import type { OperationResult } from '../drivers/spi/operations.ts';
import type { Clock } from '../platform/clock.ts';
import { DeviceLink } from './connection/device-link.ts';
import { DataSetSnapshots } from './tasks/dataset-snapshot.ts';
import { KeptPlanners, type PlanningDevice } from './tasks/kept-planners.ts';
import { type LineClaim, RequestQueue } from './tasks/request-queue.ts';
import { failAll } from './tasks/round.ts';
import { type ForecastChannel, RoundForecasts } from './tasks/round-forecasts.ts';
import { noValueError, unreadableError } from './tasks/round-plan.ts';
import { SlaveSuspension } from './tasks/suspension.ts';
import type { LinePriority } from './types.ts';
import type { PointStore } from './values/point-table.ts';

/** What a device needs to know about its channel. */
export interface DeviceChannel extends ForecastChannel {
  readonly isServing: boolean;
  readonly retries: number;
  /** Why there is no connection now. */
  whyNotConnected(): AppError;
}

/** The device of a channel: its lock, its connection while there is one, and what is asked of it one by one. */
export class Device implements PlanningDevice {
  readonly queue = new RequestQueue();
  /** Commands of a link on which they run beside an exchange; one at a time among themselves. */
  readonly #commands = new RequestQueue();
  /** Cancels of a protocol that has them beside a command under way; one at a time among themselves. */
  readonly #cancels = new RequestQueue();
  readonly dataSets = new DataSetSnapshots();
  readonly planners = new KeptPlanners();
  readonly suspension: SlaveSuspension;
  readonly forecasts: RoundForecasts;
  readonly #channel: DeviceChannel;
  #link: DeviceLink | null = null;

  constructor(channel: DeviceChannel) {
    this.#channel = channel;
    this.suspension = new SlaveSuspension(channel.clock);
    this.forecasts = new RoundForecasts(channel, () => this.#link);
  }

  get clock(): Clock {
    return this.#channel.clock;
  }

  get points(): PointStore {
    return this.#channel.points;
  }

  get driver(): ProtocolDriver {
    return this.#channel.driver;
  }

  get isServing(): boolean {
    return this.#channel.isServing;
  }

  get retries(): number {
    return this.#channel.retries;
  }

  get link(): DeviceLink | null {
    return this.#link;
  }

  whyNotConnected(): AppError {
    return this.#channel.whyNotConnected();
  }

  /** A connection stands: exchanges may begin. What was learnt about silent slaves is forgotten. */
  attach(connection: DriverConnection): void {
    this.suspension.clear();
    this.#link = new DeviceLink(connection);
  }

  /** The connection has ended or is going to: nothing new begins, what waits for the line is refused. */
  detach(reason: AppError): DeviceLink | null {
    const link = this.#link;
    this.#link = null;
    for (const queue of [this.queue, this.#commands, this.#cancels]) queue.refuseWaiting(reason);
    link?.end(reason);
    return link;
  }

  /** Settles when no exchange is under way. */
  async idle(): Promise<void> {
    await Promise.all([this.queue.idle(), this.#commands.idle(), this.#cancels.idle()]);
  }

  /** Reads one point, whatever is known about its slave or address, and stores the reading. Throws what went wrong. */
  async readSingle(pointId: number): Promise<void> {
    const point = this.points.config(pointId);
    if (!point) throw new AppError('CONFIG_NOT_FOUND', say('runtime.foreign_point', { point: pointId }));
    const link = this.#standingLink();
    if (!this.driver.isReadable(point)) throw unreadableError();
    const plannedAt = this.points.readingRevision;
    const plan = link.connection.plan([point], { mode: 'single', skipKnownHoles: false });
    const excluded = plan.excluded[0];
    if (excluded) return this.#store([excluded], plannedAt);
    let batches: readonly ReadBatch[] = plan.batches;
    let hasValue = false;
    for (let batch = batches[0]; batch; batch = batches[0]) {
      const answer = await this.#readOne(link, batch, plannedAt);
      this.#requireSame(pointId, plannedAt);
      batches = [...answer.next, ...batches.slice(1)];
      this.#store(answer.readings, plannedAt);
      hasValue ||= answer.readings.some((reading) => reading.pointId === pointId);
    }
    if (!hasValue) this.#store([{ kind: 'failure', pointId, error: noValueError() }], plannedAt);
  }

  /** Our own server shows at once what it serves for points that are read otherwise now. No I/O. */
  readServed(pointIds: readonly number[]): void {
    const link = this.#link;
    const points = pointIds.flatMap((id) => this.points.config(id) ?? []).filter((point) => this.driver.isReadable(point));
    if (!link || points.length === 0) return;
    const plannedAt = this.points.readingRevision;
    for (const batch of link.connection.plan(points, { mode: 'batch', skipKnownHoles: false }).batches) {
      const context: ExchangeContext = { signal: link.signal, retries: 0, isStopping: () => link.signal.aborted };
      link
        .run(() => link.connection.read(batch, context))
        .then(
          (answer) => this.points.apply(answer.readings, this.clock.wallMs(), plannedAt),
          (thrown: unknown) => this.points.apply(failAll(batch.pointIds, toAppError(thrown)), this.clock.wallMs(), plannedAt),
        );
    }
  }

  /**
   * Runs one command step under the lock, on the connection that stands now. Throws only when nothing was sent; when the connection
   * ends meanwhile the outcome is `unknown`.
   */
  async execute(command: Command): Promise<DriverCommandResult> {
    const link = this.#standingLink();
    const plannedAt = this.points.readingRevision;
    const queue = this.#queueOf(command, link);
    try {
      return await this.#exclusive('command', link, (context) => link.connection.execute(command, context), queue);
    } catch (thrown) {
      const error = toAppError(thrown);
      // The driver's own errors say that nothing was sent; only an exchange that was cut off leaves it open.
      if (!link.wasAbandoned(thrown)) throw endedInstead(error, link);
      return unknownOutcome(error, this.clock.wallMs());
    } finally {
      // a value that the device took belongs to the point as it was commanded
      this.points.forgetSince(command.point.id, plannedAt);
    }
  }

  /** Asks what stands before a command, under the lock. Throws `CONFIG_INVALID` where the protocol has nothing to ask, and as `readSingle`. */
  async commandState(point: PointConfig, options: Readonly<Record<string, unknown>>): Promise<CommandState> {
    const link = this.#standingLink();
    const ask = link.connection.commandState?.bind(link.connection);
    if (!ask) throw new AppError('CONFIG_INVALID', say('control.nothing_to_ask'));
    try {
      return await this.#exclusive('single', link, (context) => ask(point, options, context));
    } catch (thrown) {
      throw endedInstead(toAppError(thrown), link);
    }
  }

  /** Runs one exchange of a diagnosis under the lock, on the connection that stands now; `signal` ends the wait for the line. */
  async diagnose<T>(exchange: (connection: DriverConnection, context: ExchangeContext) => Promise<T>, signal: AbortSignal): Promise<T> {
    const link = this.#standingLink();
    const either = AbortSignal.any([signal, link.signal]);
    const claim: LineClaim = { priority: 'manual', owner: {}, window: 1, signal: either };
    const context: ExchangeContext = { signal: either, retries: 0, isStopping: () => either.aborted };
    try {
      return await this.queue.run(claim, () => link.run(() => exchange(link.connection, context)));
    } catch (thrown) {
      throw signal.aborted ? toAppError(thrown) : endedInstead(toAppError(thrown), link);
    }
  }

  /**
   * Runs an operation of the protocol under the lock, each step by itself, on the connection that stands now. A command throws only when nothing
   * was sent; when the connection ends meanwhile its outcome is `unknown`.
   */
  async operate(name: string, params: Readonly<Record<string, unknown>>): Promise<OperationResult> {
    const link = this.#standingLink();
    const run = link.connection.operate?.bind(link.connection);
    if (!run) throw new AppError('CONFIG_INVALID', say('runtime.no_operation', { name }));
    const effect = this.driver.descriptor.operations?.find((item) => item.name === name)?.effect ?? 'command';
    const { isSentAgain } = EFFECT_RULES[effect];
    try {
      const inTurn = (exchange: (context: ExchangeContext) => Promise<OperationResult>) =>
        this.#exclusive('single', link, (context) => exchange(isSentAgain ? context : { ...context, retries: 0 }));
      let done = await inTurn((context) => run(name, params, context));
      while (done.next) done = await inTurn(done.next);
      return done;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (effect !== 'command' || !link.wasAbandoned(thrown)) throw endedInstead(error, link);
      return { outcome: 'unknown', stages: [{ name: 'lost', at: this.clock.wallMs(), detail: error.said }], result: {} };
    }
  }

  async #readOne(link: DeviceLink, batch: ReadBatch, plannedAt: number) {
    try {
      const answer = await this.#exclusive('single', link, (context) => link.connection.read(batch, context));
      this.suspension.answered(batch.slaveId);
      return answer;
    } catch (thrown) {
      const error = endedInstead(toAppError(thrown), link);
      if (!isCancelled(error)) this.points.apply(failAll(batch.pointIds, error), this.clock.wallMs(), plannedAt);
      throw error;
    }
  }

  /** Stores readings and throws the first failure among them. */
  #store(readings: readonly PointReading[], plannedAt: number): void {
    this.points.apply(readings, this.clock.wallMs(), plannedAt);
    for (const reading of readings) if (reading.kind === 'failure') throw reading.error;
  }

  /** What was read is not the point's value any more when the point is read otherwise by now, or is gone. */
  #requireSame(pointId: number, plannedAt: number): void {
    if (this.points.isReadSince(pointId, plannedAt)) return;
    throw new AppError('STATE_CONFLICT', say('runtime.point_changed', { point: pointId }));
  }

  #standingLink(): DeviceLink {
    const link = this.#link;
    if (!link) throw this.whyNotConnected();
    if (link.ended) throw link.ended;
    return link;
  }

  /** Where a command waits for its turn: beside the exchanges where its link allows it, a cancel beside the command that it ends. */
  #queueOf({ step }: Command, link: DeviceLink): RequestQueue {
    if (step === 'cancel' && this.driver.descriptor.cancelsUnderWay) return this.#cancels;
    return link.hasCommandsBeside ? this.#commands : this.queue;
  }

  #exclusive<T>(
    priority: LinePriority,
    link: DeviceLink,
    exchange: (context: ExchangeContext) => Promise<T>,
    queue: RequestQueue = this.queue,
  ): Promise<T> {
    const { signal } = link;
    const claim: LineClaim = { priority, owner: {}, window: 1, signal };
    const context: ExchangeContext = { signal, retries: priority === 'command' ? 0 : this.retries, isStopping: () => signal.aborted };
    return queue.run(claim, () => link.run(() => exchange(context)));
  }
}

/** A request that was given up because its connection ended says so, not that somebody cancelled it. */
function endedInstead(error: AppError, link: DeviceLink): AppError {
  return isCancelled(error) && link.ended ? link.ended : error;
}

function unknownOutcome(failure: AppError, at: number): DriverCommandResult {
  return { outcome: 'unknown', stages: [{ name: 'lost', at, detail: failure.said }], refusal: null, failure };
}
