import { z } from 'zod';
import { ConnType, FrameType, ProtocolType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type {
  ClientIo,
  Command,
  CommandState,
  DataSetAccess,
  DriverCommandResult,
  DriverConnection,
  DriverIo,
  ExchangeContext,
  PlanOptions,
  PointConfig,
  PointReading,
  ProtocolDriver,
  ReadAnswer,
  ReadBatch,
  ReadPlan,
  ServerIo,
} from '../../drivers/spi/index.ts';
import type { OperationResult } from '../../drivers/spi/operations.ts';
import { cancelled, delay } from '../../platform/clock.ts';

/** What a slave does with a request. `hang` never returns, not even when its line is closed. */
export type SlaveMood = 'good' | 'timeout' | 'refuse' | 'garbled' | 'internal' | 'hang' | 'nothing' | 'split';

export interface ExchangeRecord {
  readonly at: number;
  readonly connection: number;
  readonly slaveId: number | null;
  readonly pointIds: readonly number[];
  readonly retries: number;
  readonly kind: 'read' | 'command' | 'dataset' | 'find';
}

/** The device of the tests: how each slave behaves, and what it was asked. */
export class FakePlant {
  readonly moods = new Map<number, SlaveMood>();
  readonly exchanges: ExchangeRecord[] = [];
  readonly connections: FakeConnection[] = [];
  latencyMs = 10;
  /** Null: as `latencyMs`. */
  commandLatencyMs: number | null = null;
  timeoutMs = 1000;
  groupSize = 10;
  window = 1;
  commandsBeside = false;
  cancelsUnderWay = false;
  connecting: 'good' | 'silent' | AppError = 'good';
  clientNeedsPoints = true;
  readsSetpoints = false;
  command: 'accepted' | 'rejected' | 'silent' = 'accepted';
  dataSets: readonly string[] | null = null;
  /** While it is set, names of data sets are being learnt; what waits for them awaits it. */
  learning: (() => Promise<void>) | null = null;
  /** Data sets that the device has and does not list; null where only what is listed is there. */
  unlisted: readonly string[] | null = null;
  dataSetError: AppError | null = null;
  /** The data set that `dataSetError` is about; null: all. */
  failingSet: string | null = null;
  /** Points that data sets have values for. */
  dataSetPoints: readonly number[] = [];
  /** Undefined: tasks plan anew each round. */
  planRevision: number | undefined = undefined;
  plans = 0;
  /** Line time of every plan. */
  predictedMs: number | null = null;
  /** Most exchanges ever outstanding on one connection. */
  mostOutstanding = 0;
  outstanding = 0;
  value = 1;
  /** What single points have, by their ids; all others have `value`. */
  readonly values = new Map<number, number>();
  quality: 'good' | 'invalid' = 'good';
  /** True: a value is the address of its point, as it was when the read was planned. */
  answersAddress = false;

  mood(slaveId: number | null): SlaveMood {
    return this.moods.get(slaveId ?? 0) ?? 'good';
  }

  /** Commands the device has received. */
  get commands(): number {
    return this.exchanges.filter((exchange) => exchange.kind === 'command').length;
  }
}

interface PlannedBatch extends ReadBatch {
  readonly points: readonly PointConfig[];
}

function addressOf(batch: ReadBatch, pointId: number): number {
  return (batch as Partial<PlannedBatch>).points?.find((point) => point.id === pointId)?.address ?? 0;
}

export class FakeConnection implements DriverConnection {
  readonly link: DriverConnection['link'];
  readonly dataSets: DataSetAccess | null;
  readonly io: DriverIo;
  readonly number: number;
  readonly #plant: FakePlant;
  readonly #isServer: boolean;
  readonly #broken = new Set<(error: AppError) => void>();
  /** Ends hanging exchanges by hand, as a late answer. */
  readonly late: (() => void)[] = [];
  points: readonly PointConfig[];
  #outstanding = 0;
  isClosed = false;

  constructor(plant: FakePlant, io: DriverIo, isServer: boolean) {
    this.#plant = plant;
    this.io = io;
    this.#isServer = isServer;
    this.points = io.points;
    const kind = plant.window > 1 ? ({ kind: 'multiplexed', window: plant.window } as const) : ({ kind: 'exchange' } as const);
    this.link = { ...kind, commandsBeside: plant.commandsBeside };
    this.number = plant.connections.push(this);
    const names = plant.dataSets;
    const found: string[] = [];
    this.dataSets = names && {
      names: () => (plant.learning ? found : [...names, ...found]),
      learnt: (signal) => Promise.race([plant.learning?.(), aborted(signal)]).then(() => undefined),
      ...(plant.unlisted && {
        find: async (name, context) => {
          await this.#exchange('find', { slaveId: null, pointIds: [] }, context);
          found.push(...(plant.unlisted ?? []).filter((each) => each === name));
          return found.includes(name);
        },
      }),
      read: (name, context) => this.#readDataSet(name, context),
      pointIds: () => plant.dataSetPoints,
    };
  }

  get planRevision(): number {
    return this.#plant.planRevision ?? this.#plant.plans;
  }

  plan(points: readonly PointConfig[], options: PlanOptions): ReadPlan {
    this.#plant.plans += 1;
    const size = options.mode === 'single' ? 1 : this.#plant.groupSize;
    const batches: ReadBatch[] = [];
    for (const [slaveId, members] of Map.groupBy(points, (point) => point.slave_id)) {
      for (let start = 0; start < members.length; start += size) {
        const group = members.slice(start, start + size);
        const planned: PlannedBatch = { slaveId, pointIds: group.map((point) => point.id), points: group };
        batches.push(planned);
      }
    }
    return { batches, excluded: [], predictedMs: this.#plant.predictedMs };
  }

  async read(batch: ReadBatch, context: ExchangeContext): Promise<ReadAnswer> {
    const mood = await this.#exchange('read', batch, context);
    const whole = batch.pointIds;
    if (mood === 'split' && whole.length > 1) {
      const half = whole.length >>> 1;
      return { readings: [], next: [whole.slice(0, half), whole.slice(half)].map((pointIds) => ({ ...batch, pointIds })) };
    }
    if (mood === 'nothing') return { readings: [], next: [] };
    return { readings: whole.map((id) => this.#reading(id, mood === 'refuse', addressOf(batch, id))), next: [] };
  }

  async execute(command: Command, context: ExchangeContext): Promise<DriverCommandResult> {
    const sentBefore = this.#plant.commands;
    try {
      await this.#exchange('command', { slaveId: null, pointIds: [command.point.id] }, context);
    } catch (thrown) {
      if (this.#plant.commands === sentBefore || !(thrown instanceof AppError)) throw thrown;
      return { outcome: 'unknown', stages: [], refusal: null, failure: thrown };
    }
    const outcome = this.#plant.command === 'silent' ? 'unknown' : this.#plant.command;
    return { outcome, stages: [], refusal: outcome === 'rejected' ? { kind: 'refused', detail: quoted('no') } : null, failure: null };
  }

  async commandState(point: PointConfig, options: Readonly<Record<string, unknown>>, context: ExchangeContext): Promise<CommandState> {
    await this.#exchange('read', { slaveId: null, pointIds: [point.id] }, context);
    const items = [
      { name: 'Beh', label: quoted('Behaviour'), value: quoted('on'), remark: options.test === true ? quoted('refused') : null },
    ];
    return { items, steps: ['operate'], missingOptions: [], selection: null, obstacle: null };
  }

  async operate(name: string, params: Readonly<Record<string, unknown>>, context: ExchangeContext): Promise<OperationResult> {
    await this.#exchange('command', { slaveId: null, pointIds: [] }, context);
    return { outcome: 'accepted', stages: [], result: { name, ...params } };
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.points = points;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.break(new AppError('TRANSPORT_LOST', quoted('The connection was closed.')));
  }

  /** Everything outstanding fails, as when the line is gone. */
  break(error: AppError): void {
    for (const reject of [...this.#broken]) reject(error);
  }

  async #readDataSet(name: string, context: ExchangeContext) {
    await this.#exchange('dataset', { slaveId: null, pointIds: [] }, context);
    const { dataSetError, failingSet } = this.#plant;
    if (dataSetError && (failingSet === null || failingSet === name)) throw dataSetError;
    const values = new Map<string, unknown>([[`${name}.MX.A`, this.#plant.value]]);
    return { values, readings: this.#plant.dataSetPoints.map((id) => this.#reading(id, false, 0)) };
  }

  #reading(pointId: number, isRefused: boolean, address: number): PointReading {
    if (isRefused)
      return { kind: 'failure', pointId, error: new AppError('DEVICE_EXCEPTION', quoted('Exception 2: illegal data address.')) };
    const value = this.#plant.answersAddress ? address : (this.#plant.values.get(pointId) ?? this.#plant.value);
    return {
      kind: 'value',
      pointId,
      value,
      valueText: '',
      raw: new Uint8Array([value]),
      quality: this.#plant.quality,
      flags: [],
      sourceTime: null,
    };
  }

  async #exchange(kind: ExchangeRecord['kind'], batch: ReadBatch, context: ExchangeContext): Promise<SlaveMood> {
    const plant = this.#plant;
    const mood = plant.mood(batch.slaveId);
    const { clock } = this.io;
    if (this.#isServer) return mood;
    if (this.isClosed) throw new AppError('TRANSPORT_NOT_CONNECTED', quoted('The connection is closed.'));
    if (context.signal.aborted) throw cancelled();
    const { slaveId, pointIds } = batch;
    plant.exchanges.push({ at: clock.monotonicMs(), connection: this.number, slaveId, pointIds, retries: context.retries, kind });
    this.#count(1);
    try {
      await this.#wait(mood, kind, context.probeBudgetMs ?? plant.timeoutMs);
    } finally {
      this.#count(-1);
    }
    if (mood === 'internal') throw new TypeError('cannot read properties of undefined');
    if (mood === 'garbled') throw new AppError('FRAME_CHECKSUM', quoted('The checksum of the answer is wrong.'));
    if (mood === 'timeout' && kind === 'read') throw new AppError('TIMEOUT_RESPONSE', quoted(`Slave ${slaveId} did not answer in time.`));
    return mood;
  }

  #count(change: number): void {
    this.#outstanding += change;
    this.#plant.outstanding += change;
    this.#plant.mostOutstanding = Math.max(this.#plant.mostOutstanding, this.#outstanding);
  }

  async #wait(mood: SlaveMood, kind: ExchangeRecord['kind'], budgetMs: number): Promise<void> {
    const { clock } = this.io;
    await new Promise<void>((resolve, reject) => {
      if (mood === 'hang') {
        this.late.push(resolve);
        return;
      }
      const isSilent = mood === 'timeout' || (kind === 'command' && this.#plant.command === 'silent');
      const settle = (finish: () => void) => {
        cancel();
        this.#broken.delete(fail);
        finish();
      };
      const fail = (error: AppError) => settle(() => reject(error));
      const { timeoutMs, latencyMs, commandLatencyMs } = this.#plant;
      const answerMs = kind === 'command' ? (commandLatencyMs ?? latencyMs) : latencyMs;
      const cancel = clock.after(isSilent ? Math.min(timeoutMs, budgetMs) : answerMs, () => settle(resolve));
      this.#broken.add(fail);
    });
  }
}

/** A protocol without octets: groups of `groupSize` points a slave; YK cannot be read, and YT only where the plant says so. */
export function fakeDriver(plant: FakePlant): ProtocolDriver {
  return {
    descriptor: {
      protocolType: ProtocolType.modbusTcp,
      key: 'fake',
      modes: ['batch', 'single', 'dataset'],
      commandSteps: ['operate', 'cancel'],
      tellsCommandState: true,
      get cancelsUnderWay() {
        return plant.cancelsUnderWay;
      },
      channelFields: [],
      channelSettings: z.object({ flavour: z.string().default('plain') }),
      pointFields: { 0: [], 1: [], 2: [], 3: [] },
      pointSettings: z.object({}),
      operations: [
        { name: 'test', summary: 'Look', params: z.object({}), effect: 'repeatable', connTypes: [ConnType.tcpClient] },
        { name: 'reset', summary: 'Change', params: z.object({}), effect: 'command', connTypes: [ConnType.tcpClient] },
      ],
    },
    normalizePoint: () => {
      throw new Error('not needed here');
    },
    isReadable: ({ frame_type: type }) => type === FrameType.yc || type === FrameType.yx || (type === FrameType.yt && plant.readsSetpoints),
    get clientNeedsPoints() {
      return plant.clientNeedsPoints;
    },
    connect: (io, signal) => connect(plant, io, signal),
    serve(io: ServerIo) {
      io.onPeer((peer, frames) => {
        peer.start({
          onData: (bytes) => {
            const link = frames.record({ kind: 'rx', bytes });
            frames.record({ kind: 'tx', bytes, link });
            void peer.write(bytes);
          },
          onClosed: () => undefined,
        });
      });
      io.serialLine?.start({ onData: () => undefined, onClosed: () => undefined });
      return new FakeConnection(plant, io, true);
    },
    explain: () => ({ summary: '', nodes: [], secrets: [] }),
  };
}

async function connect(plant: FakePlant, io: ClientIo, signal: AbortSignal): Promise<DriverConnection> {
  let connection: FakeConnection | null = null;
  io.line.start({
    onData: (chunk) => {
      io.frames.record({ kind: 'rx', bytes: chunk });
      if (chunk[0] === 0xff) throw new TypeError('broken receiver');
    },
    onClosed: () => connection?.break(new AppError('TRANSPORT_LOST', quoted('The line was lost.'))),
  });
  if (plant.connecting === 'silent') await delay(io.clock, 100_000, signal);
  if (plant.connecting instanceof AppError) throw plant.connecting;
  connection = new FakeConnection(plant, io, false);
  return connection;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(cancelled()), { once: true }));
}
