/**
 * The built service reads devices that are late, silent, refusing and untrue, while somebody edits its tables without a pause: addresses, units,
 * decodings, scales, deletions, additions, undo, settings of the channel, reconnects. Whenever a point is shown as good, its value is what its address
 * holds. For as long as LOOPCHECK_SOAK_MINUTES says (10). Exit code 1 when one value is another's, or a device was hardly read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../e2e/service.ts';
import { createRandom } from '../../src-main/platform/seeded-random.ts';
import { createClient } from '../../src-shared/client/client.ts';
import type { Point } from '../../src-shared/contract/points.ts';
import { AppError } from '../../src-shared/domain/errors.ts';
import { overFetch } from '../lib/over-fetch.ts';
import {
  digitsAt,
  IDENTIFIERS,
  type LyingDevice,
  meters,
  modbusDevice,
  objectAt,
  registerAt,
  station,
  TIMEOUT_MS,
} from './lying-devices.ts';

const minutes = Number(process.env.LOOPCHECK_SOAK_MINUTES ?? 10);
const seed = Number(process.env.LOOPCHECK_SEED ?? Math.floor(2 ** 31 * Math.random()));
const random = createRandom(seed);
const POINTS = 80;

type Settings = Partial<Pick<Point, 'address' | 'slave_id' | 'func_code' | 'decode' | 'mul_coe' | 'add_coe' | 'reverse'>>;

/** A channel to a device, and what its points may be and hold. */
interface Line {
  readonly name: string;
  readonly protocol: 1 | 2 | 3 | 4;
  readonly device: LyingDevice;
  /** Settings of a point of the type, all of those that say what it is. */
  settings(type: 0 | 1): Settings;
  readonly types: readonly (0 | 1)[];
  /** The value of a point and its octets, by what its device holds; null: a protocol whose table does not tell octets. */
  valueOf(point: Point): { readonly value: number; readonly octets: string | null };
}

const below = (limit: number) => Math.floor(limit * random());
const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;

/** Decodings with the number that octets in the order of the wire are. */
const DECODINGS: Readonly<Record<string, (octets: Buffer) => number>> = {
  '0x20': (octets) => octets.readUInt16BE(),
  '0x21': (octets) => octets.readInt16BE(),
  '0x22': (octets) => octets.readUInt16LE(),
  '0x41': (octets) => octets.readInt32BE(),
  '0xD0': (octets) => octets.readUInt32LE(),
  '0x44': (octets) => Buffer.concat([octets.subarray(2), octets.subarray(0, 2)]).readInt32BE(),
};

function modbusLine(name: string, protocol: 1 | 2, device: LyingDevice): Line {
  return {
    name,
    protocol,
    device,
    types: [0],
    settings: () => ({
      // mostly apart, so that requests are many and alike, and an answer to one fits another
      address: random() < 0.8 ? 4 * below(30) : 1000 + below(30),
      slave_id: pick([1, 1, 1, 2]),
      func_code: pick([3, 4]),
      decode: pick(Object.keys(DECODINGS)),
      mul_coe: pick([1, 1, 2, 0.5]),
      add_coe: pick([0, 0, 10]),
    }),
    valueOf(point) {
      const octets = Buffer.alloc(['0x20', '0x21', '0x22'].includes(point.decode) ? 2 : 4);
      for (let at = 0; at < octets.length; at += 2) {
        octets.writeUInt16BE(registerAt(point.slave_id, point.func_code ?? 0, point.address + at / 2), at);
      }
      const raw = DECODINGS[point.decode]?.(octets) ?? Number.NaN;
      return { value: raw * point.mul_coe + point.add_coe, octets: octets.toString('hex').toUpperCase() };
    },
  };
}

const DECIMALS: Readonly<Record<number, number>> = { 2: 1, 3: 3, 4: 2 };

function meterLine(device: LyingDevice): Line {
  return {
    name: 'Meters',
    protocol: 4,
    device,
    types: [0],
    settings: () => ({ address: pick([...IDENTIFIERS.keys()]), slave_id: 1 + below(3), mul_coe: pick([1, 1, 100]) }),
    valueOf(point) {
      const decimals = DECIMALS[IDENTIFIERS.get(point.address) ?? 0] ?? Number.NaN;
      const reading = digitsAt(point.slave_id, point.address) / 10 ** decimals;
      return { value: reading * point.mul_coe, octets: null };
    },
  };
}

function stationLine(device: LyingDevice): Line {
  return {
    name: 'Station',
    protocol: 3,
    device,
    types: [0, 1],
    settings: (type) =>
      type === 1
        ? { address: 1 + 2 * below(60), slave_id: pick([1, 1, 2, 3]), reverse: random() < 0.3 }
        : {
            address: random() < 0.7 ? 2 + 2 * below(59) : 4000 + below(30),
            slave_id: pick([1, 1, 2, 3]),
            mul_coe: pick([1, 2]),
            add_coe: pick([0, 10]),
          },
    valueOf(point) {
      const held = objectAt(point.slave_id, point.address);
      const value = point.frame_type === 1 ? held ^ Number(point.reverse) : held * point.mul_coe + point.add_coe;
      return { value, octets: null };
    },
  };
}

