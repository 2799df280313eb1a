import type { Service } from './service.ts';

/** Most rows of one answer. */
const PAGE = 1000;

/** A point row of the API, as far as the checks look at it. */
export interface Row {
  readonly id: number;
  readonly code: string;
  readonly frame_type: number;
  readonly value: number;
  readonly value_text: string;
  readonly quality: string;
  readonly flags: readonly string[];
  readonly source_time: string | null;
}

export type PointFields = { readonly code: string; readonly frame_type: number } & Readonly<Record<string, unknown>>;

interface TaskSnapshot {
  readonly state: string;
  readonly success: number;
  readonly fail: number;
  readonly last_error: string | null;
}

/** Answer of a command or an operation, as far as the checks look at it. */
export interface Outcome {
  readonly outcome: string;
  readonly stages: readonly { readonly name: string; readonly detail: string }[];
  readonly reaction?: { readonly code: string; readonly after: number | null } | null;
}

/** An entry of the sequence of events. */
export interface EventRow {
  readonly seq: number;
  readonly kind: string;
  readonly code: string;
  readonly value: number | null;
  readonly flags: readonly string[];
  readonly device_time: string | null;
  readonly received_at: string;
  readonly text: string;
}

/** A channel of the service with its points, made and started. */
export class Channel {
  readonly #service: Service;
  readonly #name: string;
  readonly id: number;
  readonly #ids: ReadonlyMap<string, Row>;

  private constructor(service: Service, name: string, id: number, rows: readonly Row[]) {
    this.#service = service;
    this.#name = name;
    this.id = id;
    this.#ids = new Map(rows.map((row) => [row.code, row]));
  }

  static async open(
    service: Service,
    settings: { name: string } & Record<string, unknown>,
    points: readonly PointFields[],
  ): Promise<Channel> {
    const { id } = await service.ask<{ id: number }>('POST', '/api/channel/add', settings);
    const add = () => service.ask<{ items: Row[] }>('POST', '/api/device/add_points', { channel_id: id, points });
    const { items } = points.length === 0 ? { items: [] } : await add();
    await service.ask('POST', '/api/device/start', { channel_id: id });
    return new Channel(service, settings.name, id, items);
  }

