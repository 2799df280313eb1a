import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { PointConfig, PointValue } from '../../spi/index.ts';
import { shownValue } from '../../testing/engineering.ts';
import { testPoint } from '../../testing/points.ts';
import { ModbusRefusal } from '../client/refusal.ts';
import { decodePoint } from '../testing/decode-point.ts';
import { octets } from '../vectors/load.ts';
import { judgeModbusTable } from './table.ts';

const settings = { addressBase: 0 };
const sample = (changes: Partial<PointConfig>, bytes: string) => {
  const point = testPoint(changes);
  return {
    point,
    reading: decodePoint(point, octets(bytes)),
    shown: (value: PointValue) => String(Number(shownValue(point, value).toPrecision(6))),
  };
};
const refused = (changes: Partial<PointConfig>, exception: number) => {
  const point = testPoint(changes);
  const error = new AppError('DEVICE_EXCEPTION', quoted('no'), { cause: new ModbusRefusal(exception) });
  return { point, reading: { kind: 'failure' as const, pointId: point.id, error }, shown: () => '' };
};

describe('order of octets', () => {
  it('is questioned when floats read like dust and another order makes measured values', () => {
    // 230.5, 50.02 and 12.4 as CDAB on the wire, read as ABCD
    const samples = [
      sample({ id: 1, decode: '0x42' }, '80 00 43 66'),
      sample({ id: 2, decode: '0x42' }, '14 7B 42 48'),
      sample({ id: 3, decode: '0x42' }, '66 66 41 46'),
    ];
    expect(judgeModbusTable(samples, settings)).toMatchObject([
      {
        code: 'TABLE_ORDER',
        params: { code: 'P1', decode: '0x42 float32 ABCD', suggested: '0x45 float32 CDAB', instead: '230.5', count: 2 },
      },
    ]);
  });

  it('finds BADC and DCBA', () => {
    expect(judgeModbusTable([sample({ decode: '0x42' }, '66 43 00 80')], settings)[0]?.params.suggested).toBe('0xD3 float32 BADC');
    expect(judgeModbusTable([sample({ decode: '0x42' }, '00 80 66 43')], settings)[0]?.params.suggested).toBe('0xD2 float32 DCBA');
  });

  it('of whole numbers is questioned when they are huge and small in another order', () => {
    const samples = [sample({ id: 1, decode: '0x41' }, '04 D2 00 00'), sample({ id: 2, decode: '0x41' }, '00 07 00 00')];
    expect(judgeModbusTable(samples, settings)[0]?.params).toMatchObject({
      suggested: '0x44 int32 CDAB',
      shown: '80871400',
      instead: '1234',
    });
  });

  it('is left alone when values are plausible, zero, one register or coils', () => {
    const samples = [
      sample({ id: 1, decode: '0x42' }, '43 66 80 00'),
      sample({ id: 2, decode: '0x45' }, '00 00 00 00'),
      sample({ id: 3, decode: '0x20' }, 'FF FF'),
      sample({ id: 4, frame_type: 1, func_code: 1 }, '01'),
    ];
    expect(judgeModbusTable(samples, settings)).toEqual([]);
  });

  it('is left alone when no other order makes all of them plausible', () => {
    expect(
      judgeModbusTable([sample({ decode: '0x42' }, '7F C0 00 00'), sample({ id: 2, decode: '0x42' }, 'FF FF FF FF')], settings),
    ).toEqual([]);
  });
});

describe('refusals', () => {
  it('of printed register numbers point at the base', () => {
    expect(judgeModbusTable([refused({ address: 40_001 }, 2), refused({ id: 2, address: 40_120 }, 2)], settings)).toEqual([
      { code: 'TABLE_BASE', params: { address: 40_001, base: 40_001 } },
    ]);
    expect(judgeModbusTable([refused({ address: 30_005, func_code: 4 }, 2)], settings)[0]?.params.base).toBe(30_001);
    expect(judgeModbusTable([refused({ address: 40_001 }, 2)], { addressBase: 40_001 })).toEqual([]);
    expect(judgeModbusTable([refused({ address: 40_001 }, 2), refused({ id: 2, address: 5 }, 2)], settings)).toEqual([]);
  });

  it('by exception 1 point at the function', () => {
    expect(judgeModbusTable([refused({ func_code: 4, code: 'T' }, 1)], settings)).toEqual([
      { code: 'TABLE_FUNCTION', params: { function: 4, code: 'T' } },
    ]);
  });
});
