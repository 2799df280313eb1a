/** A line of meters as a whole, on a manual clock: two channels with tasks, 2400 baud between them. */
import { describe, expect, it } from 'vitest';
import { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { ConnType, FrameType, ProtocolType } from '#shared/domain/enums.ts';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import { testPoint } from '../drivers/testing/points.ts';
import { silentLogger } from '../platform/logger.ts';
import { ManualClock } from '../platform/manual-clock.ts';
import { ChannelManager } from '../runtime/channel-manager.ts';
import { EventLog } from '../runtime/logs/event-log.ts';
import { channelSettings } from '../runtime/testing/harness.ts';
import type { ByteTransport, LineSettings, TransportEvents } from '../transport/types.ts';

const OCTET_MS = 11_000 / 2400;
/** Identifiers of one meter; no block covers two of them. */
const ITEMS = [0x00010000, 0x02010100, 0x02020100, 0x02030000, 0x02800002];

const pointsOf = (meters: number): PointConfig[] =>
  Array.from({ length: meters }, (_, meter) =>
    ITEMS.map((address, item) =>
      testPoint({
        id: meter * 10 + item + 1,
        code: `M${meter}_${item}`,
        frame_type: FrameType.yc,
        address,
        slave_id: meter + 1,
        decode: '',
        func_code: null,
      }),
    ),
  ).flat();

interface Written {
  readonly at: number;
  readonly meter: number;
}

/** A master and `meters` simulated meters at the two ends of one line. */
async function meterLine(meters: number) {
  const clock = new ManualClock();
  const ends = new Map<string, TransportEvents>();
  const written: Written[] = [];
  /** Meters without power. */
  const off = new Set<number>();
  const connector = ({ comPort }: LineSettings): ByteTransport => {
    const own = comPort ?? '';
    const other = own === 'MASTER' ? 'METERS' : 'MASTER';
    return {
      label: own,
      open: async (events) => {
        ends.set(own, events);
      },
      write: async (bytes) => {
        const start = bytes.indexOf(0x68);
        const meter = Number((bytes[start + 1] ?? 0).toString(16));
        if (own === 'MASTER') written.push({ at: clock.monotonicMs(), meter });
        if (off.has(meter)) return;
        for (let at = 0; at < bytes.length; at += 8) {
          const lump = bytes.slice(at, at + 8);
          clock.after((at + lump.length) * OCTET_MS, () => ends.get(other)?.onData(lump));
        }
      },
      close: async () => ends.get(own)?.onClosed({ kind: 'local' }),
    };
  };
  const manager = new ChannelManager({
    clock,
    random: () => 0.5,
    newId: () => '00000000-0000-4000-8000-000000000001',
    transports: { connector, listener: () => expect.fail('no listener') },
    drivers: { all: [dlt645Driver], find: () => dlt645Driver },
    logger: silentLogger,
    events: new EventLog(100),
  });
  const serial = { protocol_type: ProtocolType.dlt645, baud_rate: 2400, parity: 'E', retries: 0 } as const;
  const served = { ...serial, id: 2, name: 'meters', conn_type: ConnType.rtuSlave, com_port: 'METERS' };
  const asking = { ...serial, id: 1, name: 'line', conn_type: ConnType.rtuMaster, com_port: 'MASTER' };
  await manager.add(channelSettings(served), pointsOf(meters)).start();
  const channel = manager.add(channelSettings(asking), pointsOf(meters));
  await channel.start();
  return { clock, channel, written, off };
}

describe('20 meters of 5 items at 2400 baud', () => {
  it('are read in the time that was foretold, and a meter that falls silent costs the others 2 % at most', async () => {
    const { clock, channel, written, off } = await meterLine(20);
    channel.startTask('automatic', ReadTaskConfig.parse({ cycle_interval_ms: 100 }));
    await clock.advance(120_000);
    const { predicted_cycle_ms: predicted = 0, last_cycle_ms: real = 0, fail } = channel.taskSnapshot('automatic');
    expect(fail).toBe(0);
    expect(Math.abs((real ?? 0) / (predicted ?? 1) - 1)).toBeLessThan(0.02);

    off.add(7);
    await clock.advance(120_000);
    expect(channel.state().health.suspended.map(({ slave_id }) => slave_id)).toEqual([7]);
    const from = written.length;
    await clock.advance(1_200_000);
    let silent = 0;
    for (let at = from; at < written.length - 1; at++) {
      if (written[at]?.meter === 7) silent += (written[at + 1]?.at ?? 0) - (written[at]?.at ?? 0);
    }
    const span = (written.at(-1)?.at ?? 0) - (written[from]?.at ?? 0);
    expect(silent).toBeGreaterThan(0);
    expect(silent / span).toBeLessThanOrEqual(0.02);
  });
});
