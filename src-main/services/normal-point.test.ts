import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { iec104Driver } from '../drivers/iec104/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import type { DriverChannelSettings, PointDraft, ProtocolDriver } from '../drivers/spi/index.ts';
import { testPoint } from '../drivers/testing/points.ts';
import { normalPoint } from './normal-point.ts';

const settings = { addressBase: 0, protocol: {} } as unknown as DriverChannelSettings;
const check = (driver: ProtocolDriver, changes: Partial<PointDraft>) =>
  normalPoint(driver, { ...testPoint({ address: 1, decode: '' }), decode: undefined, func_code: undefined, ...changes }, settings);

describe('bit of a point', () => {
  it.each([
    ['Modbus YC', modbusTcpDriver, { frame_type: FrameType.yc }],
    ['Modbus coil', modbusTcpDriver, { frame_type: FrameType.yx, func_code: 1 }],
    ['IEC 104 YC', iec104Driver, { frame_type: FrameType.yc }],
    ['IEC 104 single point', iec104Driver, { frame_type: FrameType.yx }],
    ['DL/T 645 number', dlt645Driver, { frame_type: FrameType.yc, address: 0x02010100 }],
  ] as const)('0 of a %s is none, with a warning; 1 is an error', (_, driver, changes) => {
    const none = check(driver, { ...changes, bit: 0 });
    expect(none).toMatchObject({ point: { bit: null }, issues: [] });
    expect(none.warnings).toContainEqual(
      expect.objectContaining({ path: 'bit', message: expect.stringMatching(/^0 is taken as none here/) }),
    );
    expect(check(driver, { ...changes, bit: 1 }).issues).toMatchObject([{ path: 'bit' }]);
  });

  it('0 stays where a bit is possible', () => {
    const signal = check(modbusTcpDriver, { frame_type: FrameType.yx, func_code: 3, decode: '0x20', bit: 0 });
    expect(signal).toMatchObject({ point: { bit: 0 }, issues: [] });
    expect(signal.warnings ?? []).toEqual([]);
  });

  it('0 hides nothing else that is wrong', () => {
    const wrong = check(modbusTcpDriver, { frame_type: FrameType.yc, bit: 0, mul_coe: 0 });
    expect(wrong.issues.map((issue) => issue.path)).toEqual(['mul_coe']);
  });
});
