import { describe, expect, it } from 'vitest';
import { ConnType, FrameType } from '#shared/domain/enums.ts';
import { iec61850Driver } from '../../drivers/iec61850/driver.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { modbusRtuDriver } from '../../drivers/modbus/rtu/driver.ts';
import type { NormalPoint, ProtocolDriver } from '../../drivers/spi/index.ts';
import { placeField, spanOf } from './places.ts';
import { pointsOf, told, toldOf } from './testing/checked-table.ts';

const yx = { frame_type: FrameType.yx, func_code: 1, decode: '0x20' } as const;
const yk = { frame_type: FrameType.yk, func_code: 5, decode: '0x20' } as const;
const wide = { decode: '0x41' } as const;
const names = (count: number, of: (at: number) => Partial<NormalPoint> = () => ({})) =>
  Array.from({ length: count }, (_, at) => ({ name: `Cell ${at + 1} voltage`, unit: 'V', ...of(at) }));

it('findings stand in the order of the table, what is worse first at one point', () => {
  const points = [
    { name: 'U', address: 10 },
    { ...wide, name: 'U', address: 9, mul_coe: 0 },
    { name: 'U', address: 30, min_limit: 9, max_limit: -9 },
  ];
  expect(told(points).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'warning overlap P0',
    'error factor_zero P1',
    'hint name_twice P1',
    'error limits_inverted P2',
    'hint name_twice P2',
  ]);
});

describe('points that are looked at for the sake of others', () => {
  it('are compared with them, and nothing is told of them', () => {
    const twice = [
      { ...wide, name: 'U', address: 10, mul_coe: 0 },
      { ...wide, name: 'U', address: 10 },
    ];
    expect(told(twice, { others: [0] })).toEqual(['warning same_address P1', 'hint name_twice P1']);
    expect(told(twice, { others: [1] }), 'whichever stands first').toEqual(['error factor_zero P0', 'warning same_address P0']);
    expect(told(twice, { others: [0, 1] })).toEqual([]);
    const units = names(4, (at) => (at === 3 ? { unit: 'mV' } : {}));
    expect([told(units, { others: [0, 1, 2] }), told(units, { others: [3] })]).toEqual([['warning unit_differs P3'], []]);
  });

  it('may be what a command lacks, or have its point already', () => {
    const relation = [{ ...yx, code: 'BAY_CB' }, { ...yk, related_code: 'bay-cb' }, { ...yk }];
    expect(told(relation, { others: [0] })).toEqual(['warning related_missing P1 {"related_code":"BAY_CB"}', 'hint no_feedback P2']);
    expect(told(relation, { others: [1, 2] })).toEqual([]);
  });

  it('have gaps and texts of their own', () => {
    const settings = { connType: ConnType.rtuMaster, baudRate: 9600 };
    const serial = { driver: modbusRtuDriver, settings, turnRoundMs: 100 };
    const registers = [0, 20, 40].map((address) => ({ address, decode: '0x20' }));
    expect(told(registers, serial)).toEqual(['hint gap_costs P1', 'hint gap_costs P2']);
    expect(told(registers, { ...serial, others: [1] })).toEqual(['hint gap_costs P2']);
    expect(toldOf('gap_costs', registers, serial)[0]).toMatchObject({
      field: 'address',
      about: 'P0 19',
      params: { code: 'P0', count: 19 },
    });
    const texts = { ...yx, protocol: { enum_texts: { 7: 'seven' } } };
    expect(told([texts, texts, texts], { others: [0, 2] })).toContain('warning text_unfit P1 {"protocol":{}}');
    expect(toldOf('text_unfit', [texts, texts], { others: [0] })).toHaveLength(1);
  });
});

