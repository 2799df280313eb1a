import { describe, expect, it } from 'vitest';
import { needsRebuild, portOf, portsCollide, toDriverSettings, toLineSettings } from './settings.ts';
import { FakePlant, fakeDriver } from './testing/fake-driver.ts';
import { channelSettings } from './testing/harness.ts';

describe('settings', () => {
  it('map to the line, with time for a lost connection request', () => {
    const driver = fakeDriver(new FakePlant());
    const plain = toLineSettings(channelSettings(), driver);
    expect(plain).toMatchObject({ kind: 'tcp', ip: '192.0.2.10', port: 502, connectTimeoutMs: 3000 });
    expect(plain).not.toHaveProperty('tls');
    expect(toLineSettings(channelSettings({ conn_type: 0, com_port: 'COM9', timeout_ms: 8000 }), driver)).toMatchObject({
      kind: 'serial',
      comPort: 'COM9',
      connectTimeoutMs: 8000,
    });
  });

  it('map to the line what the protocol says of it', () => {
    const tls = { certificate: '', key: '', ca: '/keys/ca.pem', isVerified: true, serverName: 'station.test' };
    const driver = { ...fakeDriver(new FakePlant()), lineOptions: () => ({ connectTimeoutMs: 30_000, tls }) };
    expect(toLineSettings(channelSettings(), driver)).toMatchObject({ connectTimeoutMs: 30_000, tls });
  });

  it('map to the driver, protocol settings parsed with their defaults', () => {
    const driver = fakeDriver(new FakePlant());
    expect(toDriverSettings(channelSettings({ max_gap: 4, protocol: {} }), driver)).toMatchObject({
      maxGap: 4,
      protocol: { flavour: 'plain' },
    });
    expect(() => toDriverSettings(channelSettings({ protocol: { flavour: 1 } }), driver)).toThrow(/protocol\.flavour/);
    // stored by another program, or damaged: told by a message, which has words in every language
    expect(() => toDriverSettings(channelSettings({ protocol: { flavour: 1 } }), driver)).toThrow(
      expect.objectContaining({ data: [expect.objectContaining({ path: 'protocol.flavour', message_code: 'field.otherwise' })] }),
    );
  });

  it('a protocol object is compared by its content', () => {
    const before = channelSettings({ protocol: { a: 1, b: [1, { c: 2 }] } });
    expect(needsRebuild(before, channelSettings({ protocol: { b: [1, { c: 2 }], a: 1 } }))).toBe(false);
    expect(needsRebuild(before, channelSettings({ protocol: { b: [1, { c: 3 }], a: 1 } }))).toBe(true);
    expect(needsRebuild(before, channelSettings({ protocol: { a: 1, b: { 0: 1, 1: { c: 2 } } } }))).toBe(true);
  });

  it('the port a channel needs for itself', () => {
    const driver = {
      ...fakeDriver(new FakePlant()),
      isDatagram: ({ transport }: Readonly<Record<string, unknown>>) => transport === 'udp',
    };
    expect(portOf(channelSettings(), driver)).toBeNull();
    expect(portOf(channelSettings({ conn_type: 1, ip: '0.0.0.0' }), driver)).toBe('tcp-listen 0.0.0.0:502');
    expect(portOf(channelSettings({ conn_type: 1, ip: '0.0.0.0', protocol: { transport: 'udp' } }), driver)).toBe('udp-listen 0.0.0.0:502');
    expect(portOf(channelSettings({ conn_type: 3, com_port: '/dev/ttyUSB0' }), driver)).toBe('serial /dev/ttyUSB0');
  });

  it.each([
    ['tcp-listen 127.0.0.1:502', 'tcp-listen 127.0.0.1:502', true],
    ['tcp-listen 0.0.0.0:502', 'tcp-listen 127.0.0.1:502', true],
    ['tcp-listen localhost:502', 'tcp-listen 127.0.0.1:502', true],
    ['tcp-listen :::502', 'tcp-listen 192.0.2.1:502', true],
    ['tcp-listen 192.0.2.1:502', 'tcp-listen 127.0.0.1:502', false],
    ['tcp-listen 127.0.0.1:502', 'tcp-listen 127.0.0.1:503', false],
    ['tcp-listen 127.0.0.1:0', 'tcp-listen 127.0.0.1:0', false],
    ['serial COM3', 'serial com3', true],
    ['serial \\\\.\\COM12', 'serial COM12', true],
    ['serial /dev/ttyUSB0', 'serial /dev/ttyusb0', false],
    ['serial COM3', 'tcp-listen 0.0.0.0:3', false],
  ])('%s and %s collide: %s', (a, b, expected) => {
    expect([portsCollide(a, b), portsCollide(b, a)]).toEqual([expected, expected]);
  });
});
