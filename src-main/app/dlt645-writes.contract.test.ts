import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationReport } from '#shared/contract/device-operations.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { pacedClock } from '../platform/testing/paced-clock.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

const METER = '000012345678';
const OLD_METER = '000000000097';
const SECRETS = { password_02: '918273', password_04: '465768', operator_code: '64738291', new_password: '748596' };
/** Secrets as they are written, as octets, and as octets travel, with or without spaces. */
const LEAK = new RegExp(
  Object.values(SECRETS)
    .flatMap((digits) => {
      const sent = (digits.match(/../g) ?? []).reverse();
      const travelling = sent.map((pair) => (Number.parseInt(pair, 16) + 0x33).toString(16).padStart(2, '0'));
      return [digits, sent.join(' '), sent.join(''), travelling.join(' '), travelling.join('')];
    })
    .join('|'),
  'i',
);

let logged: unknown[];
let core: RunningCore;
const start = (dataDir?: string) => {
  const log = (fields: unknown, message: string) =>
    void logged.push([fields instanceof Object && 'err' in fields ? String(fields.err) : fields, message]);
  // 16:20 for the meters, eight hours ahead of UTC
  const clock = pacedClock({ wallStart: Date.UTC(2026, 0, 1, 8, 20) });
  const ports = { clock, drivers: createDriverRegistry([dlt645Driver]), logger: { debug: log, info: log, warn: log, error: log } };
  return startCore(dataDir === undefined ? {} : { dataDir }, ports);
};
beforeEach(async () => {
  logged = [];
  core = await start();
});
afterEach(() => core.close());

const meter = { slave_id: Number(METER) };
const POINTS = [
  { frame_type: 1 as const, code: 'OPEN', address: 0x04000503, bit: 4, ...meter },
  { frame_type: 2 as const, code: 'RELAY', address: 0, related_code: 'OPEN', ...meter },
  { frame_type: 3 as const, code: 'PERIOD', address: 0x04000103, ...meter },
  { frame_type: 3 as const, code: 'OLD_PERIOD', address: 0xc111, slave_id: Number(OLD_METER), protocol: { edition: 1997 } },
];

interface Lines {
  readonly client: number;
  readonly server: number;
  /** Ids of the points of the client by code. */
  readonly ids: ReadonlyMap<string, number>;
}

async function startPair(served: Record<string, string> = SECRETS, used: Record<string, string> = SECRETS): Promise<Lines> {
  const port = await freePort();
  const type = { protocol_type: ProtocolType.dlt645, port };
  const add = async (name: string, conn_type: 1 | 2, secrets: Record<string, string>) => {
    const { id: channel_id } = (await core.api.call('addChannel', { name, ...type, conn_type, timeout_ms: 5000 })).data;
    await core.api.call('addPoints', { channel_id, points: POINTS });
    await core.api.call('updateChannelSecrets', { channel_id, secrets });
    await core.api.call('startDevice', { channel_id });
    return channel_id;
  };
  const { new_password: _, ...accepted } = served;
  const server = await add('meters', ConnType.tcpServer, accepted);
  const client = await add('line', ConnType.tcpClient, used);
  const { items } = (await core.api.call('pointTable', { channel_id: client, page: 1, page_size: 100 })).data;
  return { client, server, ids: new Map(items.map(({ code, id }) => [code, id])) };
}

const operate = async (channel_id: number, operation: string, params: Record<string, unknown> = {}): Promise<OperationReport> =>
  (await core.api.call('deviceOperation', { channel_id, operation, params })).data;
const command = ({ client, ids }: Lines, code: string, value: number, options: Record<string, unknown> = { reaction_timeout_ms: 0 }) =>
  core.api.call('command', {
    channel_id: client,
    point_id: ids.get(code) ?? 0,
    frame_type: code === 'RELAY' ? 2 : 3,
    step: 'operate',
    value,
    options,
  });

