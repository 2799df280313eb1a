/** The example of docs/examples does what the guide says, against a service that runs. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort, type RunningCore, startCore, TEST_VIEW } from './testing/running-core.ts';
import { verifyCommand } from './verify-command.ts';

const SCRIPT = join(import.meta.dirname, '../../docs/examples/factory-test.mjs');
const POINTS = ['P', 'Q', 'F'].map((code, at) => ({ frame_type: 0 as const, code, address: at, decode: '0x20' }));

let running: RunningCore;
beforeEach(async () => {
  running = await startCore();
  const { api } = running;
  const port = await freePort();
  const serving = (await api.call('addChannel', { name: 'Reference', protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port })).data;
  const asking = (await api.call('addChannel', { name: 'Device', protocol_type: 1, conn_type: 2, ip: '127.0.0.1', port })).data;
  for (const { id } of [serving, asking]) {
    await api.call('addPoints', { channel_id: id, points: POINTS });
    await api.call('startDevice', { channel_id: id });
  }
  const { items } = (await api.call('pointTable', { channel_id: serving.id, page: 1, page_size: 10 })).data;
  for (const [at, { id }] of items.entries()) await api.call('updatePoint', { point_id: id, frame_type: 0, value: 1000 + at * 111 });
});
afterEach(() => running.close());

function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [SCRIPT, ...args], { timeout: 120_000 }, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    );
  });
}

describe('the script of a factory test', () => {
  it('passes a device that shows what its reference has, and leaves a record that can be proved', async () => {
    const record = join(running.dir, 'record.html');
    expect(await run(running.url, 'Device', 'Reference', record)).toEqual({ code: 0, out: 'All passed.\n', err: '' });
    const said: string[] = [];
    const output = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
    expect([await verifyCommand([record], output, TEST_VIEW), said[0]]).toEqual([0, expect.stringContaining('entries: 3')]);
  });

  it('names what does not fit, with the finding', async () => {
    const device = (await running.api.call('listChannels', {})).data.find(({ name }) => name === 'Device');
    const { items } = (await running.api.call('pointTable', { channel_id: device?.id ?? 0, page: 1, page_size: 10 })).data;
    await running.api.call('editPoint', { point_id: items[0]?.id ?? 0, frame_type: 0, mul_coe: 10 });
    const { code, out } = await run(running.url, 'Device', 'Reference', join(running.dir, 'record.html'));
    expect([code, out]).toEqual([1, expect.stringMatching(/^P: failed \(.*\)\n1 did not pass\.\n$/)]);
    expect(out).toContain('0.1');
  });

  it('says what is missing', async () => {
    expect(await run(running.url, 'Device', 'Nothing', 'record.html')).toEqual({
      code: 2,
      out: '',
      err: 'There is no channel "Nothing".\n',
    });
    expect(await run(running.url)).toEqual({ code: 2, out: '', err: 'Give address, device, reference and file.\n' });
  });
});
