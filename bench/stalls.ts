import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { largeStation } from '../src-main/drivers/iec61850/model/testing/large.ts';
import { runModels } from './large-models.ts';
import { startPeer } from './peers/child.ts';
import { plantDraft } from './plant.ts';
import { type BenchResult, valueAtMost } from './result.ts';
import { runServed } from './served-changes.ts';

const SIZES = [10_000, 100_000];
const STATION_OCTETS = 20_000_000;
const CYCLE_MS = 100;
/** Longest stretch of work, in processor time, and the most a read may come late, in milliseconds. */
const LIMIT_MS = 50;
/** Adding 100,000 points answers within this. */
const ADD_LIMIT_MS = 3_000;
const REST_MS = 300;

interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** The service under test in a process of its own, with a channel beside it that reads one register every 100 ms. */
export class Bed {
  readonly #service;
  readonly #device = startPeer('round-server.ts');
  readonly results: BenchResult[] = [];
  /** For copies of the project; goes with `forget`. */
  readonly folder = mkdtempSync(join(tmpdir(), 'loopcheck-stalls-'));
  url = '';
  ports: readonly number[] = [];

  /** `service`: the process under test. */
  constructor(service: 'stall-service.ts' | 'stream-service.ts' | 'frames-service.ts' = 'stall-service.ts') {
    this.#service = startPeer(service);
  }

  /** Asks the process under test. */
  ask<Answer>(request: object): Promise<Answer> {
    return this.#service.ask<Answer>(request);
  }

