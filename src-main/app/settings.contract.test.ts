import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dataPaths } from '../platform/paths.ts';
import { startService } from './start-service.ts';
import { freePort, type RunningCore, startCore, TEST_VIEW } from './testing/running-core.ts';

const closings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function aCore(...args: Parameters<typeof startCore>): Promise<RunningCore> {
  const running = await startCore(...args);
  closings.push(() => running.close());
  return running;
}

function aFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'loopcheck-settings-'));
  closings.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

describe('settings', () => {
  it('have their defaults, are changed one by one, and stay in the project and in the data folder', async () => {
    const dataDir = aFolder();
    const first = await startCore({ dataDir });
    const defaults = {
      read_only: false,
      frame_log_bytes: 4_194_304,
      events_kept: 10_000,
      audit_kept: 1_000_000,
      port: 8991,
      update_place: '',
      token_end: null,
    };
    expect((await first.api.call('getSettings', {})).data).toEqual(defaults);
    await first.api.call('updateSettings', { events_kept: 2000 });
    const changed = (await first.api.call('updateSettings', { audit_kept: 1000, port: 9321 })).data;
    expect(changed).toEqual({ ...defaults, events_kept: 2000, audit_kept: 1000, port: 9321 });
    await first.close();
    const second = await aCore({ dataDir });
    expect((await second.api.call('getSettings', {})).data).toEqual(changed);
  });

  it.each([{ events_kept: 999 }, { events_kept: 200_001 }, { audit_kept: 0 }, { port: 0 }, { port: 65_536 }, { port: 80.5 }])(
    'out of their bounds (%o) are refused, and nothing is changed',
    async (wrong) => {
      const { api } = await aCore();
      const before = (await api.call('getSettings', {})).data;
      await expect(api.call('updateSettings', { ...wrong, frame_log_bytes: 100_000 })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
      expect((await api.call('getSettings', {})).data).toEqual(before);
    },
  );

  it('let the oldest entries of the audit go: at once when the number becomes smaller, then with each new one', async () => {
    const { api } = await aCore();
    await api.call('addChannel', { name: 'S', protocol_type: 1, conn_type: 1, port: await freePort() });
    await api.call('addPoints', { channel_id: 1, points: [{ frame_type: 3, code: 'A', address: 0, decode: '0x20' }] });
    await api.call('startDevice', { channel_id: 1 });
    const write = (value: number) => api.call('updatePoint', { point_id: 1, frame_type: 3, value });
    for (let value = 1; value <= 1010; value++) await write(value);
    const kept = async () => {
      const { total, items } = (await api.call('listAudit', { page_size: 1000, page: 1 })).data;
      return [total, items[0]?.value, items.at(-1)?.value, new Set(items.map(({ outcome }) => outcome)).size];
    };
    expect(await kept()).toEqual([1010, 1010, 11, 1]);
    await api.call('updateSettings', { audit_kept: 1000 });
    expect(await kept()).toEqual([1000, 1010, 11, 1]);
    await write(1011);
    expect(await kept()).toEqual([1000, 1011, 12, 1]);
  });
});

describe('the token of the next start', () => {
  it('is told once, then by its end only, and can be forgotten', async () => {
    const { api } = await aCore();
    const { token } = (await api.call('makeToken', {})).data;
    const text = JSON.stringify((await api.call('getSettings', {})).data);
    expect(text).toContain(`"token_end":"${token.slice(-4)}"`);
    expect(text).not.toContain(token);
    // this service goes on as it was started
    await expect(api.call('listChannels', {})).resolves.toBeDefined();
    expect((await api.call('removeToken', {})).data.token_end).toBeNull();
  });

  it('shows nothing of a short one that a person wrote', async () => {
    const { api, dir } = await aCore();
    writeFileSync(dataPaths(dir).startFile, '{"token":"1234"}');
    expect((await api.call('getSettings', {})).data.token_end).toBe('');
  });

  it('and its port hold from then on, unless the start names others', async () => {
    const dataDir = aFolder();
    const options = {
      host: '127.0.0.1',
      port: 0,
      token: null,
      dataDir,
      project: null,
      demo: false,
      readOnly: false,
      pagesDir: null,
      viewDir: TEST_VIEW.dir,
      demoDir: null,
      extraOrigins: [],
    };
    const first = await startService(options);
    const { token } = (await first.core.api.call('makeToken', {})).data;
    const port = Number(new URL(first.url).port);
    await first.core.api.call('updateSettings', { port });
    await first.close();
    const second = await startService({ ...options, port: null });
    closings.push(() => second.close());
    expect(second.url).toBe(first.url);
    const ask = async (sent: string) =>
      (await fetch(`${second.url}/api/channel/list`, { headers: { authorization: `Bearer ${sent}` } })).status;
    expect([await ask(token), await ask('another')]).toEqual([200, 401]);
    await second.close();
    const third = await startService({ ...options, token: 'given-at-the-start' });
    closings.push(() => third.close());
    expect((await fetch(`${third.url}/api/channel/list`, { headers: { authorization: 'Bearer given-at-the-start' } })).status).toBe(200);
  });

  it('does not start over a file that is not as it was written', async () => {
    const dataDir = aFolder();
    writeFileSync(dataPaths(dataDir).startFile, '{"token":');
    const options = {
      host: '127.0.0.1',
      port: 0,
      token: null,
      dataDir,
      project: null,
      demo: false,
      readOnly: false,
      pagesDir: null,
      viewDir: TEST_VIEW.dir,
      demoDir: null,
      extraOrigins: [],
    };
    await expect(startService(options)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
