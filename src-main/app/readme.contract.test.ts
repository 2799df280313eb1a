import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

let running: RunningCore;
beforeAll(async () => {
  running = await startCore();
  // the block must not need the first channel
  const { data } = await running.api.call('addChannel', { name: 'another one', protocol_type: 1, conn_type: 2 });
  await running.api.call('deleteChannel', { channel_id: data.id });
  await running.api.call('addChannel', { name: 'one more', protocol_type: 1, conn_type: 2 });
});
afterAll(() => running.close());

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const block = /```sh\n(curl [\s\S]*?)```/.exec(readme)?.[1] ?? '';

it.skipIf(process.platform === 'win32')(
  'the commands of the README reach a reading, one after the other, on a service that has channels already',
  async () => {
    const [channel, port] = [{ name: 'Device', protocol_type: 1, conn_type: 1, ip: '127.0.0.1' } as const, await freePort()];
    const device = (await running.api.call('addChannel', { ...channel, port })).data.id;
    await running.api.call('addPoints', {
      channel_id: device,
      points: [{ frame_type: 0, code: 'U', address: 0, decode: '0x42', protocol: { start_value: 229.5 } }],
    });
    await running.api.call('startDevice', { channel_id: device });
    const script = block
      .replaceAll('http://127.0.0.1:8991', running.url)
      .replace('192.168.1.10', '127.0.0.1')
      .replace('"port":502', `"port":${port}`);
    expect(script).toContain(running.url);
    const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script.replaceAll('curl -s ', 'curl -sf ')]);
    // of six requests the answer of one is the id
    expect(stdout.match(/"code":200/g)).toHaveLength(5);
    const meter = (await running.api.call('listChannels', {})).data.find(({ name }) => name === 'meter')?.id ?? 0;
    const first = async () => (await running.api.call('pointTable', { channel_id: meter, page: 1, page_size: 50 })).data.items[0];
    await expect.poll(first, { timeout: 20_000 }).toMatchObject({ code: 'U_A', value: 229.5, quality: 'good' });
  },
);

it.skipIf(process.platform === 'win32').each(['api.md', 'api.zh.md'])(
  'the commands of %s reach a reading and a written setpoint, whatever channels there are',
  async (page) => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/guide', page), 'utf8');
    const commands = /```sh\n(api=http[\s\S]*?)```/.exec(text)?.[1] ?? '';
    const [name, port] = [`Device of ${page}`, await freePort()];
    const device = (await running.api.call('addChannel', { name, protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port })).data.id;
    await running.api.call('addPoints', {
      channel_id: device,
      points: [
        { frame_type: 0, code: 'P', address: 0, decode: '0x21', protocol: { start_value: 400 } },
        { frame_type: 3, code: 'P_SET', address: 100, decode: '0x21' },
      ],
    });
    await running.api.call('startDevice', { channel_id: device });
    const script = commands
      .replaceAll('http://127.0.0.1:8991', running.url)
      .replaceAll('PCS 1', `PCS of ${page}`)
      .replace('192.168.1.10', '127.0.0.1')
      .replace('"port":502', `"port":${port}`);
    const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script.replaceAll('curl -s ', 'curl -sf ')]);
    // the answer of one of the seven is the id
    expect(stdout.match(/"code":200/g)).toHaveLength(6);
    expect(stdout).toContain('"value":40');
    expect(stdout).toMatch(/"outcome":"accepted"/);
    const served = await running.api.call('pointTable', { channel_id: device, page: 1, page_size: 50 });
    expect(served.data.items.find(({ code }) => code === 'P_SET')).toMatchObject({ value: 125 });
  },
);
