import { expect } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import type { Point } from '#shared/contract/points.ts';
import { ConnType, type ProtocolType } from '#shared/domain/enums.ts';
import { sclText } from '../../drivers/iec61850/model/testing/files.ts';
import type { AcceptedPeer } from '../../transport/types.ts';
import type { ManualCore } from './manual-core.ts';

export type PointInput = InputOf<'addPoints'>['points'][number];

/** A device and the channel that reads it. */
export interface GatedDevice {
  readonly protocol: ProtocolType;
  /** Protocol settings of the client. */
  readonly client: Readonly<Record<string, unknown>>;
  readonly served: readonly PointInput[];
  readonly read: readonly PointInput[];
  /** Secrets of both sides. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** SCL file that the served device is made of, beside its points. */
  readonly document?: string;
}

const TIMEOUT_MS = 1000;
/** A round, with everything that a protocol waits for behind a silent device. */
const ROUND_MS = 30_000;
const DEVICE = 'Device';

/** A line between a device and its client. What the device says passes, is held back for a while, or is lost. */
export class Gate {
  readonly port: number;
  state: 'open' | 'held' | 'shut' = 'open';
  /** Pieces of requests that went to the device. */
  asked = 0;
  /** Called with each of them, before it goes on. */
  onAsked: (request: Uint8Array) => void = () => undefined;
  #held: (() => void)[] = [];

  constructor({ network }: ManualCore, devicePort: number) {
    this.port = network.freePort();
    const line = { kind: 'tcp', ip: '127.0.0.1', comPort: null, baudRate: 9600, dataBits: 8, stopBits: 1, parity: 'N' } as const;
    const join = (client: AcceptedPeer) => this.#join(client, network.dial(devicePort));
    void network.listener({ ...line, port: this.port, connectTimeoutMs: TIMEOUT_MS }).listen(join);
  }

  /** Lets through what was held back, and what comes. */
  open(): void {
    this.state = 'open';
    for (const pass of this.#held.splice(0)) pass();
  }

  #join(client: AcceptedPeer, device: AcceptedPeer | null): void {
    if (!device) throw new Error('The device does not listen.');
    const send = (peer: AcceptedPeer, chunk: Uint8Array) => void peer.write(chunk).catch(() => undefined);
    client.start({
      onData: (chunk) => {
        this.asked += 1;
        this.onAsked(chunk);
        send(device, chunk);
      },
      onClosed: () => void device.close(),
    });
    device.start({
      onData: (chunk) => {
        if (this.state === 'open') send(client, chunk);
        else if (this.state === 'held') this.#held.push(() => send(client, chunk));
      },
      onClosed: () => void client.close(),
    });
  }
}

/** A served device behind a gate, and a channel that runs at it, over the API. */
export class GatedReader {
  readonly gate: Gate;
  readonly #plant: ManualCore;
  readonly #served: number;
  /** Id of the channel that reads. */
  readonly id: number;

  private constructor(plant: ManualCore, gate: Gate, served: number, id: number) {
    this.#plant = plant;
    this.gate = gate;
    this.#served = served;
    this.id = id;
  }

  static async open(plant: ManualCore, { protocol, client, served, read, document, secrets }: GatedDevice): Promise<GatedReader> {
    const { api } = plant.core;
    const port = plant.network.freePort();
    const type = { protocol_type: protocol, port };
    const device = (await api.call('addChannel', { ...type, name: 'Served', conn_type: ConnType.tcpServer })).data.id;
    if (document) await api.call('storeDocument', { channel_id: device, mode: 'store', file: new File([sclText(document)], document) });
    await api.call('addPoints', { channel_id: device, points: [...served] });
    if (secrets) await api.call('updateChannelSecrets', { channel_id: device, secrets });
    await inTime(plant, api.call('startDevice', { channel_id: device }), 100);
    const gate = new Gate(plant, port);
    const settings = { ...type, port: gate.port, name: DEVICE, conn_type: ConnType.tcpClient, timeout_ms: TIMEOUT_MS, protocol: client };
    const id = (await api.call('addChannel', settings)).data.id;
    await api.call('addPoints', { channel_id: id, points: [...read] });
    if (secrets) await api.call('updateChannelSecrets', { channel_id: id, secrets });
    await inTime(plant, api.call('startDevice', { channel_id: id }), 100);
    return new GatedReader(plant, gate, device, id);
  }

  rows(): Promise<readonly Point[]> {
    return this.#rowsOf(this.id);
  }

  async row(code: string): Promise<Point> {
    return rowOf(await this.rows(), code);
  }

  /** Sets what the device serves. */
  async serve(code: string, value: number): Promise<void> {
    const { id, frame_type } = rowOf(await this.#rowsOf(this.#served), code);
    await this.#plant.core.api.call('updatePoint', { point_id: id, frame_type, value });
  }

  /** Starts the automatic task, a round a second. */
  async poll(): Promise<void> {
    await this.#plant.core.api.call('startAutoRead', { device_name: DEVICE, cycle_interval_ms: 1000 });
  }

  /** Starts a manual round. */
  async begin(mode: 'batch' | 'single' | 'dataset'): Promise<void> {
    await this.#plant.core.api.call('manualRead', { device_name: DEVICE, mode });
  }

  /** A manual round to its end. */
  async round(mode: 'batch' | 'single' | 'dataset') {
    await this.begin(mode);
    await this.#plant.clock.advance(ROUND_MS);
    return (await this.#plant.core.api.call('manualReadStatus', { device_name: DEVICE })).data;
  }

  /** Reads one point; answers the code of the error once the time has passed. `meanwhile` is done while the clock stands 100 ms behind the request. */
  async readOne(code: string, meanwhile: () => Promise<void> = async () => undefined): Promise<string | null> {
    const { id, frame_type } = await this.row(code);
    const read = this.#plant.core.api.call('readSinglePoint', { channel_id: this.id, point_id: id, frame_type }).then(
      () => null,
      (error: { code: string }) => error.code,
    );
    await this.#plant.clock.advance(100);
    await meanwhile();
    return inTime(this.#plant, read, ROUND_MS);
  }

  /** Writes a value; answers the code of the error once so many milliseconds have passed, null for one the device took. */
  async write(code: string, value: number, ms = ROUND_MS): Promise<string | null> {
    const { id, frame_type } = await this.row(code);
    const write = this.#plant.core.api.call('updatePoint', { point_id: id, frame_type, value });
    return inTime(
      this.#plant,
      write.then(
        () => null,
        (error: { code: string }) => error.code,
      ),
      ms,
    );
  }

  /** Edits a point of the channel. */
  async edit(code: string, changes: Omit<InputOf<'editPoint'>, 'point_id' | 'frame_type'>): Promise<void> {
    const { id, frame_type } = await this.row(code);
    await this.#plant.core.api.call('editPoint', { point_id: id, frame_type, ...changes });
  }

  async #rowsOf(channelId: number): Promise<readonly Point[]> {
    return (await this.#plant.core.api.call('pointTable', { channel_id: channelId, page: 1, page_size: 1000 })).data.items;
  }
}

function rowOf(rows: readonly Point[], code: string): Point {
  return rows.find((item) => item.code === code) ?? expect.fail(`There is no point ${code}.`);
}

/** Runs an operation while its time passes. */
async function inTime<Value>({ clock }: ManualCore, work: Promise<Value>, ms: number): Promise<Value> {
  const [ended] = await Promise.allSettled([work, clock.advance(ms)]);
  if (ended.status === 'rejected') throw ended.reason;
  return ended.value;
}
