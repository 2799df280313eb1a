/** Reading points from a station: interrogations in batch mode, read commands in single mode (IEC 60870-5-5, 6.5, 6.6). */

import { AppError } from '#shared/domain/errors.ts';
import { english, say, together } from '#shared/messages/index.ts';
import { type Clock, cancelled } from '../../../platform/clock.ts';
import type {
  DriverSink,
  ExchangeContext,
  HealthSink,
  PlanOptions,
  PointConfig,
  PointFailure,
  PointReading,
  ReadAnswer,
  ReadBatch,
  ReadPlan,
} from '../../spi/index.ts';
import type { AsduView } from '../codec/asdu.ts';
import { Cause, isUnknownCause } from '../codec/causes.ts';
import { ObjectCursor } from '../codec/cursor.ts';
import { readCommand } from '../codec/make.ts';
import type { AsduSizes } from '../codec/sizes.ts';
import { TypeId, typeText } from '../codec/types.ts';
import { isControl, pointFacts } from '../point-rules.ts';
import { isCounterType } from '../point-types.ts';
import { Collector } from './intake.ts';
import { type Inquiry, type Interrogations, inquiryError, refusalMessage } from './interrogations.ts';
import type { Requester } from './requester.ts';
import type { Reply, Transaction } from './transactions.ts';

const NO_ELEMENT = new Uint8Array(0);

export interface ReadsOptions {
  readonly clock: Clock;
  readonly requester: Requester;
  readonly interrogations: Interrogations;
  readonly sink: Pick<DriverSink, 'values'>;
  readonly health: HealthSink;
  readonly sizes: AsduSizes;
  readonly originator: number;
  readonly confirmationMs: number;
}

/** One interrogation of a common address, or a read command for one object. */
interface Iec104Batch extends ReadBatch {
  readonly slaveId: number;
  readonly service: 'objects' | 'counters' | 'read';
  /** Object address of a read command; 0 for interrogations. */
  readonly address: number;
}

/** A read command that waits for its object. */
interface PendingRead {
  readonly commonAddress: number;
  readonly address: number;
  readonly collector: Collector;
  readonly transaction: Transaction;
}

export class ClientReads {
  readonly #options: ReadsOptions;
  readonly #pending = new Set<PendingRead>();
  readonly #cursor = new ObjectCursor();
  /** Rises with each change of the table. */
  #tableRevision = 0;

  constructor(options: ReadsOptions) {
    this.#options = options;
  }

  /** Batch: for each common address one interrogation, and one of the counters where the table has any. Single: a read command an object. */
  plan(points: readonly PointConfig[], options: PlanOptions): ReadPlan {
    const batches = new Map<string, Iec104Batch & { pointIds: number[] }>();
    const excluded: PointFailure[] = [];
    for (const point of points) {
      if (isControl(point)) {
        excluded.push({ kind: 'failure', pointId: point.id, error: commandOnly() });
        continue;
      }
      const isCounter = isCounterType(pointFacts(point).typeId);
      const service = options.mode === 'single' ? 'read' : isCounter ? 'counters' : 'objects';
      const address = service === 'read' ? point.address : 0;
      const name = `${service} ${point.slave_id} ${address}`;
      const batch = batches.get(name);
      // a task in single mode counts and paces points, not objects
      if (batch && service !== 'read') batch.pointIds.push(point.id);
      else batches.set(batch ? `${name} ${point.id}` : name, { slaveId: point.slave_id, pointIds: [point.id], service, address });
    }
    return { batches: [...batches.values()], excluded, predictedMs: null };
  }

  async read(batch: ReadBatch, context: ExchangeContext): Promise<ReadAnswer> {
    if (!isOurs(batch)) throw new AppError('INTERNAL', say('exchange.not_planned'));
    if (context.signal.aborted) throw cancelled();
    if (batch.service === 'read') return this.#readObject(batch, context);
    return this.#interrogate(batch, context);
  }

  /** The table changed: what was collected under the old one has no other way out than the answer to its batch. */
  pointsChanged(): void {
    this.#tableRevision += 1;
  }

  /** The collector of a read command that waits for this object; null for none. */
  collectorFor(view: AsduView): Collector | null {
    return this.#waitingFor(view)?.collector ?? null;
  }

  /** Data with the cause of a read command have been taken. */
  objectsCame(view: AsduView): void {
    const transaction = this.#waitingFor(view)?.transaction;
    transaction?.settle(Cause.request, true);
    transaction?.deliver({ kind: 'data' });
  }

  #waitingFor(view: AsduView): PendingRead | undefined {
    if (this.#pending.size === 0 || view.cause !== Cause.request) return undefined;
    const cursor = this.#cursor.open(view);
    while (cursor.next()) {
      for (const read of this.#pending) {
        if (read.commonAddress === view.commonAddress && read.address === cursor.address) return read;
      }
    }
    return undefined;
  }

