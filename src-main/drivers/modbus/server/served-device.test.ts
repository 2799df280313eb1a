import { describe, expect, it } from 'vitest';
import { ConnType, FrameType } from '#shared/domain/enums.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import type { FrameSink, PointConfig } from '../../spi/index.ts';
import { testPoint } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext, TestFrames, TestHealth, TestSink } from '../../testing/sinks.ts';
import { modbusTcpDriver } from '../driver.ts';
import { TestPeer } from '../testing/line.ts';
import { octets } from '../vectors/load.ts';

function serve(points: readonly PointConfig[], protocol: Record<string, unknown> = {}) {
  const peer = new TestPeer();
  let accept: (peer: TestPeer, frames: FrameSink) => void = () => {};
  const sink = new TestSink();
  const server = modbusTcpDriver.serve({
    clock: new ManualClock(),
    settings: clientSettings({ connType: ConnType.tcpServer, protocol }),
    points,
    sink,
    frames: new TestFrames(),
    health: new TestHealth(),
    onPeer: (given) => {
      accept = given;
    },
    serialLine: null,
  });
  accept(peer, new TestFrames());
  const ask = (pdu: string, unitId = 1) => {
    const answer = peer.ask(pdu, unitId);
    return (
      answer &&
      Buffer.from(answer)
        .toString('hex')
        .toUpperCase()
        .replace(/(..)(?=.)/g, '$1 ')
    );
  };
  return { ask, server, sink };
}

const register = (address: number) => testPoint({ id: 10 + address, address });
const coil = (address: number) => testPoint({ id: 100 + address, address, frame_type: FrameType.yk, func_code: 5 });

describe('functions about the device', () => {
  it('the exception status is the first eight coils', () => {
    const { ask } = serve([coil(0), coil(2), coil(7)]);
    ask('05 00 00 FF 00');
    ask('05 00 07 FF 00');
    expect(ask('07')).toBe('07 81');
  });

  it('count requests, exceptions and what was carried out, and clear', () => {
    const { ask } = serve([register(0)]);
    ask('03 00 00 00 01');
    ask('03 00 05 00 01');
    expect(ask('08 00 0E 00 00')).toBe('08 00 0E 00 03');
    expect(ask('08 00 0D 00 00')).toBe('08 00 0D 00 01');
    // the read, the two diagnostics; not the exception, and not function 11 itself
    expect(ask('0B')).toBe('0B 00 00 00 03');
    expect(ask('08 00 0A 00 00')).toBe('08 00 0A 00 00');
    // the clearing counts as carried out behind it
    expect(ask('0B')).toBe('0B 00 00 00 01');
    expect(ask('08 00 0E 00 00')).toBe('08 00 0E 00 02');
  });

  it('keep counters of each unit apart', () => {
    const { ask } = serve([register(0), testPoint({ id: 2, address: 0, slave_id: 2 })]);
    ask('03 00 00 00 01', 2);
    expect(ask('08 00 0E 00 00', 1)).toBe('08 00 0E 00 01');
    expect(ask('08 00 0E 00 00', 2)).toBe('08 00 0E 00 02');
  });

  it('the log has the latest event first, and 64 at most', () => {
    const { ask } = serve([register(0)]);
    ask('03 00 05 00 01');
    // received, sent with exception 2, received
    expect(ask('0C')).toBe('0C 09 00 00 00 00 00 02 80 41 80');
    for (let turn = 0; turn < 40; turn++) ask('03 00 00 00 01');
    expect(ask('0C')?.split(' ')).toHaveLength(2 + 6 + 64);
  });

  it('a unit that listens only carries out and answers nothing until it is restarted', () => {
    const { ask, sink } = serve([register(0)]);
    expect(ask('08 00 04 00 00')).toBeNull();
    expect(ask('03 00 00 00 01')).toBeNull();
    expect(ask('06 00 00 12 34')).toBeNull();
    expect(sink.applied).toEqual([]);
    expect(ask('08 00 01 00 00')).toBeNull();
    expect(ask('03 00 00 00 01')).toBe('03 02 00 00');
    expect(ask('08 00 01 FF 00')).toBe('08 00 01 FF 00');
  });

  it('returns query data, and refuses sub-functions and data that there are not', () => {
    const { ask } = serve([register(0)]);
    expect(ask('08 00 00 A5 37')).toBe('08 00 00 A5 37');
    for (const pdu of ['08 00 05 00 00', '08 00 0B 00 01', '08 00 03 2E 00', '08 00 01 00 01', '08 00 04 00 01'])
      expect(ask(pdu)).toBe('88 03');
  });

  it('the server id is what the channel says about itself, and that it runs', () => {
    const { ask } = serve([register(0)], { vendor_name: 'A', product_code: 'B', revision: '1' });
    expect(ask('11')).toBe('11 06 41 20 42 20 31 FF');
  });
});

