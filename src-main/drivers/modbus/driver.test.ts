import { describe, expect, it } from 'vitest';
import { DECODE_CODES } from '#shared/domain/decode.ts';
import { ConnType, FrameType } from '#shared/domain/enums.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import type { PointConfig, PointValue } from '../spi/index.ts';
import { shownReading } from '../testing/engineering.ts';
import { testPoint } from '../testing/points.ts';
import { clientSettings } from '../testing/settings.ts';
import { exchangeContext, TestFrames, TestHealth, TestSink } from '../testing/sinks.ts';
import { modbusTcpDriver } from './driver.ts';
import { TestLine, TestPeer } from './testing/line.ts';

/** Our client connected to our server, without a socket; both have the same point table. */
async function pair(points: readonly PointConfig[]) {
  const clock = new ManualClock();
  const line = new TestLine();
  const peer = new TestPeer();
  const settings = clientSettings({ connType: ConnType.tcpServer });
  const serverSink = new TestSink();
  const server = modbusTcpDriver.serve({
    clock,
    settings,
    points,
    sink: serverSink,
    frames: new TestFrames(),
    health: new TestHealth(),
    onPeer: (accept) => accept(peer, new TestFrames()),
    serialLine: null,
  });
  line.onWrite = (bytes) => {
    const before = peer.written.length;
    peer.push(Uint8Array.from(bytes));
    for (const answer of peer.written.slice(before)) line.receive(answer);
  };
  const io = { clock, settings: clientSettings(), points, sink: new TestSink(), frames: new TestFrames(), health: new TestHealth(), line };
  const client = await modbusTcpDriver.connect(io, new AbortController().signal);
  const read = async (point: PointConfig) => {
    const [batch] = client.plan([point], { mode: 'single', skipKnownHoles: false }).batches;
    const answer = batch && (await client.read(batch, exchangeContext()));
    return shownReading(point, answer?.readings[0] as PointValue);
  };
  const operate = (point: PointConfig, value: number) => client.execute({ point, step: 'operate', value, options: {} }, exchangeContext());
  const serve = (point: PointConfig, value: number) => server.execute({ point, step: 'operate', value, options: {} }, exchangeContext());
  return { client, server, serverSink, read, operate, serve };
}

describe('Modbus TCP, our client at our server', () => {
  it.each(DECODE_CODES)('$code $type $order: what is served is read, what is written is served', async (decode) => {
    const [first, second] = decode.type.startsWith('float') ? [1234.5, -0.25] : [101, 42];
    const point = testPoint({ frame_type: FrameType.yt, func_code: decode.registers === 1 ? 6 : 16, decode: decode.code });
    const { read, operate, serve, serverSink } = await pair([point]);
    await serve(point, first);
    expect((await read(point)).value).toBe(first);
    expect(await operate(point, second)).toMatchObject({ outcome: 'accepted' });
    expect((await read(point)).value).toBe(second);
    expect(serverSink.applied.at(-1)).toMatchObject({ event: true, readings: [{ pointId: 1, value: second }] });
  });

  it('coils, discrete inputs, input registers and bits', async () => {
    const coil = testPoint({ id: 1, frame_type: FrameType.yk, func_code: 5, address: 3 });
    const many = testPoint({ id: 2, frame_type: FrameType.yk, func_code: 15, address: 4 });
    const bit = testPoint({ id: 3, frame_type: FrameType.yk, func_code: 22, address: 9, bit: 15 });
    const input = testPoint({ id: 4, frame_type: FrameType.yx, func_code: 2, address: 7, reverse: true });
    const register = testPoint({ id: 5, func_code: 4, address: 9 });
    const { read, operate, serve } = await pair([coil, many, bit, input, register]);
    for (const point of [coil, many, bit]) {
      expect(await operate(point, 1)).toMatchObject({ outcome: 'accepted' });
      expect((await read(point)).value).toBe(1);
    }
    await serve(input, 1);
    expect((await read(input)).value).toBe(1);
    await serve(register, 65_535);
    expect((await read(register)).value).toBe(65_535);
  });
});

describe('Modbus TCP descriptor', () => {
  it('has the modes and the one command step of Modbus', () => {
    expect(modbusTcpDriver.descriptor).toMatchObject({ key: 'modbus-tcp', modes: ['batch', 'single'], commandSteps: ['operate'] });
    expect(modbusTcpDriver.isReadable(testPoint({ frame_type: FrameType.yk }))).toBe(true);
  });

  it('fills in the settings of a server, and refuses what the identification cannot carry', () => {
    const { channelSettings } = modbusTcpDriver.descriptor;
    expect(channelSettings.parse({})).toMatchObject({ unknown_unit: 'silent' });
    expect(channelSettings.safeParse({ unknown_unit: 'loud' }).success).toBe(false);
    expect(channelSettings.safeParse({ vendor_name: '设备' }).success).toBe(false);
  });

  it('checks the raw range of a value without a connection', () => {
    const point = testPoint({ frame_type: FrameType.yt, func_code: 6, decode: '0x20' });
    expect(() => modbusTcpDriver.checkValue?.(point, 65_535)).not.toThrow();
    expect(() => modbusTcpDriver.checkValue?.(point, 65_536)).toThrow(expect.objectContaining({ code: 'CONFIG_RANGE' }));
  });
});
