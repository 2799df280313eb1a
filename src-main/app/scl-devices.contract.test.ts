import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { sclText } from '../drivers/iec61850/model/testing/files.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

let running: RunningCore;
const COMMUNICATION = `<Communication><SubNetwork name="Bus"><ConnectedAP iedName="F01" apName="P2"><Address><P type="IP">10.1.2.3</P>
  <P type="MMS-Port">8102</P><P type="OSI-TSEL">0002</P><P type="OSI-SSEL">0003</P><P type="OSI-PSEL">00000004</P></Address></ConnectedAP>
  <ConnectedAP iedName="F02" apName="S1"><Address><P type="IP">0.0.0.0</P></Address></ConnectedAP></SubNetwork></Communication>`;
const station = () =>
  new File([sclText('station-ed21.scd').replace('<DataTypeTemplates>', `${COMMUNICATION}<DataTypeTemplates>`)], 'station.scd');
const read = (file: File, protocol_type = 5) => running.api.call('documentDevices', { protocol_type, file });

beforeAll(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([modbusTcpDriver, iec61850Driver]) });
});
afterAll(() => running.close());

describe('the devices of an SCL file without a channel', () => {
  it('are told with access point, maker and address; one without Communication has none', async () => {
    const { data } = await read(station());
    expect(data).toMatchObject({ name: 'station.scd', title: 'SCD station of schema 2007B4 (edition 2.1), version 4 revision 1' });
    expect(data.choices.map(({ value, about, addresses }) => [value, about?.device, about?.access_point, addresses])).toEqual([
      [
        'F01',
        'F01',
        'P1',
        [
          {
            value: 'Bus/P2',
            ip: '10.1.2.3',
            port: 8102,
            protocol: {
              remote_transport_selector: '0002',
              remote_session_selector: '0003',
              remote_presentation_selector: '00000004',
            },
          },
        ],
      ],
      ['F02/P1', 'F02', 'P1', []],
      ['F02/S1', 'F02', 'S1', []],
      ['BROKEN', 'BROKEN', 'P1', []],
    ]);
    expect(data.choices[0]?.about).toMatchObject({ manufacturer: 'ACME', type: 'R-2', description: '' });
    expect(data.warnings.map(({ path }) => path)).toContain('BROKEN');
  });

  it('are enough for a new channel, which takes the same file then', async () => {
    const [device] = (await read(station())).data.choices;
    const address = device?.addresses[0];
    const { data: channel } = await running.api.call('addChannel', {
      name: 'F01',
      protocol_type: 5,
      conn_type: 2,
      ip: address?.ip ?? '',
      port: address?.port ?? 0,
      protocol: { ...address?.protocol, ied_name: device?.value },
    });
    // neither device nor address are named again: those of the channel stay
    const stored = await running.api.call('storeDocument', { channel_id: channel.id, mode: 'store', file: station() });
    expect(stored.data).toMatchObject({ choice: 'F01', stored: true });
    const { data: model } = await running.api.call('deviceModel', { channel_id: channel.id });
    expect(model).toMatchObject({ source: 'file', counts: { logical_devices: 1 }, document: { name: 'station.scd', choice: 'F01' } });
    const listed = (await running.api.call('listChannels', {})).data.find(({ id }) => id === channel.id);
    expect(listed).toMatchObject({ ip: '10.1.2.3', port: 8102, protocol: { ied_name: 'F01', remote_session_selector: '0003' } });
  });

  it('keeps nothing: no channel, no document, no audit', async () => {
    const before = [(await running.api.call('listChannels', {})).data.length, (await running.api.call('listAudit', {})).data];
    await read(station());
    expect([(await running.api.call('listChannels', {})).data.length, (await running.api.call('listAudit', {})).data]).toEqual(before);
  });

  it.each([
    ['a.scd', 'no file of any kind', 'this is no XML'],
    ['a.scd', '<?xml version="1.0"?><Project/>', 'its root is Project and should be SCL'],
    ['a.scd', '<SCL><IED/></SCL>', 'an IED has no name'],
    ['a.scd', '<SCL><IED name="A"><AccessPoint', 'a.scd, line 1: '],
  ])('%s with %j is refused with what is wrong', async (name, text, words) => {
    await expect(read(new File([text], name))).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(words) });
  });

  it('of a file without any server are none, and the answer says why', async () => {
    const { data } = await read(new File(['<SCL><IED name="A"><AccessPoint name="P"/></IED></SCL>'], 'a.ssd'));
    expect(data.choices).toEqual([]);
    expect(data.warnings.map(({ message }) => message).join()).toContain('no IED of this file has an access point with a Server');
  });

  it('of a file that is too large, or for a protocol without such files, are refused', async () => {
    const asked = read(new File(['<SCL/>'], 'a.cid'), 1);
    await expect(asked).rejects.toMatchObject({ data: [{ path: 'protocol_type', message: expect.stringContaining('IEC 61850') }] });
    const { maxOctets } = iec61850Driver.documents ?? { maxOctets: 0 };
    await expect(read(new File([new Uint8Array(maxOctets + 1)], 'a.cid'))).rejects.toMatchObject({ code: 'CONFIG_TOO_LARGE' });
  });
});
