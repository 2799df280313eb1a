import { describe, expect, it } from 'vitest';
import { inEnglish } from '../testing/explained.ts';
import { iec104Driver } from './driver.ts';
import { octets } from './testing/captures.ts';
import { driverSettings, yc, yk, yt, yx } from './testing/client-bench.ts';

describe('the driver', () => {
  it('gives the line t0 as the time of a connection, and TLS where it is on', () => {
    expect(iec104Driver.lineOptions?.(driverSettings())).toEqual({ connectTimeoutMs: 30_000 });
    const tls = { tls: true, tls_ca: '/keys/ca.pem', tls_server_name: 'station.test', t0_s: 10 };
    expect(iec104Driver.lineOptions?.(driverSettings(tls))).toMatchObject({
      connectTimeoutMs: 10_000,
      tls: { ca: '/keys/ca.pem', isVerified: true, serverName: 'station.test' },
    });
  });

  it('reads monitored points, but no commands and no events of protection equipment', () => {
    const points = [yx(1, 1), yx(2, 2, 30), yc(3, 3, 15), yx(4, 4, 38), yx(5, 5, 39, { bit: 0 }), yk(6, 6), yt(7, 7)];
    expect(points.map((point) => iec104Driver.isReadable(point))).toEqual([true, true, true, false, false, false, false]);
  });

  it('checks the value of a command before anything is sent', () => {
    expect(() => iec104Driver.checkValue?.(yk(1, 1), 2)).toThrow('takes 0 (off) or 1 (on), not 2');
    expect(() => iec104Driver.checkValue?.(yt(1, 1, 49), 40_000)).toThrow('carries -32768 to 32767');
    expect(() => iec104Driver.checkValue?.(yt(1, 1, 50), 220.5)).not.toThrow();
  });

  it('explains frames with the sizes of the channel, whatever its settings hold', () => {
    const frame = octets('68 0b 00 00 00 00 64 01 06 01 00 00 14');
    const context = { kind: 'rx', isRequest: true, request: null } as const;
    const small = driverSettings({ cause_size: 1, common_address_size: 1, object_address_size: 2 });
    expect(inEnglish(iec104Driver.explain(frame, { ...context, settings: small })).summary).toContain('C_IC_NA_1');
    expect(() => iec104Driver.explain(frame, { ...context, settings: { ...small, protocol: { k: 'x' } } })).not.toThrow();
  });

  it('a table has one address space in each direction', () => {
    const spaces = [yx(1, 1), yc(2, 1), yk(3, 1), yt(4, 1)].map((point) => iec104Driver.addressSpan?.(point).space);
    expect(spaces).toEqual(['monitor', 'monitor', 'control', 'control']);
  });
});
