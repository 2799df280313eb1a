import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { sclText } from '../drivers/iec61850/model/testing/files.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

let running: RunningCore;
const NETWORKS = `<SubNetwork name="A"><ConnectedAP iedName="BAY1" apName="P1"><Address><P type="IP">10.1.2.3</P><P type="OSI-TSEL">0002</P>
  <P type="OSI-AP-Title">1,3,9999,23</P></Address></ConnectedAP></SubNetwork><SubNetwork name="B"><ConnectedAP iedName="BAY1" apName="P1"><Address>
  <P type="IP">10.2.2.3</P><P type="MMS-Port">8102</P></Address></ConnectedAP></SubNetwork>`;
const file = () => new File([sclText('bay.cid').replace(/<SubNetwork[\s\S]*<\/SubNetwork>/, NETWORKS)], 'bay.cid');

beforeAll(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([iec61850Driver]) });
});
afterAll(() => running.close());

const add = async (name: string, conn_type: 1 | 2) => {
  const { data } = await running.api.call('addChannel', {
    name,
    protocol_type: 5,
    conn_type,
    port: 10_102,
    protocol: { remote_session_selector: '00FF' },
  });
  return data.id;
};
const channel = async (id: number) => (await running.api.call('listChannels', {})).data.find((each) => each.id === id);

describe('the address of a device in its SCL file', () => {
  it('is shown, and taken only where it is asked for', async () => {
    const id = await add('Client', 2);
    const preview = await running.api.call('storeDocument', { channel_id: id, mode: 'preview', file: file() });
    expect(preview.data.choices[0]?.addresses).toEqual([
      { value: 'A/P1', ip: '10.1.2.3', port: null, protocol: { remote_transport_selector: '0002', remote_ap_title: '1.3.9999.23' } },
      { value: 'B/P1', ip: '10.2.2.3', port: 8102, protocol: {} },
    ]);
    await running.api.call('storeDocument', { channel_id: id, mode: 'store', file: file() });
    expect(await channel(id)).toMatchObject({ ip: '127.0.0.1', port: 10_102, protocol: { ied_name: 'BAY1' } });
    expect((await channel(id))?.protocol).not.toHaveProperty('remote_transport_selector');
    // what the file does not say stays as it was
    await running.api.call('storeDocument', { channel_id: id, mode: 'store', file: file(), address: 'A/P1' });
    expect(await channel(id)).toMatchObject({
      ip: '10.1.2.3',
      port: 10_102,
      protocol: { ied_name: 'BAY1', remote_transport_selector: '0002', remote_ap_title: '1.3.9999.23', remote_session_selector: '00FF' },
    });
    await running.api.call('storeDocument', { channel_id: id, mode: 'store', file: file(), address: 'B/P1' });
    expect(await channel(id)).toMatchObject({ ip: '10.2.2.3', port: 8102, protocol: { remote_transport_selector: '0002' } });
    expect((await running.api.call('deviceModel', { channel_id: id })).data.document?.choices[0]?.addresses).toHaveLength(2);
  });

  it('that the file does not have is refused with those it has, and nothing is stored', async () => {
    const id = await add('Other', 2);
    const asked = running.api.call('storeDocument', { channel_id: id, mode: 'store', file: file(), address: 'C/P1' });
    await expect(asked).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path: 'address', message: expect.stringContaining('it has: A/P1, B/P1') }],
    });
    expect((await running.api.call('deviceModel', { channel_id: id })).data.document).toBeNull();
  });

  it('is nothing for a channel that serves the device', async () => {
    const id = await add('Served', 1);
    const asked = running.api.call('storeDocument', { channel_id: id, mode: 'store', file: file(), address: 'A/P1' });
    await expect(asked).rejects.toMatchObject({ data: [{ path: 'address', message: expect.stringContaining('serves') }] });
    expect(await channel(id)).toMatchObject({ ip: '127.0.0.1', port: 10_102 });
  });
});
