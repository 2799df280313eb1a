import { createServer } from 'node:net';
import { FrameType } from '../src-shared/domain/enums.ts';
import { plantPoint } from './plant.ts';
import type { BenchResult } from './result.ts';
import { Bed } from './stalls.ts';

const COUNT = 100_000;
/** Rates of one quantity of a meter. */
const ITEMS = 50;

interface NewPoint {
  readonly frame_type: FrameType;
  readonly code: string;
  readonly address: number;
  readonly slave_id?: number;
  readonly decode?: string;
}

interface Kind {
  readonly name: string;
  readonly protocol: number;
  pointAt(index: number): NewPoint;
}

const KINDS: readonly Kind[] = [
  {
    name: 'Modbus TCP',
    protocol: 1,
    pointAt(index) {
      const { frame_type, code, address, slave_id, decode } = plantPoint(index);
      return { frame_type, code, address, slave_id, decode };
    },
  },
  {
    name: 'IEC 104',
    protocol: 3,
    pointAt: (index) => ({ frame_type: ([0, 0, 1, 2] as const)[index % 4] ?? 0, code: `P${index}`, address: index + 1 }),
  },
  {
    name: 'DL/T 645',
    protocol: 4,
    pointAt: (index) => ({
      frame_type: FrameType.yc,
      code: `P${index}`,
      address: 0x0001_0000 + ((index % ITEMS) << 8),
      slave_id: 1 + Math.floor(index / ITEMS),
    }),
  },
];

/** A TCP port that nobody listens on at this moment. */
function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** One row of a large table is edited while the channel runs: on the serving side, and on the asking side that is connected to it. */
async function runKind(bed: Bed, { name, protocol, pointAt }: Kind, port: number): Promise<void> {
  const points = Array.from({ length: COUNT }, (_, index) => pointAt(index));
  for (const side of ['server', 'client'] as const) {
    const body = {
      name: `${name} ${side}`,
      protocol_type: protocol,
      conn_type: side === 'server' ? 1 : 2,
      ip: '127.0.0.1',
      port,
      timeout_ms: 30_000,
    };
    const { id } = (await bed.post('/api/channel/add', body)).data as { id: number };
    await bed.post('/api/device/add_points', { channel_id: id, points });
    await bed.post('/api/device/start', { channel_id: id });
    const page = (await bed.send(`/api/device/table?channel_id=${id}&page=500&page_size=100&frame_type=0`)).data as {
      items: { id: number }[];
    };
    const [first, second] = page.items;
    const edit = (pointId: number | undefined, mul_coe: number) =>
      bed.send('/api/device/edit_point', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ point_id: pointId, frame_type: 0, mul_coe, max_limit: mul_coe * 1000 }),
      });
    await bed.watchBlock(`first edit of one of ${COUNT.toLocaleString('en')} points, ${name} ${side}`, () => edit(first?.id, 0.5));
    await bed.watchBlock(`edit of one of ${COUNT.toLocaleString('en')} points, ${name} ${side}`, () => edit(second?.id, 0.25));
  }
}

/** How long the edit of one row of a running channel holds the thread that runs the lines. */
export async function run(): Promise<BenchResult[]> {
  const bed = new Bed();
  try {
    await bed.begin();
    for (const kind of KINDS) await runKind(bed, kind, await freePort());
    return bed.results;
  } finally {
    await bed.end();
    bed.forget();
  }
}
