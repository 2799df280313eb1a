/** Our master on a line of meters: reads batches and sends writes through one session. */

import { isSerial } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { cancelled } from '../../../platform/clock.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { unlasting } from '../../kit/lasting.ts';
import { measuringHealth } from '../../kit/measuring-health.ts';
import { PointList } from '../../kit/point-list.ts';
import { TurnRounds } from '../../kit/turn-rounds.ts';
import type {
  ClientIo,
  Command,
  DriverCommandResult,
  DriverConnection,
  ExchangeContext,
  PlanOptions,
  PointConfig,
  PointReading,
  PointsEdit,
  ReadAnswer,
  ReadBatch,
  ReadPlan,
} from '../../spi/index.ts';
import type { OperationResult } from '../../spi/operations.ts';
import { METER_CHECKS, runMeterChecks } from '../checks/meter-checks.ts';
import type { ReadEnd, ReadItem } from '../checks/meter-checks-readings.ts';
import { BadValue } from '../codec/bcd.ts';
import { MORE, REFUSED } from '../codec/control.ts';
import { splitElements } from '../codec/items.ts';
import { meterQuestions } from '../diagnostics/diagnostics-questions.ts';
import { diText } from '../dictionary/dictionary.ts';
import type { ReceivedFrame } from '../link/framer.ts';
import { type LineTiming, lineTiming, readOctets } from '../link/line-time.ts';
import { MeterSession } from '../link/session.ts';
import { readsOf } from '../link/telling-reads.ts';
import { readingOfElement, readingOfItem } from '../meter-point.ts';
import { type MeterRequest, type MeterTarget, readNextRequest, readRequest } from '../meter-request.ts';
import { type ChannelSettings, channelSettings } from '../settings.ts';
import { METER_TURN_ROUNDS } from '../turn-round.ts';
import { MeterWrites } from './client-writes.ts';
import { LearnedBlocks, type MeterBatch, oneByOne, planReads } from './planner.ts';
import { readRefused } from './refusal.ts';
import { WriteBlocks } from './write-blocks.ts';

/** A meter that comes back may take so many times longer than it ever did. */
const SLOW_FACTOR = 3;
/** Parts of one answer: the number of a follow-up frame is one octet, from 1. */
const MOST_PARTS = 255;

/** A read whose follow-up frames were lost or in doubt begins anew so often at least. */
const NEW_STARTS = 1;

/** A part of an answer is missing, and the meter cannot be asked for it alone. */
class BrokenChain extends AppError {
  constructor({ code, said }: AppError) {
    super(code, said);
  }
}