describe('files', () => {
  it('hold what was written, and zeros elsewhere', () => {
    const { ask } = serve([register(0)]);
    expect(ask('15 0D 06 00 04 00 07 00 03 06 AF 04 BE 10 0D')).toBe('15 0D 06 00 04 00 07 00 03 06 AF 04 BE 10 0D');
    expect(ask('14 0E 06 00 04 00 06 00 02 06 00 01 00 00 00 01')).toBe('14 0A 05 06 00 00 06 AF 03 06 00 00');
  });

  it('end with their last record, and are as many as the channel says', () => {
    const { ask } = serve([register(0)], { files: 1 });
    expect(ask('14 07 06 00 01 27 0F 00 01')).toBe('14 04 03 06 00 00');
    expect(ask('14 07 06 00 01 27 0F 00 02')).toBe('94 02');
    expect(ask('14 07 06 00 02 00 00 00 01')).toBe('94 02');
    expect(ask('15 09 06 00 02 00 00 00 01 00 01')).toBe('95 02');
  });

  it('a write of two parts of which one is nowhere writes neither', () => {
    const { ask } = serve([register(0)], { files: 1 });
    expect(ask('15 12 06 00 01 00 00 00 01 12 34 06 00 02 00 00 00 01 56 78')).toBe('95 02');
    expect(ask('14 07 06 00 01 00 00 00 01')).toBe('14 04 03 06 00 00');
  });
});

describe('the queue of a register', () => {
  it('has the values that clients wrote, the oldest first, 31 at most, and keeps them when it is read', () => {
    const { ask } = serve([register(0), register(1)]);
    expect(ask('18 00 00')).toBe('18 00 02 00 00');
    ask('06 00 00 00 01');
    ask('10 00 00 00 02 04 00 02 00 63');
    expect(ask('18 00 00')).toBe('18 00 06 00 02 00 01 00 02');
    expect(ask('18 00 00')).toBe('18 00 06 00 02 00 01 00 02');
    expect(ask('18 00 01')).toBe('18 00 04 00 01 00 63');
    for (let value = 0; value < 40; value++) ask(`06 00 00 00 ${value.toString(16).padStart(2, '0')}`);
    expect(ask('18 00 00')?.slice(0, 20)).toBe('18 00 40 00 1F 00 09');
    expect(ask('18 00 05')).toBe('98 02');
  });
});

describe('scale registers', () => {
  it.each([
    ['right before it', 5, 4],
    ['right behind it', 5, 6],
    ['further away', 5, 9],
  ])('leave the point where it is: %s', async (_, address, scale_address) => {
    const point = testPoint({ id: 1, address, decode: '0x21', protocol: { scale_address } });
    const { ask, server } = serve([point]);
    ask(`06 00 0${scale_address} FF FF`);
    ask(`06 00 0${address} 09 01`);
    const { readings } = await server.read({ slaveId: 1, pointIds: [1] }, exchangeContext());
    expect(readings).toMatchObject([{ value: 2305, exponent: -1, raw: octets('09 01') }]);
    await server.execute({ point, step: 'operate', value: 231, options: {} }, exchangeContext());
    expect(ask(`03 00 0${address} 00 01`)).toBe('03 02 09 06');
    expect(ask(`03 00 0${scale_address} 00 01`)).toBe('03 02 FF FF');
  });

  it('are served beside the points they scale, which change with them', async () => {
    const point = testPoint({ id: 1, address: 0, decode: '0x21', protocol: { scale_address: 5 } });
    const { ask, server, sink } = serve([point]);
    expect(ask('03 00 05 00 01')).toBe('03 02 00 00');
    expect(ask('06 00 05 FF FF')).toBe('06 00 05 FF FF');
    expect(ask('03 00 04 00 02')).toBe('83 02');
    await server.execute({ point, step: 'operate', value: 230.5, options: {} }, exchangeContext());
    expect(ask('03 00 00 00 01')).toBe('03 02 09 01');
    ask('06 00 05 00 02');
    expect(sink.applied.at(-1)?.readings).toMatchObject([{ pointId: 1, value: 2305, exponent: 2, raw: octets('09 01') }]);
  });
});
