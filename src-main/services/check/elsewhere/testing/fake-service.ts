import { Readable } from 'node:stream';
import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { RemoteAnswer, RemoteAsk, RemoteBook } from '../../../ports.ts';

type Rows = Record<string, unknown>[];

/** A channel of Modbus TCP as the API tells it. */
const CHANNEL = {
  id: 4,
  name: 'Feeder 1',
  protocol_type: 1,
  conn_type: 1,
  ip: '10.0.0.9',
  port: 502,
  com_port: null,
  baud_rate: 9600,
  data_bits: 8,
  stop_bits: 1,
  parity: 'N',
  timeout_ms: 500,
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
  since: '2026-01-01T00:00:00.000Z',
};

const POINT = {
  id: 11,
  channel_id: 4,
  frame_type: 0,
  code: 'P',
  name: 'Power',
  address: 1,
  slave_id: 1,
  func_code: 3,
  decode: '0x21',
  mul_coe: 1,
  add_coe: 0,
  unit: 'kW',
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
  value: 5,
  raw_hex: '0005',
  value_text: '',
  quality: 'good',
  flags: [],
  source_time: null,
  updated_at: '2026-01-01T00:00:00.000Z',
  alarm: '',
  error: null,
};

/** Another service that answers as a test says: late, in words of its own, or not at all. */
export class FakeService {
  name = 'Cabinet 7';
  address = 'http://10.0.0.7:8991';
  /** Number that it has here. */
  id = 1;
  version = '1.0.0';
  project = 'project-1';
  channels: Rows = [{ ...CHANNEL }];
  points: Rows = [{ ...POINT }];
  /** How many points it says to have; null: as many as there are. */
  total: number | null = null;
  /** What it makes of the rows of a page. */
  onPage: (rows: Rows) => Rows = (rows) => rows;
  events: Rows = [];
  /** Date of its answers. */
  date = 'Thu, 01 Jan 2026 00:00:00 GMT';
  /** What it answers in place of all else. */
  state: 'right' | 'silent' | 'refused' | 'nonsense' = 'right';
  readonly asked: string[] = [];
  /** What an answer waits for on its way: it says what was true when it was asked for. */
  onItsWay: (path: string) => Promise<void> = async () => undefined;
  /** What it says to a manual read; null: it takes it. */
  refusal: { readonly error: string; readonly message_code: string } | null = null;
  /** Called when it takes a manual read. */
  onRead: () => void = () => undefined;
  /** Called before each answer. */
  onAsked: (path: string) => void = () => undefined;

  static channel(change: Record<string, unknown> = {}): Record<string, unknown> {
    return { ...CHANNEL, ...change };
  }

  static point(change: Record<string, unknown> = {}): Record<string, unknown> {
    return { ...POINT, ...change };
  }

  get remotes(): RemoteBook {
    const known = () => ({ id: this.id, name: this.name, address: this.address, fingerprint: null, end: null });
    const no = () => {
      throw new Error('not in this test');
    };
    const ask = (id: number, what: RemoteAsk) =>
      id === this.id ? this.#ask(what) : Promise.reject(new AppError('CONFIG_NOT_FOUND', say('remote.none', { id })));
    return { list: () => [known()], find: known, look: no, add: no, remove: no, ask };
  }

  async #ask({ path, headers = {}, signal }: RemoteAsk): Promise<RemoteAnswer> {
    this.asked.push(path);
    signal.throwIfAborted();
    if (this.state === 'silent') return this.#never(signal);
    if (this.state === 'refused') throw new AppError('TRANSPORT_UNREACHABLE', quoted('connection refused'));
    this.onAsked(path);
    if (this.state === 'nonsense') return this.#answer(200, { hello: true });
    const meant = headers['x-project-session'];
    if (meant !== undefined && meant !== this.project) {
      const said = { message: 'Another project is open.', message_code: 'service.meant_other_project', params: {} };
      return this.#answer(409, { error: 'STATE_CONFLICT', ...said });
    }
    if (path.includes('manual-read')) {
      if (this.refusal) return this.#answer(409, { message: 'Refused.', params: {}, ...this.refusal });
      this.onRead();
    }
    const answer = this.#answer(200, { data: this.#dataOf(new URL(path, this.address)) });
    await this.onItsWay(path);
    return answer;
  }

  #dataOf({ pathname, searchParams }: URL): unknown {
    const number = (name: string) => Number(searchParams.get(name) ?? 0);
    switch (pathname) {
      case '/api/service/info':
        return { name: 'Loopcheck', version: this.version, project_session: this.project };
      case '/api/channel/list':
        return this.channels;
      case '/api/device/table': {
        const from = (number('page') - 1) * number('page_size');
        const items = this.onPage(this.points.slice(from, from + number('page_size')));
        return { total: this.total ?? this.points.length, items };
      }
      case '/api/events/list': {
        const limit = number('limit');
        const behind = this.events.filter(({ seq }) => Number(seq) > number('after_seq'));
        return {
          items: searchParams.has('after_seq') ? behind.slice(0, limit) : behind.slice(-limit),
          last_seq: Number(this.events.at(-1)?.seq ?? 0),
          dropped: 0,
        };
      }
      default:
        return { items: [] };
    }
  }

  #answer(status: number, body: object): RemoteAnswer {
    return { status, headers: { date: this.date }, body: Readable.from([Buffer.from(JSON.stringify(body))]) };
  }

  #never(signal: AbortSignal): Promise<RemoteAnswer> {
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
  }
}
