/** Captures become recorded values, and are served again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import type { Point } from '#shared/contract/points.ts';
import { createLazyDrivers } from './lazy-drivers.ts';
import { freePort, type RunningCore, startCore, startPair } from './testing/running-core.ts';

const running: RunningCore[] = [];
afterEach(async () => {
  for (const core of running.splice(0)) await core.close();
});

async function aCore(): Promise<RunningCore> {
  const core = await startCore({}, { drivers: createLazyDrivers() });
  running.push(core);
  return core;
}

const register = (code: string, address: number) => ({ frame_type: 3 as const, code, address, decode: '0x20' });

/** What passed while a master read two setpoints of a device, one of which changed twice. */
async function aCapture(core: RunningCore): Promise<File> {
  const { api } = core;
  const points = [register('A', 100), register('B', 101)];
  const pair = await startPair(core, { served: points, read: points });
  const { items } = (await api.call('pointTable', { channel_id: pair.serverId, page: 1, page_size: 10 })).data;
  const idOf = (code: string) => items.find((each: Point) => each.code === code)?.id ?? 0;
  const asked = (await api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 10 })).data.items;
  const read = (code: string) =>
    api.call('readSinglePoint', {
      channel_id: pair.clientId,
      point_id: asked.find((each: Point) => each.code === code)?.id ?? 0,
      frame_type: 3,
    });
  await api.call('updatePoint', { point_id: idOf('B'), frame_type: 3, value: 7 });
  await read('B');
  for (const value of [11, 12, 13]) {
    await api.call('updatePoint', { point_id: idOf('A'), frame_type: 3, value });
    await read('A');
  }
  const file = (await api.call('framesFile', { channel_id: pair.clientId, format: 'pcapng' })).data as DownloadedFile;
  return new File([new Uint8Array(file.bytes)], 'line 1.pcapng');
}

describe('a capture', () => {
  it('is looked into: its conversations with their ends', async () => {
    const core = await aCore();
    const { data } = await core.api.call('lookCapture', { file: await aCapture(core) });
    expect(data).toMatchObject({ conversations: [{ index: 0, carrier: 'tcp', device: '192.0.2.1:502', roles_by: 'port', gaps: 0 }] });
    expect(data.conversations[0]?.packets).toBeGreaterThanOrEqual(6);
    const foreign = readFileSync(join(import.meta.dirname, '../capture/vectors/62_apdu_split_over_segments.pcap'));
    const other = (await core.api.call('lookCapture', { file: new File([foreign], 'x.pcap') })).data;
    expect(other.conversations).toMatchObject([{ carrier: 'tcp', roles_by: expect.stringMatching(/port|opening/) }]);
    await expect(core.api.call('takeCapture', { file: new File([foreign], 'x.pcap') })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('is served again: the values that the device had, in their order', async () => {
    const core = await aCore();
    const { api } = core;
    const { series, reads, points } = (await api.call('takeCapture', { file: await aCapture(core), once: 'true' })).data;
    expect(series).toMatchObject({
      name: 'line 1',
      rows: 4,
      columns: [
        { name: '1:3:100', gaps: 1 },
        { name: '1:3:101', gaps: 3 },
      ],
    });
    expect(reads).toBe(4);
    expect(points).toMatchObject([
      {
        code: 'U1_HR100',
        address: 100,
        slave_id: 1,
        func_code: 3,
        protocol: { simulate: 'series("line 1", "1:3:100", "hold", "once")', start_value: 11 },
      },
      { code: 'U1_HR101', address: 101 },
    ]);
    const channel = { name: 'Replay', protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port: await freePort() } as const;
    const { id } = (await api.call('addChannel', channel)).data;
    await api.call('addPoints', { channel_id: id, points });
    await api.call('startDevice', { channel_id: id });
    await api.call('setSimulation', { channel_id: id, speed: 1, period_ms: 50, anew: true });
    const seen: number[] = [];
    const values = async () => {
      const { items } = (await api.call('pointTable', { channel_id: id, page: 1, page_size: 10 })).data;
      const now = new Map(items.map(({ code, value }) => [code, value]));
      const value = now.get('U1_HR100');
      if (typeof value === 'number' && value !== 0 && value !== seen.at(-1)) seen.push(value);
      return [value, now.get('U1_HR101')];
    };
    await expect.poll(values, { timeout: 30_000, interval: 5 }).toEqual([13, 7]);
    // none of them twice, none out of its order
    expect([11, 12, 13].filter((value) => seen.includes(value))).toEqual(seen);
  });

  it('that is none, torn, or of another place is refused with the reason', async () => {
    const core = await aCore();
    const { api } = core;
    const capture = await aCapture(core);
    const octets = new Uint8Array(await capture.arrayBuffer());
    const look = (bytes: Uint8Array) => api.call('lookCapture', { file: new File([new Uint8Array(bytes)], 'x.pcapng') });
    for (const bytes of [new Uint8Array(0), new TextEncoder().encode('code,address\nA,1\n'), octets.subarray(0, octets.length - 3)]) {
      await expect(look(bytes)).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [{ path: 'file' }] });
    }
    await expect(api.call('takeCapture', { file: capture, conversation: 5 })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path: 'conversation' }],
    });
    expect((await api.call('listSeries', {})).data.items).toEqual([]);
  });
});