describe('a place', () => {
  const reading = (changes: Partial<NormalPoint>, driver: ProtocolDriver = modbusTcpDriver) => {
    const [point = expect.fail()] = pointsOf([changes], driver);
    return [spanOf(driver, point), placeField(point)];
  };

  it('is a number of registers, or a reference where the protocol has those, or none', () => {
    expect(reading({ ...wide, address: 7, slave_id: 3 })).toEqual([{ space: expect.stringMatching(/^3 /), start: 7, end: 9 }, 'address']);
    const [named, field] = reading({ reference: 'LD0/MMXU1.TotW.mag.f[MX]' }, iec61850Driver);
    expect([named, field]).toEqual([{ space: expect.stringContaining('TotW'), start: 0, end: 1 }, 'reference']);
    const [point = expect.fail()] = pointsOf([{}], iec61850Driver);
    expect(spanOf(iec61850Driver, { ...point, reference: '' })).toBeNull();
  });

  it('of a protocol that knows no spans is one address of a type', () => {
    const { descriptor } = modbusTcpDriver;
    const [point = expect.fail()] = pointsOf([{ ...wide, address: 7, slave_id: 3, reference: 'x' }]);
    expect(spanOf({ descriptor }, point)).toEqual({ space: '3 type 0', start: 7, end: 8 });
    expect(spanOf({ descriptor: iec61850Driver.descriptor }, { ...point, reference: 'x' })).toBeNull();
  });

  it('is told by the field that says it, with what stands there', () => {
    const [twin] = toldOf('same_address', [{ reference: 'LD0/A.B.c[MX]' }, { reference: 'LD0/A.B.c[MX]' }], { driver: iec61850Driver });
    expect(twin).toMatchObject({ at: 1, field: 'reference', about: 'P0', params: { code: 'P0' } });
    const [overlap] = toldOf('overlap', [
      { ...wide, address: 20 },
      { ...wide, address: 19 },
    ]);
    expect(overlap).toEqual({
      ...{ rule: 'overlap', severity: 'warning', at: 0, field: 'address', about: 'P1', mend: null },
      params: { code: 'P1', range: '19–20' },
    });
  });

  it('is shared with the point that reaches farthest, in whatever order they stand', () => {
    const long = { decode: '0x60' };
    const told = (...points: readonly Partial<NormalPoint>[]) => toldOf('overlap', points).map(({ at, about }) => `P${at} with ${about}`);
    expect(told({ address: 2 }, { address: 1 }, { ...long, address: 0 })).toEqual(['P0 with P2', 'P1 with P2']);
    expect(told({ ...long, address: 0 }, { ...wide, address: 1 }, { ...wide, address: 3 })).toEqual(['P1 with P0', 'P2 with P0']);
    expect(told({ ...wide, address: 0 }, { address: 0 }), 'the wide one comes first').toEqual(['P1 with P0']);
    expect(told({ address: 0 }, { ...wide, address: 0 })).toEqual(['P0 with P1']);
    expect(told({ ...wide, address: 0 }, { ...wide, address: 2 }), 'side by side').toEqual([]);
    const bit = { ...yx, func_code: 3, address: 0 };
    expect(told({ ...bit, bit: 0 }, { ...wide, address: 0, code: 'W' }, { ...bit, bit: 1 }), 'bits of a register are meant').toEqual([]);
  });

  it('that several have is told of each behind the first', () => {
    const same = { address: 5 };
    expect(toldOf('same_address', [same, same, same]).map(({ at, about }) => [at, about])).toEqual([
      [1, 'P0'],
      [2, 'P0'],
    ]);
  });
});

describe('names', () => {
  it('that were left out, or are blank, are nobody\u2019s twins', () => {
    expect(told([{ code: 'A', name: 'A' }, { code: 'B', name: 'A' }, { name: ' ' }, { name: ' ' }])).toEqual([]);
    const [twin] = toldOf('name_twice', [{ name: 'U' }, { name: ' U ' }]);
    expect(twin).toMatchObject({ field: 'name', about: 'P0', params: { code: 'P0' } });
    expect(told([{ name: 'U' }, { ...yx, name: 'U' }]), 'a signal is no measurement').toEqual([]);
    expect(told([{ name: 'U' }, { name: 'U', item: 'bus 2' }])).toEqual([]);
  });
});

