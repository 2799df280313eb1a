import { describe, expect, it } from 'vitest';
import { ConnType, FrameType } from '#shared/domain/enums.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import type { DriverConnection, FrameSink, PointConfig, PointValue } from '../../spi/index.ts';
import { testPoint } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext, TestFrames, TestHealth, TestSink } from '../../testing/sinks.ts';
import { modbusTcpDriver } from '../driver.ts';
import { encodeMbap } from '../link/mbap.ts';
import { TestPeer } from '../testing/line.ts';
import { octets } from '../vectors/load.ts';

function serve(
  points: readonly PointConfig[],
  protocol: Record<string, unknown> = {},
  addressBase = 0,
  before: Readonly<Record<number, string>> = {},
) {
  const sink = new TestSink();
  const health = new TestHealth();
  const frames = new TestFrames();
  const peer = new TestPeer();
  let accept: (peer: TestPeer, frames: FrameSink) => void = () => {};
  const server: DriverConnection = modbusTcpDriver.serve({
    clock: new ManualClock(),
    settings: clientSettings({ connType: ConnType.tcpServer, addressBase, protocol }),
    points,
    sink,
    frames,
    health,
    onPeer: (given) => {
      accept = given;
    },
    serialLine: null,
    servedBefore: (pointId) => (before[pointId] === undefined ? null : octets(before[pointId])),
  });
  accept(peer, frames);
  const set = (point: PointConfig, value: number) => server.execute({ point, step: 'operate', value, options: {} }, exchangeContext());
  const read = async (point: PointConfig) =>
    (await server.read({ slaveId: point.slave_id, pointIds: [point.id] }, exchangeContext())).readings[0];
  return { server, peer, sink, health, frames, set, read };
}

const words = (id: number, address: number, changes: Partial<PointConfig> = {}) => testPoint({ id, address, ...changes });
const coil = (id: number, address: number) => testPoint({ id, address, frame_type: FrameType.yk, func_code: 5 });
const discrete = (id: number, address: number) => testPoint({ id, address, frame_type: FrameType.yx, func_code: 2 });

describe('Modbus server, reading', () => {
  it('serves holding registers (3), input registers (4), coils (1) and discrete inputs (2) side by side', async () => {
    const points = [words(1, 0), words(2, 0, { func_code: 4 }), coil(3, 0), discrete(4, 0)];
    const { peer, set } = serve(points);
    for (const [index, value] of [0x1234, 0x5678, 1, 0].entries()) await set(points[index] ?? words(1, 0), value);
    expect(peer.ask('03 00 00 00 01')).toEqual(octets('03 02 12 34'));
    expect(peer.ask('04 00 00 00 01')).toEqual(octets('04 02 56 78'));
    expect(peer.ask('01 00 00 00 01')).toEqual(octets('01 01 01'));
    expect(peer.ask('02 00 00 00 01')).toEqual(octets('02 01 00'));
  });

  it('packs coils eight to an octet, the first in the lowest bit', async () => {
    const points = Array.from({ length: 10 }, (_, at) => coil(at + 1, 100 + at));
    const { peer, set } = serve(points);
    for (const at of [0, 2, 3, 6, 7, 8]) await set(points[at] ?? coil(1, 0), 1);
    expect(peer.ask('01 00 64 00 0A')).toEqual(octets('01 02 CD 01'));
  });

  it('answers exception 2 to a request that touches an address without a point', () => {
    const { peer } = serve([words(1, 10), words(2, 11), words(3, 13)]);
    expect(peer.ask('03 00 0A 00 02')).toEqual(octets('03 04 00 00 00 00'));
    expect(peer.ask('03 00 0A 00 03')).toEqual(octets('83 02'));
    expect(peer.ask('03 00 09 00 02')).toEqual(octets('83 02'));
    expect(peer.ask('03 00 0D 00 02')).toEqual(octets('83 02'));
    expect(peer.ask('01 00 0A 00 01')).toEqual(octets('81 02'));
    expect(peer.ask('03 FF FF 00 02')).toEqual(octets('83 02'));
  });

  it('answers exception 1 to an unknown function and exception 3 to a quantity or value outside the standard', () => {
    const { peer, health } = serve([words(1, 0), coil(2, 0)]);
    expect(peer.ask('09 00')).toEqual(octets('89 01'));
    expect(peer.ask('2B 0D 00 00')).toEqual(octets('AB 01'));
    expect(peer.ask('03 00 00 00 7E')).toEqual(octets('83 03'));
    expect(peer.ask('03 00 00 00 00')).toEqual(octets('83 03'));
    expect(peer.ask('05 00 00 12 34')).toEqual(octets('85 03'));
    expect(peer.ask('10 00 00 00 01 04 00 00')).toEqual(octets('90 03'));
    expect(health).toMatchObject({ requests: 6, responses: 6, refusals: 6 });
  });

  it('subtracts the address base', async () => {
    const point = words(1, 40001);
    const { peer, set } = serve([point], {}, 40001);
    await set(point, 99);
    expect(peer.ask('03 00 00 00 01')).toEqual(octets('03 02 00 63'));
  });
});

