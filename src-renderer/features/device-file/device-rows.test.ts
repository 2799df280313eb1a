import { describe, expect, it } from 'vitest';
import type { DocumentDevices } from '#shared/contract/iec61850.ts';
import { deviceRows, filterRows } from './device-rows.ts';

const about = { device: 'F01', access_point: 'P1', manufacturer: 'ACME', type: 'R-2', description: 'Line 1' };
const devices: DocumentDevices = {
  name: 'station.scd',
  octets: 10,
  title: 'SCD',
  warnings: [],
  choices: [
    {
      value: 'F01',
      label: 'F01 (ACME R-2)',
      about,
      addresses: [
        {
          value: 'A/P1',
          ip: '10.1.2.3',
          port: 8102,
          protocol: { remote_transport_selector: '0001', remote_presentation_selector: '00000001', remote_ap_title: '1.3.9999.23' },
        },
        { value: 'B/P1', ip: '2001:db8::1', port: 102, protocol: {} },
        { value: 'C/P1', ip: null, port: 102, protocol: { remote_ae_qualifier: 12 } },
      ],
    },
    { value: 'F02/S1', label: '', about: { ...about, device: 'F02', access_point: 'S1' }, addresses: [] },
    { value: 'OLD', label: 'OLD', addresses: [] },
  ],
};
const rows = deviceRows(devices);

describe('devices of a file as rows', () => {
  it('are one for each address, and one for a device without any', () => {
    expect(rows.map(({ device, accessPoint, place, selectors }) => [device, accessPoint, place, selectors])).toEqual([
      ['F01', 'A/P1', '10.1.2.3:8102', '0001 / – / 00000001'],
      ['F01', 'B/P1', '[2001:db8::1]:102', ''],
      ['F01', 'C/P1', '', ''],
      ['F02', 'S1', '', ''],
      ['OLD', '', '', ''],
    ]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect([rows[0]?.maker, rows[4]?.maker]).toEqual(['ACME · R-2 · Line 1', '']);
  });

  it('are found by words of name, address and maker', () => {
    expect(filterRows(rows, ' acme f02 ').map(({ device }) => device)).toEqual(['F02']);
    expect(filterRows(rows, '10.1.2').map(({ accessPoint }) => accessPoint)).toEqual(['A/P1']);
    expect(filterRows(rows, ' ')).toHaveLength(5);
    expect(filterRows(rows, 'nobody')).toEqual([]);
  });
});
