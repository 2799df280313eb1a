import { vi } from 'vitest';
import type { Channel } from '#shared/contract/channels.ts';
import { type DataOf, type OperationName, operations } from '#shared/contract/index.ts';
import type { Point } from '#shared/contract/points.ts';
import type { TaskSnapshot } from '#shared/contract/tasks.ts';
import { AppError } from '#shared/domain/errors.ts';

type Fields = Readonly<Record<string, unknown>>;
type Answers = { [Name in OperationName]?: (input: Fields) => DataOf<Name> | Promise<DataOf<Name>> };

export interface FakeCall {
  readonly name: OperationName;
  readonly input: Fields;
}

function isOperationName(name: string): name is OperationName {
  return name in operations;
}

function nameOf(method: string, path: string): OperationName {
  const name = Object.keys(operations).find((key) => {
    const entry = isOperationName(key) ? operations[key] : null;
    return entry?.method === method && entry.path === path;
  });
  if (!name || !isOperationName(name)) throw new Error(`no operation ${method} ${path}`);
  return name;
}

function reply(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

/** A service behind `fetch` that answers with what the test says, and remembers what it was asked. Query values arrive as text. */
export function fakeService(answers: Answers) {
  const calls: FakeCall[] = [];
  const serve = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const target = new URL(url, 'http://127.0.0.1');
    const name = nameOf(init.method ?? 'GET', target.pathname);
    const body: Fields =
      init.body instanceof FormData ? Object.fromEntries(init.body) : typeof init.body === 'string' ? JSON.parse(init.body) : {};
    const input = { ...Object.fromEntries(target.searchParams), ...body };
    calls.push({ name, input });
    await Promise.resolve();
    const answer = answers[name];
    if (!answer) return reply(500, { code: 500, message: `the test has no answer for ${name}`, error: 'INTERNAL', data: null });
    try {
      return reply(200, { code: 200, message: 'success', data: await answer(input) });
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      return reply(thrown.status, { code: thrown.status, message: thrown.message, error: thrown.code, data: thrown.data });
    }
  };
  vi.stubGlobal('fetch', serve);
  return { calls, answers, of: (name: OperationName) => calls.filter((call) => call.name === name).map((call) => call.input) };
}

/** A started Modbus TCP client channel. */
export function aChannel(change: Partial<Channel> = {}): Channel {
  return {
    id: 1,
    name: 'PCS 1',
    protocol_type: 1,
    conn_type: 2,
    ip: '127.0.0.1',
    port: 502,
    com_port: null,
    baud_rate: 9600,
    data_bits: 8,
    stop_bits: 1,
    parity: 'N',
    timeout_ms: 1000,
    retries: 0,
    request_gap_ms: null,
    max_gap: 0,
    address_base: 0,
    auto_reconnect: true,
    auto_start: false,
    read_only: false,
    note: '',
    group: '',
    protocol: {},
    status: 'running',
    last_error: null,
    since: '2026-03-01T08:00:00.000Z',
    bound_port: null,
    point_count: 3,
    health: {
      requests: 0,
      responses: 0,
      timeouts: 0,
      refusals: 0,
      faults: 0,
      late: 0,
      reconnects: 0,
      tx_bytes: 0,
      rx_bytes: 0,
      clients: 0,
      latency_ms: null,
      suspended: [],
    },
    ...change,
  };
}

/** A good YC point of a float32. */
export function aPoint(change: Partial<Point> = {}): Point {
  return {
    id: 1,
    channel_id: 1,
    frame_type: 0,
    code: 'YC001',
    name: 'Voltage',
    address: 100,
    slave_id: 1,
    func_code: 3,
    decode: '0x42',
    mul_coe: 1,
    add_coe: 0,
    unit: 'V',
    min_limit: null,
    max_limit: null,
    bit: null,
    reverse: false,
    reference: '',
    category: '',
    item: '',
    related_code: '',
    command_type: '',
    note: '',
    protocol: {},
    value: 230.5,
    raw_hex: '43 66 80 00',
    value_text: '',
    quality: 'good',
    flags: [],
    source_time: null,
    updated_at: '2026-03-01T08:00:01.000Z',
    alarm: '',
    error: null,
    ...change,
  };
}

/** A task that was never started. */
export function aTask(change: Partial<TaskSnapshot> = {}): TaskSnapshot {
  return {
    state: 'idle',
    task_id: '00000000-0000-0000-0000-000000000000',
    mode: 'batch',
    config: {
      mode: 'batch',
      cycle_interval_ms: 1000,
      request_interval_ms: 0,
      slave_id: null,
      channel_id: null,
      category: '',
      item: '',
      point_types: [],
      dlt645_prefix: null,
      dlt645_settlement: null,
    },
    started_at: null,
    last_cycle_at: null,
    cycle_count: 0,
    current: 0,
    total: 0,
    success: 0,
    fail: 0,
    last_error: null,
    ...change,
  };
}

/** What the service says of itself. */
export function aServiceInfo(change: Partial<DataOf<'serviceInfo'>> = {}): DataOf<'serviceInfo'> {
  return {
    name: 'Loopcheck',
    version: '0.1.0',
    pid: 1,
    started_at: '2026-03-01T08:00:00.000Z',
    project_session: 'first',
    host: '127.0.0.1',
    port: 8991,
    fingerprint: null,
    read_only: false,
    caller: { name: null, role: 'configure' },
    load: 0.04,
    timer_lateness_ms: 2,
    warnings: [],
    ...change,
  };
}

/** The settings of the service. */
export function theSettings(change: Partial<DataOf<'getSettings'>> = {}): DataOf<'getSettings'> {
  const kept = { events_kept: 10_000, audit_kept: 1_000_000, port: 8991, update_place: '', token_end: null };
  return { read_only: false, frame_log_bytes: 8_388_608, ...kept, ...change };
}

/** Gives elements a size, which jsdom does not: lists that show only what is in sight would show nothing. */
export function giveSize(height = 600): void {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(height);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1000);
}
