/** Simulated meters on one line or behind one port: they serve the point table and what such a meter has anyway. */
import { FrameType, isSerial } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import type {
  Command,
  DriverCommandResult,
  DriverConnection,
  PlanOptions,
  PointConfig,
  PointReading,
  ReadAnswer,
  ReadBatch,
  ReadPlan,
  ServerIo,
} from '../../spi/index.ts';
import { passwordName } from '../client/credentials.ts';
import { relayCommandOf, relayReading } from '../client/relay.ts';
import { RELAY_COMMANDS } from '../client/write-requests.ts';
import { isWildcard } from '../codec/address.ts';
import type { MeterPoint } from '../meter-point.ts';
import { meterPoint, targetOf } from '../meter-point.ts';
import { channelSettings } from '../settings.ts';
import { SimulatedMeter } from './meter.ts';
import { ServedLine, type ServedLineOptions } from './served-line.ts';
import { STATUS_WORD_3 } from './simulated-values.ts';

/** Points answered at once in batch mode; a group is what progress and counters move by. */
const GROUP_SIZE = 500;

export class Dlt645Server implements DriverConnection {
  readonly link = { kind: 'exchange' } as const;
  readonly dataSets = null;
  /** Plans depend on the points alone. */
  readonly planRevision = 0;
  readonly #io: ServerIo;
  readonly #utcOffsetMs: number;
  readonly #meters = new Map<string, SimulatedMeter>();
  readonly #lines = new Set<ServedLine>();
  #points = new Map<number, PointConfig>();
  #isClosed = false;

  constructor(io: ServerIo) {
    this.#io = io;
    const settings = channelSettings.parse(io.settings.protocol);
    this.#utcOffsetMs = settings.utc_offset_min * 60_000;
    this.pointsChanged(io.points);
    const options: Omit<ServedLineOptions, 'frames' | 'write'> = {
      io,
      settings,
      meters: () => this.#meters.values(),
      changed: (meter) => this.#served(meter),
      isSerial: isSerial(io.settings.connType),
    };
    const { serialLine } = io;
    if (serialLine) {
      const line = this.#line({ ...options, frames: io.frames, write: (bytes) => serialLine.write(bytes) });
      serialLine.start({ onData: (chunk) => line.receive(chunk), onClosed: () => this.#forget(line) });
    }
    io.onPeer((peer, frames) => {
      if (this.#isClosed) {
        peer.close().catch(() => {});
        return;
      }
      const line = this.#line({ ...options, frames, write: (bytes) => peer.write(bytes) });
      peer.start({ onData: (chunk) => line.receive(chunk), onClosed: () => this.#forget(line) });
    });
  }

  plan(points: readonly PointConfig[], options: PlanOptions): ReadPlan {
    const batches: ReadBatch[] = [];
    const open = new Map<number, number[]>();
    const size = options.mode === 'single' ? 1 : GROUP_SIZE;
    for (const { id, slave_id: slaveId } of points) {
      let pointIds = open.get(slaveId);
      if (!pointIds || pointIds.length >= size) {
        pointIds = [];
        open.set(slaveId, pointIds);
        batches.push({ slaveId, pointIds });
      }
      pointIds.push(id);
    }
    return { batches, excluded: [], predictedMs: null };
  }

  async read(batch: ReadBatch): Promise<ReadAnswer> {
    const readings: PointReading[] = [];
    for (const pointId of batch.pointIds) {
      const point = this.#points.get(pointId);
      if (point) readings.push(this.#read(point));
    }
    return { readings, next: [] };
  }

  async execute({ point, step, value }: Command): Promise<DriverCommandResult> {
    const { clock, sink } = this.#io;
    const meter = this.#meters.get(targetOf(point).address);
    if (step !== 'operate' || value === undefined || !meter) {
      throw new AppError(
        'CONFIG_INVALID',
        'A simulated meter serves the values of its points; a meter with a number and the step "operate" are needed.',
      );
    }
    if (point.frame_type === FrameType.yk) this.#switch(meter, point, value);
    else meter.write(point, value, clock.wallMs());
    const same = [...this.#points.values()].filter(
      ({ slave_id: slaveId, address }) => slaveId === point.slave_id && address === point.address,
    );
    const shown = point.frame_type === FrameType.yk || point.address === STATUS_WORD_3 ? this.#pointsOf(meter) : same;
    sink.values(
      shown.map((each) => this.#read(each)),
      false,
    );
    const stage = { name: 'set', at: clock.wallMs(), detail: 'The served value was set.' };
    return { outcome: 'accepted', stages: [stage], refusal: null, failure: null };
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.#points = new Map(points.map((point) => [point.id, point]));
    const byMeter = new Map<string, MeterPoint[]>();
    for (const point of points) {
      const { address } = targetOf(point);
      if (isWildcard(address)) continue;
      const own = byMeter.get(address) ?? [];
      byMeter.set(address, own);
      try {
        own.push(meterPoint(point));
      } catch {
        // the reading of the point says what is wrong with it
      }
    }
    for (const address of this.#meters.keys()) if (!byMeter.has(address)) this.#meters.delete(address);
    for (const [address, own] of byMeter) {
      const meter =
        this.#meters.get(address) ??
        new SimulatedMeter(address, this.#io.clock.wallMs(), this.#utcOffsetMs, (level) => this.#password(level));
      meter.update(own);
      this.#meters.set(address, meter);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const line of this.#lines) line.close();
    this.#lines.clear();
  }

  #read(point: PointConfig): PointReading {
    const meter = this.#meters.get(targetOf(point).address);
    if (meter && point.frame_type === FrameType.yk) return relayReading(point, meter.relay);
    if (meter) return meter.read(point, this.#io.clock.wallMs());
    const error = new AppError('CONFIG_INVALID', 'A wildcard address names no simulated meter; a meter number does.');
    return { kind: 'failure', pointId: point.id, error };
  }

  /** A request on the line changed a meter: the table shows what it serves now. */
  #served(meter: SimulatedMeter): void {
    this.#io.sink.values(
      this.#pointsOf(meter).map((point) => this.#read(point)),
      false,
    );
  }

  #pointsOf(meter: SimulatedMeter): PointConfig[] {
    return [...this.#points.values()].filter((point) => this.#meters.get(targetOf(point).address) === meter);
  }

  #switch(meter: SimulatedMeter, point: PointConfig, value: number): void {
    const isDone = (value === 0 || value === 1) && meter.switchRelay(RELAY_COMMANDS[relayCommandOf(point, value)], this.#io.clock.wallMs());
    if (!isDone) throw new AppError('CONFIG_RANGE', 'A relay takes 0 or 1; while the power is kept on (hold) it does not trip.');
  }

  /** What the secrets of the channel say, else six zeros, as meters come from the factory. */
  #password(level: number): string {
    return this.#io.secrets?.[passwordName(level)] ?? '000000';
  }

  #line(options: ServedLineOptions): ServedLine {
    const line = new ServedLine(options);
    this.#lines.add(line);
    return line;
  }

  #forget(line: ServedLine): void {
    line.close();
    this.#lines.delete(line);
  }
}
