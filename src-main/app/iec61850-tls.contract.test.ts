import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { sclText } from '../drivers/iec61850/model/testing/files.ts';
import { certificatePath } from '../transport/testing/certificates.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

const TOTW = 'BAY1MEAS/MMXU1.TotW.mag.f[MX]';
const files = (name: string) => ({
  tls: true,
  tls_certificate: certificatePath(name),
  tls_key: certificatePath(`${name}.key`),
  tls_ca: certificatePath('ca'),
});
const centre = { ...files('centre'), tls_server_name: 'station.test' };

let running: RunningCore;
let port = 0;
let served = 0;
let client = 0;

beforeAll(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([iec61850Driver]) });
  const { api } = running;
  port = await freePort();
  const point = { frame_type: 0 as const, code: 'P', reference: TOTW };
  const server = { name: 'TLS bay', protocol_type: 5 as const, conn_type: 1 as const, port, protocol: files('station') };
  served = (await api.call('addChannel', server)).data.id;
  await api.call('storeDocument', { channel_id: served, mode: 'store', file: new File([sclText('bay.cid')], 'bay.cid') });
  await api.call('addPoints', { channel_id: served, points: [point] });
  await api.call('startDevice', { channel_id: served });
  client = (await api.call('addChannel', { name: 'TLS centre', protocol_type: 5, conn_type: 2, port, protocol: centre })).data.id;
  await api.call('addPoints', { channel_id: client, points: [point] });
});
afterAll(() => running.close());

const start = () => running.send({ method: 'POST', url: '/api/device/start', body: { channel_id: client } });
const row = async () => (await running.api.call('pointTable', { channel_id: client, page: 1, page_size: 10 })).data.items[0];

/** Sets how the client connects, and starts it. */
async function startWith(protocol: Record<string, unknown>) {
  await running.api.call('stopDevice', { channel_id: client });
  await running.api.call('updateChannel', { channel_id: client, protocol });
  return start();
}

describe('over TLS', () => {
  it('associates, learns, reads data sets and large answers, and writes', async () => {
    const { api } = running;
    expect((await startWith(centre)).status).toBe(200);
    await until(
      () => api.call('deviceModel', { channel_id: client }),
      ({ data }) => data.state === 'known',
    );
    await api.call('manualRead', { device_name: 'TLS centre', mode: 'batch' });
    expect(await until(row, (found) => found?.quality === 'good')).toMatchObject({ value: 1234.5 });
    await api.call('manualRead', { device_name: 'TLS centre', mode: 'dataset' });
    const status = () => api.call('manualReadStatus', { device_name: 'TLS centre' });
    expect((await until(status, ({ data }) => data.state === 'idle')).data).toMatchObject({ total: 2, success: 2, fail: 0 });
    const file = await api.call('deviceOperation', {
      channel_id: client,
      operation: 'read_file',
      params: { name: 'bay.cid', max_octets: 1_000_000 },
    });
    expect(file.data).toMatchObject({ outcome: 'accepted', result: { is_whole: true } });
    const written = { reference: 'Protection/PTOC1.OpDlTmms.setVal[SP]', value: 77 };
    const write = await api.call('deviceOperation', { channel_id: client, operation: 'write_attribute', params: written });
    expect(write.data).toMatchObject({ outcome: 'accepted', result: { value: 77 } });
  });

  it('the octets of the frame log are those of the protocol, and are explained', async () => {
    const { items } = (await running.api.call('listFrames', { channel_id: client, limit: 500 })).data;
    const answer = items.findLast(({ kind, link }) => kind === 'rx' && link !== null);
    const { data } = await running.api.call('explainFrame', { channel_id: client, seq: answer?.seq ?? 0 });
    expect(JSON.stringify(data)).toContain('TPKT');
  });

  it('is opened anew when the device comes back', async () => {
    const { api } = running;
    await api.call('stopDevice', { channel_id: served });
    const status = async () => (await api.call('listChannels', {})).data.find(({ id }) => id === client)?.status;
    await until(status, (found) => found === 'reconnecting');
    await api.call('startDevice', { channel_id: served });
    await until(status, (found) => found === 'running');
  });

  it.each([
    ['another name than that of the certificate', { ...centre, tls_server_name: 'other.test' }, /certificate/],
    ['a device whose authority is not trusted', { ...centre, tls_ca: certificatePath('foreign') }, /certificate/],
    [
      'a certificate that the device does not trust',
      { ...centre, ...files('foreign'), tls_ca: certificatePath('ca') },
      /certificate|TLS|refused/,
    ],
    ['no certificate', { tls: true, tls_ca: certificatePath('ca'), tls_server_name: 'station.test' }, /certificate|TLS|refused/],
    ['no TLS at all', {}, /tls|closed/],
  ])('is refused with %s, and says why', async (_name, protocol, words) => {
    const { status, body } = await startWith(protocol);
    expect([status >= 500, (body as { message: string }).message]).toEqual([true, expect.stringMatching(words)]);
  });

  it('a client with TLS at a device without it says so', async () => {
    const { api } = running;
    const plain = await freePort();
    const { data } = await api.call('addChannel', { name: 'Plain bay', protocol_type: 5, conn_type: 1, port: plain });
    await api.call('startDevice', { channel_id: data.id });
    await api.call('updateChannel', { channel_id: client, port: plain });
    const { status, body } = await startWith(centre);
    expect([status >= 500, (body as { message: string }).message]).toEqual([true, expect.stringMatching(/TLS/)]);
    await api.call('updateChannel', { channel_id: client, port });
  });
});
