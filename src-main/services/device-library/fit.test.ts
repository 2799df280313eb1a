import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DeviceTemplate } from '#shared/contract/library.ts';
import { simulatedPort } from '#shared/domain/device-library.ts';
import type { ProtocolDriver } from '../../drivers/spi/index.ts';
import { fitted, type Wanted } from './fit.ts';

const ROW = { protocol_type: 1, conn_type: 2, port: 502, slaves: [1] } as unknown as DeviceTemplate;
const CONTENT = {
  head: { name: 'PCS', about: '' },
  channel: { name: 'kept', timeout_ms: 700, protocol: { client_only: 1, server_only: 2, both: 3, foreign: 4 } },
  points: [
    { code: 'A', slave_id: 1, protocol: { start_value: 5, note: 'x' } },
    { code: 'B', slave_id: 1 },
  ],
} as unknown as Parameters<typeof fitted>[0];
/** A protocol of whose settings some mean something on one side only. */
const driver = (slave: unknown = {}) =>
  ({
    descriptor: {
      channelSettings: z.object({
        client_only: z.number().meta({ side: 'client' }),
        server_only: z.number().meta({ side: 'server' }),
        both: z.number(),
      }),
      pointSettings: z.object({ start_value: z.number().meta({ side: 'server' }), note: z.string() }),
      notation: { slave },
    },
  }) as unknown as ProtocolDriver;
const made = (wanted: Partial<Wanted> = {}, row: Partial<DeviceTemplate> = {}, by: ProtocolDriver | undefined = driver()) =>
  fitted(CONTENT, { ...ROW, ...row }, { name: 'New', connType: 2, ...wanted }, by);

describe('a template made fit for a channel', () => {
  it('that asks a device has its settings, its port, and nothing that only a served table means', () => {
    const { channel, points } = made();
    expect(channel).toEqual({
      ...{ name: 'New', timeout_ms: 700, conn_type: 2, ip: '127.0.0.1', port: 502, com_port: null },
      protocol: { client_only: 1, both: 3, foreign: 4 },
    });
    expect(points).toEqual([
      { code: 'A', slave_id: 1, protocol: { note: 'x' } },
      { code: 'B', slave_id: 1, protocol: {} },
    ]);
  });

  it('that serves has a port of its own, and the values it begins with', () => {
    const { channel, points } = made({ connType: 1 });
    expect(channel).toMatchObject({ conn_type: 1, port: simulatedPort(502), protocol: { server_only: 2, both: 3, foreign: 4 } });
    expect(points[0]).toMatchObject({ protocol: { start_value: 5, note: 'x' } });
  });

  it('leads where it is told, whatever the template says', () => {
    expect(made({ connType: 1, ip: '10.0.0.1', port: 1502, comPort: 'COM3' }).channel).toMatchObject({
      ip: '10.0.0.1',
      port: 1502,
      com_port: 'COM3',
    });
    expect(made({}, { port: null }).channel.port, 'the port of its protocol').toBe(502);
  });

  it('keeps settings that nobody knows here', () => {
    const { channel } = fitted(CONTENT, ROW, { name: 'New', connType: 1 }, undefined);
    expect(channel.protocol).toEqual({ client_only: 1, server_only: 2, both: 3, foreign: 4 });
  });

  it('may be of another slave where it is one device, and the protocol numbers slaves', () => {
    expect(made({ slaveId: 9 }).points.map((point) => point.slave_id)).toEqual([9, 9]);
    expect(() => made({ slaveId: 9 }, { slaves: [1, 2] })).toThrow(
      expect.objectContaining({ status: 422, data: [expect.objectContaining({ path: 'slave_id', params: { slaves: ['1', '2'] } })] }),
    );
    expect(() => made({ slaveId: 9 }, {}, driver(null))).toThrow(
      expect.objectContaining({ data: [expect.objectContaining({ path: 'slave_id' })] }),
    );
    expect(() => made({}, { slaves: [1, 2] }, driver(null))).not.toThrow();
  });
});
