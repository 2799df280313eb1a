import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { inRoot } from '../../lib/paths.ts';
import { expectSoon } from '../report.ts';
import type { ApiAnswer, Service } from '../service.ts';

/** The model that every peer serves. */
const PLANT_FILE = inRoot('tools/interop/iec61850/plant.cid');

/** A point row of the API, as far as the checks look at it. */
export interface Row {
  readonly id: number;
  readonly code: string;
  readonly frame_type: number;
  readonly reference: string;
  readonly value: number;
  readonly value_text: string;
  readonly quality: string;
  readonly flags: readonly string[];
  readonly source_time: string | null;
}

/** How an operation or a command has ended. */
interface Outcome {
  readonly outcome: string;
  readonly stages: readonly { readonly name?: string; readonly detail: string }[];
  readonly result?: Readonly<Record<string, unknown>>;
}

interface Round {
  readonly state: string;
  readonly success: number;
  readonly fail: number;
  readonly last_error: string | null;
}

/** What is known of the model, and how. */
interface Model {
  readonly state: string;
  readonly source: string | null;
  readonly error: string | null;
  readonly identity: unknown;
  readonly configuration_revision: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly data_sets: readonly { readonly name: string; readonly member_count: number; readonly is_deletable: boolean | null }[];
}

interface ChannelState {
  readonly id: number;
  readonly port: number;
  readonly status: string;
  readonly health: Readonly<Record<'requests' | 'faults' | 'timeouts' | 'late' | 'clients', number>>;
}

interface TreeNode {
  readonly key?: string;
  readonly type?: string;
  readonly kind: string;
  readonly children?: readonly TreeNode[];
}

interface Values {
  readonly stale: boolean;
  readonly last_error: string | null;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A channel of the service in one of both roles. */
export class Device {
  readonly #service: Service;
  readonly #name: string;
  readonly id: number;

  private constructor(service: Service, name: string, id: number) {
    this.#service = service;
    this.#name = name;
    this.id = id;
  }

  static async add(service: Service, settings: { readonly name: string } & Readonly<Record<string, unknown>>): Promise<Device> {
    const body = { protocol_type: 5, timeout_ms: 5000, ...settings };
    const { id } = await service.ask<{ id: number }>('POST', '/api/channel/add', body);
    return new Device(service, settings.name, id);
  }

  /** Keeps a file with the channel, plant.cid where none is named, or what `change` makes of it. */
  async storeFile({ file = PLANT_FILE, change = (text: string) => text } = {}): Promise<void> {
    const form = new FormData();
    form.set('file', new File([change(readFileSync(file, 'utf8'))], basename(file)));
    await this.#service.ask('POST', `/api/channel/document?channel_id=${this.id}&mode=store`, form);
  }

  async setSecret(name: string, value: string): Promise<void> {
    await this.#service.ask('PUT', '/api/channel/secrets', { channel_id: this.id, secrets: { [name]: value } });
  }

  start(): Promise<ApiAnswer> {
    return this.#service.call('POST', '/api/device/start', { channel_id: this.id });
  }

  async stop(): Promise<void> {
    await this.#service.ask('POST', '/api/device/stop', { channel_id: this.id });
  }

  /** The model once it is learnt; throws when learning fails. */
  async learnt(): Promise<Model> {
    await expectSoon('learning', async () => ['unknown', 'learning'].includes((await this.model()).state), false, 20_000);
    const model = await this.model();
    if (model.state !== 'known') throw new Error(`the model is ${model.state}: ${model.error}`);
    return model;
  }

  model(): Promise<Model> {
    return this.#get<Model>('model');
  }

  /** Basic types of all attributes by key; arrays as they are, without their elements. */
  async types(): Promise<ReadonlyMap<string, string>> {
    const { tree } = await this.#get<{ tree: readonly TreeNode[] }>('iec61850-tree-data');
    const found = new Map<string, string>();
    const visit = ({ key, type, children = [] }: TreeNode) => {
      if (key !== undefined && type !== undefined && children.length === 0) found.set(key, type);
      children.forEach(visit);
    };
    tree.forEach(visit);
    return found;
  }

  /** What the data sets have brought so far. */
  values(): Promise<Values> {
    return this.#get<Values>('iec61850-tree-data', '&depth=0');
  }

  dataSet(name: string): Promise<Values & { readonly members: readonly { readonly reference: string }[] }> {
    return this.#get('iec61850-dataset-detail', `&dataset=${encodeURIComponent(name)}`);
  }

