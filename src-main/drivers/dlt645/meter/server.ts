/** Simulated meters on one line or behind one port: they serve the point table and what such a meter has anyway. */

import { FrameType, isSerial } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { runInTurns, runSteps, type Steps } from '../../../platform/steps.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import { PointList } from '../../kit/point-list.ts';
import { ServedConnection, type ServedPeer, type ServedValue } from '../../kit/served-connection.ts';
import type { FrameSink, PointConfig, PointReading, PointsEdit, ServerIo, StagedTable } from '../../spi/index.ts';
import { passwordName } from '../client/credentials.ts';
import { relayCommandOf, relayReading } from '../client/relay.ts';
import { RELAY_COMMANDS } from '../client/write-requests.ts';
import { isWildcard } from '../codec/address.ts';
import type { MeterPoint } from '../meter-point.ts';
import { meterPoint, targetOf } from '../meter-point.ts';
import { type ChannelSettings, channelSettings } from '../settings.ts';
import { SimulatedMeter } from './meter.ts';
import { ServedLine } from './served-line.ts';
import { STATUS_WORD_3 } from './simulated-values.ts';

/** Points, and meters, that are taken in before other work may get its turn. */
const POINTS_A_STEP = 64;

export class Dlt645Server extends ServedConnection {
  readonly #io: ServerIo;
  readonly #settings: ChannelSettings;
  #meters: Map<string, SimulatedMeter> = new Map();
  readonly #points = new PointList([]);

  /** Ready to be started. */
  constructor(io: ServerIo) {
    super(io);
    this.#io = io;
    this.#settings = channelSettings.parse(io.settings.protocol);
  }

  protected override *begin(): Steps<void> {
    const takeOver = yield* this.#made(this.#io.points);
    yield;
    takeOver();
    yield* this.listenSteps();
  }

  pointsEdited({ before, after }: PointsEdit): void {
    const addresses = new Set([...before, ...after].map((point) => targetOf(point).address));
    const leaving = new Set(before.map(({ id }) => id));
    this.#points.edit({ before, after });
    for (const address of addresses) {
      if (isWildcard(address)) continue;
      const staying = (this.#meters.get(address)?.points ?? []).filter(({ point }) => !leaving.has(point.id));
      const coming = after.filter((point) => targetOf(point).address === address).flatMap(servedPoint);
      const own = [...staying, ...coming].sort((a, b) => a.point.id - b.point.id);
      if (own.length > 0 || this.#points.all.some((point) => targetOf(point).address === address)) this.#meter(address).update(own);
      else this.#meters.delete(address);
    }
  }

  protected override readPoint(pointId: number): PointReading | undefined {
    const point = this.#points.get(pointId);
    return point && this.#read(point);
  }

  protected override setPoint({ point, value }: ServedValue): readonly PointReading[] {
    const meter = this.#meters.get(targetOf(point).address);
    if (!meter) throw new AppError('CONFIG_INVALID', say('dlt645.served_meter'));
    if (point.frame_type === FrameType.yk) this.#switch(meter, point, value);
    else meter.write(point, value, this.#io.clock.wallMs());
    const isWide = point.frame_type === FrameType.yk || point.address === STATUS_WORD_3;
    const own = meter.points.map((each) => each.point);
    const shown = isWide ? own : own.filter(({ address }) => address === point.address);
    return shown.map((each) => this.#read(each));
  }

  protected override makePeer(peer: AcceptedPeer, frames: FrameSink): ServedPeer {
    return new ServedLine(peer, {
      io: this.#io,
      frames,
      settings: this.#settings,
      meters: () => this.#meters.values(),
      changed: (meter) => this.#served(meter),
      isSerial: isSerial(this.#io.settings.connType),
    });
  }

  pointsChanged(points: readonly PointConfig[]): void {
    runSteps(this.#made(points))();
  }

  async stageTable(points: readonly PointConfig[], breathe: () => Promise<void>): Promise<StagedTable> {
    return { takeOver: await runInTurns(this.#made(points), breathe) };
  }

  /** The meters of a table, made aside; answers the step that serves them. A meter that stays goes on with all it has. */
  *#made(points: readonly PointConfig[]): Steps<() => void> {
    const byMeter = new Map<string, MeterPoint[]>();
    for (const [at, point] of points.entries()) {
      if (at % POINTS_A_STEP === 0) yield;
      const { address } = targetOf(point);
      if (isWildcard(address)) continue;
      const own = byMeter.get(address) ?? [];
      byMeter.set(address, own);
      own.push(...servedPoint(point));
    }
    const meters = new Map<string, SimulatedMeter>();
    for (const address of byMeter.keys()) {
      if (meters.size % POINTS_A_STEP === 0) yield;
      meters.set(address, this.#meters.get(address) ?? this.#newMeter(address));
    }
    return () => {
      this.#points.replace(points);
      for (const [address, own] of byMeter) meters.get(address)?.update(own);
      this.#meters = meters;
    };
  }

  #meter(address: string): SimulatedMeter {
    const meter = this.#meters.get(address) ?? this.#newMeter(address);
    this.#meters.set(address, meter);
    return meter;
  }

  #newMeter(address: string): SimulatedMeter {
    const utcOffsetMs = this.#settings.utc_offset_min * 60_000;
    return new SimulatedMeter(address, this.#io.clock.wallMs(), utcOffsetMs, (level) => this.#password(level));
  }

  #read(point: PointConfig): PointReading {
    const meter = this.#meters.get(targetOf(point).address);
    if (meter && point.frame_type === FrameType.yk) return relayReading(point, meter.relay);
    if (meter) return meter.read(point, this.#io.clock.wallMs());
    const error = new AppError('CONFIG_INVALID', say('dlt645.served_wildcard'));
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
    return this.#points.all.filter((point) => this.#meters.get(targetOf(point).address) === meter);
  }

  #switch(meter: SimulatedMeter, point: PointConfig, value: number): void {
    const isDone = (value === 0 || value === 1) && meter.switchRelay(RELAY_COMMANDS[relayCommandOf(point, value)], this.#io.clock.wallMs());
    if (!isDone) throw new AppError('CONFIG_RANGE', say('dlt645.served_relay'));
  }

  /** What the secrets of the channel say, else six zeros, as meters come from the factory. */
  #password(level: number): string {
    return this.#io.secrets?.[passwordName(level)] ?? '000000';
  }
}

/** The point as its meter serves it; nothing for one that cannot be: its reading says what is wrong with it. */
function servedPoint(point: PointConfig): MeterPoint[] {
  try {
    return [meterPoint(point)];
  } catch {
    return [];
  }
}
