/** Our own device as a connection: what is alike in all protocols that serve a point table. */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { runSteps, type Steps } from '../../platform/steps.ts';
import type { AcceptedPeer } from '../../transport/types.ts';
import type {
  Command,
  DataSetAccess,
  DriverCommandResult,
  DriverConnection,
  FrameSink,
  PlanOptions,
  PointConfig,
  PointFailure,
  PointReading,
  ReadAnswer,
  ReadBatch,
  ReadPlan,
  ServedSetting,
  ServeFault,
  ServerIo,
} from '../spi/index.ts';
import { startValueOf } from './served-value.ts';

/** Points answered at once in batch mode; a group is what progress and counters move by. */
const GROUP_SIZE = 500;
/** Points that are looked at, or set, before other work may get its turn. */
const POINTS_A_STEP = 32;

/** A client that is served, or the line of a slave. */
export interface ServedPeer {
  /** Lets requests come in; `onClosed` is called once when the client has gone. */
  start(onClosed: () => void): void;
  /** Answers nothing any more. */
  close(): void;
}

/** What is set, with the options of the command. */
export interface ServedValue {
  readonly point: PointConfig;
  readonly value: number;
  readonly options: Readonly<Record<string, unknown>>;
  /** How long ago it came to be, in milliseconds. Left out: now. */
  readonly agoMs?: number | undefined;
}

/**
 * Serves a point table: tasks read it from memory, writes on the channel set it, peers come and go. A protocol says what a point serves, how it is set
 * and what a peer is, and calls `listen` when it is ready. What a peer makes the driver throw ends that peer alone.
 */
export abstract class ServedConnection<Peer extends ServedPeer = ServedPeer> implements DriverConnection {
  readonly link = { kind: 'exchange' } as const;
  readonly dataSets: DataSetAccess | null = null;
  protected readonly peers = new Set<Peer>();
  readonly #io: ServerIo;
  #isClosed = false;

  constructor(io: ServerIo) {
    this.#io = io;
  }

  /** True from the end of the connection on. */
  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** A point as it is served now; undefined for one that is not. */
  protected abstract readPoint(pointId: number): PointReading | undefined;
  /** Sets what a point serves; answers the points that show it, which were not told to the sink. Throws `CONFIG_RANGE`, `CONFIG_INVALID`. */
  protected abstract setPoint(served: ServedValue): readonly PointReading[];
  /** What serves a client. It is started by the caller. */
  protected abstract makePeer(peer: AcceptedPeer, frames: FrameSink): Peer;
  abstract pointsChanged(points: readonly PointConfig[]): void;

  /** Changes with what `exclusion` says; left as it is, plans depend on the points alone. */
  get planRevision(): number {
    return 0;
  }

  /** Why a point is not served and asks for no reading; undefined for all others. */
  protected exclusion(_pointId: number): PointFailure | undefined {
    return undefined;
  }

  /** Which points go into one group; null: all. */
  protected slaveOf(point: PointConfig): number | null {
    return point.slave_id;
  }

  /** The connection ends, before its peers do. */
  protected ending(): void {}

  /** Begins to serve, in steps. An end in between, by a fault or because it is given up, leaves nothing behind that goes on. */
  *started(): Steps<this> {
    let isServing = false;
    try {
      yield* this.begin();
      isServing = true;
    } finally {
      if (!isServing) this.ending();
    }
    return this;
  }

  /** All that is made of the table, with `listenSteps` where it is ready. */
  protected *begin(): Steps<void> {
    yield* this.listenSteps();
  }

  /** Serves what the table says from the start, and takes peers from then on, on the serial line or on the listener. */
  protected listen(): void {
    runSteps(this.listenSteps());
  }

  /** The same in steps; peers are taken with the last one. */
  protected *listenSteps(): Steps<void> {
    const { serialLine, frames } = this.#io;
    yield* this.#begin();
    if (serialLine) this.#accept(serialLine, frames);
    else this.#io.onPeer((peer, ownFrames) => this.#accept(this.#contained(peer), ownFrames));
  }

