/** A client whose station is the test: a real link on the other end of an in-memory line, spoken to in ASDUs. */

import { ConnType, FrameType } from '#shared/domain/enums.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { english } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import type { CloseCause } from '../../../transport/types.ts';
import type { ClientIo, DriverChannelSettings, DriverLine, DriverMemory, PointConfig, PointReading, PointValue } from '../../spi/index.ts';
import { shownReading } from '../../testing/engineering.ts';
import { testPoint } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { TestFrames, TestHealth } from '../../testing/sinks.ts';
import { Iec104Client } from '../client/client.ts';
import { type Asdu, decodeAsdu, encodeAsdu, mirrorAsdu } from '../codec/asdu.ts';
import { makeAsdu } from '../codec/make.ts';
import type { InfoObject } from '../codec/objects.ts';
import { TypeId } from '../codec/types.ts';
import { APCI_LENGTH } from '../link/apci.ts';
import { ApduPort } from '../link/apdu-port.ts';
import type { OutgoingAsdu } from '../link/link-types.ts';
import { asduSizes, channelSettings, type Iec104Settings } from '../settings.ts';
import { DEFAULT_LIMITS } from './link-bench.ts';

/** Settings of a client channel with the defaults of the service, in UTC. */
export function driverSettings(protocol: Record<string, unknown> = {}, connType: 1 | 2 = ConnType.tcpClient): DriverChannelSettings {
  return clientSettings({ connType, protocol: channelSettings.parse({ time_zone: 'UTC', ...protocol }) });
}

export function point(id: number, changes: Partial<PointConfig> = {}): PointConfig {
  return testPoint({ id, name: `Point ${id}`, address: id, func_code: null, decode: '', ...changes });
}

export const yx = (id: number, address: number, typeId = 1, changes: Partial<PointConfig> = {}) =>
  point(id, { frame_type: FrameType.yx, address, protocol: { type_id: typeId }, ...changes });
export const yc = (id: number, address: number, typeId = 13, changes: Partial<PointConfig> = {}) =>
  point(id, { frame_type: FrameType.yc, address, protocol: { type_id: typeId }, ...changes });
export const yk = (id: number, address: number, typeId = 45, changes: Partial<PointConfig> = {}) =>
  point(id, { frame_type: FrameType.yk, address, protocol: { type_id: typeId }, ...changes });
export const yt = (id: number, address: number, typeId = 50, changes: Partial<PointConfig> = {}) =>
  point(id, { frame_type: FrameType.yt, address, protocol: { type_id: typeId }, ...changes });

export interface BenchOptions {
  readonly points?: readonly PointConfig[];
  readonly protocol?: Record<string, unknown>;
  readonly memory?: DriverMemory;
  readonly clock?: ManualClock;
}

export class ClientBench {
  readonly clock: ManualClock;
  readonly health = new TestHealth();
  readonly frames = new TestFrames();
  readonly applied: { readonly readings: readonly PointReading[]; readonly event: boolean | 'only' }[] = [];
  readonly notices: string[] = [];
  readonly losses: AppError[] = [];
  readonly client: Iec104Client;
  /** ASDUs the client sent, in order. */
  readonly requests: Asdu[] = [];
  /** The same as octets. */
  readonly requestOctets: Uint8Array[] = [];
  readonly memory: DriverMemory;
  /** Called with each ASDU of the client. */
  onRequest: (asdu: Asdu, octets: Uint8Array) => void = () => {};
  /** False: STARTDT is not confirmed. */
  isStationUp = true;
  isLineClosed = false;
  /** Everything the client wrote while the station is down. */
  readonly unheard: Uint8Array[] = [];
  readonly #points: readonly PointConfig[];
  readonly #settings: Iec104Settings;
  readonly #out: OutgoingAsdu[] = [];
  readonly station: ApduPort;
  #lineEvents: { onData(chunk: Uint8Array): void; onClosed(cause: CloseCause): void } | null = null;

