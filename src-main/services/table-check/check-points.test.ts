import { describe, expect, it } from 'vitest';
import { ConnType, FrameType } from '#shared/domain/enums.ts';
import { iec104Driver } from '../../drivers/iec104/driver.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { modbusRtuDriver } from '../../drivers/modbus/rtu/driver.ts';
import type { NormalPoint } from '../../drivers/spi/index.ts';
import { runSteps } from '../../platform/steps.ts';
import { issueText } from '../point-files/issue-texts.ts';
import { CHANNEL } from '../point-files/testing/tables.ts';
import { checkPoints } from './check-points.ts';
import { type Asked, findings, pointsOf, told } from './testing/checked-table.ts';

const sentence = (changes: readonly Partial<NormalPoint>[], asked: Asked = {}) =>
  findings(pointsOf(changes, asked.driver), asked).listed.map(({ rule, params }) => issueText(rule, params));

describe('points that would be refused now', () => {
  it('are told by what is wrong, with a mend where it is certain', () => {
    expect(
      told([{ mul_coe: 0 }, { min_limit: 100, max_limit: -100 }, { func_code: 1 }, { slave_id: 300 }, { address: 70_000 }, { bit: 3 }]),
    ).toEqual([
      'error factor_zero P0',
      'error limits_inverted P1 {"min_limit":-100,"max_limit":100}',
      'error function_invalid P2',
      'error slave_invalid P3',
      'error address_invalid P4',
      'error bit_invalid P5',
    ]);
  });

  it('limits of which one is 0 are left to somebody: it may mean that there is none', () => {
    expect(
      told([
        { min_limit: 100, max_limit: 0 },
        { min_limit: 0, max_limit: -5 },
      ]),
    ).toEqual(['error limits_inverted P0', 'error limits_inverted P1']);
  });

  it('a factor of 0 becomes that of enough like points which agree, and no guess', () => {
    const cells = (factors: readonly number[], more: Partial<NormalPoint> = {}) =>
      factors.map((mul_coe, at) => ({ name: `Cell ${at + 1}`, unit: 'V', mul_coe, ...(mul_coe === 0 ? more : {}) }));
    const factors = (...asked: Parameters<typeof cells>) => told(cells(...asked)).filter((line) => line.includes('factor_zero'));
    expect(factors([0.1, 0.1, 0.1, 0])).toEqual(['error factor_zero P3 {"mul_coe":0.1}']);
    expect(factors([0.1, 0.1, 0])).toEqual(['error factor_zero P2']);
    expect(factors([0.1, 0.1, 0.1, 0.01, 0])).toEqual(['error factor_zero P4']);
    expect(factors([0.1, 0.1, 0.1, 0], { decode: '0x42' })).toEqual(['error factor_zero P3']);
    expect(factors([0, 0, 0, 0])).toHaveLength(4);
    expect(factors([0, 0, 0, 0]).join()).not.toContain('{');
  });

  it('because the address base of the channel is another one', () => {
    expect(told([{ address: 0 }, { address: 1 }], { settings: { addressBase: 1 } })).toEqual(['error address_invalid P0']);
  });

  it('because the addresses of the station are shorter', () => {
    const points = [{ address: 65_535 }, { address: 65_536 }];
    expect(told(points, { driver: iec104Driver })).toEqual([]);
    expect(told(points, { driver: iec104Driver, settings: { protocol: { object_address_size: 2 } } })).toEqual([
      'error address_invalid P1',
    ]);
  });

  it('because a setting of the protocol is none any more', () => {
    expect(told([{ protocol: { enum_texts: { x: 'open' } } }])).toEqual([
      'error setting_invalid P0',
      'warning text_unfit P0 {"protocol":{}}',
    ]);
  });
});

