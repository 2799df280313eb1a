/** Our simulated devices before clients that send anything, with everything they do later set: no octets end a channel. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ConnType } from '#shared/domain/enums.ts';
import { encodeAddress } from '../drivers/dlt645/codec/address.ts';
import { encodeFrame } from '../drivers/dlt645/codec/frame.ts';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { iec104Driver } from '../drivers/iec104/driver.ts';
import { encodeI } from '../drivers/iec104/link/apci.ts';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { encodeMbap } from '../drivers/modbus/link/mbap.ts';
import { modbusRtuDriver } from '../drivers/modbus/rtu/driver.ts';
import { encodeRtu } from '../drivers/modbus/rtu/framing.ts';
import type { PointConfig, ProtocolDriver } from '../drivers/spi/index.ts';
import type { Logger } from '../platform/logger.ts';
import { ManualClock, settle } from '../platform/manual-clock.ts';
import { ChannelManager } from '../runtime/channel-manager.ts';
import { EventLog } from '../runtime/logs/event-log.ts';
import { channelSettings, point } from '../runtime/testing/harness.ts';
import { LoopbackNetwork } from '../transport/loopback.ts';

const PORT = 40_000;
const octets = fc.uint8Array({ minLength: 1, maxLength: 60 });
/** Function codes and data of requests that are nearly right. */
const pdu = fc
  .tuple(fc.constantFrom(1, 2, 3, 4, 5, 6, 8, 15, 16, 22, 23, 43), fc.uint8Array({ maxLength: 20 }))
  .map(([code, data]) => Uint8Array.of(code, ...data));
const meterFrame = fc
  .tuple(
    fc.constantFrom('000000000001', 'AAAAAAAAAAAA', '999999999999'),
    fc.constantFrom(0x11, 0x12, 0x14, 0x13, 0x08, 0x16, 0x1c, 0x01, 0x04),
    fc.uint8Array({ maxLength: 30 }),
  )
  .map(([address, control, data]) => encodeFrame({ address: encodeAddress(address), control, data }));

interface Device {
  readonly name: string;
  readonly driver: ProtocolDriver;
  readonly protocol: Record<string, unknown>;
  readonly points: readonly Partial<PointConfig>[];
  /** Octets that open the session. */
  readonly greeting: Uint8Array;
  readonly frame: fc.Arbitrary<Uint8Array>;
}

const NO_GREETING = new Uint8Array(0);
const registers = [0, 1, 2, 3].map(
  (frameType) =>
    ({
      frame_type: frameType,
      address: 1,
      decode: frameType === 0 || frameType === 3 ? '0x42' : '0x20',
      slave_id: 1,
    }) as Partial<PointConfig>,
);
const DEVICES: readonly Device[] = [
  {
    name: 'Modbus TCP',
    driver: modbusTcpDriver,
    protocol: {},
    points: registers,
    greeting: NO_GREETING,
    frame: pdu.map((octet) => encodeMbap(7, 1, octet)),
  },
  {
    name: 'Modbus RTU',
    driver: modbusRtuDriver,
    protocol: {},
    points: registers,
    greeting: NO_GREETING,
    frame: pdu.map((octet) => encodeRtu(1, octet)),
  },
  {
    name: 'IEC 104',
    driver: iec104Driver,
    protocol: { execution_ms: 300, reaction_ms: 200, select_timeout_s: 1, cyclic_s: 1, background_s: 1, command_age_s: 5 },
    points: [
      { frame_type: 3, address: 5, decode: '', protocol: { type_id: 50 }, mul_coe: 3, related_code: 'P2' },
      { frame_type: 0, address: 6, decode: '', protocol: { type_id: 13 } },
    ],
    greeting: Uint8Array.of(0x68, 4, 7, 0, 0, 0),
    frame: octets.map((rest) => encodeI(0, 0, Uint8Array.of(50, 1, 6, 0, 1, 0, 5, 0, 0, ...rest.subarray(0, 5)))),
  },
  {
    name: 'DL/T 645',
    driver: dlt645Driver,
    protocol: { response_delay_ms: 500 },
    points: [{ address: 0x0001_0000, decode: '', slave_id: 1, protocol: { edition: '2007' } }],
    greeting: NO_GREETING,
    frame: meterFrame,
  },
  {
    name: 'IEC 61850',
    driver: iec61850Driver,
    protocol: {},
    points: [{ reference: 'LD1/GGIO1.AnIn1.mag.f[MX]', decode: '' }],
    greeting: NO_GREETING,
    frame: octets.map((rest) => Uint8Array.of(3, 0, 0, 7 + rest.length, 2, 0xf0, 0x80, ...rest)),
  },
];

it.each(DEVICES)(
  '$name: whatever comes, the channel stays and nothing is logged as a fault',
  async ({ driver, protocol, points, greeting, frame }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(octets, frame, frame), { minLength: 1, maxLength: 8 }), async (chunks) => {
        const clock = new ManualClock();
        const network = new LoopbackNetwork(clock);
        const faults: unknown[] = [];
        const quiet = () => undefined;
        const logger = { error: (details: unknown) => faults.push(details), warn: quiet, info: quiet, debug: quiet } as unknown as Logger;
        const manager = new ChannelManager({
          clock,
          random: () => 0.5,
          newId: () => '00000000-0000-4000-8000-000000000001',
          transports: network,
          drivers: { all: [driver], find: () => driver },
          logger,
          events: new EventLog(1000),
        });
        const settings = channelSettings({
          protocol_type: driver.descriptor.protocolType,
          conn_type: ConnType.tcpServer,
          port: PORT,
          protocol,
        });
        const channel = manager.add(
          settings,
          points.map((changes, at) => point(at + 1, { code: `P${at + 1}`, ...changes })),
        );
        const started = channel.start();
        await clock.advance(100);
        await started;
        for (const chunk of chunks) {
          const line = network.dial(PORT);
          line?.start({ onData: () => undefined, onClosed: () => undefined });
          if (greeting.length > 0) await line?.write(greeting).catch(() => undefined);
          await settle();
          await line?.write(chunk).catch(() => undefined);
          await clock.advance(1500);
        }
        await clock.advance(5000);
        expect([channel.state().status, faults]).toEqual(['running', []]);
        const stopped = channel.stop();
        await clock.advance(10_000);
        await stopped;
      }),
      { numRuns: 60 },
    );
  },
);
