import { describe, expect, it } from 'vitest';
import { AddChannelBody, type ProtocolDescriptor } from '#shared/contract/channels.ts';
import { fieldSpecs } from '../../ui/form/schema-field.ts';
import { aChannel } from '../testing/fake-service.ts';
import {
  changedCount,
  changedSettings,
  changeProtocol,
  channelValues,
  groupsOf,
  newChannelValues,
  sectionsFor,
  toChannelInput,
  wouldRebuild,
} from './channel-form-model.ts';
import { addressText, roleOf } from './channel-text.ts';
import { addSample, rateOf } from './request-rate.ts';
import { pickChannel } from './use-channels.ts';

const tcp: ProtocolDescriptor = {
  protocol_type: 1,
  key: 'modbus-tcp',
  name: 'Modbus TCP',
  conn_types: [1, 2],
  default_port: 502,
  default_baud_rate: 9600,
  default_parity: 'N',
  modes: ['batch', 'single'],
  channel_fields: ['timeout_ms', 'max_gap', 'address_base', 'auto_reconnect', 'note', 'unheard_of'],
  channel_schema: { type: 'object', properties: {} },
  point_fields: [],
  point_schema: {},
  commands: ['operate'],
};
const meter: ProtocolDescriptor = {
  ...tcp,
  protocol_type: 4,
  key: 'dlt645',
  name: 'DL/T 645',
  conn_types: [0, 3, 1, 2],
  default_port: 8899,
  default_baud_rate: 2400,
  default_parity: 'E',
  channel_schema: {
    type: 'object',
    properties: {
      rts_at_open: { enum: ['on', 'off'], default: 'on', side: 'serial', description: 'state of RTS' },
      preamble: { type: 'integer', default: 4, side: 'client', description: 'octets FE before a frame' },
    },
  },
};

const keys = (specs: readonly { key: string }[]) => specs.map((spec) => spec.key);

describe('fields that fit', () => {
  it('are those of a socket for TCP and of a serial port for RTU', () => {
    expect(keys(sectionsFor(meter, 2).connection)).toEqual(['ip', 'port']);
    expect(keys(sectionsFor(meter, 0).connection)).toEqual(['com_port', 'baud_rate', 'data_bits', 'stop_bits', 'parity']);
  });

  it('leave out what only the asking side needs on a server, and what the contract does not have', () => {
    expect(keys(sectionsFor(tcp, 2).behaviour)).toEqual(['timeout_ms', 'max_gap', 'address_base']);
    expect(keys(sectionsFor(tcp, 2).general)).toContain('auto_reconnect');
    expect(keys(sectionsFor(tcp, 1).general)).not.toContain('auto_reconnect');
    expect(keys(sectionsFor(tcp, 1).behaviour)).toEqual(['address_base']);
    expect(keys(sectionsFor(meter, 2).protocol)).toEqual(['preamble']);
    expect(keys(sectionsFor(meter, 0).protocol)).toEqual(['rts_at_open', 'preamble']);
    expect(keys(sectionsFor(meter, 3).protocol)).toEqual(['rts_at_open']);
    expect(sectionsFor(meter, 0).protocol[1]?.description).toBe('octets FE before a frame');
    expect(sectionsFor(meter, 1).protocol).toEqual([]);
  });
});

describe('values', () => {
  it('of a new channel are the defaults of contract and protocol, and pass the contract with a name', () => {
    const input = toChannelInput({ ...newChannelValues(tcp), name: 'PCS' }, sectionsFor(tcp, 2));
    expect(AddChannelBody.parse(input)).toMatchObject({ conn_type: 2, ip: '127.0.0.1', port: 502, timeout_ms: 1000, auto_reconnect: true });
    expect(input).not.toHaveProperty('baud_rate');
    expect(input).not.toHaveProperty('protocol');
  });

  it('follow the protocol where they stood at its default', () => {
    const changed = changeProtocol({ ...newChannelValues(tcp), name: 'X' }, tcp, meter);
    expect(changed).toMatchObject({ name: 'X', port: 8899, baud_rate: 2400, parity: 'E', conn_type: 0, protocol: { preamble: 4 } });
    const served = changeProtocol({ ...newChannelValues(tcp), conn_type: 1 }, tcp, meter);
    expect(served.conn_type).toBe(1);
    const typed = changeProtocol({ ...newChannelValues(tcp), port: 1502 }, tcp, meter);
    expect(typed.port).toBe(1502);
    expect(changeProtocol({ ...newChannelValues(meter), conn_type: 0 }, meter, tcp).conn_type).toBe(2);
  });

  it('of an untouched channel change nothing', () => {
    const channel = aChannel({ protocol: {} });
    expect(changedSettings(channel, toChannelInput(channelValues(channel), sectionsFor(tcp, 2)))).toEqual({});
  });

  it('say when saving rebuilds the line', () => {
    const channel = aChannel();
    expect(wouldRebuild(channel, { name: 'New', note: 'x' })).toBe(false);
    expect(wouldRebuild(channel, { port: 503 })).toBe(true);
    expect(wouldRebuild(aChannel({ status: 'stopped' }), { port: 503 })).toBe(false);
  });
});

describe('settings in sections', () => {
  it('stand together behind the others, and say how many were changed', () => {
    const text = (section?: string) => ({ type: 'string', default: 'x', pattern: '^x*$', ...(section ? { section } : {}) });
    const schema = { type: 'object', properties: { a: text('far'), b: text(), c: text('far'), d: text('tls') } };
    const [near, far, tls] = groupsOf(fieldSpecs(schema));
    expect([near, far, tls].map((group) => [group?.section, group?.specs.map(({ key }) => key)])).toEqual([
      [null, ['b']],
      ['far', ['a', 'c']],
      ['tls', ['d']],
    ]);
    expect(changedCount({ a: 'x' }, far?.specs ?? [])).toBe(0);
    expect(changedCount({ a: '', c: 'xx' }, far?.specs ?? [])).toBe(2);
  });
});

describe('words about a channel', () => {
  it('say where it is', () => {
    expect(addressText(aChannel({ ip: 'fe80::1', port: 502 }))).toBe('[fe80::1]:502');
    expect(addressText(aChannel({ conn_type: 1, port: 502, bound_port: 40123 }))).toBe('127.0.0.1:40123');
    expect(addressText(aChannel({ conn_type: 0, com_port: 'COM12', parity: 'E' }))).toBe('COM12 9600 8E1');
    expect(addressText(aChannel({ conn_type: 0 }))).toBe('');
    expect(([0, 1, 2, 3] as const).map(roleOf)).toEqual(['master', 'server', 'client', 'slave']);
  });

  it('show the chosen channel, else the first', () => {
    const list = [aChannel({ id: 1 }), aChannel({ id: 2 })];
    expect([pickChannel(list, 2)?.id, pickChannel(list, 9)?.id, pickChannel(list, null)?.id, pickChannel([], 1)]).toEqual([2, 1, 1, null]);
  });
});

describe('request rate', () => {
  it('is taken over the last seconds and begins anew with the counter', () => {
    const one = addSample([], { atMs: 1000, count: 100 });
    expect(rateOf(one)).toBeNull();
    const two = addSample(one, { atMs: 2000, count: 110 });
    expect(rateOf(two)).toBe(10);
    const late = addSample(two, { atMs: 20_000, count: 128 });
    expect(rateOf(late)).toBe(1);
    expect(addSample(late, { atMs: 20_000, count: 128 })).toBe(late);
    expect(addSample(late, { atMs: 21_000, count: 3 })).toEqual([{ atMs: 21_000, count: 3 }]);
  });
});