describe('Modbus server, writing', () => {
  it('takes writes by 5, 6, 15, 16, 22 and 23', () => {
    const { peer } = serve([coil(1, 0), coil(2, 1), coil(3, 2), words(4, 0), words(5, 1)]);
    expect(peer.ask('05 00 01 FF 00')).toEqual(octets('05 00 01 FF 00'));
    expect(peer.ask('0F 00 00 00 03 01 05')).toEqual(octets('0F 00 00 00 03'));
    expect(peer.ask('01 00 00 00 03')).toEqual(octets('01 01 05'));
    expect(peer.ask('06 00 00 00 12')).toEqual(octets('06 00 00 00 12'));
    expect(peer.ask('16 00 00 00 F2 00 25')).toEqual(octets('16 00 00 00 F2 00 25'));
    expect(peer.ask('03 00 00 00 01')).toEqual(octets('03 02 00 17'));
    expect(peer.ask('10 00 00 00 02 04 00 0A 01 02')).toEqual(octets('10 00 00 00 02'));
    expect(peer.ask('17 00 00 00 02 00 01 00 01 02 BE EF')).toEqual(octets('17 04 00 0A BE EF'));
  });

  it('changes nothing when part of a write has no point', () => {
    const { peer, sink } = serve([words(1, 0)]);
    expect(peer.ask('10 00 00 00 02 04 00 0A 01 02')).toEqual(octets('90 02'));
    expect(peer.ask('17 00 00 00 02 00 00 00 01 02 BE EF')).toEqual(octets('97 02'));
    expect(peer.ask('03 00 00 00 01')).toEqual(octets('03 02 00 00'));
    expect(sink.applied).toEqual([]);
  });

  it('reports every point that shares an address with the write, with its new value, as an event', () => {
    const float = words(1, 0, { decode: '0x42' });
    const low = words(2, 1);
    const bit = words(3, 1, { frame_type: FrameType.yx, bit: 7 });
    const other = words(4, 2);
    const { peer, sink } = serve([float, low, bit, other]);
    peer.ask('10 00 00 00 02 04 44 9A 50 80');
    expect(sink.applied).toHaveLength(1);
    expect(sink.applied[0]?.event).toBe(true);
    const values = new Map(sink.applied[0]?.readings.map((reading) => [reading.pointId, (reading as PointValue).value]));
    expect([...values.keys()].sort()).toEqual([1, 2, 3]);
    expect(values.get(2)).toBe(0x5080);
    expect(values.get(3)).toBe(1);
    expect(values.get(1)).toBeCloseTo(1234.5156, 3);
  });

  it('keeps the raw octets of a reading although the image goes on changing', async () => {
    const point = words(1, 0);
    const { peer, read } = serve([point]);
    peer.ask('06 00 00 00 01');
    const before = await read(point);
    peer.ask('06 00 00 00 02');
    expect((before as PointValue).raw).toEqual(octets('00 01'));
  });
});

