/** Our client on a line in memory to our simulated device, both on one clock of the test; requests are counted by their service. */

import { FrameType } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { english } from '#shared/messages/index.ts';
import { settle } from '../../../platform/manual-clock.ts';
import type {
  ClientIo,
  Command,
  DriverChannelSettings,
  DriverMemory,
  PointConfig,
  PointFailure,
  PointReading,
  PointValue,
} from '../../spi/index.ts';
import type { DriverDocument } from '../../spi/model.ts';
import { shownAmong } from '../../testing/engineering.ts';
import { testPoint } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext } from '../../testing/sinks.ts';
import { memoryOf } from '../channel-memory.ts';
import { Iec61850Client } from '../client.ts';
import { nameText, variableText } from '../explain/value-text.ts';
import { decodeMms } from '../mms/codec.ts';
import type { MmsRequest } from '../mms/pdu.ts';
import type { DeviceModel } from '../model/device-model.ts';
import { sclText } from '../model/testing/files.ts';
import type { ServedChannel } from '../server/testing/served-channel.ts';
import { channelSettings, type Iec61850Settings } from '../settings.ts';
import { mmsOf } from './captures.ts';

/** A document of the tests: `bay.cid`. */
export function sclDocument(name: string): DriverDocument {
  return { name, text: sclText(name) };
}

export function point(id: number, frameType: FrameType, reference: string, changes: Partial<PointConfig> = {}): PointConfig {
  return testPoint({ id, frame_type: frameType, reference, func_code: null, decode: '', ...changes });
}
export const yc = (id: number, reference: string, changes: Partial<PointConfig> = {}) => point(id, FrameType.yc, reference, changes);
export const yx = (id: number, reference: string, changes: Partial<PointConfig> = {}) => point(id, FrameType.yx, reference, changes);
export const yk = (id: number, reference: string, changes: Partial<PointConfig> = {}) => point(id, FrameType.yk, reference, changes);
export const yt = (id: number, reference: string, changes: Partial<PointConfig> = {}) => point(id, FrameType.yt, reference, changes);

/** The points, of which the one at this place does something when its reference is looked at first: in the middle of a work in turns. */
export function watched(points: readonly PointConfig[], place: number, act: () => void): PointConfig[] {
  return points.map((point, at) => {
    if (at !== place) return point;
    let isFirst = true;
    return {
      ...point,
      get reference() {
        if (isFirst) {
          isFirst = false;
          act();
        }
        return point.reference;
      },
    };
  });
}

export interface ClientBenchOptions {
  readonly points?: readonly PointConfig[];
  readonly protocol?: Readonly<Record<string, unknown>>;
  readonly document?: DriverDocument | null;
  readonly memory?: DriverMemory;
  readonly retries?: number;
  readonly password?: string;
}

/** Tags of requests that the tests count (ISO 9506-2, ConfirmedServiceRequest). */
const SERVICES: Readonly<Record<number, string>> = {
  130: 'identify',
  161: 'names',
  164: 'read',
  165: 'write',
  166: 'type',
  171: 'define',
  172: 'directory',
  173: 'delete',
  191: 'file',
  159: 'file',
};

export class ClientBench {
  readonly served: ServedChannel;
  readonly client: Iec61850Client;
  readonly memory: DriverMemory;
  readonly notices: string[] = [];
  readonly losses: AppError[] = [];
  readonly applied: PointReading[] = [];
  /** Requests by service, in order. */
  readonly asked: string[] = [];
  /** What the client wrote. */
  readonly sent: Uint8Array[] = [];
  /** Octets in both directions. */
  octets = 0;
  /** What the client receives from. */
  #receive: (chunk: Uint8Array) => void = () => undefined;

