/** Our client: associates, learns the model behind the running channel, reads batches and data sets, writes settings. */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Steps } from '../../platform/steps.ts';
import { PointList } from '../kit/point-list.ts';
import type {
  ClientIo,
  Command,
  CommandState,
  DriverCommandResult,
  DriverConnection,
  ExchangeContext,
  PlanOptions,
  PointConfig,
  PointsEdit,
  PointValue,
  ReadAnswer,
  ReadBatch,
  ReadPlan,
} from '../spi/index.ts';
import type { OperationResult } from '../spi/operations.ts';
import { MmsClient } from './association/mms-client.ts';
import type { Negotiated } from './association/negotiation.ts';
import { BoundTable } from './bound-table.ts';
import { type ChannelMemory, memoryOf } from './channel-memory.ts';
import { ClientReads } from './client-reads.ts';
import { runCommand } from './commands.ts';
import { ControlBook } from './control/control-book.ts';
import { runControl } from './control/control-run.ts';
import { askControlState, STATE_OF_SETTING } from './control/control-state.ts';
import { DeviceDataSets } from './data-sets.ts';
import { ModelSession } from './model-session.ts';
import type { PlannedBatch } from './planner.ts';
import { isControlPoint } from './point-rules.ts';
import { Reports } from './reports/reports.ts';
import { runOperation } from './run-operation.ts';
import { associationOf, type Iec61850Settings } from './settings.ts';
import { startError } from './start-errors.ts';

export class Iec61850Client implements DriverConnection {
  readonly dataSets: DeviceDataSets;
  readonly #io: ClientIo;
  readonly #settings: Iec61850Settings;
  readonly #client: MmsClient;
  readonly #memory: ChannelMemory;
  readonly #reads: ClientReads;
  readonly #book: ControlBook;
  readonly #reports: Reports;
  readonly #session: ModelSession;
  readonly #points: PointList;
  readonly #table: BoundTable;
  #planRevision = 0;

