import { describe, expect, it } from 'vitest';
import { ConnType, FrameType, ProtocolType } from '#shared/domain/enums.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import type { ClientIo, ExplainContext, PointDraft } from '../../spi/index.ts';
import { inEnglish } from '../../testing/explained.ts';
import { testPoint } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext, TestFrames, TestHealth, TestSink } from '../../testing/sinks.ts';
import { encodeRead } from '../codec/request.ts';
import { TestLine, TestPeer } from '../testing/line.ts';
import { octets } from '../vectors/load.ts';
import { encodeAscii } from './ascii.ts';
import { modbusRtuDriver } from './driver.ts';
import { encodeRtu } from './framing.ts';

const settingsWith = (protocol: Record<string, unknown>, connType: ConnType = ConnType.rtuMaster) => ({
  ...clientSettings(),
  connType,
  protocol: modbusRtuDriver.descriptor.channelSettings.parse(protocol),
});

async function connect(protocol: Record<string, unknown> = {}, connType: ConnType = ConnType.rtuMaster) {
  const clock = new ManualClock();
  const line = new TestLine();
  const io: ClientIo = {
    clock,
    line,
    settings: settingsWith(protocol, connType),
    points: [],
    sink: new TestSink(),
    frames: new TestFrames(),
    health: new TestHealth(),
  };
  const connection = await modbusRtuDriver.connect(io, new AbortController().signal);
  // the line has been silent since it was opened
  clock.sleep(100, 'runs');
  return { clock, line, connection };
}

const toAll = testPoint({ frame_type: FrameType.yt, slave_id: 0, func_code: 6, address: 5 });
const command = (point = toAll) => ({ point, step: 'operate' as const, value: 7, options: {} });

describe('the Modbus RTU driver', () => {
  it('has the settings of a serial line beside those of Modbus', () => {
    expect(modbusRtuDriver.descriptor).toMatchObject({ protocolType: ProtocolType.modbusRtu, key: 'modbus-rtu' });
    expect(settingsWith({}).protocol).toMatchObject({
      rts_at_open: 'on',
      dtr_at_open: 'on',
      rts_direction: 'none',
      local_echo: 'auto',
      broadcast: 'off',
    });
  });

  it('reads through a plan with line time over a serial port, and without one over TCP', async () => {
    const point = testPoint({ id: 9, address: 3 });
    for (const connType of [ConnType.rtuMaster, ConnType.tcpClient]) {
      const { clock, line, connection } = await connect({}, connType);
      const plan = connection.plan([point], { mode: 'batch', skipKnownHoles: true });
      // 15 octets and two gaps at 9600 8N1, and the turn-round that is assumed
      if (connType === ConnType.rtuMaster) expect(plan.predictedMs).toBeCloseTo((15 + 7) * (10 / 9.6) + 10, 6);
      else expect(plan.predictedMs).toBeNull();
      const [batch] = plan.batches;
      if (!batch) throw new Error('no batch');
      const reading = connection.read(batch, exchangeContext());
      await clock.advance(15);
      expect(line.sent).toEqual([encodeRtu(1, encodeRead(3, 3, 1))]);
      line.receive(encodeRtu(1, octets('03 02 00 2A')));
      await expect(reading).resolves.toMatchObject({ readings: [{ pointId: 9, value: 42 }] });
    }
  });

  it('sends a broadcast only where it is wanted, and says that nobody answers', async () => {
    const off = await connect();
    await expect(off.connection.execute(command(), exchangeContext())).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('broadcast has to be on'),
    });
    expect(off.line.sent).toEqual([]);
    const on = await connect({ broadcast: 'on' });
    const result = await on.connection.execute(command(), exchangeContext());
    expect(on.line.sent).toEqual([encodeRtu(0, octets('06 00 05 00 07'))]);
    expect(result).toMatchObject({ outcome: 'unknown', failure: null, refusal: null });
    expect(result.stages.map((stage) => stage.name)).toEqual(['sent', 'broadcast']);
  });

  it('sends one bit to all as a mask write, since nobody can be asked for the other bits', async () => {
    const { line, connection } = await connect({ broadcast: 'on' });
    const point = testPoint({ frame_type: FrameType.yk, slave_id: 0, func_code: 6, address: 5, bit: 3, decode: '0x20' });
    await connection.execute({ ...command(point), value: 1 }, exchangeContext());
    expect(line.sent).toEqual([encodeRtu(0, octets('16 00 05 FF F7 00 08'))]);
  });

  it('takes address 0 for commands of a master only', () => {
    const draft = (frameType: FrameType): PointDraft => ({
      ...testPoint(),
      frame_type: frameType,
      slave_id: 0,
      func_code: undefined,
      decode: undefined,
    });
    const issues = (frameType: FrameType, connType: ConnType) =>
      modbusRtuDriver.normalizePoint(draft(frameType), settingsWith({}, connType)).issues.map((issue) => issue.path);
    expect(issues(FrameType.yc, ConnType.rtuMaster)).toEqual(['slave_id']);
    expect(issues(FrameType.yt, ConnType.rtuMaster)).toEqual([]);
    expect(issues(FrameType.yt, ConnType.rtuSlave)).toEqual(['slave_id']);
    expect(modbusRtuDriver.isReadable(toAll)).toBe(false);
  });

  it('serves RTU frames over TCP, several in one block', async () => {
    const clock = new ManualClock();
    const peer = new TestPeer();
    modbusRtuDriver.serve({
      clock,
      settings: settingsWith({ unknown_unit: 'exception' }, ConnType.tcpServer),
      points: [testPoint({ id: 1, address: 0 })],
      sink: new TestSink(),
      frames: new TestFrames(),
      health: new TestHealth(),
      onPeer: (accept) => accept(peer, new TestFrames()),
      serialLine: null,
    });
    peer.push(Uint8Array.from([...encodeRtu(1, encodeRead(3, 0, 1)), ...encodeRtu(9, encodeRead(3, 0, 1))]));
    await settle();
    expect(peer.written).toEqual([encodeRtu(1, octets('03 02 00 00')), encodeRtu(9, octets('83 0B'))]);
  });
});