  async #interrogate(batch: Iec104Batch, context: ExchangeContext): Promise<ReadAnswer> {
    const { interrogations, confirmationMs, sink } = this.#options;
    const isCounters = batch.service === 'counters';
    const inquiry: Inquiry = isCounters ? { kind: 'counters', group: 0, freeze: 0 } : { kind: 'objects', group: 0 };
    const collector = new Collector(batch.pointIds);
    const table = this.#tableRevision;
    try {
      for (let left = context.retries; ; left--) {
        const end = await interrogations.run(batch.slaveId, inquiry, collector, context.signal);
        const mayRepeat = end.kind === 'unanswered' && left > 0 && !context.isStopping();
        if (mayRepeat) continue;
        const address = batch.slaveId;
        const what = isCounters ? say('iec104.counter_interrogation', { address }) : say('iec104.general_interrogation', { address });
        const error = inquiryError(end, what, confirmationMs);
        if (end.kind === 'unanswered' || (end.kind === 'failed' && collector.readings.size === 0)) throw error;
        return { readings: withFailures(batch.pointIds, collector, error), next: [] };
      }
    } finally {
      // empty unless the wait was ended before the answer was made
      const late = collector.release();
      if (late.length > 0 && table === this.#tableRevision) sink.values(late, false);
    }
  }

  async #readObject(batch: Iec104Batch, context: ExchangeContext): Promise<ReadAnswer> {
    let end = await this.#readOnce(batch);
    for (let left = context.retries; left > 0 && end.reply.kind === 'timeout' && !context.isStopping(); left--) {
      end = await this.#readOnce(batch);
    }
    const { reply, collector } = end;
    const object = { object: batch.address, address: batch.slaveId };
    if (reply.kind === 'ended') throw reply.error;
    if (reply.kind === 'timeout') {
      throw new AppError('TIMEOUT_RESPONSE', say('iec104.read_silent', { ...object, ms: this.#options.confirmationMs }));
    }
    const missing = new AppError('PROTOCOL_MISMATCH', say('iec104.read_nothing', object));
    const readings = withFailures(batch.pointIds, collector, reply.kind === 'mirrored' ? refusal(reply, object) : missing);
    collector.release();
    return { readings, next: [] };
  }

  async #readOnce(batch: Iec104Batch): Promise<{ reply: Reply; collector: Collector }> {
    const { requester, originator, health, clock } = this.#options;
    const { slaveId: commonAddress, address } = batch;
    const collector = new Collector(batch.pointIds);
    const transaction = requester.send(readCommand({ commonAddress, originator }, address), {
      typeId: TypeId.C_RD_NA_1,
      commonAddress,
      originator,
      address,
      element: NO_ELEMENT,
      isCommand: false,
      causes: [Cause.request, Cause.activationCon],
      what: say('iec104.a_read', { object: address, address: commonAddress }),
    });
    const pending: PendingRead = { commonAddress, address, collector, transaction };
    this.#pending.add(pending);
    try {
      const reply = await this.#answer(transaction);
      if (reply.kind === 'timeout') health.timeout();
      else if (reply.kind !== 'ended') health.response(clock.monotonicMs() - transaction.sentAt);
      if (reply.kind === 'mirrored') health.refusal();
      return { reply, collector };
    } finally {
      this.#pending.delete(pending);
      // whatever comes later is as good an answer to the next one
      transaction.settle(Cause.request, true);
      requester.transactions.close(transaction);
    }
  }

  /** Some stations confirm or mirror a read command before its answer, which the standard does not have. */
  async #answer(transaction: Transaction): Promise<Reply> {
    for (;;) {
      const reply = await transaction.next(this.#options.confirmationMs);
      if (reply.kind === 'mirrored' && !reply.isNegative && !isUnknownCause(reply.cause)) continue;
      return reply;
    }
  }
}

function isOurs(batch: ReadBatch): batch is Iec104Batch {
  return 'service' in batch && 'address' in batch;
}

function withFailures(pointIds: readonly number[], collector: Collector, error: AppError): PointReading[] {
  const { readings } = collector;
  const all = pointIds.map((pointId): PointReading => readings.get(pointId) ?? { kind: 'failure', pointId, error });
  readings.clear();
  return all;
}

function refusal(reply: Extract<Reply, { kind: 'mirrored' }>, object: { readonly object: number; readonly address: number }): AppError {
  const detail = refusalMessage(reply);
  const isUnknown = reply.cause === Cause.unknownType || reply.cause === Cause.unknownCause;
  const hint = isUnknown ? say('iec104.read_unknown', { type: typeText(TypeId.C_RD_NA_1) }) : null;
  const said = say('iec104.read_refused', { ...object, detail: together(detail, hint) });
  return new AppError('DEVICE_EXCEPTION', said, { data: { kind: 'refused', detail: english(detail) } });
}

function commandOnly(): AppError {
  return new AppError('CONFIG_INVALID', say('runtime.commands_only'));
}
