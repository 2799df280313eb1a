/** Our client at a device: reads batches and sends commands through one session. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { runSteps, type Steps } from '../../../platform/steps.ts';
import { measuringHealth } from '../../kit/measuring-health.ts';
import { TurnRounds } from '../../kit/turn-rounds.ts';
import type { ConnectionDiagnostics } from '../../spi/diagnostics.ts';
import type {
  ClientIo,
  Command,
  DriverCommandResult,
  DriverConnection,
  ExchangeContext,
  PlanOptions,
  PointConfig,
  PointFailure,
  ReadAnswer,
  ReadBatch,
  ReadPlan,
} from '../../spi/index.ts';
import type { OperationResult } from '../../spi/operations.ts';
import { Exception } from '../codec/functions.ts';
import { encodeRead } from '../codec/request.ts';
import { exceptionOf, readAnswerData } from '../codec/response.ts';
import { modbusQuestions } from '../diagnostics/questions.ts';
import type { ExchangeSession, SessionMaker } from '../link/exchange-session.ts';
import { DISCOVER_SUNSPEC, SunSpecDiscovery } from '../sunspec/discovery.ts';
import { SLAVE_TURN_ROUNDS } from '../turn-round.ts';
import { answerOf, type ReadRange, ScaleBatch, scalesBehind } from './answers.ts';
import { executeCommand } from './commands.ts';
import { LearnedAddresses } from './holes.ts';
import type { LineTime } from './line-time.ts';
import { runServiceOperation } from './operations.ts';
import { type ModbusBatch, planSteps, splitBatch, withoutScales } from './planner.ts';
import { readRefused } from './refusal.ts';

/** A slave that comes back may take so many times longer than it ever did. */
const SLOW_FACTOR = 3;

/** Octets in front of the data of a read answer: function code and byte count. */
const DATA_AT = 2;

export interface ClientOptions {
  /** Exchanges that the session keeps outstanding; left out: one. */
  readonly window?: number;
  /** Left out where the line is fast enough not to matter. */
  readonly lineTime?: LineTime | null;
}

export class ModbusClient implements DriverConnection {
  readonly link: DriverConnection['link'];
  readonly dataSets = null;
  readonly diagnostics: ConnectionDiagnostics;
  readonly #io: ClientIo;
  readonly #session: ExchangeSession;
  readonly #learned = new LearnedAddresses();
  readonly #turnRounds: TurnRounds;
  /** Null where the line is fast enough not to matter. */
  readonly #lineTime: LineTime | null;

  /**
   * Takes the line over at once; there is nothing to agree on before the first request. `window`: exchanges that the session keeps
   * outstanding.
   */
  constructor(io: ClientIo, makeSession: SessionMaker, { window = 1, lineTime = null }: ClientOptions = {}) {
    this.#io = io;
    this.link = window > 1 ? { kind: 'multiplexed', window } : { kind: 'exchange' };
    const { clock, line } = io;
    this.#turnRounds = new TurnRounds(clock, SLAVE_TURN_ROUNDS);
    this.#lineTime = lineTime;
    this.#session = makeSession({
      io,
      // adapters deliver in lumps of up to 16 ms, so the moment of the first octet says less than how long an exchange lasted
      health: measuringHealth(io.health, this.#turnRounds, lineTime && ((exchange) => lineTime.turnRoundMs(exchange))),
      slowestMs: (unitId) => this.#turnRounds.slowest(unitId),
    });
    this.diagnostics = modbusQuestions(this.#session);
    line.start({
      onData: (chunk) => this.#session.receive(chunk),
      onClosed: (cause) => this.#session.closed(cause),
      onTrouble: (error) => this.#session.troubled?.(error),
    });
  }