  plan(points: readonly PointConfig[], { mode }: PlanOptions): ReadPlan {
    const size = mode === 'single' ? 1 : GROUP_SIZE;
    const batches: ReadBatch[] = [];
    const excluded: PointFailure[] = [];
    const open = new Map<number | null, number[]>();
    for (const point of points) {
      const failure = this.exclusion(point.id);
      if (failure) {
        excluded.push(failure);
        continue;
      }
      const slaveId = this.slaveOf(point);
      let pointIds = open.get(slaveId);
      if (!pointIds || pointIds.length >= size) {
        pointIds = [];
        open.set(slaveId, pointIds);
        batches.push({ slaveId, pointIds });
      }
      pointIds.push(point.id);
    }
    return { batches, excluded, predictedMs: null };
  }

  async read({ pointIds }: ReadBatch): Promise<ReadAnswer> {
    const readings: PointReading[] = [];
    for (const pointId of pointIds) {
      const reading = this.readPoint(pointId);
      if (reading) readings.push(reading);
    }
    return { readings, next: [] };
  }

  async execute({ point, step, value, options }: Command): Promise<DriverCommandResult> {
    if (step !== 'operate' || value === undefined) {
      throw new AppError('CONFIG_INVALID', say('exchange.served_step', { step }));
    }
    const readings = this.setPoint({ point, value, options });
    if (readings.length > 0) this.#io.sink.values(readings, false);
    const stage = { name: 'set', at: this.#io.clock.wallMs(), detail: say('exchange.served_set') };
    return { outcome: 'accepted', stages: [stage], refusal: null, failure: null };
  }

  serve(settings: readonly ServedSetting[]): readonly ServeFault[] {
    const faults: ServeFault[] = [];
    const readings: PointReading[] = [];
    for (const { point, value, flags = [], agoMs } of settings) {
      try {
        const options = flags.length === 0 ? {} : { flags };
        for (const reading of this.setPoint({ point, value, options, agoMs })) readings.push(reading);
      } catch (thrown) {
        faults.push({ pointId: point.id, reason: toAppError(thrown).said });
      }
    }
    if (readings.length > 0) this.#io.sink.values(readings, false);
    return faults;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.ending();
    for (const peer of [...this.peers]) peer.close();
    this.peers.clear();
  }

  /** True for a point that goes on with what it served when the channel was stopped; where a protocol keeps nothing, no point does. */
  protected goesOn(_pointId: number): boolean {
    return false;
  }

  /** Values of `start_value`, of points that go on with nothing. One that cannot be served is told, and is no reason to serve nothing. */
  *#begin(): Steps<void> {
    const { points, sink } = this.#io;
    // all of them first: points share registers, and the first value would stand for what the others go on with
    const starts: { readonly point: PointConfig; readonly value: number }[] = [];
    for (const [at, point] of points.entries()) {
      if (at % POINTS_A_STEP === 0) yield;
      const value = startValueOf(point);
      if (value !== null && !this.goesOn(point.id)) starts.push({ point, value });
    }
    for (const [at, { point, value }] of starts.entries()) {
      if (at % POINTS_A_STEP === 0) yield;
      try {
        const readings = this.setPoint({ point, value, options: {} });
        if (readings.length > 0) sink.values(readings, false);
      } catch (thrown) {
        sink.notice(say('exchange.start_value', { point: point.code, value, reason: toAppError(thrown).said }));
      }
    }
  }

  #accept(accepted: AcceptedPeer, frames: FrameSink): void {
    if (this.#isClosed) {
      accepted.close().catch(() => {});
      return;
    }
    const peer = this.makePeer(accepted, frames);
    this.peers.add(peer);
    peer.start(() => this.peers.delete(peer));
  }

  /** A peer whose octets nobody else has to suffer for. */
  #contained(peer: AcceptedPeer): AcceptedPeer {
    const { sink } = this.#io;
    return {
      label: peer.label,
      write: (bytes) => peer.write(bytes),
      close: () => peer.close(),
      start: (events) =>
        peer.start({
          onData(chunk) {
            try {
              events.onData(chunk);
            } catch (thrown) {
              sink.notice(say('exchange.peer_fault', { peer: peer.label, reason: toAppError(thrown).said }));
              peer.close().catch(() => {});
            }
          },
          onClosed: (cause) => events.onClosed(cause),
        }),
    };
  }
}
