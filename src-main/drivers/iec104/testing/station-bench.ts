/** Our station whose clients are the test: real links on the other ends of in-memory connections, spoken to in ASDUs. */
import { english } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import { runSteps } from '../../../platform/steps.ts';
import type { AcceptedPeer, CloseCause, TransportEvents } from '../../../transport/types.ts';
import type { FrameSink, PointConfig, PointReading, PointValue } from '../../spi/index.ts';
import { shownReading } from '../../testing/engineering.ts';
import { TestFrames, TestHealth } from '../../testing/sinks.ts';
import { type Asdu, decodeAsdu, encodeAsdu } from '../codec/asdu.ts';
import { APCI_LENGTH } from '../link/apci.ts';
import { ApduPort } from '../link/apdu-port.ts';
import type { LinkLimits, OutgoingAsdu } from '../link/link-types.ts';
import { asduSizes, type Iec104Settings } from '../settings.ts';
import { Iec104Station } from '../station/station.ts';
import { driverSettings } from './client-bench.ts';
import { DEFAULT_LIMITS } from './link-bench.ts';

export interface StationBenchOptions {
  readonly points?: readonly PointConfig[];
  readonly protocol?: Record<string, unknown>;
  readonly clock?: ManualClock;
}

/** One client at the station. */
export class TestClient {
  /** ASDUs that came, in order. */
  readonly asdus: Asdu[] = [];
  readonly octets: Uint8Array[] = [];
  readonly port: ApduPort;
  isClosed = false;
  readonly #out: OutgoingAsdu[] = [];
  readonly #settings: Iec104Settings;
  #events: TransportEvents | null = null;
  /** False: nothing of what the station sends is heard. */
  isListening = true;

  constructor(clock: ManualClock, settings: Iec104Settings, limits: Partial<LinkLimits>) {
    this.#settings = settings;
    this.port = new ApduPort({
      role: 'controlling',
      clock,
      limits: { ...DEFAULT_LIMITS, w: 1, ...limits },
      source: { next: () => this.#out.shift() ?? null },
      line: {
        write: async (bytes) => {
          if (!this.isClosed) this.#events?.onData(Uint8Array.from(bytes));
        },
        close: async () => this.lose(),
      },
      frames: { record: () => 0 },
      health: { fault: () => undefined },
      events: {
        onData: (apdu) => {
          const asdu = Uint8Array.from(apdu.subarray(APCI_LENGTH));
          this.octets.push(asdu);
          this.asdus.push(decodeAsdu(asdu, asduSizes(this.#settings)));
        },
        onChunk: () => undefined,
        onStarted: () => undefined,
        onStopped: () => undefined,
        onEnd: () => undefined,
      },
    });
  }

  /** The connection as the station gets it. */
  accepted(label: string): AcceptedPeer {
    return {
      label,
      start: (events) => {
        this.#events = events;
      },
      write: async (bytes) => {
        if (this.isListening) this.port.receive(Uint8Array.from(bytes));
      },
      close: async () => this.#close({ kind: 'local' }),
    };
  }

  async start(): Promise<this> {
    this.port.link.start();
    await settle();
    return this;
  }

  async send(...asdus: readonly (Asdu | Uint8Array)[]): Promise<void> {
    for (const asdu of asdus) this.#out.push({ asdu: asdu instanceof Uint8Array ? asdu : encodeAsdu(asdu, asduSizes(this.#settings)) });
    this.port.link.wake();
    await settle();
  }

  /** Octets as they are. */
  async receive(bytes: Uint8Array): Promise<void> {
    this.#events?.onData(bytes);
    await settle();
  }

  async lose(): Promise<void> {
    this.#close({ kind: 'peer' });
    await settle();
  }

  /** ASDUs since the last look, as hex. */
  take(): string[] {
    this.asdus.length = 0;
    return this.octets.splice(0).map((octets) => Buffer.from(octets).toString('hex'));
  }

  #close(cause: CloseCause): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.port.lineEnded({ kind: 'peer' });
    this.#events?.onClosed(cause);
  }
}

export class StationBench {
  readonly clock: ManualClock;
  readonly health = new TestHealth();
  readonly frames = new TestFrames();
  readonly notices: string[] = [];
  readonly applied: { readonly readings: readonly PointReading[]; readonly event: boolean | 'only' }[] = [];
  readonly station: Iec104Station;
  readonly #points: readonly PointConfig[];
  readonly #settings: Iec104Settings;
  #accept: ((peer: AcceptedPeer, frames: FrameSink) => void) | null = null;
  #connections = 0;

  constructor(options: StationBenchOptions = {}) {
    this.clock = options.clock ?? new ManualClock(Date.UTC(2026, 0, 1));
    this.#points = options.points ?? [];
    const settings = driverSettings({ end_of_initialization: false, reaction_ms: 0, ...options.protocol }, 1);
    this.#settings = settings.protocol as Iec104Settings;
    this.station = runSteps(
      new Iec104Station(
        {
          clock: this.clock,
          settings,
          points: this.#points,
          sink: {
            values: (readings, event) => this.applied.push({ readings: [...readings], event }),
            notice: (text) => this.notices.push(english(text)),
            lost: () => undefined,
          },
          frames: this.frames,
          health: this.health,
          onPeer: (accept) => {
            this.#accept = accept;
          },
          serialLine: null,
        },
        this.#settings,
      ).started(),
    );
  }

  /** A client that has connected, not started yet. */
  connect(address = '192.0.2.7', limits: Partial<LinkLimits> = {}): TestClient {
    this.#connections += 1;
    const client = new TestClient(this.clock, this.#settings, limits);
    this.#accept?.(client.accepted(`${address}:${50_000 + this.#connections} → 127.0.0.1:2404`), this.frames);
    return client;
  }

  /** Sets a served value; by code or point number. */
  async set(point: number | string, value: number, flags?: readonly string[]): Promise<void> {
    const found = this.#points.find((item) => item.id === point || item.code === point);
    if (!found) throw new RangeError(`There is no point ${point}.`);
    await this.station.execute({ point: found, step: 'operate', value, options: flags ? { flags } : {} });
    await settle();
  }

  /** Values that were passed on: point, value, event. */
  values(): (readonly [number, number, boolean | 'only'])[] {
    return this.applied.flatMap(({ readings, event }) =>
      readings
        .filter((reading): reading is PointValue => reading.kind === 'value')
        .map((reading) => [reading.pointId, this.#shown(reading), event] as const),
    );
  }

  #shown(reading: PointValue): number {
    const point = this.#points.find(({ id }) => id === reading.pointId);
    return point ? shownReading(point, reading).value : Number(reading.value);
  }
}