describe('places', () => {
  it('that are the same, and registers that are shared in part', () => {
    const wide = { decode: '0x41' };
    expect(told([{ ...wide, address: 10 }, { ...wide, address: 10, code: 'SAME' }, { ...wide, address: 11 }, { address: 20 }])).toEqual([
      'warning same_address SAME',
      'warning overlap P2',
    ]);
    expect(sentence([{ ...wide, address: 10 }, { address: 11 }])).toEqual(['It shares registers with "P0" (10–11).']);
  });

  it('bits of one register, and the same address under another function or slave, are meant', () => {
    const bit = { frame_type: FrameType.yx, func_code: 3, decode: '0x20', address: 5 } as const;
    expect(
      told([
        { ...bit, bit: 0 },
        { ...bit, bit: 1 },
        { ...bit, slave_id: 2, bit: 0 },
        { ...bit, func_code: 4, bit: 0 },
      ]),
    ).toEqual([]);
    const field = { ...bit, bit: 0, protocol: { width: 2 } };
    expect(told([{ ...bit, bit: 0 }, field])).toEqual([]);
    expect(told([field, { ...field, code: 'SAME' }])).toEqual(['warning same_address SAME']);
  });
});

describe('relations', () => {
  const yx = { frame_type: FrameType.yx, func_code: 1, decode: '0x20' } as const;
  const yk = { frame_type: FrameType.yk, func_code: 5, decode: '0x20' } as const;

  it('that lead nowhere are mended where one code is meant for certain', () => {
    expect(
      told([
        { ...yx, code: 'BAY1_CB' },
        { ...yk, related_code: 'bay1-cb' },
      ]),
    ).toEqual(['warning related_missing P1 {"related_code":"BAY1_CB"}']);
    expect(
      told([
        { ...yx, code: 'BAY1_CB' },
        { ...yx, code: 'BAY1CB' },
        { ...yk, related_code: 'bay1-cb' },
      ]),
    ).toEqual(['warning related_missing P2']);
    expect(told([{ ...yk, related_code: 'GONE' }])).toEqual(['warning related_missing P0']);
  });

  it('are not mended by a number that is written otherwise, nor to a command or to the point itself', () => {
    expect(
      told([
        { ...yx, code: 'BAY11' },
        { ...yk, related_code: 'BAY1_1' },
      ]),
    ).toEqual(['warning related_missing P1']);
    expect(
      told([
        { ...yx, code: 'BAY1-1' },
        { ...yk, related_code: 'bay_1.1' },
      ]),
    ).toEqual(['warning related_missing P1 {"related_code":"BAY1-1"}']);
    expect(told([{ ...yk, code: 'CB', related_code: 'cb' }])).toEqual(['warning related_missing CB']);
  });

  it('to another command show nothing', () => {
    expect(
      told([
        { ...yk, code: 'K', related_code: 'L' },
        { ...yk, code: 'L', related_code: 'X' },
        { ...yx, code: 'X' },
      ]),
    ).toEqual(['warning related_type K']);
  });

  it('a command without one: the point of the same name at the same device is it, when there is one and nobody else has it', () => {
    expect(
      told([
        { ...yx, code: 'X', name: '1号断路器' },
        { ...yk, name: '1号断路器' },
      ]),
    ).toEqual(['hint no_feedback P1 {"related_code":"X"}']);
    expect(
      told([
        { ...yx, code: 'X', name: 'CB', slave_id: 2 },
        { ...yk, name: 'CB' },
      ]),
    ).toEqual(['hint no_feedback P1']);
    expect(
      told([
        { ...yx, code: 'X', name: 'CB' },
        { ...yk, name: 'CB' },
        { ...yk, name: 'other', related_code: 'X' },
      ]),
    ).toEqual(['hint no_feedback P1']);
  });

  it('two commands of one name have no certain feedback', () => {
    expect(
      told([
        { ...yx, code: 'X', name: 'CB' },
        { ...yk, code: 'OPEN', name: 'CB' },
        { ...yk, code: 'CLOSE', name: 'CB' },
      ]),
    ).toEqual(['hint no_feedback OPEN', 'hint no_feedback CLOSE', 'hint name_twice CLOSE']);
  });

  it('a setpoint that is read back by itself needs none; one of IEC 104 does', () => {
    const yt = { frame_type: FrameType.yt } as const;
    expect(told([{ ...yt, decode: '0x42' }])).toEqual([]);
    expect(told([{ ...yt, address: 25_089, protocol: { type_id: 50 } }], { driver: iec104Driver })).toEqual(['hint no_feedback P0']);
  });
});

