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
  /** Points of each meter in the order of the table, those among them that cannot be served. */
  #own: Map<string, PointConfig[]> = new Map();

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
    const leaving = new Set(before.map(({ id }) => id));
    const coming = new Map<string, PointConfig[]>();
    for (const point of before) grouped(coming, targetOf(point).address);
    for (const point of after) grouped(coming, targetOf(point).address).push(point);
    this.#points.edit({ before, after });
    for (const [address, added] of coming) {
      if (isWildcard(address)) continue;
      const own = [...(this.#own.get(address) ?? []).filter(({ id }) => !leaving.has(id)), ...added].sort(byId);
      if (own.length === 0) {
        this.#own.delete(address);
        this.#meters.delete(address);
        continue;
      }
      this.#own.set(address, own);
      const meter = this.#meters.get(address) ?? this.#newMeter(address);
      this.#meters.set(address, meter);
      const staying = meter.points.filter(({ point }) => !leaving.has(point.id));
      meter.update([...staying, ...added.flatMap(servedPoint)].sort((a, b) => byId(a.point, b.point)));
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
    const shown = isWide ? meter.points : meter.pointsAt(point.address);
    return shown.map((each) => this.#read(each.point));
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
    const own = new Map<string, PointConfig[]>();
    const served = new Map<string, MeterPoint[]>();
    for (const [at, point] of points.entries()) {
      if (at % POINTS_A_STEP === 0) yield;
      const { address } = targetOf(point);
      if (isWildcard(address)) continue;
      grouped(own, address).push(point);
      grouped(served, address).push(...servedPoint(point));
    }
    const meters = new Map<string, SimulatedMeter>();
    for (const address of own.keys()) {
      if (meters.size % POINTS_A_STEP === 0) yield;
      meters.set(address, this.#meters.get(address) ?? this.#newMeter(address));
    }
    return () => {
      this.#points.replace(points);
      this.#own = own;
      for (const [address, meter] of meters) meter.update(served.get(address) ?? []);
      this.#meters = meters;
    };
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
    const { tableAddress } = meter;
    const own = this.#meters.get(tableAddress) === meter ? (this.#own.get(tableAddress) ?? []) : [];
    this.#io.sink.values(
      own.map((point) => this.#read(point)),
      false,
    );
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

const byId = (a: PointConfig, b: PointConfig) => a.id - b.id;

/** The list of a meter, made where there is none. */
function grouped<Item>(lists: Map<string, Item[]>, address: string): Item[] {
  const list = lists.get(address) ?? [];
  lists.set(address, list);
  return list;
}

/** The point as its meter serves it; nothing for one that cannot be: its reading says what is wrong with it. */
function servedPoint(point: PointConfig): MeterPoint[] {
  try {
    return [meterPoint(point)];
  } catch {
    return [];
  }
}