  /** Adds the points that the model suggests for references; throws with the reasons where it suggests none. */
  async addSuggested(references: readonly string[]): Promise<readonly Row[]> {
    type Suggestions = {
      readonly items: readonly { readonly point: object | null; readonly reference: string; readonly reason: string }[];
    };
    const body = { channel_id: this.id, references };
    const { items } = await this.#service.ask<Suggestions>('POST', '/api/channel/model_points', body);
    const without = items.filter(({ point }) => point === null).map(({ reference, reason }) => `${reference}: ${reason}`);
    if (without.length > 0) throw new Error(`no points for ${without.join('; ')}`);
    return this.addPoints(items.flatMap(({ point }) => (point ? [{ ...point }] : [])));
  }

  async addPoints(points: readonly Readonly<Record<string, unknown>>[]): Promise<readonly Row[]> {
    const { items } = await this.#service.ask<{ items: Row[] }>('POST', '/api/device/add_points', { channel_id: this.id, points });
    return items;
  }

  /** One manual round to its end. */
  async round(mode: 'batch' | 'single' | 'dataset', filter: Readonly<Record<string, unknown>> = {}): Promise<Round> {
    const body = { device_name: this.#name };
    await this.#service.ask('POST', '/api/devices/manual-read', { ...body, ...filter, mode });
    let snapshot: Round | null = null;
    const isOver = async () => {
      snapshot = await this.#service.ask<Round>('POST', '/api/devices/manual-read-status', body);
      return snapshot.state !== 'running' && snapshot.state !== 'stopping';
    };
    await expectSoon('the end of the round', isOver, true, 30_000);
    if (snapshot === null) throw new Error('the round has no state');
    return snapshot;
  }

  /** Rows of the table by their references. */
  async rows(): Promise<ReadonlyMap<string, Row>> {
    const path = `/api/device/table?channel_id=${this.id}&page=1&page_size=1000`;
    const { items } = await this.#service.ask<{ items: Row[] }>('GET', path);
    return new Map(items.map((row) => [row.reference, row]));
  }

  readSingle(row: Row): Promise<ApiAnswer> {
    const body = { channel_id: this.id, point_id: row.id, frame_type: row.frame_type };
    return this.#service.call('POST', '/api/device/read_single_point', body);
  }

  /** `update_point`: a complete command, or what is served. */
  write(row: Row, value: number): Promise<ApiAnswer> {
    return this.#service.call('PUT', '/api/device/update_point', { point_id: row.id, frame_type: row.frame_type, value });
  }

  command(row: Row, value: number, options: Readonly<Record<string, unknown>> = {}): Promise<Outcome> {
    const body = { channel_id: this.id, point_id: row.id, frame_type: row.frame_type, step: 'operate', value, options };
    return this.#service.ask<Outcome>('POST', '/api/device/command', body);
  }

  /** One step of a command. */
  step(row: Row, step: string, value: number | undefined): Promise<ApiAnswer> {
    const body = { channel_id: this.id, point_id: row.id, frame_type: row.frame_type, step, ...(value === undefined ? {} : { value }) };
    return this.#service.call('POST', '/api/device/command', body);
  }

  /** An operation of the protocol by its name. */
  operate(operation: string, params: Readonly<Record<string, unknown>> = {}): Promise<Outcome> {
    return this.#service.ask<Outcome>('POST', '/api/device/operation', { channel_id: this.id, operation, params });
  }

  /** An operation that the service itself refuses. */
  refused(operation: string, params: Readonly<Record<string, unknown>>): Promise<ApiAnswer> {
    return this.#service.call('POST', '/api/device/operation', { channel_id: this.id, operation, params });
  }

  /** Explanations of the newest frames, oldest first. */
  async frames(): Promise<readonly { readonly kind: string; readonly text: string }[]> {
    const path = `/api/frames/list?channel_id=${this.id}&limit=200`;
    return (await this.#service.ask<{ items: { kind: string; text: string }[] }>('GET', path)).items;
  }

  async channel(): Promise<ChannelState> {
    const channels = await this.#service.ask<ChannelState[]>('GET', '/api/channel/list');
    const found = channels.find(({ id }) => id === this.id);
    if (!found) throw new Error(`there is no channel ${this.#name}`);
    return found;
  }

  async remove(): Promise<void> {
    await this.#service.ask('DELETE', `/api/channel/delete?channel_id=${this.id}`);
  }

  #get<Data>(path: string, query = ''): Promise<Data> {
    return this.#service.ask<Data>('GET', `/api/channel/${path}?channel_id=${this.id}${query}`);
  }
}
