import { Channel, type PointFields } from '../channel.ts';
import { expectEqual, type Report, type Suite } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import {
  type Expectation,
  expectIec104,
  expectMms,
  expectModbusRtu,
  expectModbusTcp,
  IEC104_FIELDS,
  MMS_FIELDS,
  MODBUS_RTU_FIELDS,
  MODBUS_TCP_FIELDS,
} from './expectations.ts';
import { type Packet, readWithTshark, whyNoTshark } from './tshark.ts';

/** An entry of the frame log, as far as the checks look at it. */
interface Entry {
  readonly kind: string;
  readonly hex: string;
  readonly text: string;
  readonly peer: string;
}

interface Exchange {
  readonly name: string;
  readonly protocol: number;
  readonly points: readonly PointFields[];
  readonly fields: readonly string[];
  /** False where frames go without a network around them. */
  readonly isNetwork: boolean;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Fewest frames that are worth a check. */
  readonly least: number;
  expect(octets: Uint8Array, isRequest: boolean, text: string): Expectation;
  /** What is done beside two rounds of reading. */
  more(client: Channel): Promise<void>;
}

const METER = 12;
const PERIOD = 0x0400_0103;
const SERVER = 1;
const CLIENT = 2;
const COMMON = ['frame.protocols', 'frame.comment', 'frame.packet_flags_direction', '_ws.malformed'];
const NETWORK = ['ip.checksum.status', 'tcp.checksum.status', 'tcp.analysis.flags'];
/** `good` of a checksum. */
const GOOD = '1';

const registers: readonly PointFields[] = [
  { code: 'A', frame_type: 0, address: 10, decode: '0x20' },
  { code: 'F', frame_type: 0, address: 500, decode: '0x42' },
  { code: 'S', frame_type: 3, address: 20, decode: '0x42', func_code: 16 },
];

/** A setpoint. */
async function modbusMore(client: Channel): Promise<void> {
  expectEqual('the write', (await client.write('S', 1234.5)).status, 200);
}

const EXCHANGES: readonly Exchange[] = [
  {
    name: 'Modbus TCP',
    protocol: 1,
    points: registers,
    fields: MODBUS_TCP_FIELDS,
    isNetwork: true,
    least: 10,
    expect: expectModbusTcp,
    more: modbusMore,
  },
  {
    name: 'Modbus RTU',
    protocol: 2,
    points: registers,
    fields: MODBUS_RTU_FIELDS,
    isNetwork: false,
    least: 10,
    expect: expectModbusRtu,
    more: modbusMore,
  },
  {
    name: 'IEC 104',
    protocol: 3,
    points: [
      { code: 'YC1', frame_type: 0, address: 0x4001 },
      { code: 'YC2', frame_type: 0, address: 0x4002 },
      { code: 'YX', frame_type: 1, address: 1 },
      { code: 'YK', frame_type: 2, address: 0x6001 },
    ],
    fields: IEC104_FIELDS,
    isNetwork: true,
    least: 8,
    expect: expectIec104,
    async more(client) {
      expectEqual('the command', (await client.command('YK', 'operate', 1)).outcome, 'accepted');
    },
  },
  {
    name: 'MMS',
    protocol: 5,
    points: [
      { code: 'P', frame_type: 0, reference: 'BAY1MEAS/MMXU1.TotW.mag.f[MX]' },
      { code: 'F', frame_type: 0, reference: 'BAY1MEAS/MMXU1.Hz.mag.f[MX]' },
    ],
    fields: MMS_FIELDS,
    isNetwork: true,
    least: 10,
    expect: expectMms,
    more: async () => {},
  },
  {
    name: 'DL/T 645',
    protocol: 4,
    points: [
      { code: 'U', frame_type: 0, address: 0x0201_0100, slave_id: METER },
      { code: 'S', frame_type: 3, address: PERIOD, slave_id: METER },
    ],
    fields: [],
    isNetwork: false,
    secrets: { password_04: '112233', operator_code: '55667788' },
    least: 6,
    expect: () => ({ protocols: ':data', numbers: {} }),
    async more(client) {
      expectEqual('the write', (await client.write('S', 30)).status, 200);
    },
  },
];

