import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { toyDriver } from '../drivers/testing/toy-driver.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

let core: RunningCore;
beforeEach(async () => {
  core = await startCore({}, { drivers: createDriverRegistry([toyDriver]) });
});
afterEach(() => core.close());

async function channel(name: string, conn_type: 1 | 2, port: number): Promise<number> {
  const { data } = await core.api.call('addChannel', {
    name,
    protocol_type: ProtocolType.modbusTcp,
    conn_type,
    ip: '127.0.0.1',
    port,
    timeout_ms: 300,
  });
  return data.id;
}

describe('a protocol of a hundred lines', () => {
  it('is one file of a hundred lines, and one line that registers it', () => {
    const lines = readFileSync(new URL('../drivers/testing/toy-driver.ts', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(100);
  });

  it('serves, is read by a task, commanded and refused over the API', async () => {
    const port = await freePort();
    const server = await channel('device', ConnType.tcpServer, port);
    const client = await channel('station', ConnType.tcpClient, port);
    const points = [
      { frame_type: 0 as const, code: 'YC', address: 7 },
      { frame_type: 3 as const, code: 'YT', address: 8 },
    ];
    const served = (await core.api.call('addPoints', { channel_id: server, points })).data.items;
    const asked = (
      await core.api.call('addPoints', { channel_id: client, points: [...points, { frame_type: 0, code: 'NONE', address: 99 }] })
    ).data.items;
    for (const channel_id of [server, client]) await core.api.call('startDevice', { channel_id });
    const rows = async (channel_id: number) => (await core.api.call('pointTable', { channel_id, page: 1, page_size: 10 })).data.items;

    await core.api.call('updatePoint', { point_id: served[0]?.id ?? 0, frame_type: 0, value: 4711 });
    await core.api.call('startAutoRead', { device_name: 'station', cycle_interval_ms: 100 });
    const [yc, , none] = await until(
      () => rows(client),
      (items) => items.every(({ quality }) => quality !== 'never'),
    );
    expect(yc).toMatchObject({ value: 4711, raw_hex: '1267' });
    expect(none).toMatchObject({ quality: 'invalid', error: expect.stringMatching(/says no/) });

    const command = { channel_id: client, point_id: asked[1]?.id ?? 0, frame_type: 3 as const, step: 'operate' as const, value: 815 };
    expect((await core.api.call('command', command)).data.outcome).toBe('accepted');
    await core.api.call('readSinglePoint', { channel_id: server, point_id: served[1]?.id ?? 0, frame_type: 3 });
    expect((await rows(server))[1]).toMatchObject({ value: 815 });
  });
});
