import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointFailure, PointReading, ReadAnswer, ReadBatch } from '../../drivers/spi/index.ts';
import { delay } from '../../platform/clock.ts';
import type { DeviceLink } from '../connection/device-link.ts';
import type { PlanningDevice } from './kept-planners.ts';
import type { LineClaim } from './request-queue.ts';
import { exchangeFailure, failAll, type Round, type RoundTask, runWorkers, taskClaim, taskContext } from './round.ts';
import { withPauses } from './round-forecasts.ts';
import { noValueError, type RoundPlanner } from './round-plan.ts';

/** Work without I/O goes on for so long before other work gets its turn. */
const LONGEST_TURN_MS = 8;

/** Progress of one round over its groups. */
interface Walk {
  readonly link: DeviceLink;
  readonly claim: LineClaim;
  readonly groups: readonly ReadBatch[];
  readonly plannedAt: number;
  next: number;
  settled: number;
  /** True once a request was sent in this round: the pause lies between requests, never after the last. */
  hasAsked: boolean;
}

/**
 * Rounds of the modes batch and single (service document 4.5 rules 1, 2, 4): the groups of the plan one after the other, or a window
 * of them on a multiplexed link; each answer enters the point store once; progress is reported after each finished group.
 */
export class GroupRound implements Round {
  readonly #device: PlanningDevice;
  readonly #task: RoundTask;
  readonly #planner: RoundPlanner;
  #turnBegan = 0;

  constructor(device: PlanningDevice, task: RoundTask) {
    this.#device = device;
    this.#task = task;
    this.#planner = device.planners.for(device, task);
  }

  async run(): Promise<boolean> {
    const { link } = this.#device;
    this.#turnBegan = this.#device.clock.monotonicMs();
    const breathe = () => this.#breathe();
    const plan =
      link && !link.ended
        ? await this.#planner.plan(link, breathe)
        : await this.#planner.planWithout(link?.ended ?? this.#device.whyNotConnected(), breathe);
    if (this.#task.signal.aborted) return false;
    this.#task.begin(plan.total, withPauses(plan.predictedMs, plan.groups.length, this.#task.config));
    if (plan.excluded.length > 0) this.#settleFailed(plan.excluded, plan.plannedAt);
    if (!link) return true;
    const claim = taskClaim(this.#task, link);
    const walk: Walk = { link, claim, groups: plan.groups, plannedAt: plan.plannedAt, next: 0, settled: 0, hasAsked: false };
    const window = this.#task.config.request_interval_ms > 0 ? 1 : Math.min(link.window, walk.groups.length);
    await runWorkers(window, () => this.#walk(walk));
    return walk.settled === walk.groups.length;
  }

  async #walk(walk: Walk): Promise<void> {
    for (let group = walk.groups[walk.next]; group; group = walk.groups[walk.next]) {
      if (this.#task.signal.aborted) return;
      if (walk.link.ended) return this.#failRest(walk, walk.link.ended);
      walk.next += 1;
      const answer = await this.#ask(walk, group);
      if (!answer) return;
      let success = this.#take(walk, group, answer);
      if (answer.next.length > 0) {
        const more = await this.#readSplit(walk, answer.next);
        if (more === null) return;
        success += more;
      }
      walk.settled += 1;
      const size = group.pointIds.length;
      this.#task.settle(Math.min(success, size), size - Math.min(success, size));
    }
  }

  /** The connection is gone: what has not been asked fails at once, the next round finds the new connection. */
  #failRest(walk: Walk, reason: AppError): void {
    const rest = walk.groups.slice(walk.next);
    walk.next = walk.groups.length;
    walk.settled += rest.length;
    this.#settleFailed(
      failAll(
        rest.flatMap((group) => group.pointIds),
        reason,
      ),
      walk.plannedAt,
    );
  }

  #settleFailed(failures: readonly PointFailure[], plannedAt: number): void {
    this.#device.points.apply(failures, this.#device.clock.wallMs(), plannedAt);
    const last = failures.at(-1);
    if (last) this.#task.noteFailure(last.error);
    this.#task.settle(0, failures.length);
  }

  /** Reads the requests a refusal was split into; answers how many points were read, null when the task ended before all were asked. */
  async #readSplit(walk: Walk, batches: readonly ReadBatch[]): Promise<number | null> {
    let success = 0;
    let split = [...batches];
    for (let batch = split.shift(); batch; batch = split.shift()) {
      if (this.#task.signal.aborted) return null;
      const answer = await this.#ask(walk, batch);
      if (!answer) return null;
      success += this.#take(walk, batch, answer);
      split = [...answer.next, ...split];
    }
    return success;
  }