describe('units', () => {
  it('are compared among points that differ in their numbers alone', () => {
    const [finding] = toldOf(
      'unit_differs',
      names(13, (at) => (at === 12 ? { unit: 'mV', name: ' Cell 100 voltage' } : {})),
    );
    expect(finding).toMatchObject({ at: 12, field: 'unit', about: 'mV V', params: { count: 12 } });
    for (const other of [{ name: 'Cell voltage' }, { category: 'rack 2' }, { item: 'bus 2' }])
      expect(told(names(4, (at) => (at === 3 ? { unit: 'mV', ...other } : {})))).toEqual([]);
  });

  it('are usual where at least three points, and three times as many as have others, agree', () => {
    const units = (...all: readonly string[]) => told(names(all.length, (at) => ({ unit: all[at] ?? '' }))).length;
    expect([units('V', 'V', 'mV'), units('V', 'V', 'V', 'mV')]).toEqual([0, 1]);
    expect([units('V', 'V', 'V', 'V', 'V', 'mV', 'kV'), units('V', 'V', 'V', 'V', 'V', 'V', 'mV', 'kV')]).toEqual([0, 2]);
    expect(units('', '', '', 'V'), 'none is no unit').toBe(0);
  });

  it('that are missing are left to somebody where those that have it are scaled in several ways, or from a power that only the device knows', () => {
    const lacking = (of: (at: number) => Partial<NormalPoint>) => told(names(5, (at) => ({ ...of(at), ...(at === 4 && { unit: '' }) })));
    expect(lacking(() => ({}))).toEqual(['warning unit_differs P4 {"unit":"V"}']);
    expect(lacking((at) => ({ mul_coe: at === 0 ? 10 : 1 }))).toEqual(['warning unit_differs P4']);
    expect(lacking((at) => (at < 4 ? { protocol: { scale_address: 90 } } : {}))).toEqual(['warning unit_differs P4']);
    expect(lacking(() => ({ protocol: { scale_address: 90 } }))).toEqual(['warning unit_differs P4 {"unit":"V"}']);
    const two = names(8, (at) => ({ ...(at > 5 && { unit: '' }), ...(at === 7 && { mul_coe: 10 }) }));
    expect(told(two)).toEqual(['warning unit_differs P6 {"unit":"V"}', 'warning unit_differs P7']);
  });

  it('of points that have none in their protocol are not asked for', () => {
    expect(
      toldOf(
        'unit_differs',
        names(4, (at) => ({ ...yk, ...(at === 3 && { unit: 'mV' }) })),
      ),
    ).toEqual([]);
  });
});

describe('relations', () => {
  it('are told by the code that leads nowhere, or by the type it leads to', () => {
    const [missing] = toldOf('related_missing', [{ ...yk, related_code: 'GONE' }]);
    expect(missing).toMatchObject({ field: 'related_code', about: 'GONE', params: { code: 'GONE' } });
    const [other] = toldOf('related_type', [
      { ...yk, related_code: 'L' },
      { ...yk, code: 'L', related_code: 'L' },
    ]);
    expect(other).toMatchObject({ about: 'L', params: { code: 'L', type: { en: 'YK', zh: '遥控' } } });
  });

  it('are mended by width, marks and letter case alone', () => {
    const meant = (code: string, written: string) =>
      toldOf('related_missing', [
        { ...yx, code },
        { ...yk, related_code: written },
      ])[0]?.mend?.related_code ?? null;
    expect([meant('CB_1', 'ＣＢ１'), meant('CB_1', 'cb -- 1'), meant('BAY1 _ 2', 'bay1.2'), meant('CB__', 'CB')]).toEqual([
      'CB_1',
      'CB_1',
      'BAY1 _ 2',
      'CB__',
    ]);
    expect([meant('CB_1', 'CB_2'), meant('BAY1x2', 'BAY1_2')]).toEqual([null, null]);
    expect(
      toldOf('related_missing', [
        { ...yk, code: 'K' },
        { ...yk, related_code: 'k' },
      ])[0]?.mend,
      'another command',
    ).toBeNull();
  });

  it('of a measurement that names itself by its code alone are no feedback', () => {
    const code = { code: 'CB', name: 'CB' };
    expect(
      toldOf('no_feedback', [
        { ...yx, code: 'X', name: 'CB' },
        { ...yk, ...code },
      ])[0]?.mend,
    ).toBeNull();
    const yt = { frame_type: FrameType.yt, func_code: 6, decode: '0x20', name: 'P set' } as const;
    const unread = { ...modbusTcpDriver, isReadable: () => false };
    const [feedback] = toldOf('no_feedback', [{ code: 'X', name: 'P set' }, { ...yx, code: 'Y', name: 'P set' }, yt], { driver: unread });
    expect(feedback?.mend).toEqual({ related_code: 'X' });
  });

  it('of a measurement take nothing away from a command', () => {
    const points = [
      { ...yx, code: 'X', name: 'CB' },
      { ...yk, name: 'CB' },
      { ...yx, name: 'other', related_code: 'X' },
    ];
    expect(told(points)).toEqual(['hint no_feedback P1 {"related_code":"X"}']);
  });
});