describe('commands to meters', () => {
  it('switch the relay and write parameters, with what came of it', async () => {
    const lines = await startPair();
    const { data: tripped } = await command(lines, 'RELAY', 0);
    expect(tripped).toMatchObject({ outcome: 'accepted', audit_id: expect.any(Number) });
    const written = await core.api.call('updatePoint', { point_id: lines.ids.get('PERIOD') ?? 0, frame_type: 3, value: 30 });
    expect(written.data).toMatchObject({ value: 30, quality: 'good' });
    await core.api.call('updatePoint', { point_id: lines.ids.get('OLD_PERIOD') ?? 0, frame_type: 3, value: 45 });
    const served = (await core.api.call('pointTable', { channel_id: lines.server, page: 1, page_size: 100 })).data.items;
    expect(served.map(({ code, value }) => [code, value])).toEqual([
      ['OPEN', 1],
      ['RELAY', 0],
      ['PERIOD', 30],
      ['OLD_PERIOD', 45],
    ]);
  });

  it('are refused by a read-only channel, a wrong value and a missing secret, with nothing sent', async () => {
    const lines = await startPair(SECRETS, {});
    await core.api.call('clearFrames', { channel_id: lines.client });
    await expect(command(lines, 'PERIOD', 30)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/password_04, operator_code/),
      data: [{ path: 'secrets.password_04', message: 'is not set' }, { path: 'secrets.operator_code' }],
    });
    await expect(command(lines, 'PERIOD', 300)).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    await expect(command(lines, 'RELAY', 3)).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    await core.api.call('updateChannel', { channel_id: lines.client, read_only: true });
    await expect(command(lines, 'RELAY', 0)).rejects.toMatchObject({ code: 'STATE_READ_ONLY' });
    await expect(operate(lines.client, 'clear_meter', { meter: METER })).rejects.toMatchObject({ code: 'STATE_READ_ONLY' });
    await expect(operate(lines.client, 'clear_meter', { meter: '1' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect((await core.api.call('listFrames', { channel_id: lines.client })).data.items).toEqual([]);
  });

  it('are blocked after a refused password, over a restart of the service, until somebody lifts that', async () => {
    const lines = await startPair(SECRETS, { ...SECRETS, password_04: '111111' });
    expect((await command(lines, 'PERIOD', 30)).data).toMatchObject({ outcome: 'rejected' });
    await expect(command(lines, 'RELAY', 0)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await core.api.call('reloadDevice', { channel_id: lines.client });
    await expect(command(lines, 'RELAY', 0)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const { dir } = core;
    await core.core.close();
    core = { ...(await start(dir)), dir };
    for (const channel_id of [lines.server, lines.client]) await core.api.call('startDevice', { channel_id });
    await expect(command(lines, 'RELAY', 0)).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringMatching(/24 hours/) });
    expect((await operate(lines.client, 'write_blocks')).result).toMatchObject({ blocks: [{ meter: METER }] });
    await operate(lines.client, 'lift_write_block', { meter: METER });
    expect((await command(lines, 'RELAY', 0)).data.outcome).toBe('accepted');
  });
});

describe('passwords and operator codes', () => {
  it('are in no frame, explanation, audit, event, log, export or project file, whatever is asked of the meters', async () => {
    const lines = await startPair();
    const { client } = lines;
    await command(lines, 'RELAY', 0);
    await command(lines, 'PERIOD', 30);
    await command(lines, 'OLD_PERIOD', 45);
    const outcomes = await Promise.all([
      operate(client, 'write_data', { meter: METER, identifier: '04000102', value: '16:20:00' }),
      operate(client, 'relay_control', { meter: METER, command: 'close' }),
      operate(client, 'clear_demand', { meter: METER }),
      operate(client, 'clear_demand', { meter: OLD_METER, edition: 1997 }),
      operate(client, 'clear_events', { meter: METER }),
      operate(client, 'clear_meter', { meter: METER }),
      operate(client, 'change_password', { meter: METER, level: 2 }),
      operate(client, 'change_password', { meter: OLD_METER, edition: 1997, level: 4 }),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(8).fill('accepted'));
    expect((await command(lines, 'OLD_PERIOD', 15)).data.outcome).toBe('rejected');
    await expect(command(lines, 'OLD_PERIOD', 15)).rejects.toThrow();

    const shown: unknown[] = [outcomes, logged];
    const get = async (url: string) => {
      const { body, file } = await core.send({ method: 'GET', url });
      shown.push(body, file ? new TextDecoder().decode(file.bytes) : '');
    };
    for (const id of [client, lines.server]) {
      const { items } = (await core.api.call('listFrames', { channel_id: id, limit: 1000 })).data;
      expect(items.filter(({ hex }) => hex.includes('**')).length).toBeGreaterThan(10);
      shown.push(items);
      for (const { seq } of items) await get(`/api/frames/explain?channel_id=${id}&seq=${seq}`);
      await get(`/api/channel/export_points?channel_id=${id}&format=csv`);
      await get(`/api/channel/secrets?channel_id=${id}`);
    }
    for (const url of ['/api/audit/list', '/api/events/list', '/api/channel/list', '/api/channel/protocols', '/api/openapi.json'])
      await get(url);
    expect(JSON.stringify(shown)).not.toMatch(LEAK);
    await core.core.close();
    const holders = readdirSync(core.dir, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && LEAK.test(readFileSync(join(entry.parentPath, entry.name), 'latin1')),
    );
    expect(holders.map(({ name }) => name)).toEqual(['secrets.json']);
  });
});