describe('names and units', () => {
  it('a name that stands twice at one device under the same heads', () => {
    expect(told([{ name: 'U' }, { name: 'U' }, { name: 'U', slave_id: 2 }, { name: 'U', category: 'rack 2' }])).toEqual([
      'hint name_twice P1',
    ]);
  });

  const cells = (units: readonly string[]) => units.map((unit, at) => ({ name: `Cell ${at + 1} voltage`, unit }));

  it('a unit that few of many like points have; another spelling and a missing one are mended', () => {
    expect(told(cells(['V', 'V', 'V', 'mV']))).toEqual(['warning unit_differs P3']);
    expect(told(cells(['℃', '℃', '℃', '°C']))).toEqual(['warning unit_differs P3 {"unit":"℃"}']);
    expect(told(cells(['V', 'V', 'V', '']))).toEqual(['warning unit_differs P3 {"unit":"V"}']);
    expect(told(cells(['V', 'V', 'V', 'V', 'V', 'V', '', 'kV']))).toEqual(['warning unit_differs P6', 'warning unit_differs P7']);
    expect(sentence(cells(['V', 'V', 'V', '']))).toEqual(['The unit is empty; 3 points of like names have "V".']);
  });

  it('a unit that is missing is left to somebody where the point is scaled otherwise than those that have it', () => {
    const points = cells(['V', 'V', 'V', '']).map((cell, at) => ({ ...cell, mul_coe: at === 3 ? 10 : 0.1 }));
    expect(told(points)).toEqual(['warning unit_differs P3']);
  });

  it('nothing is told where nobody can say which one is meant, nor of mW and MW as one spelling', () => {
    expect(told(cells(['V', 'V', 'kV', 'kV']))).toEqual([]);
    expect(told(cells(['V', '', '', '']))).toEqual([]);
    expect(told(cells(['MW', 'MW', 'MW', 'mW']))).toEqual(['warning unit_differs P3']);
    expect(
      told([
        { name: 'Power 1', unit: 'kW' },
        { name: 'Power 2', unit: 'kW' },
        { name: 'Voltage 1', unit: 'V' },
      ]),
    ).toEqual([]);
  });
});