describe('explanations of RTU frames', () => {
  const explain = (bytes: Uint8Array, given: ExplainContext) => inEnglish(modbusRtuDriver.explain(bytes, given));
  const context = (changes: Partial<ExplainContext> = {}): ExplainContext => ({
    kind: 'rx',
    isRequest: false,
    request: encodeRtu(1, encodeRead(3, 0, 1)),
    settings: settingsWith({}),
    ...changes,
  });

  it('name unit, PDU and checksum', () => {
    const { summary, nodes } = explain(encodeRtu(1, octets('03 02 00 2A')), context());
    expect(summary).toContain('slave 1, function 3');
    expect(nodes.map((node) => [node.name, node.severity])).toEqual([
      ['slave address', 'info'],
      ['PDU', 'info'],
      ['CRC', 'info'],
    ]);
    expect(nodes[2]?.value).toMatch(/, right$/);
  });

  it('say what the checksum would have to be', () => {
    const frame = encodeRtu(1, octets('03 02 00 2A'));
    frame[3] = 0x80;
    const { summary, nodes } = explain(frame, context());
    expect(summary).toMatch(/^wrong checksum: /);
    expect(nodes[2]).toMatchObject({ name: 'CRC', severity: 'error', value: expect.stringMatching(/would be right$/) });
  });

  it('read a frame the other way round where it only makes sense so, and tell a wrong unit', () => {
    const request = explain(encodeRtu(7, encodeRead(3, 0, 10)), context({ request: null }));
    expect(request.nodes[1]?.value).toContain('request');
    const other = explain(encodeRtu(2, octets('03 02 00 2A')), context());
    expect(other.nodes[0]).toMatchObject({ severity: 'error', value: '2 — slave 1 was asked' });
    expect(explain(encodeRtu(0, octets('06 00 00 00 01')), context({ isRequest: true })).nodes[0]?.value).toBe('0 (broadcast)');
  });

  it('cover every octet of anything, and never throw', () => {
    for (let length = 0; length < 20; length++) {
      for (const seed of [0, 3, 0x83, 0x10, 0x2b, 0xff]) {
        const bytes = Uint8Array.from({ length }, (_, at) => (at === 1 ? seed : (at * 37 + seed) & 0xff));
        for (const kind of ['rx', 'tx', 'noise', 'late'] as const) {
          const { nodes } = explain(bytes, context({ kind }));
          const covered = nodes.reduce((sum, node) => sum + node.end - node.start, 0);
          expect(covered).toBe(length);
        }
      }
    }
  });
});

