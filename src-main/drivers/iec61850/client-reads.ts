/** Plans and reads of a client: batches from the model, halves of what was too much, the leaves of what is not given as a whole. */

import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { say, together } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../platform/clock.ts';
import { runSteps, type Steps } from '../../platform/steps.ts';
import type { ExchangeContext, PlanOptions, PointConfig, PointReading, ReadAnswer, ReadPlan } from '../spi/index.ts';
import type { MmsClient } from './association/mms-client.ts';
import { isTooMuch, isUnusable, refusalOf } from './association/refusals.ts';
import { answerOctets, bindSteps } from './binding.ts';
import type { ChannelMemory } from './channel-memory.ts';
import { isSameOrder, isWholeMember, membersCount, memberType, otherMembers } from './data-set-layout.ts';
import { readDirectory } from './learn.ts';
import { suitAll } from './mms/type-check.ts';
import type { MmsResult } from './mms/types.ts';
import type { ModelIndex } from './model/places.ts';
import { dataSetObject } from './object-names.ts';
import {
  batchSteps,
  type DataSetBatch,
  type PlanLimits,
  type PlannedBatch,
  type PlannedSet,
  planBatches,
  singleSteps,
  smaller,
  type VariableBatch,
  variableBatch,
} from './planner.ts';
import { narrowed, type ReadUnit } from './read-units.ts';
import { mayBeNarrower, readingOf, refusalOfSlot } from './reading.ts';
import { readList, readVariables } from './reads.ts';

/** Octets around the name of a data set that an answer repeats. */
const REPEATED_NAME_OCTETS = 12;

export interface ClientReadsOptions {
  readonly client: Pick<MmsClient, 'request' | 'negotiated'>;
  readonly memory: ChannelMemory;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Time limit of the members of a data set, in milliseconds. */
  readonly timeoutMs: number;
  /** What was learnt changes plans. */
  onLearnt(): void;
  /** A line for the event log: a data set that is another one than was learnt. */
  notice(said: Message): void;
}

export class ClientReads {
  readonly #options: ClientReadsOptions;

  constructor(options: ClientReadsOptions) {
    this.#options = options;
  }

  plan(points: readonly PointConfig[], options: PlanOptions): ReadPlan {
    return runSteps(this.planSteps(points, options));
  }

  /** The same in steps, for the model at the last one. */
  *planSteps(points: readonly PointConfig[], options: PlanOptions): Steps<ReadPlan> {
    const { memory } = this.#options;
    for (;;) {
      const { index } = memory.model;
      const { proven } = memory;
      const plan = yield* this.#planIn(index, points, options);
      // places of one model, with what is proven of another, would be those of other attributes
      if (index === memory.model.index && proven === memory.proven) return plan;
    }
  }

  *#planIn(index: ModelIndex, points: readonly PointConfig[], { mode }: PlanOptions): Steps<ReadPlan> {
    const hasModel = index.model.devices.length > 0;
    const { bound, excluded } = yield* bindSteps(points, hasModel ? index : null);
    const limits = this.#limits();
    const batches = mode === 'single' ? yield* singleSteps(bound, limits) : yield* batchSteps(bound, yield* this.#sets(index), limits);
    return { batches, excluded, predictedMs: null };
  }

  /** One exchange. Throws what the association says when nothing was answered. */
  async read(batch: PlannedBatch, context: ExchangeContext): Promise<ReadAnswer> {
    try {
      const results = await this.#results(batch, context);
      return batch.kind === 'data-set' ? await this.#ofDataSet(batch, results, context) : this.#ofVariables(batch, results);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (batch.kind === 'data-set' && isAnswer(error)) return this.#withoutSet(batch);
      if (batch.kind === 'data-set') throw error;
      if (isTooMuch(error) || isUnusable(error)) return this.#halved(batch, error);
      throw error;
    }
  }