describe('Modbus server as a device of its channel', () => {
  it('reads back what it serves, in table order, without I/O', async () => {
    const points = [words(1, 0), words(2, 1, { slave_id: 2 }), words(3, 2)];
    const { server, set } = serve(points);
    for (const point of points) await set(point, point.id * 10);
    const plan = server.plan(points, { mode: 'batch', skipKnownHoles: true });
    expect(plan.batches.map((batch) => batch.pointIds)).toEqual([[1, 3], [2]]);
    expect(server.plan(points, { mode: 'single', skipKnownHoles: false }).batches).toHaveLength(3);
    const [first] = plan.batches;
    const answer = first && (await server.read(first, exchangeContext()));
    expect(answer?.readings).toMatchObject([
      { pointId: 1, value: 10 },
      { pointId: 3, value: 30 },
    ]);
  });

  it('sets any point by command, rounding, and tells the points that share its addresses', async () => {
    const wide = words(1, 0, { decode: '0x41', mul_coe: 0.1 });
    const high = words(2, 0);
    const { set, sink, peer } = serve([wide, high]);
    expect(await set(wide, 0.3)).toMatchObject({ outcome: 'accepted', stages: [{ name: 'set' }] });
    expect(peer.ask('03 00 00 00 02')).toEqual(octets('03 04 00 00 00 03'));
    expect(sink.applied).toMatchObject([{ event: false, readings: [{ pointId: 1 }, { pointId: 2 }] }]);
    await expect(set(high, 70_000)).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
  });

  it('sets one bit of a register and leaves the others', async () => {
    const register = words(1, 0);
    const bit = words(2, 0, { frame_type: FrameType.yk, func_code: 6, bit: 3 });
    const { set, peer } = serve([register, bit]);
    await set(register, 0xf0f0);
    await set(bit, 1);
    expect(peer.ask('03 00 00 00 01')).toEqual(octets('03 02 F0 F8'));
    await set(bit, 0);
    expect(peer.ask('03 00 00 00 01')).toEqual(octets('03 02 F0 F0'));
  });

  it('keeps what it serves when points are added and removed', async () => {
    const points = [words(1, 0), words(2, 1), words(3, 5)];
    const { server, set, peer } = serve(points);
    for (const point of points) await set(point, point.id);
    server.pointsChanged([words(2, 1), words(4, 2), words(3, 5), words(5, 4)]);
    expect(peer.ask('03 00 00 00 01')).toEqual(octets('83 02'));
    expect(peer.ask('03 00 01 00 02')).toEqual(octets('03 04 00 02 00 00'));
    expect(peer.ask('03 00 04 00 02')).toEqual(octets('03 04 00 00 00 03'));
  });

  it('goes on with what was served before it was started anew, where that still fits the point', () => {
    const long = words(4, 20, { decode: '0x42' });
    const { peer } = serve([words(1, 0), words(2, 1), coil(3, 9), long], {}, 0, { 1: '12 34', 3: '01', 4: '44 9A' });
    expect(peer.ask('03 00 00 00 02')).toEqual(octets('03 04 12 34 00 00'));
    expect(peer.ask('01 00 09 00 01')).toEqual(octets('01 01 01'));
    expect(peer.ask('03 00 14 00 02')).toEqual(octets('03 04 00 00 00 00'));
  });

  it('says why a point cannot be served', async () => {
    const point = words(1, 5);
    const { read, set } = serve([point], {}, 100);
    expect(await read(point)).toMatchObject({ kind: 'failure', error: { code: 'CONFIG_RANGE' } });
    await expect(set(point, 1)).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
  });

  it('refuses steps that Modbus has not', async () => {
    const point = words(1, 0);
    const { server } = serve([point]);
    const command = { point, step: 'select', value: 1, options: {} } as const;
    await expect(server.execute(command, exchangeContext())).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});

describe('Modbus server, units and identification', () => {
  it('gives no answer to a unit id without a point, and logs the request', () => {
    const { peer, frames, health } = serve([words(1, 0)]);
    expect(peer.ask('03 00 00 00 01', 9)).toBeNull();
    expect(frames.of('rx')).toMatchObject([{ text: 'No point has slave address 9; no answer.' }]);
    expect(health).toMatchObject({ requests: 1, responses: 0 });
  });

  it('answers exception 11 instead where the setting says so', () => {
    const { peer } = serve([words(1, 0)], { unknown_unit: 'exception' });
    expect(peer.ask('03 00 00 00 01', 9)).toEqual(octets('83 0B'));
  });

  it('tells vendor, product and revision by function 43/14', () => {
    const { peer } = serve([words(1, 0)], { vendor_name: 'ACME', product_code: 'X1', revision: '2.0' });
    expect(peer.ask('2B 0E 01 00')).toEqual(octets('2B 0E 01 81 00 00 03 00 04 41 43 4D 45 01 02 58 31 02 03 32 2E 30'));
    expect(peer.ask('2B 0E 03 02')).toEqual(octets('2B 0E 03 81 00 00 01 02 03 32 2E 30'));
    expect(peer.ask('2B 0E 02 55')?.subarray(0, 7)).toEqual(octets('2B 0E 02 81 00 00 03'));
    expect(peer.ask('2B 0E 04 01')).toEqual(octets('2B 0E 04 81 00 00 01 01 02 58 31'));
    expect(peer.ask('2B 0E 04 03')).toEqual(octets('AB 02'));
    expect(peer.ask('2B 0E 05 00')).toEqual(octets('AB 03'));
  });
});

describe('Modbus server, connections', () => {
  it('answers all pipelined requests of a chunk in one write, in order', () => {
    const { peer, frames, health } = serve([words(1, 0)]);
    const requests = [1, 2, 3].map((id) => encodeMbap(id, 1, octets('03 00 00 00 01')));
    peer.push(Buffer.concat(requests));
    expect(peer.written).toHaveLength(1);
    expect(peer.written[0]).toEqual(octets([1, 2, 3].map((id) => `00 0${id} 00 00 00 05 01 03 02 00 00`).join(' ')));
    expect(frames.all.map(({ kind, link }) => [kind, link])).toEqual([
      ['rx', undefined],
      ['tx', 1],
      ['rx', undefined],
      ['tx', 3],
      ['rx', undefined],
      ['tx', 5],
    ]);
    expect(health.responses).toBe(3);
  });

  it('answers a request that comes octet by octet', () => {
    const { peer } = serve([words(1, 0)]);
    for (const octet of encodeMbap(1, 1, octets('03 00 00 00 01'))) peer.push(Uint8Array.of(octet));
    expect(peer.written).toHaveLength(1);
  });

  it('answers what came before octets that are no Modbus, then disconnects that client', () => {
    const { peer, frames, health, sink } = serve([words(1, 0)]);
    peer.push(Buffer.concat([encodeMbap(1, 1, octets('03 00 00 00 01')), Buffer.from('GET / HTTP/1.1\r\n\r\n')]));
    expect(peer.written).toHaveLength(1);
    expect(peer.isClosed).toBe(true);
    expect(frames.of('noise')).toHaveLength(1);
    expect(health.faults).toBe(1);
    expect(sink.notices).toEqual([expect.stringMatching(/^A client was disconnected: The MBAP protocol id is/)]);
  });

  it('disconnects a client that asks without reading the answers', () => {
    const { peer, sink } = serve(Array.from({ length: 125 }, (_, at) => words(at + 1, at)));
    peer.isStuck = true;
    const request = encodeMbap(1, 1, octets('03 00 00 00 7D'));
    const chunk = Buffer.concat(Array.from({ length: 500 }, () => request));
    for (let count = 0; count < 12 && !peer.isClosed; count++) peer.push(chunk);
    expect(peer.isClosed).toBe(true);
    expect(sink.notices[0]).toMatch(/without reading/);
  });

  it('answers nothing after close', async () => {
    const { peer, server } = serve([words(1, 0)]);
    await server.close();
    expect(peer.ask('03 00 00 00 01')).toBeNull();
  });
});
