import { describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type { StoredChannel } from '../../persistence/repositories.ts';
import { channelSettings } from '../../runtime/testing/harness.ts';
import type { CheckedChannel } from './elsewhere/checked-channel.ts';
import { channelFacts, channelThen, mappingChanges, mappingOf, pointFacts, pointThen } from './mapping.ts';

const service = { name: 'North', address: 'http://192.0.2.7:8920', version: '0.9.0' };
const point = testPoint({ id: 7, code: 'P', related_code: 'Q', protocol: { word_order: 'CDAB', enum_texts: { 0: 'off' } } });

const channel = (changes: Partial<StoredChannel> = {}, elsewhere?: object) =>
  ({
    settings: channelSettings(changes),
    driver: modbusTcpDriver,
    ...(elsewhere && { elsewhere: { service: elsewhere } }),
  }) as CheckedChannel;
const mapping = (changes: Parameters<typeof testPoint>[0] = {}, of = channel()) =>
  mappingOf(pointThen({ channel: of, point: { ...point, ...changes } }));

describe('what decides a value', () => {
  it.each<[string, Parameters<typeof testPoint>[0], string[]]>([
    ['nothing', {}, []],
    ['the address', { address: 1 }, ['address']],
    ['the unit id', { slave_id: 2 }, ['slave_id']],
    ['the data type', { decode: '0x42' }, ['decode']],
    ['the factor and the offset', { mul_coe: 0.1, add_coe: 5 }, ['add_coe', 'mul_coe']],
    ['the sense of a signal', { reverse: true }, ['reverse']],
    ['what it is related to', { related_code: 'R' }, ['related_code']],
    ['a setting of the protocol', { protocol: { word_order: 'ABCD' } }, ['protocol.word_order']],
    ['a setting of the protocol that is left out', { protocol: {} }, ['protocol.word_order']],
    ['its texts alone', { protocol: { word_order: 'CDAB', enum_texts: { 0: 'open' }, bit_texts: { 1: 'x' } } }, []],
    ['name, group and limits alone', { name: 'other', category: 'c', note: 'n', min_limit: 1, max_limit: 2 }, []],
  ])('is otherwise by %s', (_, changes, names) => {
    expect(mappingChanges(mapping(), mapping(changes))).toEqual(names);
    expect(mappingChanges(mapping(changes), mapping())).toEqual(names);
  });

  it.each<[string, Partial<StoredChannel>, string[]]>([
    ['another device', { ip: '192.0.2.11' }, ['channel.ip']],
    ['another port', { port: 503 }, ['channel.port']],
    ['another base of addresses', { address_base: 1 }, ['channel.address_base']],
    ['a name and times of its own', { name: 'other', timeout_ms: 5, retries: 9 }, []],
  ])('is otherwise by the channel with %s', (_, changes, names) => {
    expect(mappingChanges(mapping(), mapping({}, channel(changes)))).toEqual(names);
  });

  it('is otherwise through another service', () => {
    const here = mapping();
    const there = mapping({}, channel({}, service));
    expect(mappingChanges(here, there)).toEqual(['channel.service']);
    expect(there['channel.service']).toBe('North http://192.0.2.7:8920');
    expect(mappingChanges(there, mapping({}, channel({}, { ...service, version: '1.0.0' })))).toEqual([]);
  });

  it('what one lacks counts as null, whichever it is', () => {
    expect(mappingChanges({ a: null, b: 1 }, { b: 1, c: null })).toEqual([]);
    expect(mappingChanges({ b: { y: 1, x: 2 } }, { b: { x: 2, y: 1 } })).toEqual([]);
    expect(mappingChanges({ c: 1 }, { a: 1 })).toEqual(['a', 'c']);
  });
});

describe('evidence of a place', () => {
  it('has every setting of the point, and of the channel where it leads', () => {
    expect(pointFacts(point)).toEqual(point);
    const {
      protocol_type,
      conn_type,
      ip,
      port,
      com_port,
      address_base,
      id,
      name,
      baud_rate,
      data_bits,
      stop_bits,
      parity,
      timeout_ms,
      protocol,
    } = channelSettings();
    expect(channelFacts(channelThen(channel()))).toStrictEqual({
      ...{ protocol_type, conn_type, ip, port, com_port, address_base, id, name },
      ...{ baud_rate, data_bits, stop_bits, parity, timeout_ms, protocol },
    });
  });

  it.each([
    [service, {}],
    [{ ...service, clockAheadS: -12 }, { service_clock_ahead_s: -12 }],
    [{ ...service, clockAheadS: 0 }, { service_clock_ahead_s: 0 }],
  ])('names the service that it was seen through: %j', (through, clock) => {
    const there = channelFacts(channelThen(channel({}, through)));
    expect(there).toStrictEqual({
      ...channelFacts(channelThen(channel())),
      service: 'North',
      service_address: 'http://192.0.2.7:8920',
      service_version: '0.9.0',
      ...clock,
    });
  });
});