  /** Results of one Read, repeated after a silence as often as the context allows. */
  async #results(batch: PlannedBatch, context: ExchangeContext): Promise<readonly MmsResult[]> {
    for (let repeats = context.retries; ; repeats--) {
      try {
        return await this.#ask(batch, context);
      } catch (thrown) {
        const error = toAppError(thrown);
        if (error.code !== 'TIMEOUT_RESPONSE' || repeats <= 0 || context.isStopping()) throw error;
      }
    }
  }

  #ask(batch: PlannedBatch, context: ExchangeContext): Promise<readonly MmsResult[]> {
    const { client, memory } = this.#options;
    return batch.kind === 'data-set'
      ? readList(client, dataSetObject(batch.name), memory.limits, context)
      : readVariables(client, batch.variables, { signal: context.signal });
  }

  #ofVariables(batch: VariableBatch, results: readonly MmsResult[]): ReadAnswer {
    const readings: PointReading[] = [];
    const again: ReadUnit[] = [];
    let at = 0;
    for (const unit of batch.units) {
      if (this.#isOtherWhole(unit, results, at)) again.push(...narrowed(unit));
      else for (const slot of unit.slots) readings.push(readingOf(slot, results, at));
      at += unit.items.length;
    }
    return { readings, next: again.length === 0 ? [] : [variableBatch(again)] };
  }

  /** Notes a structure that is refused although its parts may be given, and one that is another than was learnt. */
  #isOtherWhole(unit: ReadUnit, results: readonly MmsResult[], at: number): boolean {
    const [first] = unit.slots;
    if (unit.isNarrow || !first) return false;
    const code = refusalOfSlot(first, results, at);
    const types = unit.items.map(({ type }) => type);
    if (code === null ? suitAll(types, results, at) : !mayBeNarrower(code)) return false;
    this.#narrow(unit);
    return true;
  }

  async #ofDataSet(batch: DataSetBatch, results: readonly MmsResult[], context: ExchangeContext): Promise<ReadAnswer> {
    const { name, types } = batch;
    if (results.length !== types.length) return this.#ofOthers(batch, membersCount(name, types.length, results.length).said);
    if (!suitAll(types, results)) return this.#ofOthers(batch, otherMembers(name).said);
    if (!(await this.#isAsKnown(batch, context))) return this.#ofOthers(batch, null);
    return { readings: batch.slots.map((slot) => readingOf(slot, results)), next: [] };
  }

  /** Asks for the members behind the values where the device has not told them for long. */
  async #isAsKnown({ name, order }: DataSetBatch, { signal }: ExchangeContext): Promise<boolean> {
    const { client, memory, clock, timeoutMs } = this.#options;
    if (!memory.setProofs.isDue(name, clock.monotonicMs())) return true;
    const told = await readDirectory(client, dataSetObject(name), { timeoutMs, signal });
    memory.setProofs.told(name, clock.monotonicMs());
    return isSameOrder(told.members, order);
  }

  /** A data set that is another one by now. `seen` says by what the values show it; null: its members are others, and what came since they were last asked for is in doubt. */
  #ofOthers(batch: DataSetBatch, seen: Message | null): ReadAnswer {
    const { name } = batch;
    this.#options.notice(seen ? together(seen, say('iec61850.read_by_names')) : say('iec61850.batch_members_changed', { name }));
    return this.#withoutSet(batch);
  }

  /** A data set that is refused, or is another one by now, is not asked again; its points are read one by one. */
  #withoutSet(batch: DataSetBatch): ReadAnswer {
    this.#options.memory.limits.unreadableSets.add(batch.name);
    this.#options.onLearnt();
    return {
      readings: [],
      next: planBatches(
        batch.slots.map(({ bound }) => bound),
        [],
        this.#limits(),
      ),
    };
  }

  /** The device cannot answer so much at once, or answers only a part of it: smaller requests now, and from now on. */
  #halved(batch: VariableBatch, error: AppError): ReadAnswer {
    const next = smaller(batch);
    if (next.length === 0) {
      const failures = batch.pointIds.map((pointId): PointReading => ({ kind: 'failure', pointId, error }));
      return { readings: failures, next };
    }
    const { limits } = this.#options.memory;
    const [unit, more] = batch.units;
    if (unit && !more) {
      // this one alone was too much, so larger requests without it may be taken
      limits.allowVariables();
      this.#narrow(unit);
    } else limits.refuseVariables(batch.variables.length);
    this.#options.onLearnt();
    return { readings: [], next };
  }

  #narrow({ key }: ReadUnit): void {
    this.#options.memory.limits.narrowed.add(key);
    this.#options.onLearnt();
  }

  #limits(): PlanLimits {
    const { client, memory } = this.#options;
    const { limits, model } = memory;
    const { unordered } = model.index.model;
    return {
      maxPduOctets: client.negotiated?.maxPduOctets ?? 0,
      maxVariables: limits.maxVariables,
      isNarrowed: (key) => !memory.isProven(key) || limits.narrowed.has(key) || unordered?.has(key) === true,
    };
  }

  /** Data sets of the device whose members are all known, and stay: another client may make the others anew at any time. */
  *#sets(index: ModelIndex): Steps<PlannedSet[]> {
    const { memory } = this.#options;
    const { model, limits } = memory;
    const sets: PlannedSet[] = [];
    if (!model.device) return sets;
    for (const { name, members, isDeletable } of model.dataSets()) {
      yield;
      if (isDeletable !== false || members.length === 0 || limits.unreadableSets.has(name)) continue;
      if (!members.every((member) => memory.isProven(member) && isWholeMember(member, index))) continue;
      const types = members.map((member) => memberType(index, member)).filter((type) => type !== null);
      if (types.length < members.length) continue;
      const octets = types.reduce((sum, type) => sum + answerOctets(type), 0) + name.length + REPEATED_NAME_OCTETS;
      sets.push({ name, order: members, members: new Map(members.map((member, place) => [member, place])), types, answerOctets: octets });
    }
    return sets;
  }
}

/** True when the device has answered, so that another question may do better. */
function isAnswer(error: AppError): boolean {
  return refusalOf(error) !== null || error.code === 'CONFIG_RANGE' || isUnusable(error);
}