  constructor(served: ServedChannel, options: ClientBenchOptions = {}) {
    this.served = served;
    this.memory = options.memory ?? new Map();
    const settings = driverSettings(options.protocol, options.retries);
    this.client = new Iec61850Client(this.#io(settings, options), settings.protocol as Iec61850Settings);
  }

  /** A client that is associated and, unless its settings say otherwise, has learnt the model. */
  static async open(served: ServedChannel, options: ClientBenchOptions = {}): Promise<ClientBench> {
    const bench = new ClientBench(served, options);
    await bench.start();
    return bench;
  }

  async start(): Promise<void> {
    const started = this.client.start(new AbortController().signal);
    started.catch(() => undefined);
    await this.rest();
    await started;
    await this.rest();
  }

  /** Octets that come to the client beside what the device sends. */
  inject(tpkt: Uint8Array): void {
    this.#receive(tpkt);
  }

  get model(): DeviceModel {
    return memoryOf(this.memory).model;
  }

  /** Lets everything run that needs no time. */
  async rest(): Promise<void> {
    for (let turn = 0; turn < 400; turn++) {
      const before = this.octets;
      await settle();
      if (this.octets === before && turn > 3) return;
    }
  }

  /** Requests of one service since the beginning. */
  count(service: string): number {
    return this.asked.filter((each) => each === service).length;
  }

  /** Names of all variables and data sets that Reads asked for, and whether the list was to be repeated. */
  reads(): { readonly names: readonly string[]; readonly withSpecification: boolean }[] {
    return this.#requests().flatMap((request) => {
      if (request.service !== 'read') return [];
      const { spec, withSpecification } = request;
      return [{ names: spec.kind === 'list' ? [nameText(spec.name)] : spec.items.map(variableText), withSpecification }];
    });
  }

  #requests(): MmsRequest[] {
    const events = tpktsIn(Uint8Array.from(Buffer.concat(this.sent))).map(
      (bytes) => ({ kind: 'tpkt', from: 'client', connection: 1, bytes, text: '' }) as const,
    );
    return mmsOf({ name: 'bench', events }).flatMap(({ bytes }) => {
      const pdu = decodeMms(bytes);
      return pdu.kind === 'request' ? [pdu.request] : [];
    });
  }

  /** Reads points as a task does: the plan, then what it was split into. The readings are as the table shows them. */
  async read(points: readonly PointConfig[], mode: 'batch' | 'single' = 'batch'): Promise<ReadonlyMap<number, PointReading>> {
    const plan = this.client.plan(points, { mode, skipKnownHoles: false });
    const readings = new Map<number, PointReading>(plan.excluded.map((failure) => [failure.pointId, failure]));
    const batches = [...plan.batches];
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const answer = this.client.read(batch, exchangeContext());
      answer.catch(() => undefined);
      await this.rest();
      const { readings: found, next } = await answer;
      for (const reading of found) readings.set(reading.pointId, shownAmong(points, reading));
      batches.unshift(...next);
    }
    return readings;
  }

  /** What one point reads as: value, text, flags and time, or the code of its failure. */
  async value(one: PointConfig) {
    const reading = (await this.read([one])).get(one.id);
    return reading?.kind === 'value' ? shown(reading) : (reading as PointFailure | undefined)?.error.message;
  }

  async command(one: PointConfig, value: number, step: Command['step'] = 'operate') {
    const done = this.client.execute({ point: one, step, value, options: {} }, exchangeContext());
    done.catch(() => undefined);
    await this.rest();
    return done;
  }

  async operate(name: string, params: Record<string, unknown> = {}) {
    const done = this.client.operate(name, params, exchangeContext());
    done.catch(() => undefined);
    await this.rest();
    return done;
  }

  #io(settings: DriverChannelSettings, { points = [], document = null, password }: ClientBenchOptions): ClientIo {
    const nothing = () => undefined;
    let line: ReturnType<ServedChannel['dial']> | null = null;
    return {
      clock: this.served.clock,
      settings,
      points,
      document,
      secrets: password === undefined ? {} : { association_password: password },
      memory: this.memory,
      sink: {
        values: (readings) => void this.applied.push(...readings),
        notice: (text) => void this.notices.push(english(text)),
        lost: (error) => void this.losses.push(error),
      },
      frames: { record: () => 1 },
      health: { request: nothing, response: nothing, timeout: nothing, refusal: nothing, fault: nothing, late: nothing },
      line: {
        label: 'test line',
        write: async (bytes) => {
          this.octets += bytes.length;
          this.#count(bytes);
          this.sent.push(Uint8Array.from(bytes));
          await line?.write(bytes);
        },
        start: (events) => {
          const onData = (chunk: Uint8Array) => {
            this.octets += chunk.length;
            events.onData(chunk);
          };
          this.#receive = onData;
          line = this.served.dial({ ...events, onData });
        },
        close: async () => line?.close(),
      },
    };
  }

  /** Counts the confirmed requests in what was written; each begins with its own TPKT. */
  #count(bytes: Uint8Array): void {
    for (let at = 0; at + 4 <= bytes.length; at += ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) {
      const service = serviceOf(bytes, at);
      if (service !== null) this.asked.push(service);
    }
  }
}

function tpktsIn(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    found.push(bytes.subarray(at, at + length));
    at += length;
  }
  return found;
}

/** Service of the confirmed request in a TPKT; null for anything else. */
function serviceOf(bytes: Uint8Array, start: number): string | null {
  let at = start + 7;
  if (bytes[start + 5] !== 0xf0 || bytes[at] !== 1 || bytes[at + 2] !== 1) return null;
  at += 4;
  for (const tag of [0x61, 0x30, 0x02, 0xa0, 0xa0, 0x02]) {
    if (bytes[at] !== tag) return null;
    const length = bytes[at + 1] ?? 0;
    const header = length < 0x80 ? 2 : 2 + (length & 0x7f);
    at += tag === 0x02 ? header + length : header;
  }
  return SERVICES[bytes[at] ?? 0] ?? 'other';
}

/** Value, text, quality, flags and time of a reading. */
export function shown({ value, valueText, quality, flags, sourceTime }: PointValue) {
  return { value, valueText, quality, flags, time: sourceTime === null ? null : new Date(sourceTime).toISOString() };
}

export function driverSettings(protocol: Readonly<Record<string, unknown>> = {}, retries = 0): DriverChannelSettings {
  return clientSettings({ retries, protocol: channelSettings.parse(protocol) });
}