  /** One manual round over all points, or those of a filter, to its end. */
  async readAll(mode: 'batch' | 'single', filter: Readonly<Record<string, unknown>> = {}): Promise<TaskSnapshot> {
    const body = { device_name: this.#name };
    await this.#service.ask('POST', '/api/devices/manual-read', { ...body, ...filter, mode });
    const end = performance.now() + 30_000;
    for (;;) {
      const snapshot = await this.#service.ask<TaskSnapshot>('POST', '/api/devices/manual-read-status', body);
      if (snapshot.state !== 'running' && snapshot.state !== 'stopping') return snapshot;
      if (performance.now() > end) throw new Error('the manual round does not end');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** All rows of the table by code. */
  async rows(): Promise<ReadonlyMap<string, Row>> {
    const rows = new Map<string, Row>();
    for (let page = 1; ; page++) {
      const path = `/api/device/table?channel_id=${this.id}&page=${page}&page_size=${PAGE}`;
      const { items } = await this.#service.ask<{ items: Row[] }>('GET', path);
      for (const row of items) rows.set(row.code, row);
      if (items.length < PAGE) return rows;
    }
  }

  /** The rows, once they are as they should be. `between` is done before each look. */
  async until(holds: (rows: ReadonlyMap<string, Row>) => boolean, between?: () => Promise<unknown>): Promise<ReadonlyMap<string, Row>> {
    const end = performance.now() + 10_000;
    for (;;) {
      await between?.();
      const rows = await this.rows();
      if (holds(rows)) return rows;
      if (performance.now() > end) {
        const told = [...rows.values()].map(({ code, value, quality }) => `${code} ${value} ${quality}`).join(', ');
        throw new Error(`the table stays at ${told}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async value(code: string): Promise<number | undefined> {
    return (await this.rows()).get(code)?.value;
  }

  /** `update_point`: writes to the device, or sets what the server serves. Answers status and message. */
  async write(code: string, value: number) {
    return this.#service.call('PUT', '/api/device/update_point', { ...this.#key(code), value });
  }

  /** Sets secrets of the channel. */
  async setSecrets(secrets: Readonly<Record<string, string>>): Promise<void> {
    await this.#service.ask('PUT', '/api/channel/secrets', { channel_id: this.id, secrets });
  }

  /** One command step. */
  async command(code: string, step: 'operate' | 'select' | 'execute' | 'cancel', value: number, options = {}): Promise<Outcome> {
    const body = { channel_id: this.id, ...this.#key(code), step, value, options };
    return this.#service.ask<Outcome>('POST', '/api/device/command', body);
  }

  /** HTTP status of one command step. */
  async statusOf(code: string, step: 'operate' | 'select' | 'execute' | 'cancel', value: number): Promise<number> {
    const body = { channel_id: this.id, ...this.#key(code), step, value, options: {} };
    return (await this.#service.call('POST', '/api/device/command', body)).status;
  }

  /** An operation of the protocol by its name. */
  async operate(name: string, params: Readonly<Record<string, unknown>> = {}): Promise<Outcome> {
    return this.#service.ask<Outcome>('POST', '/api/device/operation', { channel_id: this.id, operation: name, params });
  }

  /** Outcome of an operation of the protocol, or the message where it was refused before it was sent. */
  async outcomeOf(name: string, params: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { status, message, data } = await this.#service.call('POST', '/api/device/operation', {
      channel_id: this.id,
      operation: name,
      params,
    });
    return status === 200 ? (data as Outcome).outcome : message;
  }

  /** Events of this channel after one with a number. */
  async events(afterSeq = 0): Promise<readonly EventRow[]> {
    const path = `/api/events/list?channel_id=${this.id}&after_seq=${afterSeq}&limit=2000`;
    return (await this.#service.ask<{ items: EventRow[] }>('GET', path)).items;
  }

  /** The last entries of the frame log, a line each: time in ms, kind, octets and what is said of them. */
  async frames(limit: number): Promise<readonly string[]> {
    type Entry = { readonly monotonic_ms: number; readonly kind: string; readonly hex: string; readonly text: string };
    const { items } = await this.#service.ask<{ items: Entry[] }>('GET', `/api/frames/list?channel_id=${this.id}&limit=${limit}`);
    return items.map(({ monotonic_ms, kind, hex, text }) => `${monotonic_ms.toFixed(0)} ${kind} ${hex} ${text}`.slice(0, 160));
  }

  /** Runs a check; what it throws ends with what first went wrong on the line, for a fault that shows on a busy machine only. */
  async telling(check: () => void): Promise<void> {
    try {
      check();
    } catch (fault) {
      const frames = await this.frames(500);
      const odd = frames.findIndex((line) => !/^\d+ (tx|rx|opened) /.test(line));
      const from = odd < 0 ? frames.length - 20 : odd - 6;
      throw new Error([(fault as Error).message, ...frames.slice(Math.max(0, from)).slice(0, 24)].join('\n'), { cause: fault });
    }
  }

  async status(): Promise<string | undefined> {
    const channels = await this.#service.ask<{ id: number; status: string }[]>('GET', '/api/channel/list');
    return channels.find((channel) => channel.id === this.id)?.status;
  }

  async readSingle(code: string) {
    return this.#service.call('POST', '/api/device/read_single_point', { channel_id: this.id, ...this.#key(code) });
  }

  async remove(): Promise<void> {
    await this.#service.ask('DELETE', `/api/channel/delete?channel_id=${this.id}`);
  }

  #key(code: string) {
    const row = this.#ids.get(code);
    if (!row) throw new Error(`there is no point ${code}`);
    return { point_id: row.id, frame_type: row.frame_type };
  }
}