describe('texts of values', () => {
  const texts = (enum_texts: Record<string, string>, more: Partial<NormalPoint> = {}) => ({ protocol: { enum_texts }, ...more });
  const yx = { frame_type: FrameType.yx, func_code: 1, decode: '0x20' } as const;

  it('that no number makes are told, and left out', () => {
    expect(told([texts({ 0: 'open', 1: 'closed', 2: 'between' }, yx)])).toEqual([
      'warning text_unfit P0 {"protocol":{"enum_texts":{"0":"open","1":"closed"}}}',
    ]);
    expect(told([texts({ '-1': 'none', 65535: 'all' }, { decode: '0x20' })])).toEqual([
      'warning text_unfit P0 {"protocol":{"enum_texts":{"65535":"all"}}}',
    ]);
    expect(sentence([texts({ 2: 'between' }, yx)])).toEqual(['The texts of 2 are never shown: what can be read makes 0 to 1.']);
  });

  it('those that fit with factor and offset, and those of a float, are left alone', () => {
    expect(told([texts({ 10: 'ten', 110: 'more' }, { decode: '0x20', mul_coe: 10 })])).toEqual([]);
    expect(told([texts({ 15: 'between' }, { decode: '0x20', mul_coe: 10 })])).toEqual(['warning text_unfit P0 {"protocol":{}}']);
    expect(told([texts({ 1: 'one' }, { decode: '0x42' })])).toEqual([]);
  });

  it('are judged by what the registers hold', () => {
    const held = (more: object, value: number, point: Partial<NormalPoint> = {}) =>
      told([{ decode: '0x40', ...point, protocol: { enum_texts: { [value]: 'text' }, ...more } }]).length === 0;
    const field = { bit: 2, decode: '0x20' };
    expect([held({ width: 3 }, 7, field), held({ width: 3 }, 8, field)]).toEqual([true, false]);
    expect([held({ kind: 'bcd' }, 99_999_999), held({ kind: 'bcd' }, 100_000_000)]).toEqual([true, false]);
    expect([held({ kind: 'sign_magnitude' }, -2_147_483_647), held({ kind: 'sign_magnitude' }, -2_147_483_648)]).toEqual([true, false]);
    expect([held({ kind: 'mod10k' }, -99_999_999), held({ kind: 'mod10k' }, -100_000_000)]).toEqual([true, false]);
    expect([held({ registers: 3 }, 2 ** 48 - 1), held({ registers: 3 }, 2 ** 48), held({}, 2 ** 32)]).toEqual([true, false, false]);
    // a power of ten that only the device knows, and what is no whole number, are left alone
    expect([held({ scale_address: 90 }, 2 ** 40), held({ kind: 'unix_seconds' }, -1), held({ kind: 'hex', registers: 2 }, -1)]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('gaps', () => {
  const serial = { driver: modbusRtuDriver, settings: { connType: ConnType.rtuMaster, baudRate: 9600 } };
  const registers = (...addresses: readonly number[]) => addresses.map((address) => ({ address, decode: '0x20' }));

  it('that cost more line time than reading over them are told with it; the planner reckons the same', () => {
    const points = pointsOf(registers(0, 3, 60), modbusRtuDriver);
    const [gap, ...others] = findings(points, { ...serial, turnRoundMs: 0 }).listed;
    expect(others).toEqual([]);
    expect(gap).toMatchObject({ rule: 'gap_costs', severity: 'hint', at: 1, params: { code: 'P0', count: 2 } });
    const stored = points.map((point, id) => ({ ...point, id, channel_id: 1 }));
    const options = { mode: 'batch', turnRoundMs: () => 0, withLargerGaps: true } as const;
    const settings = { ...CHANNEL, ...serial.settings };
    const now = runSteps(modbusRtuDriver.forecast?.(stored, settings, options) ?? never());
    const larger = now.largerGaps.find(({ maxGap }) => maxGap === 2);
    expect((now.predictedMs ?? 0) - (larger?.predictedMs ?? 0)).toBeCloseTo(Number(gap?.params.ms), 1);
  });

  it('a slow slave makes longer ones pay; a network none', () => {
    expect(findings(pointsOf(registers(0, 25), modbusRtuDriver), { ...serial, turnRoundMs: 0 }).listed).toEqual([]);
    expect(findings(pointsOf(registers(0, 25), modbusRtuDriver), { ...serial, turnRoundMs: 100 }).listed).toHaveLength(1);
    expect(told(registers(0, 3))).toEqual([]);
  });

  it('one that the channel reads over already, and one that no request could span, are none', () => {
    const over = { driver: modbusRtuDriver, settings: { ...serial.settings, maxGap: 2 }, turnRoundMs: 0 };
    expect(findings(pointsOf(registers(0, 3), modbusRtuDriver), over).listed).toEqual([]);
    const full = [...Array.from({ length: 124 }, (_, at) => at), 126];
    expect(findings(pointsOf(registers(...full), modbusRtuDriver), { ...serial, turnRoundMs: 500 }).listed).toEqual([]);
  });
});

describe('a large table', () => {
  it('is looked at in short steps, listed to a bound and counted beyond it', () => {
    const point = pointsOf([{ mul_coe: 0 }])[0] as NormalPoint;
    const points = Array.from({ length: 6_000 }, (_, at) => ({ ...point, code: `P${at}`, address: at * 2 }));
    const table = { points, driver: modbusTcpDriver, settings: CHANNEL, model: null, isOwn: () => true, turnRoundMs: () => null };
    let steps = 0;
    const work = checkPoints(table);
    let end = work.next();
    for (; !end.done; end = work.next()) steps += 1;
    expect(steps).toBeGreaterThan(6_000 / 256);
    expect(end.value.counts.get('factor_zero')).toEqual({ error: 6_000, warning: 0, hint: 0 });
    expect(end.value.listed.filter(({ rule }) => rule === 'factor_zero')).toHaveLength(5_000);
  });
});

function never(): never {
  throw new Error('the driver has no forecast');
}