/** Frame logs of our own clients and servers as captures, read by tshark: every frame named, with what its octets say. */
export const capturesSuite: Suite = async (service, report) => {
  const reason = whyNoTshark();
  if (reason !== null) {
    report.skip('captures', reason);
    return;
  }
  for (const exchange of EXCHANGES) await checkExchange(service, report, exchange);
};

async function checkExchange(service: Service, report: Report, exchange: Exchange): Promise<void> {
  const { name, protocol, points, secrets } = exchange;
  const port = await freePort();
  const open = (role: string, conn_type: number) =>
    Channel.open(service, { name: `${role} ${name}`, protocol_type: protocol, conn_type, ip: '127.0.0.1', port }, points);
  const server = await open('server', SERVER);
  const client = await open('client', CLIENT);
  try {
    if (secrets) for (const side of [server, client]) await side.setSecrets(secrets);
    await report.check(`${name}: the exchange takes place`, async () => {
      for (const mode of ['batch', 'single'] as const) expectEqual(`a ${mode} round`, (await client.readAll(mode)).fail, 0);
      await exchange.more(client);
    });
    for (const [side, sendsRequests] of [
      [client, true],
      [server, false],
    ] as const) {
      const role = sendsRequests ? 'client' : 'server';
      await report.check(`${name}: tshark names every frame of the ${role}, with its values, direction and explanation`, () =>
        checkCapture(service, side.id, exchange, sendsRequests),
      );
    }
  } finally {
    await client.remove();
    await server.remove();
  }
}

async function checkCapture(service: Service, channel: number, exchange: Exchange, sendsRequests: boolean): Promise<void> {
  // stopped, so that the list and the file are of the same frames
  await service.ask('POST', '/api/device/stop', { channel_id: channel });
  const { items } = await service.ask<{ items: Entry[] }>('GET', `/api/frames/list?channel_id=${channel}&limit=2000`);
  const frames = items.filter(({ hex }) => hex !== '');
  if (frames.length < exchange.least) throw new Error(`there are only ${frames.length} frames`);
  const capture = await service.file(`/api/frames/file?channel_id=${channel}&format=pcapng`);
  const packets = readWithTshark(capture, [...COMMON, ...(exchange.isNetwork ? NETWORK : []), ...exchange.fields]);
  expectEqual('the number of packets', packets.length, frames.length);
  for (const [at, entry] of frames.entries()) {
    try {
      checkPacket(packets[at] ?? {}, entry, exchange, sendsRequests);
    } catch (fault) {
      throw new Error(`frame ${at + 1} (${entry.hex}; ${entry.text}): ${(fault as Error).message}`, { cause: fault });
    }
  }
  if (!exchange.secrets) return;
  const hidden = frames.filter(({ hex }) => hex.includes('**'));
  expectEqual('frames with secrets', hidden.length, 1);
  const told = packets.filter((packet) => packet['frame.comment']?.some((comment) => comment.startsWith('Hidden octets of the frame: ')));
  expectEqual('packets that say which octets are hidden', told.length, 1);
}

function checkPacket(packet: Packet, { kind, hex, text, peer }: Entry, exchange: Exchange, sendsRequests: boolean): void {
  const isSent = kind === 'tx';
  const octets = Uint8Array.from(hex.split(' '), (pair) => Number.parseInt(pair, 16));
  const { protocols, numbers, texts = {} } = exchange.expect(octets, isSent === sendsRequests, text);
  const chain = packet['frame.protocols']?.join() ?? '';
  if (!chain.endsWith(protocols)) throw new Error(`the protocols are ${chain}, expected …${protocols}`);
  expectEqual('what is malformed', packet['_ws.malformed'], []);
  expectEqual('the direction', packet['frame.packet_flags_direction']?.map(Number), [isSent ? 2 : 1]);
  expectEqual('the comments', packet['frame.comment']?.slice(0, 2), [text, peer]);
  for (const [field, expected] of Object.entries(numbers)) expectEqual(field, packet[field]?.map(Number), expected);
  for (const [field, expected] of Object.entries(texts)) {
    if (!packet[field]?.includes(expected)) throw new Error(`${field} is ${packet[field]?.join()}, expected ${expected}`);
  }
  if (!exchange.isNetwork) return;
  expectEqual('checksums', [packet['ip.checksum.status'], packet['tcp.checksum.status']], [[GOOD], [GOOD]]);
  expectEqual('what tshark remarks of the TCP stream', packet['tcp.analysis.flags'], []);
}
