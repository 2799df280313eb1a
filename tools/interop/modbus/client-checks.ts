import { Channel, type PointFields } from '../channel.ts';
import type { Peer } from '../peer.ts';
import { expectEqual, type Report } from '../report.ts';
import type { Service } from '../service.ts';
import { asPoint, codePoints } from './plant.ts';

const [YC, YX, YK, YT] = [0, 1, 2, 3];
const BIT_WORD = 0xa5c3;
const BITS = [1, 0, 1, 1, 0, 0, 1, 0, 1, 0];

const holding = codePoints('HR', 0);
const input = codePoints('IR', 0);
const setpoints = codePoints('SP', 100);

const signals: readonly PointFields[] = [
  ...BITS.map((_, at) => ({ code: `COIL_${at}`, frame_type: YX, address: at, func_code: 1 })),
  ...BITS.map((_, at) => ({ code: `DI_${at}`, frame_type: YX, address: at, func_code: 2, reverse: true })),
  ...Array.from({ length: 16 }, (_, bit) => ({ code: `BIT_${bit}`, frame_type: YX, address: 80, func_code: 3, bit })),
  ...[0, 16, 31].map((bit) => ({ code: `WIDE_${bit}`, frame_type: YX, address: 82, func_code: 3, bit, decode: '0x43' })),
];

const controls: readonly PointFields[] = [
  { code: 'YK_5', frame_type: YK, address: 40, func_code: 5 },
  { code: 'YK_15', frame_type: YK, address: 41, func_code: 15 },
  { code: 'YK_22', frame_type: YK, address: 90, func_code: 22, bit: 3 },
  { code: 'SP_6', frame_type: YT, address: 91, func_code: 6, decode: '0x21', mul_coe: 0.1 },
];

const special: readonly PointFields[] = [
  { code: 'EXACT', frame_type: YC, address: 84, func_code: 3, decode: '0x60' },
  { code: 'NAN', frame_type: YC, address: 88, func_code: 3, decode: '0x42' },
];

const points: readonly PointFields[] = [
  ...holding.map((point) => asPoint(point, YC, 3)),
  ...input.map((point) => asPoint(point, YC, 4)),
  ...setpoints.map((point) => asPoint(point, YT, 16)),
  ...signals,
  ...controls,
  ...special,
  { code: 'OUTSIDE', frame_type: YC, address: 400, func_code: 3, decode: '0x20' },
];

/** Our client against a foreign server that answers `get` and `set`: reads everything, writes everything, meets a refusal. */
export async function checkClient(
  service: Service,
  report: Report,
  name: string,
  peer: Peer,
  line: Readonly<Record<string, unknown>>,
): Promise<void> {
  await fill(peer);
  const channel = await Channel.open(service, { name: `client of ${name}`, timeout_ms: 3000, ...line }, points);
  for (const mode of ['batch', 'single'] as const) {
    await report.check(`client of ${name}: ${mode} round reads all points but the one outside`, async () => {
      const { state, success, fail } = await channel.readAll(mode);
      const wanted = { state: 'idle', success: points.length - 1, fail: 1 };
      await channel.telling(() => expectEqual('the round', { state, success, fail }, wanted));
    });
    await report.check(`client of ${name}: every decode code after a ${mode} round`, () => checkValues(channel));
  }
  await report.check(`client of ${name}: coils, inputs and bits of registers`, () => checkSignals(channel));
  await report.check(`client of ${name}: 64-bit text and NaN`, () => checkSpecial(channel));
  await report.check(`client of ${name}: single read, and its refusal outside`, async () => {
    const { status, message } = await channel.readSingle('HR_0x42');
    await channel.telling(() => expectEqual('status', status === 200 ? status : `${status} ${message}`, 200));
    expectEqual('status outside', (await channel.readSingle('OUTSIDE')).status, 502);
  });
  await report.check(`client of ${name}: setpoints of every decode code`, async () => {
    for (const point of setpoints) await expectWritten(channel, peer, point.code, point.value, 3, point.address, point.registers);
  });
  await report.check(`client of ${name}: functions 5, 6, 15 and 22`, async () => {
    await expectWritten(channel, peer, 'YK_5', 1, 1, 40, [1]);
    await expectWritten(channel, peer, 'YK_15', 1, 1, 41, [1]);
    await expectWritten(channel, peer, 'YK_5', 0, 1, 40, [0]);
    await peer.numbers('set', 3, 90, 0x8001);
    await expectWritten(channel, peer, 'YK_22', 1, 3, 90, [0x8009]);
    await expectWritten(channel, peer, 'YK_22', 0, 3, 90, [0x8001]);
    await expectWritten(channel, peer, 'SP_6', -0.3, 3, 91, [0xfffd]);
  });
  await report.check(`client of ${name}: a value out of range is refused before it is sent`, async () => {
    expectEqual('status', (await channel.write('SP_6', 4000)).status, 422);
    expectEqual('register', await peer.numbers('get', 3, 91, 1), [0xfffd]);
  });
  await channel.remove();
}

async function fill(peer: Peer): Promise<void> {
  for (const point of holding) await peer.numbers('set', 3, point.address, ...point.registers);
  for (const point of input) await peer.numbers('set', 4, point.address, ...point.registers);
  await peer.numbers('set', 1, 0, ...BITS);
  await peer.numbers('set', 2, 0, ...BITS);
  await peer.numbers('set', 3, 80, BIT_WORD);
  // 0x80000001 under CDAB: the low word arrives first.
  await peer.numbers('set', 3, 82, 0x0001, 0x8000);
  await peer.numbers('set', 3, 84, 0x0123, 0x4567, 0x89ab, 0xcdef);
  await peer.numbers('set', 3, 88, 0x7fc0, 0x0000);
}

async function checkValues(channel: Channel): Promise<void> {
  const rows = await channel.rows();
  for (const point of [...holding, ...input]) {
    const row = rows.get(point.code);
    expectEqual(point.code, [row?.value, row?.quality], [point.value, 'good']);
  }
}

async function checkSignals(channel: Channel): Promise<void> {
  const rows = await channel.rows();
  for (const [at, bit] of BITS.entries()) {
    expectEqual(`COIL_${at}`, rows.get(`COIL_${at}`)?.value, bit);
    expectEqual(`DI_${at} (reversed)`, rows.get(`DI_${at}`)?.value, 1 - bit);
  }
  for (let bit = 0; bit < 16; bit += 1) expectEqual(`BIT_${bit}`, rows.get(`BIT_${bit}`)?.value, (BIT_WORD >> bit) & 1);
  for (const [bit, value] of [[0, 1] as const, [16, 0] as const, [31, 1] as const]) {
    expectEqual(`WIDE_${bit}`, rows.get(`WIDE_${bit}`)?.value, value);
  }
}

async function checkSpecial(channel: Channel): Promise<void> {
  const rows = await channel.rows();
  expectEqual('EXACT', rows.get('EXACT')?.value_text, '81985529216486895');
  const nan = rows.get('NAN');
  expectEqual('NAN', [nan?.value, nan?.value_text, nan?.quality], [0, 'NaN', 'invalid']);
}

async function expectWritten(
  channel: Channel,
  peer: Peer,
  code: string,
  value: number,
  table: 1 | 3,
  address: number,
  expected: readonly number[],
): Promise<void> {
  const answer = await channel.write(code, value);
  if (answer.status !== 200) throw new Error(`writing ${value} to ${code} answers ${answer.status} ${answer.message}`);
  expectEqual(`${code} at the peer`, await peer.numbers('get', table, address, expected.length), [...expected]);
}
