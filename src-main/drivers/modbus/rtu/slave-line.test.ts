import { describe, expect, it } from 'vitest';
import { ConnType, FrameType } from '#shared/domain/enums.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import { testPoint } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { TestFrames, TestHealth, TestSink } from '../../testing/sinks.ts';
import { encodeRead, encodeRequest } from '../codec/request.ts';
import { TestLine } from '../testing/line.ts';
import { octets } from '../vectors/load.ts';
import { modbusRtuDriver } from './driver.ts';
import { encodeRtu, rtuFraming } from './framing.ts';
import { serialTiming } from './timing.ts';

const OCTET_MS = 10_000 / 9600;
const GAP_MS = 3.5 * OCTET_MS;
const points = [
  testPoint({ id: 1, code: 'A', slave_id: 1, address: 0, frame_type: FrameType.yt, func_code: 6, decode: '0x20' }),
  testPoint({ id: 2, code: 'B', slave_id: 1, address: 1, frame_type: FrameType.yt, func_code: 6, decode: '0x20' }),
  testPoint({ id: 3, code: 'C', slave_id: 255, address: 0, frame_type: FrameType.yt, func_code: 6, decode: '0x20' }),
];

function setUp(protocol: Record<string, unknown> = {}) {
  const clock = new ManualClock();
  const line = new TestLine();
  const frames = new TestFrames();
  const health = new TestHealth();
  const sink = new TestSink();
  const settings = clientSettings({ connType: ConnType.rtuSlave, protocol: modbusRtuDriver.descriptor.channelSettings.parse(protocol) });
  const connection = modbusRtuDriver.serve({
    clock,
    settings,
    points,
    sink,
    frames,
    health,
    onPeer: () => expect.fail('a serial line has no peers'),
    serialLine: line,
  });
  const sentAt: number[] = [];
  line.onWrite = () => sentAt.push(clock.monotonicMs());
  return { clock, line, frames, health, sink, connection, sentAt };
}

const set = (unitId: number, address: number, value: number) => encodeRtu(unitId, encodeRequest({ functionCode: 6, address, value }));