export class Dlt645Client implements DriverConnection {
  readonly link = { kind: 'exchange' } as const;
  readonly dataSets = null;
  readonly diagnostics = meterQuestions({ ask: (request, context) => this.#ask(request, context), points: () => this.#points.all });
  readonly #io: ClientIo;
  readonly #session: MeterSession;
  readonly #writes: MeterWrites;
  readonly #learned = new LearnedBlocks();
  readonly #turnRounds: TurnRounds;
  readonly #timing: LineTiming;
  readonly #protocol: ChannelSettings;
  /** Meters whose blocks are read item by item until one of these has come: follow-up frames without a number were lost or in doubt. */
  readonly #brokenChains = new Set<string>();
  readonly #points: PointList;

  /** Takes the line over at once; there is nothing to agree on before the first request. */
  constructor(io: ClientIo) {
    this.#io = io;
    this.#points = new PointList(io.points);
    this.#turnRounds = new TurnRounds(io.clock, METER_TURN_ROUNDS);
    this.#timing = lineTiming(io.settings);
    this.#protocol = channelSettings.parse(io.settings.protocol);
    this.#session = new MeterSession({
      clock: io.clock,
      line: io.line,
      frames: io.frames,
      health: measuringHealth(io.health, this.#turnRounds, null),
      timing: this.#timing,
      timeoutMs: io.settings.timeoutMs,
      preambles: this.#protocol.preambles,
      notice: (text) => io.sink.notice(text),
      memory: io.memory,
      tellingRequests: this.#protocol.telling_requests,
      readsOf: (request) => readsOf(request, this.#points.all),
      slowestMs: (slaveId) => this.#turnRounds.slowest(slaveId),
    });
    this.#writes = new MeterWrites({
      clock: io.clock,
      session: this.#session,
      secrets: io.secrets,
      blocks: new WriteBlocks(io.lasting ?? unlasting()),
      sink: io.sink,
      utcOffsetMs: this.#protocol.utc_offset_min * 60_000,
    });
    io.line.start({ onData: (chunk) => this.#session.receive(chunk), onClosed: (cause) => this.#session.closed(cause) });
  }

  get planRevision(): number {
    if (isSerial(this.#io.settings.connType)) this.#turnRounds.adopt();
    return this.#learned.version + this.#turnRounds.version;
  }

  turnRoundMs(slaveId: number): number | null {
    return this.#turnRounds.planned(slaveId);
  }

  plan(points: readonly PointConfig[], { mode }: PlanOptions): ReadPlan {
    const { preambles, use_blocks } = this.#protocol;
    const plan = planReads(points, { mode, preambles, useBlocks: use_blocks, learned: this.#learned });
    const predictedMs = isSerial(this.#io.settings.connType) ? plan.batches.reduce((sum, batch) => sum + this.#readMs(batch), 0) : null;
    return { ...plan, predictedMs };
  }

  async read(batch: ReadBatch, context: ExchangeContext): Promise<ReadAnswer> {
    if (!isMeterBatch(batch)) throw new AppError('INTERNAL', say('exchange.not_planned'));
    const { target, di, selection } = batch;
    if (batch.isBlock && this.#brokenChains.has(target.address)) return { readings: [], next: oneByOne(batch, batch.items) };
    let answer: ReadEnd;
    try {
      // the items of a block can be had without follow-up frames
      answer = await this.#readWhole(target, di, context, batch.isBlock ? 0 : NEW_STARTS, selection);
    } catch (thrown) {
      if (batch.isBlock && thrown instanceof BrokenChain) {
        this.#brokenChains.add(target.address);
        return { readings: [], next: oneByOne(batch, batch.items) };
      }
      if (batch.isBlock && thrown instanceof AppError && thrown.code === 'TIMEOUT_RESPONSE') this.#learned.silent(target, di);
      throw thrown;
    }
    this.#brokenChains.delete(target.address);
    if (answer.kind === 'refused') return this.#refused(batch, answer.word);
    return batch.isBlock ? this.#block(batch, answer.data) : { readings: itemReadings(batch, answer.data), next: [] };
  }

  execute(command: Command, context: ExchangeContext): Promise<DriverCommandResult> {
    return this.#writes.execute(command, context);
  }

  operate(name: string, params: Readonly<Record<string, unknown>>, context: ExchangeContext): Promise<OperationResult> {
    if (name !== METER_CHECKS.name) return this.#writes.operate(name, params, context);
    const utcOffsetMs = this.#protocol.utc_offset_min * 60_000;
    const read: ReadItem = (target, di, exchange) => this.#readWhole(target, di, exchange, NEW_STARTS);
    return runMeterChecks(params, { read, clock: this.#io.clock, utcOffsetMs }, context);
  }

  /** What was learnt is about the meters, not about the table, and stays. */
  pointsChanged(points: readonly PointConfig[]): void {
    this.#points.replace(points);
  }

  pointsEdited(edit: PointsEdit): void {
    this.#points.edit(edit);
  }

  async close(): Promise<void> {
    this.#session.close();
  }

  #readMs({ target, valueOctets, slaveId }: MeterBatch): number {
    const { octetMs, silenceMs } = this.#timing;
    const turnRoundMs = this.#turnRounds.expected(slaveId);
    return readOctets(target.edition, valueOctets, this.#protocol.preambles) * octetMs + silenceMs + turnRoundMs;
  }

  /**
   * One identifier, with all follow-up frames of its answer. In the 1997 edition these have no number: one that is lost, or in doubt, makes the
   * read begin anew, `newStarts` times at least.
   */
  async #readWhole(target: MeterTarget, di: number, context: ExchangeContext, newStarts: number, selection?: Uint8Array): Promise<ReadEnd> {
    for (let left = newStarts === 0 ? 0 : Math.max(context.retries, newStarts); ; left--) {
      try {
        return await this.#readParts(target, di, context, selection);
      } catch (thrown) {
        const canBegin = thrown instanceof BrokenChain && left > 0 && !context.isStopping() && !context.signal.aborted;
        if (!canBegin) throw thrown;
      }
    }
  }

  async #readParts(target: MeterTarget, di: number, context: ExchangeContext, selection?: Uint8Array): Promise<ReadEnd> {
    const first = await this.#ask({ ...readRequest(target, di, selection), ...this.#probeWait(target.slaveId, context) }, context);
    const word = refusalOf(first);
    if (word !== undefined) return { kind: 'refused', word };
    const diOctets = target.edition === 2007 ? 4 : 2;
    const parts = [first.data.subarray(diOctets)];
    let isMore = (first.control & MORE) !== 0;
    for (let sequence = 1; isMore && sequence <= MOST_PARTS; sequence++) {
      if (context.isStopping() || context.signal.aborted) throw cancelled();
      const next = await this.#askNext(target, di, sequence, context);
      // a meter that announced more than it has: what came is all
      if (refusalOf(next) !== undefined) break;
      parts.push(next.data.subarray(diOctets, target.edition === 2007 ? -1 : undefined));
      isMore = (next.control & MORE) !== 0;
    }
    return { kind: 'data', data: concatBytes(...parts) };
  }

  async #askNext(target: MeterTarget, di: number, sequence: number, context: ExchangeContext): Promise<ReceivedFrame> {
    const end = await this.#session.exchange(readNextRequest(target, di, sequence), context);
    if (end.kind === 'answer') return end.frame;
    throw target.edition === 1997 && end.isSent ? new BrokenChain(end.error) : end.error;
  }

  async #ask(request: MeterRequest, context: ExchangeContext): Promise<ReceivedFrame> {
    const end = await this.#session.exchange(request, context);
    if (end.kind === 'failed') throw end.error;
    return end.frame;
  }

  /** A block that the meter has: its elements, and single reads for those that it has not. */
  #block(batch: MeterBatch, data: Uint8Array): ReadAnswer {
    const [first] = batch.items;
    let elements: Uint8Array[];
    try {
      elements = first ? splitElements(data, first.meter.format, null) : [];
    } catch (thrown) {
      if (!(thrown instanceof BadValue)) throw thrown;
      this.#io.sink.notice(say('dlt645.own_block', { meter: batch.target.address, di: diText(batch.di, batch.target.edition) }));
      this.#learned.missing(batch.target, batch.di);
      return { readings: [], next: oneByOne(batch, batch.items) };
    }
    this.#learned.answered(batch.target, batch.di, elements.length);
    const readings: PointReading[] = [];
    const missing = batch.items.filter(({ meter, index }) => {
      const bytes = elements[index ?? 0];
      if (bytes) readings.push(readingOfElement(meter, bytes));
      return !bytes;
    });
    return { readings, next: oneByOne(batch, missing) };
  }

  #refused(batch: MeterBatch, word: number | null): ReadAnswer {
    const { target, di } = batch;
    if (batch.isBlock) {
      this.#learned.missing(target, di);
      return { readings: [], next: oneByOne(batch, batch.items) };
    }
    const error = readRefused(target, di, word);
    return { readings: batch.pointIds.map((pointId) => ({ kind: 'failure', pointId, error })), next: [] };
  }

  /**
   * How long a probe of a suspended meter waits for its answer: what its budget leaves beside the request itself, longer for a meter that is
   * known to be slow, and the whole timeout where nobody was ever heard.
   */
  #probeWait(slaveId: number, { probeBudgetMs }: ExchangeContext): { timeoutMs?: number } {
    const slowest = this.#turnRounds.slowest(slaveId);
    if (probeBudgetMs === undefined || slowest === null) return {};
    const { octetMs, silenceMs } = this.#timing;
    const left = probeBudgetMs - silenceMs - (readOctets(2007, 0, this.#protocol.preambles) / 2) * octetMs;
    return { timeoutMs: Math.min(this.#io.settings.timeoutMs, Math.max(left, SLOW_FACTOR * slowest)) };
  }
}

function itemReadings(batch: MeterBatch, data: Uint8Array): PointReading[] {
  return batch.items.map(({ meter }) => readingOfItem(meter, data));
}

/** The error word of a refusal, null for one without a word; undefined for an answer that is none. */
function refusalOf({ control, data }: ReceivedFrame): number | null | undefined {
  if ((control & REFUSED) === 0) return undefined;
  return data[0] ?? null;
}

function isMeterBatch(batch: ReadBatch): batch is MeterBatch {
  return 'items' in batch && 'target' in batch;
}
