import { describe, expect, it } from 'vitest';
import type { WriteExpectation } from '#shared/contract/points.ts';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import { testPoint } from '../drivers/testing/points.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { requireExpected, requireProject, requireSession } from './expectation.ts';
import type { ProjectSession } from './ports.ts';

const session = { id: 'this' } as ProjectSession;
const point = testPoint({ id: 7, code: 'P_SET', address: 100, slave_id: 3, bit: 2, reference: '' });
const AGREED: WriteExpectation = { code: 'P_SET', address: 100, reference: '' };

const check = (agreed: WriteExpectation | undefined, driver: ProtocolDriver = modbusTcpDriver, of = point) => {
  requireExpected({ point: of, channel: { driver } as ChannelRuntime }, agreed);
};

describe('the project that a request was meant for', () => {
  it('is the present one, or the request does nothing', () => {
    expect(() => requireSession(session, 'this')).not.toThrow();
    expect(() => requireSession(session, 'other')).toThrow(
      expect.objectContaining({ code: 'STATE_CONFLICT', said: expect.objectContaining({ code: 'service.meant_other_project' }) }),
    );
    expect(() => requireProject(session, undefined)).not.toThrow();
    expect(() => requireProject(session, AGREED)).not.toThrow();
    expect(() => requireProject(session, { ...AGREED, project_session: 'this' })).not.toThrow();
    expect(() => requireProject(session, { ...AGREED, project_session: 'other' })).toThrow(
      expect.objectContaining({ code: 'STATE_CONFLICT', data: [expect.objectContaining({ path: 'expect.project_session' })] }),
    );
  });
});

describe('the point that somebody agreed to write', () => {
  it.each<[WriteExpectation | undefined]>([
    [undefined],
    [AGREED],
    [{ ...AGREED, slave_id: 3 }],
    [{ ...AGREED, bit: 2 }],
    [{ ...AGREED, slave_id: 3, bit: 2 }],
  ])('is what it was: %j', (agreed) => {
    expect(() => check(agreed)).not.toThrow();
  });

  it('without a bit is the same where none was agreed, and another one where one was', () => {
    const whole = testPoint({ ...point, bit: null });
    expect(() => check({ ...AGREED, bit: null }, modbusTcpDriver, whole)).not.toThrow();
    expect(() => check({ ...AGREED, bit: 0 }, modbusTcpDriver, whole)).toThrow('its bit is –, not 0');
    expect(() => check({ ...AGREED, bit: null })).toThrow('its bit is 2, not –');
  });

  it.each<[string, Partial<WriteExpectation>, string]>([
    ['code', { code: 'Q_SET' }, 'its code is "P_SET", not "Q_SET"'],
    ['address', { address: 101 }, 'its address is 100, not 101'],
    ['reference', { reference: 'LD0/A' }, 'LD0/A'],
    ['slave_id', { slave_id: 4 }, '4'],
    ['bit', { bit: 0 }, '0'],
  ])('is another one by its %s alone', (field, other, words) => {
    expect(() => check({ ...AGREED, ...other })).toThrow(
      expect.objectContaining({
        code: 'STATE_CONFLICT',
        message: expect.stringContaining(words),
        data: [expect.objectContaining({ path: `expect.${field}`, message: expect.stringContaining(words) })],
      }),
    );
  });

  it('is told with all that is otherwise, in the notation of its protocol', () => {
    const meter = testPoint({ ...point, address: 0x02010100 });
    const other = { code: 'Q', address: 0x02010200, reference: '' };
    expect(() => check(other, dlt645Driver, meter)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/02010100.*02010200/),
        data: [expect.objectContaining({ path: 'expect.code' }), expect.objectContaining({ path: 'expect.address' })],
      }),
    );
  });
});
