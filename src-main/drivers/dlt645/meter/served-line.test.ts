import { describe, expect, it } from 'vitest';
import { ConnType } from '#shared/domain/enums.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { runSteps } from '../../../platform/steps.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import type { FrameSink } from '../../spi/index.ts';
import { TestFrames, TestHealth } from '../../testing/sinks.ts';
import { encodeAddress } from '../codec/address.ts';
import { encodeFrame } from '../codec/frame.ts';
import { Dlt645Framer } from '../link/framer.ts';
import { channelSettings } from '../settings.ts';
import { pointsOf, TestLine, testSettings } from '../testing/bench.ts';
import { allVectors, octets } from '../vectors/load.ts';
import { Dlt645Server } from './server.ts';

const METER = '000012345678';

function setUp(connType: ConnType = ConnType.rtuSlave, protocol: Record<string, unknown> = { preambles: 0, response_delay_ms: 20 }) {
  const clock = new ManualClock(Date.UTC(2026, 2, 5, 6, 30, 15));
  const line = new TestLine(clock);
  const points = pointsOf([
    { address: 0x02010100, slave_id: Number(METER) },
    { address: 0x02010200, slave_id: Number(METER) },
    { address: 0x04000102, slave_id: Number(METER) },
  ]);
  let accept: ((peer: AcceptedPeer, frames: FrameSink) => void) | null = null;
  const frames = new TestFrames();
  const server = runSteps(
    new Dlt645Server({
      clock,
      points,
      frames,
      health: new TestHealth(),
      settings: { ...testSettings, connType, protocol: channelSettings.parse(protocol) },
      sink: { values: () => {}, notice: () => {}, lost: () => {} },
      onPeer: (taken) => {
        accept = taken;
      },
      serialLine: connType === ConnType.rtuSlave ? line : null,
    }).started(),
  );
  const [voltage] = points;
  const setVoltage = () => voltage && server.execute({ point: voltage, step: 'operate', value: 220.5, options: {} });
  return { clock, line, server, frames, setVoltage, accept: () => accept };
}

describe('the vectors of a slave', () => {
  const vectors = allVectors.filter((vector) => vector.expect?.slave !== undefined && vector.request_hex !== null);

  it.each(vectors)('$name: $expect.slave', async (vector) => {
    const { clock, line, setVoltage } = setUp();
    await setVoltage();
    const chunks = vector.chunks ?? [vector.request_hex ?? ''];
    for (const chunk of chunks) {
      line.receive(octets(chunk));
      if (vector.gap_ms) await clock.advance(vector.gap_ms);
    }
    await clock.advance(5000);
    const framer = new Dlt645Framer();
    const answered = line.sent.flatMap(({ bytes }) => framer.push(bytes)).filter((item) => item.kind === 'frame');
    const replies = /silent on serial|^silent|or silent|no reply/.test(vector.expect?.slave ?? '')
      ? 0
      : /two|both/.test(vector.expect?.slave ?? '')
        ? 2
        : 1;
    expect(answered).toHaveLength(replies);
    if (replies === 1 && vector.response_hex && vector.meaning.di === '02010100' && !vector.meaning.error) {
      expect(hexText(answered[0]?.bytes ?? new Uint8Array(0))).toBe(
        hexText(octets(vector.response_hex).filter((_, at, all) => at >= all.indexOf(0x68))),
      );
    }
  });
});

describe('a simulated meter', () => {
  it('answers after its delay', async () => {
    const { clock, line } = setUp(ConnType.rtuSlave, { response_delay_ms: 120 });
    line.receive(octets('6878563412000068110433343435C916'));
    await clock.advance(119);
    expect(line.sent).toHaveLength(0);
    await clock.advance(1);
    expect(line.sent).toHaveLength(1);
    expect([...(line.sent[0]?.bytes ?? [])].slice(0, 4)).toEqual([0xfe, 0xfe, 0xfe, 0xfe]);
  });

  it('takes the time of a broadcast and says nothing', async () => {
    const { clock, line } = setUp();
    line.receive(octets('689999999999996808064863473836592D16'));
    await clock.advance(1000);
    expect(line.sent).toHaveLength(0);
    const time = encodeFrame({ address: encodeAddress(METER), control: 0x11, data: Uint8Array.of(2, 1, 0, 4) });
    line.receive(time);
    await clock.advance(1000);
    const [frame] = new Dlt645Framer().push(line.sent[0]?.bytes ?? new Uint8Array(0));
    // a second has passed since 14:30:15
    expect(frame?.kind === 'frame' && hexText(frame.data.subarray(4))).toBe('16 30 14');
  });

  it('gives no password away', async () => {
    const { clock, line } = setUp();
    line.receive(encodeFrame({ address: encodeAddress(METER), control: 0x11, data: Uint8Array.of(1, 0x0c, 0, 4) }));
    await clock.advance(100);
    expect(hexText(line.sent[0]?.bytes ?? new Uint8Array(0))).toMatch(/^68 78 56 34 12 00 00 68 D1 01 35/);
  });

  it('serves several masters over TCP', async () => {
    const { clock, accept } = setUp(ConnType.tcpServer);
    const written: Uint8Array[][] = [];
    const events: { onData(chunk: Uint8Array): void }[] = [];
    for (let count = 0; count < 2; count++) {
      const own: Uint8Array[] = [];
      written.push(own);
      const peer: AcceptedPeer = {
        label: 'peer',
        start: (given) => events.push(given),
        write: async (bytes) => {
          own.push(bytes);
        },
        close: async () => {},
      };
      accept()?.(peer, new TestFrames());
    }
    for (const each of events) each.onData(octets('6878563412000068110433343435C916'));
    await clock.advance(100);
    expect(written.map((own) => own.length)).toEqual([1, 1]);
  });
});