  constructor(options: BenchOptions = {}) {
    this.clock = options.clock ?? new ManualClock(Date.UTC(2026, 0, 1));
    this.memory = options.memory ?? new Map();
    this.#points = options.points ?? [];
    const settings = driverSettings({ general_interrogation: false, ...options.protocol });
    this.#settings = settings.protocol as Iec104Settings;
    this.station = this.#makeStation();
    const line: DriverLine = {
      label: 'test line',
      write: async (bytes) => {
        if (this.isStationUp) this.station.receive(Uint8Array.from(bytes));
        else this.unheard.push(Uint8Array.from(bytes));
      },
      start: (events) => {
        this.#lineEvents = events;
      },
      close: async () => this.#close({ kind: 'local' }),
    };
    const io: ClientIo = {
      clock: this.clock,
      settings,
      points: options.points ?? [],
      sink: {
        values: (readings, event) => this.applied.push({ readings: [...readings], event }),
        notice: (text) => this.notices.push(english(text)),
        lost: (error) => this.losses.push(error),
      },
      frames: this.frames,
      health: this.health,
      memory: this.memory,
      line,
    };
    this.client = new Iec104Client(io, this.#settings);
  }

  /** A client after STARTDT con. */
  static async started(options: BenchOptions = {}): Promise<ClientBench> {
    const bench = new ClientBench(options);
    await bench.start();
    return bench;
  }

  async start(): Promise<void> {
    await this.client.start(new AbortController().signal);
    await this.clock.advance(0);
  }

  /** The station sends ASDUs, all in one chunk. */
  async send(...asdus: readonly (Asdu | Uint8Array)[]): Promise<void> {
    for (const asdu of asdus) this.#out.push({ asdu: asdu instanceof Uint8Array ? asdu : encodeAsdu(asdu, asduSizes(this.#settings)) });
    this.station.link.wake();
    await settle();
  }

  /** The station mirrors a request, or the one with this number in their order, with a cause. */
  async mirror(request: Uint8Array | number, cause: number, isNegative = false): Promise<void> {
    if (typeof request === 'number') await settle();
    const octets = typeof request === 'number' ? this.requestOctets.at(request) : request;
    if (!octets) throw new RangeError('The client has not sent this request.');
    await this.send(mirrorAsdu(octets, cause, isNegative));
  }

  /** Octets from the line as they are. */
  async receive(bytes: Uint8Array): Promise<void> {
    this.#lineEvents?.onData(bytes);
    await settle();
  }

  /** The station or the network ends the line. */
  async lose(cause: CloseCause = { kind: 'peer' }): Promise<void> {
    this.#close(cause);
    await settle();
  }

  /** All values that were passed on, in order: point, value, event. */
  values(): { id: number; value: number; event: boolean | 'only'; flags: readonly string[]; time: number | null }[] {
    return this.applied.flatMap(({ readings, event }) =>
      readings
        .filter((reading): reading is PointValue => reading.kind === 'value')
        .map((reading) => ({ id: reading.pointId, value: this.#shown(reading), event, flags: reading.flags, time: reading.sourceTime })),
    );
  }

  #shown(reading: PointValue): number {
    const point = this.#points.find(({ id }) => id === reading.pointId);
    return point ? shownReading(point, reading).value : Number(reading.value);
  }

  #close(cause: CloseCause): void {
    if (this.isLineClosed) return;
    this.isLineClosed = true;
    this.#lineEvents?.onClosed(cause);
  }

  #makeStation(): ApduPort {
    return new ApduPort({
      role: 'controlled',
      clock: this.clock,
      limits: { ...DEFAULT_LIMITS, k: 32_767, w: 1 },
      source: { next: () => this.#out.shift() ?? null },
      line: { write: async (bytes) => this.#lineEvents?.onData(bytes), close: async () => undefined },
      frames: { record: () => 0 },
      health: { fault: () => undefined },
      events: {
        onData: (apdu) => {
          const octets = Uint8Array.from(apdu.subarray(APCI_LENGTH));
          const asdu = decodeAsdu(octets, asduSizes(this.#settings));
          this.requests.push(asdu);
          this.requestOctets.push(octets);
          this.onRequest(asdu, octets);
        },
        onChunk: () => undefined,
        onStarted: () => undefined,
        onStopped: () => undefined,
        onEnd: () => undefined,
      },
    });
  }
}

/** Single points without time tag. */
export function singles(cause: number, objects: Readonly<Record<number, number>>, commonAddress = 1): Asdu {
  return makeAsdu({ typeId: TypeId.M_SP_NA_1, cause, commonAddress, objects: values('single', objects) });
}

/** Floats without time tag. */
export function floats(cause: number, objects: Readonly<Record<number, number>>, commonAddress = 1): Asdu {
  return makeAsdu({ typeId: TypeId.M_ME_NC_1, cause, commonAddress, objects: values('float', objects) });
}

function values(kind: 'single' | 'float', objects: Readonly<Record<number, number>>): InfoObject[] {
  return Object.entries(objects).map(([address, value]) => ({ kind, address: Number(address), value, quality: 0, time: null }));
}

/** The code of what was thrown. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (thrown) {
    return toAppError(thrown).code;
  }
}