  /** One exchange. Its failure is an answer of failed points; null when the task ended instead. */
  async #ask(walk: Walk, batch: ReadBatch): Promise<ReadAnswer | null> {
    const { suspension, queue, clock } = this.#device;
    const verdict = this.#task.kind === 'automatic' ? suspension.verdict(batch.slaveId) : 'ask';
    if (verdict === 'skip') {
      await this.#breathe();
      return failed(batch, suspendedError(batch.slaveId));
    }
    const pause = this.#task.config.request_interval_ms;
    if (pause > 0 && walk.hasAsked) await delay(clock, pause, this.#task.signal);
    if (walk.link.ended) return failed(batch, walk.link.ended);
    walk.hasAsked = true;
    const isProbe = verdict === 'probe';
    if (isProbe) suspension.beginProbe(batch.slaveId);
    const context = isProbe
      ? { ...taskContext(this.#task, 0), probeBudgetMs: suspension.probeBudgetMs(batch.slaveId) }
      : taskContext(this.#task, this.#device.retries);
    let beganAt = clock.monotonicMs();
    try {
      const turn = queue.enter(walk.claim);
      if (turn) await turn;
      let answer: ReadAnswer;
      try {
        if (turn) beganAt = clock.monotonicMs();
        answer = await walk.link.run(() => walk.link.connection.read(batch, context));
      } finally {
        queue.leave();
      }
      suspension.answered(batch.slaveId);
      // a connection with I/O has given others their turn; our own server answers at once
      if (this.#device.isServing) await this.#breathe();
      else this.#turnBegan = clock.monotonicMs();
      return answer;
    } catch (thrown) {
      const error = exchangeFailure(thrown, this.#task, walk.link);
      if (error) this.#countSilence(batch, error, clock.monotonicMs() - beganAt);
      return error && failed(batch, error);
    } finally {
      if (isProbe) suspension.endProbe(batch.slaveId);
    }
  }

  /** Only a slave that says nothing is silent: a lost connection tells nothing about it, a garbled answer breaks the row. */
  #countSilence(batch: ReadBatch, error: AppError, costMs: number): void {
    if (error.code === 'TIMEOUT_RESPONSE') {
      if (this.#task.kind === 'automatic') this.#device.suspension.timedOut(batch.slaveId, costMs);
    } else if (error.code.startsWith('FRAME_') || error.code.startsWith('PROTOCOL_') || error.code.startsWith('DEVICE_')) {
      this.#device.suspension.answered(batch.slaveId);
    }
  }

  /** Takes over an answer; answers how many points were read. */
  #take(walk: Walk, batch: ReadBatch, answer: ReadAnswer): number {
    const { octets } = answer;
    if (octets && octets.length >= batch.pointIds.length) {
      this.#device.points.apply(octets, this.#device.clock.wallMs(), walk.plannedAt);
      return octets.length;
    }
    const covered = answer.next.reduce((sum, part) => sum + part.pointIds.length, answer.readings.length);
    const readings = covered < batch.pointIds.length ? [...answer.readings, ...unanswered(batch, answer)] : answer.readings;
    this.#device.points.apply(readings, this.#device.clock.wallMs(), walk.plannedAt);
    let success = 0;
    let lastFailure: AppError | null = null;
    for (const reading of readings) {
      if (reading.kind === 'value') success += 1;
      else lastFailure = reading.error;
    }
    if (lastFailure) this.#task.noteFailure(lastFailure);
    return success;
  }

  /** Gives other work its turn when this round has run for long without I/O. */
  async #breathe(): Promise<void> {
    const { clock } = this.#device;
    if (clock.monotonicMs() - this.#turnBegan < LONGEST_TURN_MS) return;
    await delay(clock, 0);
    this.#turnBegan = clock.monotonicMs();
  }
}

function failed(batch: ReadBatch, error: AppError): ReadAnswer {
  return { readings: failAll(batch.pointIds, error), next: [] };
}

function suspendedError(slaveId: number | null): AppError {
  return new AppError('TIMEOUT_SUSPENDED', say('runtime.suspended', { address: slaveId ?? '' }));
}

/** Points of the batch that neither have a reading nor will be asked again. */
function unanswered(batch: ReadBatch, answer: ReadAnswer): PointReading[] {
  const covered = new Set(answer.readings.map((reading) => reading.pointId));
  for (const part of answer.next) for (const id of part.pointIds) covered.add(id);
  const missing = batch.pointIds.filter((id) => !covered.has(id));
  return failAll(missing, noValueError());
}