  async begin(): Promise<void> {
    ({ url: this.url } = await this.#service.ask<{ url: string }>({ kind: 'listen' }));
    ({ ports: this.ports } = await this.#device.ask<{ ports: number[] }>({ kind: 'listen', count: 2, pauseMs: CYCLE_MS / 4 }));
    const watched = await this.addChannel('watched', 0);
    await this.post('/api/device/add_points', {
      channel_id: watched,
      points: [{ frame_type: 0, code: 'A', address: 0, decode: '0x20' }],
    });
    await this.post('/api/device/start', { channel_id: watched });
    await this.post('/api/devices/start-auto-read', { device_name: 'watched', cycle_interval_ms: CYCLE_MS });
    await rest(10 * REST_MS);
    await this.#service.ask({ kind: 'block' });
  }

  async end(): Promise<void> {
    await Promise.all([this.#service.end(), this.#device.end()]);
  }

  forget(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async addChannel(name: string, port: number): Promise<number> {
    const body = { name, protocol_type: 1, conn_type: 2, port: this.ports[port] };
    return ((await this.post('/api/channel/add', body)).data as { id: number }).id;
  }

  post(path: string, body: object): Promise<Envelope> {
    return this.send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  }

  async send(path: string, init: RequestInit = {}): Promise<Envelope> {
    const answer = await fetch(`${this.url}${path}`, init);
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    if (!isJson) return { code: answer.status, message: '', data: new Uint8Array(await answer.arrayBuffer()) };
    const envelope = (await answer.json()) as Envelope;
    if (envelope.code !== 200)
      throw new Error(`${path}: ${envelope.code} ${envelope.message} ${JSON.stringify(envelope.data).slice(0, 300)}`);
    return envelope;
  }

  /** The longest stretch of work of an operation that ends the lines which it could make late. */
  async watchBlock(name: string, run: () => Promise<unknown>): Promise<void> {
    await rest(REST_MS);
    await this.#service.ask({ kind: 'block' });
    await run();
    await rest(REST_MS);
    const { block } = await this.#service.ask<{ block: number }>({ kind: 'block' });
    this.results.push(valueAtMost(`stalls: largest block, ${name}`, block, 'ms', LIMIT_MS));
  }

  /** Runs an operation; its longest stretch of work and the latest read beside it are two results. Answers what it answers, and its time. */
  async watch<Answer>(name: string, run: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
    await rest(REST_MS);
    await this.#service.ask({ kind: 'block' });
    const before = await this.#stamps();
    const began = performance.now();
    const answer = await run();
    const ms = performance.now() - began;
    await rest(REST_MS);
    const { block } = await this.#service.ask<{ block: number }>({ kind: 'block' });
    const stamps = (await this.#stamps()).slice(Math.max(0, before.length - 1));
    const late = Math.max(0, ...stamps.slice(1).map((at, index) => at - (stamps[index] ?? at) - CYCLE_MS));
    this.results.push(valueAtMost(`stalls: largest block, ${name}`, block, 'ms', LIMIT_MS));
    this.results.push(valueAtMost(`stalls: lateness of a read, ${name}`, late, 'ms', LIMIT_MS));
    return { answer, ms };
  }

  async #stamps(): Promise<number[]> {
    return (await this.#device.ask<{ stamps: number[][] }>({ kind: 'stamps' })).stamps[0] ?? [];
  }
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function newPoints(count: number, prefix: string): object[] {
  return Array.from({ length: count }, (_, index) => plantDraft(index, prefix));
}

function form(bytes: Uint8Array, name: string): RequestInit {
  const body = new FormData();
  body.set('file', new File([Buffer.from(bytes)], name));
  return { method: 'POST', body };
}

/** Until the task of the device has ended or finished a round. */
async function roundOf(bed: Bed, path: string): Promise<void> {
  for (;;) {
    const { state, cycle_count } = (await bed.post(path, { device_name: 'table' })).data as { state: string; cycle_count: number };
    if (state !== 'running' || cycle_count > 0) return;
    await rest(50);
  }
}

/** A file of a whole station: kept with its channel, its model asked for and searched for the first time. */
async function runStation(bed: Bed): Promise<void> {
  const body = { name: 'station', protocol_type: 5, conn_type: 2, port: bed.ports[1] };
  const { id } = (await bed.post('/api/channel/add', body)).data as { id: number };
  const file = new TextEncoder().encode(largeStation(STATION_OCTETS));
  const url = `/api/channel/document?channel_id=${id}&mode=store&choice=F7`;
  await bed.watch('station of 20 MB kept', () => bed.send(url, form(file, 'station.scd')));
  await bed.watch('first model search in a station of 20 MB', () => bed.send(`/api/channel/model_nodes?channel_id=${id}&search=nothing`));
  await bed.watch('whole tree of one of its devices', () => bed.send(`/api/channel/iec61850-tree-data?channel_id=${id}`));
  await bed.send(`/api/channel/delete?channel_id=${id}`, { method: 'DELETE' });
}

/** As many empty points as may be sent: each is refused. */
async function runEmpty(bed: Bed, count: number): Promise<void> {
  const id = await bed.addChannel('empty', 1);
  const points = Array.from({ length: count }, () => ({}));
  await bed.watch(`${count.toLocaleString('en')} empty points refused`, async () => {
    const answer = await bed.post('/api/device/add_points', { channel_id: id, points }).catch((error: Error) => error.message);
    if (typeof answer !== 'string' || !answer.includes('422')) throw new Error('empty points were taken');
  });
  await bed.send(`/api/channel/delete?channel_id=${id}`, { method: 'DELETE' });
}

/** How long it takes until the answer to added points is there. What its blocks are is looked at elsewhere: looking every millisecond takes its time. */
async function runAdding(bed: Bed, count: number): Promise<void> {
  const channel_id = await bed.addChannel('adding', 1);
  const body = JSON.stringify({ channel_id, points: newPoints(count, '') });
  await bed.ask({ kind: 'unwatch' });
  const began = performance.now();
  const answer = await fetch(`${bed.url}/api/device/add_points`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await answer.arrayBuffer();
  const ms = performance.now() - began;
  await bed.ask({ kind: 'watch' });
  if (answer.status !== 200) throw new Error(`points were not added: ${answer.status}`);
  bed.results.push(valueAtMost(`stalls: time to add ${count.toLocaleString('en')} points`, ms, 'ms', ADD_LIMIT_MS));
  await bed.send(`/api/channel/delete?channel_id=${channel_id}`, { method: 'DELETE' });
}

/** Everything that is asked of a table of `count` points. */
async function runTable(bed: Bed, count: number): Promise<void> {
  const of = count.toLocaleString('en');
  const id = await bed.addChannel('table', 1);
  const points = JSON.stringify({ channel_id: id, points: newPoints(count, '') });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: points };
  await bed.watch(`${of} points added`, () => bed.send('/api/device/add_points', init));
  const table = `/api/device/table?channel_id=${id}&page=1&page_size=50`;
  await bed.watch(`first page of ${of} by name`, () => bed.send(`${table}&sort=name`));
  await bed.watch(`first search in ${of}`, () => bed.send(`${table}&search=${encodeURIComponent('功率 19')}`));
  const xlsx = await bed.watch(`${of} points exported as xlsx`, () => bed.send(`/api/channel/export_points?channel_id=${id}&format=xlsx`));
  const csv = await bed.watch(`${of} points exported as csv`, () => bed.send(`/api/channel/export_points?channel_id=${id}&format=csv`));
  const changed = new TextEncoder().encode(new TextDecoder().decode(csv.answer.data as Uint8Array).replaceAll('0.01', '0.02'));
  const otherCodes = new TextEncoder().encode(new TextDecoder().decode(csv.answer.data as Uint8Array).replaceAll('PCS', 'BMS'));
  const upload = (mode: string, bytes: Uint8Array, name: string) => () =>
    bed.send(`/api/channel/import_points?channel_id=${id}&mode=${mode}`, form(bytes, name));
  await bed.watch(`${of} rows of a workbook previewed`, upload('preview', xlsx.answer.data as Uint8Array, 'table.xlsx'));
  await bed.watch(`${of} rows merged, a third changed`, upload('merge', changed, 'table.csv'));
  await bed.watch(`${of} rows replaced`, upload('replace', otherCodes, 'table.csv'));
  const step = (way: 'undo' | 'redo') => () => bed.post(`/api/points/${way}`, { channel_id: id });
  await bed.watch(`${of} replaced rows taken back`, step('undo'));
  await bed.watch(`${of} rows replaced again`, step('redo'));
  await bed.watch(`line plan of ${of}`, () => bed.send(`/api/channel/line_plan?channel_id=${id}`));
  await bed.watch(`channel of ${of} started`, () => bed.post('/api/device/start', { channel_id: id }));
  await bed.watch(`first automatic round of ${of}`, async () => {
    await bed.post('/api/devices/start-auto-read', { device_name: 'table', cycle_interval_ms: 3_600_000 });
    await roundOf(bed, '/api/devices/auto-read-status');
  });
  await bed.post('/api/devices/stop-auto-read', { device_name: 'table' });
  await bed.watch(`manual round of ${of}`, async () => {
    await bed.post('/api/devices/manual-read', { device_name: 'table' });
    await roundOf(bed, '/api/devices/manual-read-status');
  });
  await bed.post('/api/device/stop', { channel_id: id });
  const copy = join(bed.folder, `copy-${count}.loopcheck`);
  await bed.watch(`project with ${of} points saved as a copy`, () => bed.post('/api/project/backup', { path: copy }));
  const { data } = await bed.send(`/api/device/table?channel_id=${id}&page=1&page_size=10000`);
  const ids = (data as { items: { id: number }[] }).items.map((item) => item.id);
  await bed.watch(`${ids.length.toLocaleString('en')} of ${of} points deleted`, () =>
    bed.post('/api/device/delete_points', { channel_id: id, point_ids: ids }),
  );
  await bed.watch(`${ids.length.toLocaleString('en')} of ${of} points taken back`, step('undo'));
  await bed.post('/api/device/delete_points', { channel_id: id, point_ids: ids.slice(0, 3) });
  await bed.watch(`3 of ${of} points taken back`, step('undo'));
  await bed.watch(`history of ${of} points`, () => bed.send(`/api/points/history?channel_id=${id}`));
  await bed.watch(`channel of ${of} deleted`, () => bed.send(`/api/channel/delete?channel_id=${id}`, { method: 'DELETE' }));
}

/** How long requests hold the thread that runs the lines, and how late a read beside them comes. */
export async function run(): Promise<BenchResult[]> {
  const bed = new Bed();
  try {
    await bed.begin();
    await runAdding(bed, 10_000);
    await runAdding(bed, 100_000);
    for (const count of SIZES) {
      await runEmpty(bed, count);
      await runTable(bed, count);
    }
    await runStation(bed);
    await runModels(bed);
    await runServed(bed);
    // the last ones: the lines of the present project end with it
    for (const count of SIZES) {
      const path = join(bed.folder, `copy-${count}.loopcheck`);
      await bed.watchBlock(`project with ${count.toLocaleString('en')} points opened`, () =>
        bed.post('/api/project/open', { path, create: false }),
      );
    }
    return bed.results;
  } finally {
    await bed.end();
    bed.forget();
  }
}