const lines: readonly Line[] = [
  modbusLine('Modbus TCP', 1, await modbusDevice('tcp', random)),
  modbusLine('RTU over TCP', 2, await modbusDevice('rtu', random)),
  meterLine(await meters(random)),
  stationLine(await station(random)),
];
const service = await startService({ hasDemo: false });
const api = createClient(overFetch(service.url));
const problems: string[] = [];
const until = performance.now() + minutes * 60_000;
const told = await Promise.all(lines.map((line) => work(line)));
await service.stop();
for (const { device } of lines) device.close();
for (const line of told) console.log(`edits: ${line}`);
console.log(`edits: seed ${seed}`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Edits the table of a line and looks at it until the time is over; answers with what was seen. */
async function work(line: Line): Promise<string> {
  const { name, protocol, device } = line;
  const connection = {
    protocol_type: protocol,
    conn_type: 2,
    ip: '127.0.0.1',
    port: device.port,
    timeout_ms: protocol === 3 ? 1000 : TIMEOUT_MS,
  } as const;
  const { data: channel } = await api.call('addChannel', { name, ...connection });
  const channel_id = channel.id;
  const seen = { good: 0, others: 0, edits: 0, refused: 0 };
  let made = 0;
  const add = (count: number) => {
    const points = Array.from({ length: count }, () => {
      const type = pick(line.types);
      made += 1;
      return { frame_type: type, code: `P${made}`, ...line.settings(type) };
    });
    // one address of a station has one point: those that are taken are refused with the rest
    return Promise.all(points.map((point) => tried(api.call('addPoints', { channel_id, points: [point] }))));
  };
  const readAgain = () =>
    protocol === 3
      ? Promise.resolve()
      : tried(api.call('startAutoRead', { device_name: name, cycle_interval_ms: 100, mode: pick(['batch', 'batch', 'single']) }));
  /** A refused step is one that the state of the table did not allow. */
  const tried = async (call: Promise<unknown>) => {
    seen.edits += 1;
    try {
      await call;
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code.startsWith('INTERNAL')) throw thrown;
      seen.refused += 1;
    }
  };
  const edit = async (point: Point) => {
    const type = point.frame_type === 1 ? 1 : 0;
    const changed = Object.entries(line.settings(type)).filter(() => random() < 0.5);
    await tried(api.call('editPoint', { point_id: point.id, frame_type: type, ...Object.fromEntries(changed) }));
  };
  const steps: readonly (readonly [weight: number, (point: Point) => Promise<unknown>])[] = [
    [45, edit],
    [10, ({ id }) => tried(api.call('deletePoints', { channel_id, point_ids: [id] }))],
    [12, () => add(1 + below(3))],
    [4, () => tried(api.call('undoPoints', { channel_id }))],
    [3, () => tried(api.call('redoPoints', { channel_id }))],
    [6, ({ code }) => tried(api.call('readPoints', { channel_id, points: [{ code }], fresh: true }))],
    [3, () => tried(api.call('updateChannel', { channel_id, max_gap: pick([0, 3, 10, 50]), retries: below(3) })).then(readAgain)],
    [3, () => tried(api.call('reloadDevice', { channel_id })).then(readAgain)],
    [3, () => (protocol === 3 ? Promise.resolve() : tried(api.call('stopAutoRead', { device_name: name })).then(readAgain))],
  ];
  await add(POINTS);
  await api.call('startDevice', { channel_id });
  await readAgain();
  while (performance.now() < until && problems.length === 0) {
    const { data } = await api.call('pointTable', { channel_id, page: 1, page_size: 1000 });
    for (const point of data.items) {
      if (point.quality !== 'good') {
        seen.others += 1;
        continue;
      }
      seen.good += 1;
      const { value, octets } = line.valueOf(point);
      if (Math.abs(point.value - value) <= 1e-9 * Math.abs(value) && (octets === null || point.raw_hex === octets)) continue;
      problems.push(
        `${name}: ${point.code} is shown as good with ${point.value} (${point.raw_hex}), and its address holds ${value} (${octets ?? ''}): ${JSON.stringify(point)}`,
      );
    }
    for (let each = below(5); each > 0 && data.items.length > 0; each--) await weighted(steps)(pick(data.items));
    if (data.items.length < POINTS / 2) await add(10);
    await sleep(100 * random());
  }
  if (problems.length === 0 && seen.good < 100 * minutes) problems.push(`${name}: only ${seen.good} good values were seen`);
  const { data: channels } = await api.call('listChannels', {});
  const status = channels.find(({ id }) => id === channel_id)?.status;
  if (status !== 'running') problems.push(`${name}: the channel is ${status} at the end`);
  const deeds = Object.entries(device.deeds).map(([deed, count]) => `${count} ${deed}`);
  return `${name}: ${seen.good} good values, ${seen.others} others, ${seen.edits} edits (${seen.refused} refused), device: ${deeds.join(', ')}`;
}

function weighted<T>(choices: readonly (readonly [number, T])[]): T {
  let left = choices.reduce((sum, [weight]) => sum + weight, 0) * random();
  for (const [weight, choice] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  throw new Error('nothing to choose');
}
