import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DataSetAccess, PointFailure } from '../../drivers/spi/index.ts';
import type { DeviceLink } from '../connection/device-link.ts';
import { canonicalReference } from './dataset-snapshot.ts';
import { exchangeFailure, type Round, type RoundTask, runWorkers, type TaskDevice, taskClaim, taskContext } from './round.ts';

interface Walk {
  readonly names: readonly string[];
  next: number;
  settled: number;
  /** Of the table when the round began: points that are edited meanwhile are others. */
  readonly plannedAt: number;
  /** Points of data sets that could not be read, and those that a data set brought. */
  readonly failed: Map<number, AppError>;
  readonly read: Set<number>;
}

/**
 * Rounds of mode dataset (service document 4.5 rule 3): each data set is one item; its values enter the data set snapshot, those of
 * its members the point store. A failed read keeps the values of its data set and counts as fail.
 */
export class DataSetRound implements Round {
  readonly #device: TaskDevice;
  readonly #task: RoundTask;

  constructor(device: TaskDevice, task: RoundTask) {
    this.#device = device;
    this.#task = task;
  }

  async run(): Promise<boolean> {
    const { link } = this.#device;
    const obstacle = link && !link.ended ? await this.#learnt(link) : this.#device.whyNotConnected();
    if (this.#task.signal.aborted) return false;
    const names = this.#select(this.#device.dataSets.knownNames);
    this.#task.begin(names.length, null);
    const plannedAt = this.#device.points.readingRevision;
    const walk: Walk = { names, next: 0, settled: 0, plannedAt, failed: new Map(), read: new Set() };
    const reason = link?.ended ?? obstacle;
    if (reason) {
      this.#failRest(walk, reason);
      this.#task.noteFailure(reason);
    } else if (link) await runWorkers(Math.min(link.window, names.length), () => this.#walk(walk, link));
    this.#failPoints(walk);
    // of data sets that are not known, none was read
    return walk.settled === names.length && (reason === null || names.length > 0);
  }

  /** Takes over the names of the data sets, behind what has to be learnt first. Answers why those that are asked for are not known. */
  async #learnt(link: DeviceLink): Promise<AppError | null> {
    const { dataSets } = this.#device;
    const access = link.connection.dataSets;
    if (!access) {
      dataSets.knownNames = [];
      return null;
    }
    const unlearnt = await this.#unlessListed(access, link, async () => access.learnt?.(this.#task.signal));
    const unfound = await this.#unlessListed(access, link, () => this.#find(access, link));
    const unknown = unfound ?? unlearnt;
    if (unknown && !this.#isListed(access)) return unknown;
    // where one was found and the others could not be learnt, those that were known before are not gone
    dataSets.knownNames = unlearnt ? [...new Set([...dataSets.knownNames, ...access.names()])] : access.names();
    return null;
  }

  /** Does what may list the data sets that are asked for, unless they are; answers why it could not be done. */
  async #unlessListed(access: DataSetAccess, link: DeviceLink, work: () => Promise<void>): Promise<AppError | null> {
    if (this.#isListed(access) || this.#task.signal.aborted || link.ended) return null;
    try {
      await work();
      return null;
    } catch (thrown) {
      return exchangeFailure(thrown, this.#task, link);
    }
  }

  #isListed(access: DataSetAccess): boolean {
    return this.#select(access.names()).length > 0;
  }

  /** Another client may have made the data set that the item names since the names were learnt. */
  async #find(access: DataSetAccess, link: DeviceLink): Promise<void> {
    const { queue, retries } = this.#device;
    const { item } = this.#task.config;
    if (item === '' || !access.find) return;
    await queue.run(taskClaim(this.#task, link), () => link.run(async () => access.find?.(item, taskContext(this.#task, retries))));
  }

  /** `item` names one data set, in any spelling; empty means all. Where it names none there is nothing to read. */
  #select(names: readonly string[]): readonly string[] {
    const { item } = this.#task.config;
    if (item === '') return names;
    const wanted = canonicalReference(item);
    return names.filter((name) => canonicalReference(name) === wanted);
  }

  async #walk(walk: Walk, link: DeviceLink): Promise<void> {
    for (let name = walk.names[walk.next]; name !== undefined; name = walk.names[walk.next]) {
      if (this.#task.signal.aborted) return;
      if (link.ended) return this.#failRest(walk, link.ended);
      walk.next += 1;
      if (await this.#read(walk, link, name)) walk.settled += 1;
    }
  }

  #failRest(walk: Walk, reason: AppError): void {
    for (const name of walk.names.slice(walk.next)) {
      this.#fail(name, reason);
      walk.settled += 1;
    }
    walk.next = walk.names.length;
  }

  #fail(name: string, error: AppError): void {
    this.#device.dataSets.fail(name, error.said);
    this.#task.noteFailure(error);
    this.#task.settle(0, 1);
  }

  /** Points that no data set of the round brought, and one should have. */
  #failPoints({ failed, read, plannedAt }: Walk): void {
    const failures = [...failed].flatMap(([pointId, error]): PointFailure[] =>
      read.has(pointId) ? [] : [{ kind: 'failure', pointId, error }],
    );
    if (failures.length > 0) this.#device.points.apply(failures, this.#device.clock.wallMs(), plannedAt);
  }

  /** False when the task ended before the data set was read. */
  async #read(walk: Walk, link: DeviceLink, name: string): Promise<boolean> {
    const { queue, dataSets, points, clock, retries } = this.#device;
    const access = link.connection.dataSets;
    const context = taskContext(this.#task, retries);
    try {
      if (!access) throw new AppError('DEVICE_REJECTED', say('runtime.no_data_sets'));
      let plannedAt = points.readingRevision;
      const reading = await queue.run(taskClaim(this.#task, link), () => {
        plannedAt = points.readingRevision;
        return link.run(() => access.read(name, context));
      });
      dataSets.succeed(name, reading.values, clock.wallMs());
      if (reading.readings.length > 0) points.apply(reading.readings, clock.wallMs(), plannedAt);
      for (const { kind, pointId } of reading.readings) if (kind === 'value') walk.read.add(pointId);
      this.#task.settle(1, 0);
      return true;
    } catch (thrown) {
      const error = exchangeFailure(thrown, this.#task, link);
      if (!error) return false;
      this.#fail(name, error);
      for (const pointId of access?.pointIds?.(name) ?? []) walk.failed.set(pointId, error);
      return true;
    }
  }
}