describe('a point that would be refused', () => {
  it('is told by the sentence of its driver, or by that of its factor or its limits', () => {
    const [inverted] = toldOf('limits_inverted', [{ min_limit: 9, max_limit: -9 }]);
    expect(inverted).toMatchObject({ params: { min: 9, max: -9 }, field: 'min_limit' });
    for (const limits of [{ min_limit: null }, { max_limit: null }, { min_limit: 9, max_limit: 9 }]) expect(told([limits])).toEqual([]);
    const [address] = toldOf('address_invalid', [{ address: 70_000 }]);
    expect(address).toMatchObject({ field: 'address', about: expect.stringMatching(/^address /), params: { message: expect.anything() } });
    const [setting] = toldOf('setting_invalid', [{ protocol: { enum_texts: { x: 'open' } } }]);
    const field = expect.stringMatching(/^protocol\.enum_texts/);
    expect(setting).toMatchObject({ field, about: field, params: { field, message: expect.anything() } });
  });

  it('is told by all that is wrong with it, factor and limits each by their own', () => {
    expect(told([{ mul_coe: 0, min_limit: 9, max_limit: -9, slave_id: 300 }])).toEqual([
      'error factor_zero P0',
      'error limits_inverted P0 {"min_limit":-9,"max_limit":9}',
      'error slave_invalid P0',
    ]);
  });
});

describe('texts of values', () => {
  const least = (enum_texts: object, more: Partial<NormalPoint>) => toldOf('text_unfit', [{ ...more, protocol: { enum_texts } }])[0];

  it('are compared with what offset and a factor below zero make of what is read', () => {
    expect(least({ '-65535': 'all', 0: 'none', 1: 'no' }, { decode: '0x20', mul_coe: -1 })).toMatchObject({
      ...{ field: 'protocol.enum_texts', about: '1', params: { values: ['1'], least: -65_535, most: 0 } },
      mend: { protocol: { enum_texts: { 0: 'none', '-65535': 'all' } } },
    });
    expect(least({ 5: 'none', 4: 'no', 3: 'no' }, { decode: '0x20', mul_coe: 2, add_coe: 5 })).toMatchObject({
      about: '3 4',
      params: { least: 5, most: 131_075 },
    });
  });

  it('are not compared where every value is the offset, which is told of the factor', () => {
    expect(told([{ decode: '0x20', mul_coe: 0, protocol: { enum_texts: { 1: 'on', 99999: 'never' } } }])).toEqual(['error factor_zero P0']);
  });

  it.each([['text'], [null], [7], [undefined]])('that are %j are none', (enum_texts) => {
    expect(toldOf('text_unfit', [{ decode: '0x20', protocol: { enum_texts } }])).toEqual([]);
  });
});