describe('Modbus ASCII by the setting of the channel', () => {
  const ascii = { framing: 'ascii' };
  const answer = encodeAscii(1, octets('03 02 00 2A'));

  it.each([ConnType.rtuMaster, ConnType.tcpClient])('reads on connection type %i, the answer in any pieces', async (connType) => {
    const { clock, line, connection } = await connect(ascii, connType);
    const plan = connection.plan([testPoint({ id: 9, address: 3 })], { mode: 'batch', skipKnownHoles: true });
    // 17 and 15 characters, two gaps of one and the turn-round that is assumed
    if (connType === ConnType.rtuMaster) expect(plan.predictedMs).toBeCloseTo((17 + 15 + 2) * (10 / 9.6) + 10, 6);
    const reading = connection.read(plan.batches[0] ?? expect.fail('no batch'), exchangeContext());
    await clock.advance(30);
    expect(line.sent).toEqual([encodeAscii(1, encodeRead(3, 3, 1))]);
    for (const octet of answer) {
      line.receive(Uint8Array.of(octet));
      await clock.advance(1);
    }
    await expect(reading).resolves.toMatchObject({ readings: [{ pointId: 9, value: 42 }] });
  });

  it('tells a wrong LRC, and takes no value from it', async () => {
    const { clock, line, connection } = await connect(ascii);
    const plan = connection.plan([testPoint({ id: 9, address: 3 })], { mode: 'batch', skipKnownHoles: true });
    const reading = connection.read(plan.batches[0] ?? expect.fail('no batch'), exchangeContext());
    const failed = expect(reading).rejects.toMatchObject({ code: 'FRAME_CHECKSUM' });
    await clock.advance(30);
    const broken = answer.slice();
    broken[10] = 0x39;
    line.receive(broken);
    await clock.advance(5000);
    await failed;
  });

  it('serves on a serial line, requests in pieces and behind noise, and leaves other units alone', async () => {
    const clock = new ManualClock();
    const line = new TestLine();
    modbusRtuDriver.serve({
      clock,
      settings: settingsWith(ascii, ConnType.rtuSlave),
      points: [testPoint({ id: 1, address: 0 })],
      sink: new TestSink(),
      frames: new TestFrames(),
      health: new TestHealth(),
      onPeer: () => expect.fail('a serial line has no peers'),
      serialLine: line,
    });
    const request = encodeAscii(1, encodeRead(3, 0, 1));
    line.receive(octets('00 3A 30'));
    line.receive(request.subarray(0, 5));
    await clock.advance(400);
    line.receive(request.subarray(5));
    await clock.advance(50);
    line.receive(encodeAscii(9, encodeRead(3, 0, 1)));
    await clock.advance(50);
    expect(line.sent).toEqual([encodeAscii(1, octets('03 02 00 00'))]);
  });

  it('explains its frames character by character', () => {
    const request = encodeAscii(1, encodeRead(3, 3, 1));
    const context = { kind: 'rx', isRequest: false, request, settings: settingsWith(ascii) } as const;
    const { summary, nodes } = inEnglish(modbusRtuDriver.explain(answer, context));
    expect(summary).toContain('slave 1, function 3');
    expect(nodes.map(({ name, start, end }) => [name, start, end])).toEqual([
      ['start', 0, 1],
      ['slave address', 1, 3],
      ['PDU', 3, 11],
      ['LRC', 11, 13],
      ['end', 13, 15],
    ]);
    const broken = answer.slice();
    broken[12] = 0x31;
    expect(inEnglish(modbusRtuDriver.explain(broken, context))).toMatchObject({
      summary: expect.stringMatching(/^wrong checksum: /),
      nodes: { 3: { value: expect.stringMatching(/would be right$/) } },
    });
    for (let length = 0; length < request.length; length++)
      for (const kind of ['rx', 'noise'] as const) {
        const cut = modbusRtuDriver.explain(request.subarray(0, length), { ...context, kind });
        expect(cut.nodes.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(length);
      }
  });
});