  get planRevision(): number {
    if (this.#lineTime) this.#turnRounds.adopt();
    return this.#learned.version + this.#turnRounds.version;
  }

  turnRoundMs(slaveId: number): number | null {
    return this.#turnRounds.planned(slaveId);
  }

  plan(points: readonly PointConfig[], options: PlanOptions): ReadPlan {
    return runSteps(this.planSteps(points, options));
  }

  *planSteps(points: readonly PointConfig[], options: PlanOptions): Steps<ReadPlan> {
    const { maxGap, addressBase } = this.#io.settings;
    const learned = options.skipKnownHoles ? this.#learned : null;
    const turnRound = (slaveId: number) => this.#turnRounds.expected(slaveId);
    const line = this.#lineTime;
    const cost = line ? { cost: line.cost(turnRound) } : {};
    const plan = yield* planSteps(points, { maxGap, addressBase, mode: options.mode, learned, ...cost });
    const readMs = ({ functionCode, slaveId }: ModbusBatch, quantity: number) =>
      line?.readMs(functionCode, quantity, turnRound(slaveId)) ?? 0;
    const timeOf = (batch: ModbusBatch) =>
      scalesBehind(batch).reduce((sum, { start, end }) => sum + readMs(batch, end - start), readMs(batch, batch.quantity));
    return { ...plan, predictedMs: line && plan.batches.reduce((sum, batch) => sum + timeOf(batch), 0) };
  }

  async read(batch: ReadBatch, context: ExchangeContext): Promise<ReadAnswer> {
    if (batch instanceof ScaleBatch) return this.#readScales(batch, context);
    if (!isModbusBatch(batch)) throw new AppError('INTERNAL', say('exchange.not_planned'));
    const pdu = await this.#ask(batch, context);
    const exception = exceptionOf(pdu);
    if (exception !== 0) return this.#refused(batch, exception);
    this.#learned.answered(batch);
    return answerOf(batch, pdu.subarray(DATA_AT));
  }

  /** The scale registers of values that were just read. */
  async #readScales(batch: ScaleBatch, context: ExchangeContext): Promise<ReadAnswer> {
    const pdu = await this.#ask(batch, context);
    const exception = exceptionOf(pdu);
    if (exception === 0) return { readings: batch.readings(pdu.subarray(DATA_AT)), next: [] };
    const error = readRefused(batch, exception);
    return { readings: batch.pointIds.map((pointId): PointFailure => ({ kind: 'failure', pointId, error })), next: [] };
  }

  /** Reads the addresses of a batch; answers with the PDU, an exception included. */
  async #ask(batch: ReadRange, context: ExchangeContext): Promise<Uint8Array> {
    const { functionCode, start, quantity } = batch;
    const end = await this.#session.exchange(
      {
        unitId: batch.slaveId,
        pdu: encodeRead(functionCode, start, quantity),
        ...this.#probeWait(batch.slaveId, context),
        check: (answer) => {
          readAnswerData(answer, functionCode, quantity);
        },
      },
      context,
    );
    if (end.kind === 'failed') throw end.error;
    return end.pdu;
  }

  execute(command: Command, context: ExchangeContext): Promise<DriverCommandResult> {
    const { clock, settings } = this.#io;
    const { broadcast } = settings.protocol;
    const isKnown = broadcast === 'on' || broadcast === 'off';
    return executeCommand(command, { session: this.#session, clock, settings, context, ...(isKnown ? { broadcast } : {}) });
  }

  operate(name: string, params: Readonly<Record<string, unknown>>, context: ExchangeContext): Promise<OperationResult> {
    const { clock, settings } = this.#io;
    if (name !== DISCOVER_SUNSPEC.name) return runServiceOperation(name, params, { session: this.#session, clock, context });
    return new SunSpecDiscovery({ session: this.#session, clock, addressBase: settings.addressBase }, params).start(context);
  }

  pointsChanged(): void {
    // never called: what was learnt is about the device, not about the table
  }

  async close(): Promise<void> {
    this.#session.close();
  }

  /**
   * How long a probe of a suspended slave waits for its answer: what its budget leaves beside the request itself, longer for a slave or line
   * that is known to be slow, and the whole timeout where nobody was ever heard.
   */
  #probeWait(slaveId: number, { probeBudgetMs }: ExchangeContext): { timeoutMs?: number } {
    const slowest = probeBudgetMs === undefined ? null : this.#turnRounds.slowest(slaveId);
    if (probeBudgetMs === undefined || slowest === null) return {};
    const left = probeBudgetMs - (this.#lineTime?.unansweredMs ?? 0);
    return { timeoutMs: Math.min(this.#io.settings.timeoutMs, Math.max(left, SLOW_FACTOR * slowest)) };
  }

  /** The smaller requests into which a refused one is divided; the scale registers beside its points are left out first where it cannot be divided. */
  #smaller(batch: ModbusBatch): readonly ModbusBatch[] {
    const bare = splitBatch(batch).length === 0 ? withoutScales(batch) : null;
    return bare ? [bare] : this.#learned.refused(batch);
  }

  /** Exception 2 of several points: they are asked again in smaller requests. Anything else is the answer for all of them. */
  #refused(batch: ModbusBatch, exception: number): ReadAnswer {
    const next = exception === Exception.illegalDataAddress ? this.#smaller(batch) : [];
    const asked = new Set(next.flatMap((smaller) => smaller.pointIds));
    const error = readRefused(batch, exception);
    const readings: PointFailure[] = [];
    for (const pointId of batch.pointIds) if (!asked.has(pointId)) readings.push({ kind: 'failure', pointId, error });
    return { readings, next };
  }
}

function isModbusBatch(batch: ReadBatch): batch is ModbusBatch {
  return 'items' in batch && 'functionCode' in batch;
}
