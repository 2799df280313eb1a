import { Channel, type PointFields } from '../channel.ts';
import { output, type Peer } from '../peer.ts';
import { expectEqual, expectSoon, type Report } from '../report.ts';
import type { Service } from '../service.ts';
import { asPoint, codePoints } from './plant.ts';

const [YC, YX, YK, YT] = [0, 1, 2, 3];
const BITS = [1, 0, 0, 1, 1, 0, 1, 1, 0, 1];

const holding = codePoints('HR', 0);
const input = codePoints('IR', 0);

const points: readonly PointFields[] = [
  ...holding.map((point) => asPoint(point, YT, 16)),
  ...input.map((point) => asPoint(point, YC, 4)),
  ...BITS.map((_, at) => ({ code: `COIL_${at}`, frame_type: YK, address: at, func_code: 5 })),
  ...BITS.map((_, at) => ({ code: `DI_${at}`, frame_type: YX, address: at, func_code: 2 })),
  ...[100, 101, 102].map((address) => ({ code: `REG_${address}`, frame_type: YT, address, func_code: 6, decode: '0x20' })),
  { code: 'BIT', frame_type: YX, address: 101, func_code: 3, bit: 4 },
];

/** A server channel of ours with known values in it. */
export interface OurServer {
  readonly channel: Channel;
}

/** `line` names the channel and says where it serves. */
export async function openServer(
  service: Service,
  line: { name: string; protocol?: Record<string, unknown> } & Record<string, unknown>,
): Promise<OurServer> {
  return { channel: await Channel.open(service, { ...line, protocol: { vendor_name: 'Interop', ...line.protocol } }, points) };
}

/** Sets what we serve, as a person would. */
export async function fillServer({ channel }: OurServer): Promise<void> {
  for (const point of [...holding, ...input]) await expectSet(channel, point.code, point.value);
  for (const [at, bit] of BITS.entries()) {
    await expectSet(channel, `COIL_${at}`, bit);
    await expectSet(channel, `DI_${at}`, bit);
  }
}

async function expectSet(channel: Channel, code: string, value: number): Promise<void> {
  const answer = await channel.write(code, value);
  if (answer.status !== 200) throw new Error(`setting ${code} to ${value} answers ${answer.status} ${answer.message}`);
}

/** Our server against a foreign client that takes `read`, `write`, `mask` and `readwrite`. */
export async function checkServer(report: Report, name: string, peer: Peer, server: OurServer): Promise<void> {
  const { channel } = server;
  await report.check(`server for ${name}: every decode code, functions 3 and 4`, async () => {
    for (const [table, list] of [[3, holding] as const, [4, input] as const]) {
      for (const point of list) {
        const registers = await peer.numbers('read', table, point.address, point.registers.length);
        expectEqual(point.code, registers, [...point.registers]);
      }
      const all = list.flatMap((point) => point.registers);
      expectEqual(`function ${table} over all`, await peer.numbers('read', table, 0, all.length), all);
    }
  });
  await report.check(`server for ${name}: functions 1 and 2`, async () => {
    expectEqual('coils', await peer.numbers('read', 1, 0, BITS.length), BITS);
    expectEqual('inputs', await peer.numbers('read', 2, 0, BITS.length), BITS);
    expectEqual('one coil', await peer.numbers('read', 1, 3, 1), [1]);
  });
  await report.check(`server for ${name}: writes by 5, 6, 15, 16, 22 and 23 reach the points`, async () => {
    await peer.numbers('write', 5, 1, 1);
    await expectSoon('COIL_1', () => channel.value('COIL_1'), 1);
    await peer.numbers('write', 15, 1, 0, 1);
    await expectSoon('COIL_2', () => channel.value('COIL_2'), 1);
    await peer.numbers('write', 5, 2, 0);
    await peer.numbers('write', 6, 100, 4711);
    await expectSoon('REG_100', () => channel.value('REG_100'), 4711);
    await peer.numbers('write', 16, 100, 1, 0x0010, 3);
    await expectSoon('REG_102', () => channel.value('REG_102'), 3);
    await expectSoon('BIT', () => channel.value('BIT'), 1);
    await peer.numbers('mask', 101, 0xffe0, 0x0003);
    await expectSoon('REG_101', () => channel.value('REG_101'), 3);
    await expectSoon('BIT', () => channel.value('BIT'), 0);
    expectEqual('function 23', await peer.numbers('readwrite', 100, 3, 102, 99), [1, 3, 99]);
  });
  await report.check(`server for ${name}: exception 2 where there is no point`, async () => {
    expectEqual('read outside', await peer.ask('read', 3, 99, 2), ['exception', '2']);
    expectEqual('write outside', await peer.ask('write', 6, 500, 1), ['exception', '2']);
    expectEqual('a read beside it', await peer.numbers('read', 3, 100, 1), [1]);
  });
}

/** pymodbus asks who we are; libmodbus 3.1 has no function 43/14. */
export async function checkIdentity(report: Report, name: string, peer: Peer): Promise<void> {
  await report.check(`server for ${name}: device identification`, async () => {
    const [state, vendor] = await peer.ask('identify');
    expectEqual('vendor name', [state, vendor], ['ok', 'Interop']);
  });
}

/** Our server against the command line of mbpoll; `line` are its options for the line, `target` the host or port. */
export async function checkMbpoll(
  report: Report,
  name: string,
  { channel }: OurServer,
  line: readonly string[],
  target: string,
): Promise<void> {
  const run = (type: string, address: number, rest: readonly string[], values: readonly number[] = []) =>
    output('mbpoll', [...line, '-a', '1', '-0', '-r', String(address), '-t', type, ...rest, target, ...values.map(String)]);
  const poll = (type: string, address: number, count: number, ...rest: readonly string[]) => {
    const text = run(type, address, ['-c', String(count), '-1', ...rest]);
    return [...(text ?? '').matchAll(/^\[\d+\]:\s+(\S+)/gm)].map((match) => Number(match[1]));
  };
  const write = (type: string, address: number, ...values: readonly number[]) => {
    expectEqual('mbpoll', run(type, address, [], values)?.includes(`Written ${values.length} references`), true);
  };
  await report.check(`server for ${name}: registers, floats in both word orders, coils and inputs`, async () => {
    const all = holding.flatMap((point) => point.registers);
    expectEqual('registers', poll('4', 0, all.length), all);
    for (const [code, ...rest] of [['0x42', '-B'], ['0x45']] as const) {
      const point = holding.find((item) => item.decode.code === code);
      expectEqual(`float ${code}`, poll('4:float', point?.address ?? 0, 1, ...rest), [1234.5]);
    }
    expectEqual('coils', poll('0', 0, BITS.length), BITS);
    expectEqual('inputs', poll('1', 0, BITS.length), BITS);
  });
  await report.check(`server for ${name}: writes`, async () => {
    write('4', 100, 815);
    await expectSoon('REG_100', () => channel.value('REG_100'), 815);
    write('4', 101, 7, 8);
    await expectSoon('REG_102', () => channel.value('REG_102'), 8);
    write('0', 4, 0);
    await expectSoon('COIL_4', () => channel.value('COIL_4'), 0);
  });
}
