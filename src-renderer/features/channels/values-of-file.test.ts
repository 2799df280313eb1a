import { describe, expect, it } from 'vitest';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { TakenDevice } from '../device-file/device-file-dialog.tsx';
import { newChannelValues } from './channel-form-model.ts';
import { withDevice, withoutDevice } from './values-of-file.ts';

const selector = (standard: string) => ({ type: 'string', default: standard });
const descriptor: ProtocolDescriptor = {
  protocol_type: 5,
  key: 'iec61850',
  name: 'IEC 61850',
  conn_types: [1, 2],
  default_port: 102,
  default_baud_rate: 9600,
  default_parity: 'N',
  modes: ['batch'],
  channel_fields: [],
  channel_schema: {
    type: 'object',
    properties: {
      ied_name: selector(''),
      remote_transport_selector: selector('0001'),
      remote_session_selector: selector('0001'),
      local_transport_selector: selector('0001'),
    },
  },
  point_fields: [],
  point_schema: {},
  commands: ['operate'],
  model: { extensions: ['.scd'], max_octets: 1000, setting: 'ied_name' },
};
const client = { descriptor, connType: 2 as const };
const file = new File(['<SCL/>'], 'station.scd');
const first: TakenDevice = {
  file,
  value: 'F01',
  name: 'F01',
  address: { value: 'Bus/P1', ip: '10.1.2.3', port: 8102, protocol: { remote_transport_selector: '0002' } },
};
const second: TakenDevice = {
  file,
  value: 'F02/S1',
  name: 'F02',
  address: { value: 'Bus/S1', ip: '10.1.2.4', port: null, protocol: { remote_session_selector: '0005' } },
};
const without: TakenDevice = { file, value: 'F03', name: 'F03', address: null };
const empty = newChannelValues(descriptor);
const NONE = new Set<string>();

describe('a device of a file', () => {
  it('fills in name, address, selectors and its own name in the file', () => {
    expect(withDevice(empty, client, first, null, NONE)).toMatchObject({
      name: 'F01',
      ip: '10.1.2.3',
      port: 8102,
      protocol: { ied_name: 'F01', remote_transport_selector: '0002', remote_session_selector: '0001', local_transport_selector: '0001' },
    });
  });

  it('leaves a name that somebody entered, and takes a free one where its own is taken', () => {
    expect(withDevice({ ...empty, name: 'Bay 1' }, client, first, null, NONE).name).toBe('Bay 1');
    expect(withDevice(empty, client, first, null, new Set(['F01', 'F01 2'])).name).toBe('F01 3');
  });

  it('that takes the place of another leaves nothing of it, but what was changed since', () => {
    const filled = withDevice(empty, client, first, null, new Set(['F01']));
    expect(filled.name).toBe('F01 2');
    expect(withDevice(filled, client, second, first, NONE)).toMatchObject({
      name: 'F02',
      ip: '10.1.2.4',
      port: 102,
      protocol: { ied_name: 'F02/S1', remote_transport_selector: '0001', remote_session_selector: '0005' },
    });
    const changed = { ...filled, name: 'Own', port: 9102 };
    expect(withDevice(changed, client, without, first, NONE)).toMatchObject({ name: 'Own', ip: '127.0.0.1', port: 9102 });
  });

  it('gives a channel that serves it name and model alone', () => {
    const served = withDevice({ ...empty, conn_type: 1 }, { descriptor, connType: 1 }, first, null, NONE);
    expect(served).toMatchObject({
      name: 'F01',
      ip: '127.0.0.1',
      port: 102,
      protocol: { ied_name: 'F01', remote_transport_selector: '0001' },
    });
  });

  it('goes without a trace', () => {
    expect(withoutDevice(withDevice(empty, client, first, null, NONE), descriptor, first)).toEqual(empty);
  });
});