describe('our slave on a serial line', () => {
  it('answers a read behind exactly 3.5 characters of silence', async () => {
    const { clock, line, sentAt, frames, health } = setUp();
    await clock.advance(10);
    line.receive(encodeRtu(1, encodeRead(3, 0, 2)));
    await clock.advance(50);
    expect(line.sent).toEqual([encodeRtu(1, octets('03 04 00 00 00 00'))]);
    expect(sentAt[0]).toBeCloseTo(10 + GAP_MS, 9);
    expect(frames.all.map(({ kind, link }) => ({ kind, link }))).toEqual([
      { kind: 'rx', link: undefined },
      { kind: 'tx', link: 1 },
    ]);
    expect(health).toMatchObject({ requests: 1, responses: 1 });
  });

  it('carries out a write, and refuses what is not there', async () => {
    const { clock, line, sink, health } = setUp();
    line.receive(set(1, 1, 0x1234));
    await clock.advance(50);
    line.receive(set(1, 7, 1));
    await clock.advance(50);
    line.receive(encodeRtu(1, octets('41 00 00')));
    await clock.advance(50);
    expect(line.sent).toEqual([set(1, 1, 0x1234), encodeRtu(1, octets('86 02')), encodeRtu(1, octets('C1 01'))]);
    expect(sink.applied[0]?.readings).toMatchObject([{ pointId: 2, value: 0x1234 }]);
    expect(health.refusals).toBe(2);
  });

  it('answers unit 255, and no unit it does not serve', async () => {
    const { clock, line, frames } = setUp({ unknown_unit: 'exception' });
    line.receive(set(255, 0, 5));
    await clock.advance(50);
    line.receive(encodeRtu(9, encodeRead(3, 0, 2)));
    await clock.advance(50);
    expect(line.sent).toEqual([set(255, 0, 5)]);
    expect(frames.all.at(-1)?.text).toContain('No point has slave address 9');
  });

  it('carries a broadcast out in every unit and answers nothing', async () => {
    const { clock, line, sink } = setUp();
    line.receive(set(0, 0, 77));
    await clock.advance(100);
    line.receive(encodeRtu(0, encodeRead(3, 0, 1)));
    await clock.advance(100);
    expect(line.sent).toEqual([]);
    expect(sink.applied.flatMap((item) => item.readings.map((reading) => reading.pointId))).toEqual([1, 3]);
  });

  it('leaves the traffic of other slaves alone, and takes none of their answers for a request', async () => {
    const { clock, line, frames, health } = setUp();
    line.receive(encodeRtu(9, encodeRead(3, 0, 2)));
    await clock.advance(10);
    // the data of this answer look like a write to unit 1
    line.receive(encodeRtu(9, Uint8Array.from([3, 10, ...set(1, 0, 99), 0, 0])));
    await clock.advance(10);
    line.receive(encodeRtu(9, octets('06 00 00 00 01')));
    await clock.advance(50);
    expect(line.sent).toEqual([]);
    expect(frames.all.map((frame) => frame.kind)).toEqual(['rx', 'rx', 'rx']);
    expect(health.faults).toBe(0);
  });

  it('tells when another slave answers with its address', async () => {
    const { line, sink } = setUp();
    line.receive(encodeRtu(1, octets('03 04 00 01 00 02')));
    line.receive(encodeRtu(1, octets('03 04 00 01 00 02')));
    await settle();
    expect(sink.notices).toEqual([expect.stringContaining('Another device on this line answers as slave 1')]);
  });

  it('finds the next request behind noise and behind half a request', async () => {
    const { clock, line, health } = setUp();
    line.receive(octets('FF 00 12'));
    line.receive(encodeRtu(1, encodeRead(3, 0, 1)));
    await clock.advance(50);
    expect(line.sent).toHaveLength(1);
    line.receive(octets('01 10 00 00 00 7B F6 00 01 00 02'));
    await clock.advance(300);
    line.receive(encodeRtu(1, encodeRead(3, 0, 1)));
    await clock.advance(50);
    expect(line.sent).toHaveLength(2);
    expect(health.faults).toBeGreaterThan(0);
  });

  it('takes a request that comes in lumps', async () => {
    const { clock, line } = setUp();
    const request = encodeRtu(1, encodeRead(3, 0, 1));
    line.receive(request.subarray(0, 3));
    await clock.advance(16);
    line.receive(request.subarray(3));
    await clock.advance(50);
    expect(line.sent).toHaveLength(1);
  });

  it('does not answer its own echo for ever', async () => {
    const { clock, line } = setUp();
    // an adapter that echoes: what is sent comes back when it has left
    line.onWrite = (bytes) => {
      clock.after(bytes.length * OCTET_MS, () => line.receive(bytes));
    };
    line.receive(set(1, 0, 5));
    await clock.advance(2000);
    expect(line.sent.length).toBeLessThanOrEqual(50);
    line.sent.length = 0;
    for (let count = 0; count < 3; count++) {
      line.receive(encodeRtu(1, encodeRead(3, 0, 1)));
      await clock.advance(100);
      line.receive(set(1, 0, count));
      await clock.advance(500);
    }
    // once an answer to a read has come back, the echo is known
    expect(line.sent).toHaveLength(6);
  });

  it('sends nothing after it was closed', async () => {
    const { clock, line, connection } = setUp();
    line.receive(encodeRtu(1, encodeRead(3, 0, 1)));
    await connection.close();
    await clock.advance(50);
    expect(line.sent).toEqual([]);
  });
});

describe('the silent gap', () => {
  it('is 3.5 characters, and 1.75 ms above 19200 baud', () => {
    expect(serialTiming({ baudRate: 19_200, dataBits: 8, stopBits: 1, parity: 'E' }, rtuFraming).gapMs).toBeCloseTo(
      (3.5 * 11_000) / 19_200,
      9,
    );
    expect(serialTiming({ baudRate: 19_201, dataBits: 8, stopBits: 1, parity: 'E' }, rtuFraming).gapMs).toBe(1.75);
  });
});
