import { expect, it } from 'vitest';
import { aChannel } from '../testing/fake-service.ts';
import { addressText, groupsOf } from './channel-text.ts';

it('channels stand in their own group, else in that of their protocol, in the order in which they were made', () => {
  const channels = [
    aChannel({ id: 1, name: 'A', protocol_type: 1 }),
    aChannel({ id: 2, name: 'B', protocol_type: 4, group: 'Hall 1' }),
    aChannel({ id: 3, name: 'C', protocol_type: 1, group: 'Hall 1' }),
    aChannel({ id: 4, name: 'D', protocol_type: 1 }),
  ];
  expect(groupsOf(channels).map(([group, list]) => [group, list.map(({ name }) => name)])).toEqual([
    ['Modbus TCP', ['A', 'D']],
    ['Hall 1', ['B', 'C']],
  ]);
});

it('a place says which of TCP, UDP and a serial port it is, where that is not TCP', () => {
  const place = { protocol_type: 1, conn_type: 2, ip: '192.168.1.20', port: 502 } as const;
  expect(addressText(aChannel(place))).toBe('192.168.1.20:502');
  expect(addressText(aChannel({ ...place, protocol: { transport: 'udp' } }))).toBe('UDP 192.168.1.20:502');
});
