import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import type { ListedSerialPort } from '../services/ports.ts';
import { createLazyDrivers } from './lazy-drivers.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

const closings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const port = (path: string): ListedSerialPort => ({ path, manufacturer: null, vendorId: null, productId: null, serialNumber: null });

async function start(ports: () => readonly ListedSerialPort[] = () => [], dataDir?: string): Promise<RunningCore> {
  const core = await startCore(dataDir ? { dataDir } : {}, { drivers: createLazyDrivers(), listSerialPorts: async () => ports() });
  closings.push(() => core.close());
  return core;
}

const missing = async (core: RunningCore) =>
  (await core.api.call('missingParts', {})).data.items.map(({ kind, channel, message_code, params }) => [
    kind,
    channel,
    message_code,
    params,
  ]);

/** Opens a copy of the project of `core` in a second service, as a colleague does. */
async function atColleague(core: RunningCore, change: (path: string) => void = () => {}): Promise<RunningCore> {
  const dir = mkdtempSync(join(tmpdir(), 'loopcheck-colleague-'));
  closings.push(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(core.dir, 'sent.loopcheck');
  await core.api.call('backupProject', { path });
  const received = join(dir, 'received.loopcheck');
  copyFileSync(path, received);
  change(received);
  const colleague = await start(() => [], dir);
  await colleague.api.call('openProject', { path: received });
  return colleague;
}

describe('GET /api/project/missing', () => {
  it('names serial ports that are not there, until they are', async () => {
    let ports: readonly ListedSerialPort[] = [port('COM3')];
    const core = await start(() => ports);
    const serial = { protocol_type: 2, conn_type: 0 } as const;
    await core.api.call('addChannel', { ...serial, name: 'Here', com_port: 'COM3' });
    await core.api.call('addChannel', { ...serial, name: 'Gone', com_port: 'COM7' });
    await core.api.call('addChannel', { ...serial, name: 'None' });
    await core.api.call('addChannel', { name: 'TCP', protocol_type: 2, conn_type: 2, com_port: 'COM7' });
    expect(await missing(core)).toEqual([['serial_port', 'Gone', 'project.no_port', { port: 'COM7' }]]);
    ports = [port('COM3'), port('COM7')];
    expect(await missing(core)).toEqual([]);
  });

  it('names no port where the system does not tell them, and none that is a device file', async () => {
    const core = await start(() => {
      throw new Error('no permission');
    });
    await core.api.call('addChannel', { name: 'A', protocol_type: 2, conn_type: 0, com_port: 'COM7' });
    expect(await missing(core)).toEqual([]);
    const other = await start();
    await other.api.call('addChannel', { name: 'A', protocol_type: 2, conn_type: 0, com_port: '/dev/null' });
    expect(await missing(other)).toEqual([]);
  });

  it('names passwords that stayed where the project comes from, until they are set or said to be none', async () => {
    const core = await start();
    const { id } = (await core.api.call('addChannel', { name: 'Meters', protocol_type: 4, conn_type: 2 })).data;
    await core.api.call('updateChannelSecrets', { channel_id: id, secrets: { password_02: '918273', operator_code: '12345678' } });
    expect(await missing(core)).toEqual([]);
    const colleague = await atColleague(core);
    const names = (list: string[]) => [['secrets', 'Meters', 'project.no_secrets', { names: list }]];
    expect(await missing(colleague)).toEqual(names(['operator_code', 'password_02']));
    await colleague.api.call('updateChannelSecrets', { channel_id: id, secrets: { password_02: '111111' } });
    expect(await missing(colleague)).toEqual(names(['operator_code']));
    await colleague.api.call('updateChannelSecrets', { channel_id: id, secrets: { operator_code: null } });
    expect(await missing(colleague)).toEqual([]);
    expect((await colleague.api.call('channelSecrets', { channel_id: id })).data.secrets.password_02).toBe(true);
  });

  it('names files of certificates while TLS is on, and a device whose file is not there', async () => {
    const core = await start();
    const there = join(core.dir, 'ca.pem');
    writeFileSync(there, 'x');
    const protocol = { tls: true, tls_ca: there, tls_key: join(core.dir, 'key.pem'), tls_certificate: '-----BEGIN CERTIFICATE-----' };
    await core.api.call('addChannel', { name: 'TLS', protocol_type: 3, conn_type: 2, protocol });
    await core.api.call('addChannel', { name: 'Off', protocol_type: 3, conn_type: 2, protocol: { ...protocol, tls: false } });
    await core.api.call('addChannel', { name: 'Bay', protocol_type: 5, conn_type: 2, protocol: { ied_name: 'BAY1' } });
    expect(await missing(core)).toEqual([
      ['file', 'TLS', 'project.no_file', { path: join(core.dir, 'key.pem') }],
      ['document', 'Bay', 'project.no_document', { device: 'BAY1' }],
    ]);
  });

  it('opens a project with a protocol of a later program, names its channel and keeps it', async () => {
    const core = await start();
    await core.api.call('addChannel', { name: 'Known', protocol_type: 1, conn_type: 2 });
    await core.api.call('addChannel', { name: 'Later', protocol_type: 1, conn_type: 2 });
    await core.api.call('addPoints', { channel_id: 2, points: [{ frame_type: 0, code: 'A', address: 1 }] });
    const colleague = await atColleague(core, (path) => {
      const db = new Database(path);
      db.exec("UPDATE channels SET protocol_type = 9 WHERE name = 'Later'");
      db.close();
    });
    expect(await missing(colleague)).toEqual([['protocol', 'Later', 'project.unknown_protocol', { protocol: 9 }]]);
    expect((await colleague.api.call('listChannels', {})).data.map(({ name }) => name)).toEqual(['Known']);
    // its name stays its own
    const taken = colleague.api.call('addChannel', { name: 'Later', protocol_type: 1, conn_type: 2 });
    await expect(taken).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const { path } = (await colleague.api.call('projectInfo', {})).data;
    await colleague.core.close();
    const db = new Database(path, { readonly: true });
    expect(db.prepare('SELECT count(*) FROM points').pluck().get()).toBe(1);
    db.close();
  });
});

describe('POST /api/project/demo', () => {
  it('runs the plant in a project of its own, until another one is opened; asked twice it runs once', async () => {
    const seen: string[] = [];
    const core = await startCore(
      {},
      {
        startDemo: async (asking) => {
          seen.push(`start ${(await asking.api.call('projectInfo', {})).data.name}`);
          return { stop: async () => void seen.push('stop') };
        },
      },
    );
    closings.push(() => core.close());
    const answers = await Promise.all([core.api.call('openDemo', {}), core.api.call('openDemo', {})]);
    expect(answers.map(({ data }) => data.name)).toEqual(['demo', 'demo']);
    await core.api.call('openDemo', {});
    expect(seen).toEqual(['start demo']);
    await core.api.call('openProject', { path: join(core.dir, 'test.loopcheck') });
    await core.api.call('openDemo', {});
    expect(seen).toEqual(['start demo', 'stop', 'start demo']);
    await core.core.close();
    expect(seen).toEqual(['start demo', 'stop', 'start demo', 'stop']);
  });

  it('lets no other project be opened while the plant is set up, and can be asked again when it could not', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let fails = true;
    const core = await startCore(
      {},
      {
        async startDemo() {
          reached.resolve();
          await goOn.promise;
          if (fails) throw new Error('no free port');
          return { async stop() {} };
        },
      },
    );
    closings.push(() => core.close());
    const starting = core.send({ method: 'POST', url: '/api/project/demo' });
    await reached.promise;
    const other = { path: join(core.dir, 'test.loopcheck') };
    expect(await core.send({ method: 'POST', url: '/api/project/open', body: other })).toMatchObject({ status: 409 });
    goOn.resolve();
    expect((await starting).status).toBe(500);
    fails = false;
    expect(await core.send({ method: 'POST', url: '/api/project/demo' })).toMatchObject({ status: 200, body: { data: { name: 'demo' } } });
  });
});
