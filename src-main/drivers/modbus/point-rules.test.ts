import { describe, expect, it } from 'vitest';
import { DECODE_CODES } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointDraft } from '../spi/index.ts';
import { testPoint } from '../testing/points.ts';
import { normalizeModbusPoint, POINT_FIELDS, readFunction, registerCount } from './point-rules.ts';

const { yc, yx, yk, yt } = FrameType;

function normalized(changes: Partial<PointDraft>, addressBase = 0) {
  const { id: _id, channel_id: _channelId, ...settings } = testPoint();
  const draft: PointDraft = {
    ...settings,
    code: 'P1',
    name: undefined,
    address: 100,
    slave_id: undefined,
    func_code: undefined,
    decode: undefined,
    ...changes,
  };
  return normalizeModbusPoint(draft, { addressBase });
}

function issueOf(changes: Partial<PointDraft>, addressBase = 0): string {
  const { issues } = normalized(changes, addressBase);
  return issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
}

describe('defaults', () => {
  it.each([
    [yc, 3, '0x41'],
    [yx, 1, '0x20'],
    [yk, 5, '0x20'],
    [yt, 16, '0x41'],
  ])('frame type %d has function %d and decode %s', (frameType, funcCode, decode) => {
    const { point, issues } = normalized({ frame_type: frameType });
    expect(point).toMatchObject({ name: 'P1', slave_id: 1, func_code: funcCode, decode });
    expect(issues).toEqual([]);
  });

  it('writes a YT of one register by 6, of more by 16', () => {
    expect(normalized({ frame_type: yt, decode: '0x20' }).point.func_code).toBe(6);
    expect(normalized({ frame_type: yt, decode: '0x60' }).point.func_code).toBe(16);
    expect(normalized({ frame_type: yt, decode: '0x42', func_code: 6 })).toMatchObject({ point: { func_code: 6 }, issues: [] });
  });

  it('takes null and empty for "not said"', () => {
    expect(normalized({ frame_type: yc, func_code: null, decode: '', name: '' }).point).toMatchObject({
      func_code: 3,
      decode: '0x41',
      name: 'P1',
    });
  });

  it('stores a decode code in the letters of the table', () => {
    expect(normalized({ decode: '0xd3' }).point.decode).toBe('0xD3');
    for (const { code } of DECODE_CODES) expect(issueOf({ decode: code.toLowerCase() })).toBe('');
  });
});

describe('issues', () => {
  it('needs an address that is on the wire', () => {
    expect(issueOf({ address: undefined })).toContain('address: is needed');
    expect(issueOf({ address: 65_535, decode: '0x20' })).toBe('');
    expect(issueOf({ address: 65_535, decode: '0x41' })).toContain('address: must be 0 to 65534 for 0x41');
    expect(issueOf({ address: 40_000 }, 40_001)).toContain('must be 40001 to 105535 for 0x41 int32 ABCD with address_base 40001');
    expect(issueOf({ address: 40_001 }, 40_001)).toBe('');
  });

  it('lists near codes for an unknown one', () => {
    expect(issueOf({ decode: '0x46' })).toContain('0x45 float32 CDAB');
    expect(issueOf({ decode: 'cdab' })).toContain('0x45 float32 CDAB');
    expect(issueOf({ decode: 'float64' })).toContain('0x62 float64 ABCDEFGH');
    expect(issueOf({ decode: '9' })).toContain('0x20 uint16 AB');
  });

  it.each([
    [yc, [3, 4]],
    [yx, [1, 2, 3, 4]],
    [yk, [5, 6, 15, 16]],
    [yt, [6, 16]],
  ])('frame type %d allows functions %j', (frameType, allowed) => {
    for (let funcCode = 0; funcCode <= 24; funcCode += 1) {
      const isRefused = normalized({ frame_type: frameType, func_code: funcCode }).issues.length > 0;
      expect([funcCode, isRefused]).toEqual([funcCode, !allowed.includes(funcCode)]);
    }
  });

  it('allows function 22 for a YK with a bit only', () => {
    expect(issueOf({ frame_type: yk, func_code: 22 })).toContain('bit is needed');
    expect(issueOf({ frame_type: yk, func_code: 22, bit: 3 })).toBe('');
    expect(issueOf({ frame_type: yt, func_code: 22, bit: 3 })).toContain('a YT has 6, 16, not 22');
  });

  it('takes unit ids 0 to 255', () => {
    expect(issueOf({ slave_id: 255 })).toBe('');
    expect(issueOf({ slave_id: 256 })).toContain('slave_id: a slave address of Modbus is 0 to 255');
  });

  it('takes a bit inside the integer of a register only', () => {
    expect(issueOf({ frame_type: yx, func_code: 3, bit: 15 })).toBe('');
    expect(issueOf({ frame_type: yx, func_code: 3, bit: 16 })).toContain('bit: must be 0 to 15 for 0x20');
    expect(issueOf({ frame_type: yx, func_code: 3, bit: 8, decode: '0x10' })).toContain('must be 0 to 7');
    expect(issueOf({ frame_type: yx, func_code: 3, bit: 31, decode: '0x40' })).toBe('');
    expect(issueOf({ frame_type: yx, func_code: 1, bit: 0 })).toContain('func_code must be 3 or 4');
    expect(issueOf({ frame_type: yk, bit: 0 })).toContain('func_code must be 6, 16 or 22');
    expect(issueOf({ frame_type: yx, func_code: 3, bit: 0, decode: '0x42' })).toContain('is a float');
    expect(issueOf({ frame_type: yc, bit: 0 })).toContain('a YC has a field of several bits with protocol.width, else none');
  });

  it('finds scales and limits that cannot be meant', () => {
    expect(issueOf({ mul_coe: 0 })).toContain('mul_coe: must not be 0');
    expect(issueOf({ min_limit: 5, max_limit: 4 })).toContain('min_limit: 5 is above max_limit 4');
    expect(issueOf({ min_limit: 4, max_limit: 4 })).toBe('');
    expect(issueOf({ frame_type: yk, reverse: true })).toContain('reverse: inverts a YX');
  });
});

describe('how a point is read', () => {
  it.each([
    [yc, 3, 3],
    [yc, 4, 4],
    [yx, 1, 1],
    [yx, 2, 2],
    [yx, 4, 4],
    [yk, 5, 1],
    [yk, 15, 1],
    [yk, 22, 3],
    [yk, 6, 3],
    [yt, 6, 3],
    [yt, 16, 3],
  ] as const)('frame type %d with function %d by function %d', (frameType, funcCode, expected) => {
    expect(readFunction({ frame_type: frameType, func_code: funcCode })).toBe(expected);
  });

  it('covers one coil, or the registers of its decode code', () => {
    expect(registerCount({ frame_type: yx, func_code: 1, decode: '0x41', protocol: {} })).toBe(1);
    expect(registerCount({ frame_type: yc, func_code: 3, decode: '0x41', protocol: {} })).toBe(2);
    expect(registerCount({ frame_type: yc, func_code: 3, decode: '0xE2', protocol: {} })).toBe(4);
  });

  it('names form fields by frame type', () => {
    expect(POINT_FIELDS[yx]).toContain('reverse');
    expect(POINT_FIELDS[yc]).not.toContain('reverse');
  });
});