  constructor(io: ClientIo, settings: Iec61850Settings) {
    this.#io = io;
    this.#settings = settings;
    this.#points = new PointList(io.points);
    const { clock, line, frames, health, sink, lasting, audit } = io;
    this.#memory = memoryOf(io.memory ?? new Map());
    this.#client = new MmsClient({
      clock,
      line,
      frames,
      health,
      settings: associationOf(io.settings, settings, io.secrets?.association_password),
      events: {
        // what is neither is not asked for: a device that sends it by itself loses nothing by it
        onReport: (report) => void (this.#book.onReport(report) || this.#reports.onReport(report)),
        onLost: (error) => this.#onLost(error),
      },
    });
    const client = this.#client;
    const memory = this.#memory;
    const timeoutMs = Math.max(settings.request_timeout_s * 1000, io.settings.timeoutMs);
    const notice = (text: Message) => sink.notice(text);
    this.#reads = new ClientReads({ client, memory, clock, timeoutMs, onLearnt: () => this.#planChanged(), notice });
    this.#book = new ControlBook({ clock, notice, timed: memory.timedControls });
    const table = new BoundTable({ memory, points: () => this.#points.all });
    this.#table = table;
    this.dataSets = new DeviceDataSets({
      client,
      memory,
      clock,
      timeoutMs,
      table,
      notice,
      learnt: (signal) => this.#session.learnt(signal),
      add: (domain, set) => this.#session.addDataSet(domain, set),
    });
    const mayWrite = () => io.mayWrite?.() ?? true;
    this.#reports = new Reports({
      client,
      clock,
      memory,
      sink,
      timeoutMs,
      lasting,
      audit,
      health,
      mayWrite,
      atStart: settings.reports_at_start,
      checkMs: settings.report_check_s * 1000,
      peer: remoteOf(line.label),
      table,
    });
    this.#session = new ModelSession({
      client,
      clock,
      memory,
      timeoutMs,
      points: () => this.#points.all,
      notice,
      onChanged: () => this.#planChanged(),
    });
  }

  get link() {
    // a command waits for its end for long, and nothing else of the association does
    return { kind: 'multiplexed', window: this.#client.negotiated?.window ?? 1, commandsBeside: true } as const;
  }

  /** What was agreed on with the device; null before the start. */
  get negotiated(): Negotiated | null {
    return this.#client.negotiated;
  }

  get planRevision(): number {
    return this.#planRevision;
  }

  /** Associates; the model is learnt behind it. Rejects as `MmsClient.associate`, and with `CONFIG_INVALID` for a document that cannot be used. */
  async start(signal: AbortSignal): Promise<void> {
    const { line, document, clock } = this.#io;
    this.#memory.takeDocument(() => document ?? null, this.#settings.ied_name, clock.wallMs());
    line.start({
      onData: (chunk) => this.#client.receive(chunk),
      onClosed: (cause) => this.#client.lineEnded(cause),
    });
    await this.#associate(signal);
    // the types of the members are those of the model
    void (this.#settings.learn_model ? this.#session.begin(false) : Promise.resolve()).then(() => this.#reports.resume());
  }

  async #associate(signal: AbortSignal): Promise<void> {
    try {
      await this.#client.associate(signal);
    } catch (thrown) {
      const hasPassword = this.#io.secrets?.association_password !== undefined;
      throw startError(toAppError(thrown), { settings: this.#settings, hasPassword });
    }
  }

  plan(points: readonly PointConfig[], options: PlanOptions): ReadPlan {
    return this.#reads.plan(points, options);
  }

  planSteps(points: readonly PointConfig[], options: PlanOptions): Steps<ReadPlan> {
    return this.#reads.planSteps(points, options);
  }

  read(batch: ReadBatch, context: ExchangeContext): Promise<ReadAnswer> {
    return this.#reads.read(plannedBatch(batch), context);
  }

  async execute(command: Command, context: ExchangeContext): Promise<DriverCommandResult> {
    const options = { client: this.#client, memory: this.#memory, clock: this.#io.clock };
    if (isControlPoint(command.point)) {
      const terminationMs = this.#settings.command_termination_s * 1000;
      return runControl({ ...options, book: this.#book, terminationMs }, command, context);
    }
    const result = await runCommand(options, command, context);
    if (result.outcome === 'accepted') this.#io.sink.values([takenValue(command)], false);
    return result;
  }

  /** A setting is written at once: nothing is asked for it. */
  async commandState(point: PointConfig, options: Readonly<Record<string, unknown>>, { signal }: ExchangeContext): Promise<CommandState> {
    if (!isControlPoint(point)) return STATE_OF_SETTING;
    return askControlState({ client: this.#client, memory: this.#memory, book: this.#book }, { point, options }, signal);
  }

  operate(name: string, params: Readonly<Record<string, unknown>>, context: ExchangeContext): Promise<OperationResult> {
    const options = {
      clock: this.#io.clock,
      client: this.#client,
      memory: this.#memory,
      session: this.#session,
      reports: this.#reports,
      timeoutMs: this.#settings.request_timeout_s * 1000,
    };
    return runOperation(name, params, options, context);
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.#points.replace(points);
    this.#tableChanged();
  }

  pointsEdited(edit: PointsEdit): void {
    this.#points.edit(edit);
    this.#tableChanged();
  }

  async close(): Promise<void> {
    this.#session.close();
    await this.#reports.leave();
    this.#table.end();
    await this.#client.close();
    this.#book.lost(new AppError('CANCELLED', say('iec61850.closed')));
  }

  #planChanged(): void {
    this.#planRevision += 1;
    this.dataSets.changed();
    this.#reports.changed();
  }

  #tableChanged(): void {
    this.#table.changed();
    this.dataSets.changed();
    this.#reports.changed();
  }

  #onLost(error: AppError): void {
    this.#book.lost(error);
    this.#reports.lost();
    this.#session.close();
    this.#io.sink.lost(error);
  }
}

/** The other end of a line `10.0.0.1:50123 → 10.0.0.7:102`, whose own end is another each time. */
function remoteOf(label: string): string {
  return label.slice(label.lastIndexOf('→') + 1).trim();
}

function plannedBatch(batch: ReadBatch): PlannedBatch {
  if ('kind' in batch) return batch as PlannedBatch;
  throw new AppError('INTERNAL', say('iec61850.foreign_batch'));
}

/** A setting shows what the device took until it is read. */
function takenValue({ point, value = 0 }: Command): PointValue {
  return {
    kind: 'value',
    pointId: point.id,
    value,
    form: 'written',
    valueText: '',
    raw: new Uint8Array(0),
    quality: 'good',
    flags: [],
    sourceTime: null,
  };
}
