import { describe, expect, it } from 'vitest';
import type { CheckReference, CheckSeen, Expectation } from '#shared/contract/check.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import { crossedWith } from './crossed.ts';
import type { CheckedPoint } from './elsewhere/checked-channel.ts';
import { finding, findingsOf, qualityOf, readOtherwise } from './findings.ts';
import type { Compared } from './references.ts';
import type { Sight } from './sight.ts';

const seen = (value: number | null, rest: Partial<CheckSeen> = {}): CheckSeen => ({
  ...{ channel_id: 1, point_id: 1, code: 'P', value, value_text: '', unit: 'kW', raw_hex: '', quality: 'good' as const, flags: [] },
  ...{ source_time: null, received_at: '2026-01-01T00:00:00.000Z' },
  ...rest,
});
const reference = (value: number, tolerance = 0.5, percent = 0): CheckReference => ({ value, tolerance, percent });
const values = (...references: CheckReference[]): Expectation => ({ kind: 'values', references });
const failed = (last: CheckSeen, why: Sight['why'] = 'other', ...before: CheckSeen[]): Sight => ({
  ...{ verdict: 'failed' as const, why, changes: 3 },
  seen: [...before, last],
});

/** A register of 16 bits whose octets are `rawHex`; with a second one behind it. */
function found(rawHex = '', decode = '0x20', next = ''): CheckedPoint {
  const point = testPoint({ id: 1, code: 'P', address: 100, decode });
  const beside = testPoint({ id: 2, code: 'Q', address: 101 });
  const all = next === '' ? [point] : [point, beside];
  const state = (id: number) => ({ rawHex: id === 1 ? rawHex : next, quality: 'good', updatedAt: 1 });
  const points = { size: all.length, configs: () => all, state, config: (id: number) => all.find((each) => each.id === id) };
  return { channel: { driver: modbusTcpDriver, points } as unknown as CheckedPoint['channel'], point };
}
const names = async (expectation: Expectation, sight: Sight, of = found()) =>
  (await findingsOf(of, expectation, sight)).map(({ name }) => name);

describe('what is wrong with a value', () => {
  it.each<[string, Expectation, Sight, string[]]>([
    ['nothing where nothing failed', values(reference(50)), failed(seen(50), 'none'), []],
    ['it does not come to rest', values(reference(50)), failed(seen(50), 'chatter'), ['chatter']],
    ['the device calls it bad', values(reference(50)), failed(seen(50, { quality: 'invalid' }), 'quality'), ['bad_quality']],
    ['its sign', values(reference(50)), failed(seen(-50)), ['sign']],
    ['its factor: ten times too large', values(reference(50)), failed(seen(500)), ['factor']],
    ['its factor: a thousand times too small', values(reference(50)), failed(seen(0.05)), ['factor']],
    ['its factor and its sign', values(reference(50)), failed(seen(-5000)), ['factor', 'sign']],
    ['only that it is another one', values(reference(50)), failed(seen(49)), ['wrong_value']],
    ['a zero proves no factor', values(reference(50)), failed(seen(0)), ['wrong_value']],
    ['no value proves nothing', values(reference(50)), failed(seen(null)), ['wrong_value']],
    ['near zero every factor would fit', values(reference(0.5)), failed(seen(5)), ['wrong_value']],
    ['of the references the one that is open', values(reference(5), reference(70)), failed(seen(-70), 'other', seen(5)), ['sign']],
    ['a state', { kind: 'states', states: [0, 1] }, failed(seen(2)), ['wrong_value']],
  ])('%s', async (_, expectation, sight, expected) => {
    expect(await names(expectation, sight)).toEqual(expected);
  });

  it('is nothing where nothing was seen', async () => {
    expect(await names(values(reference(50)), { verdict: 'failed', why: 'other', seen: [], changes: 0 })).toEqual([]);
  });

  it('is told with both values and their unit, and a factor as a number', async () => {
    const [said] = await findingsOf(found(), values(reference(50)), failed(seen(5000)));
    expect(said).toMatchObject({ name: 'factor', said: { params: { value: '5000 kW', wanted: '50 kW', factor: 0.01 } } });
    const [bare] = await findingsOf(found(), values(reference(50)), failed(seen(-50, { unit: '' })));
    expect(bare).toMatchObject({ said: { params: { value: '-50', wanted: '50' } } });
    const [text] = await findingsOf(found(), values(reference(50)), failed(seen(-50, { value_text: 'minus fifty' })));
    expect(text).toMatchObject({ said: { params: { value: 'minus fifty' } } });
  });

  it.each<[Expectation, CheckSeen, string, string]>([
    [values(reference(5), reference(70)), seen(33), '33 kW', '5 kW / 70 kW'],
    [{ kind: 'states', states: [0, 1] }, seen(2, { unit: '' }), '2', '0 / 1'],
    [{ kind: 'text', text: 'Meter 7' }, seen(null, { value_text: 'Meter 1' }), 'Meter 1', 'Meter 7'],
    [{ kind: 'text', text: 'Meter 7' }, seen(null), '–', 'Meter 7'],
    [{ kind: 'pulse', count: 3 } as Expectation, seen(1), '1 kW', '+3'],
    [{ kind: 'setpoint', value: 5, tolerance: 0, percent: 0, restore: false }, seen(1), '1 kW', ''],
  ])('of %j names what was wanted', async (expectation, last, value, wanted) => {
    expect(await findingsOf(found(), expectation, failed(last))).toMatchObject([
      { name: 'wrong_value', said: { params: { value, wanted } } },
    ]);
  });

  it('is the order of its octets, its type or its address where these give the value that was wanted', async () => {
    // 0x1234 is 4660, 0x3412 is 13330, as a signed number 0xfffe is -2
    expect(await names(values(reference(13330, 0)), failed(seen(4660)), found('1234'))).toEqual(['byte_order']);
    expect(await names(values(reference(-2, 0)), failed(seen(65534)), found('fffe'))).toEqual(['decode']);
    expect(await names(values(reference(777, 0)), failed(seen(4660)), found('1234', '0x20', '0309'))).toEqual(['address']);
  });

  it('is nothing that octets say of a zero, or of no value: a neighbour has any number', async () => {
    for (const value of [0, null])
      expect(await names(values(reference(777, 0)), failed(seen(value)), found('0000', '0x20', '0309'))).toEqual(['wrong_value']);
  });

  it.each<[string, Expectation, Sight, CheckedPoint, string, Record<string, unknown>]>([
    ['chatter', values(reference(50)), failed(seen(50), 'chatter'), found(), 'found_chatter', { changes: 3 }],
    [
      'quality',
      values(reference(50)),
      failed(seen(1, { quality: 'invalid', flags: ['IV'] }), 'quality'),
      found(),
      'found_bad_quality',
      { quality: 'invalid IV' },
    ],
    ['value', values(reference(50)), failed(seen(49)), found(), 'found_wrong_value', { value: '49 kW', wanted: '50 kW' }],
    // a float32, as short as it is itself
    [
      'digits',
      values(reference(380)),
      failed(seen(397.3382263183594)),
      found(),
      'found_wrong_value',
      { value: '397.33823 kW', wanted: '380 kW' },
    ],
    ['sign', values(reference(50)), failed(seen(-50)), found(), 'found_sign', { value: '-50 kW', wanted: '50 kW' }],
    [
      'order',
      values(reference(13330, 0)),
      failed(seen(4660)),
      found('1234'),
      'found_byte_order',
      { wanted: '13330 kW', letters: expect.stringMatching(/^[A-D]{2,}$/) },
    ],
    [
      'type',
      values(reference(-2, 0)),
      failed(seen(65534)),
      found('fffe'),
      'found_decode',
      { value: '65534 kW', decode: expect.stringMatching(/^0x/) },
    ],
    [
      'digits',
      values(reference(1234, 0)),
      failed(seen(4660)),
      found('1234'),
      'found_decode',
      { wanted: '1234 kW', decode: expect.stringMatching(/bcd/i) },
    ],
    [
      'address',
      values(reference(777, 0)),
      failed(seen(4660)),
      found('1234', '0x20', '0309'),
      'found_address',
      { value: '4660 kW', address: 101 },
    ],
  ])('the %s is told with what it takes to mend it', async (_, expectation, sight, of, code, params) => {
    expect((await findingsOf(of, expectation, sight))[0]?.said).toMatchObject({ code: `check.${code}`, params });
  });

  it('is read otherwise only where no reference fits and the octets say so', async () => {
    const at = found('1234');
    const read = async (expectation: Expectation, value: number) =>
      (await readOtherwise(at, expectation, seen(value))).map(({ name }) => name);
    expect(await read(values(reference(13330, 0)), 4660)).toEqual(['byte_order']);
    expect(await read(values(reference(13330, 0), reference(4660, 0)), 4660)).toEqual([]);
    expect(await read(values(reference(9999, 0)), 4660)).toEqual([]);
    // that a neighbour has the number says nothing of how this one is read
    expect(await readOtherwise(found('1234', '0x20', '0309'), values(reference(777, 0)), seen(4660))).toEqual([]);
    expect(await readOtherwise(found('fffe'), values(reference(-2, 0)), seen(65534))).toMatchObject([{ name: 'decode' }]);
    expect(await read({ kind: 'states', states: [0, 1] }, 4660)).toEqual([]);
  });

  it('has the quality with its letters', () => {
    expect(qualityOf(seen(1, { quality: 'invalid', flags: ['IV', 'NT'] }))).toBe('invalid IV NT');
    expect(qualityOf(seen(1))).toBe('good');
  });

  it('has its sentence in English beside its parts', () => {
    const said = { code: 'check.found_chatter', params: { changes: 3 } } as const;
    expect(finding('chatter', said)).toEqual({ name: 'chatter', said, text: expect.stringContaining('3') });
  });
});

describe('crossed wires', () => {
  const item = (code: string) => ({ uuid: code, code }) as StoredCheckItem;
  const compared = (code: string, value: number | null): Compared => ({
    item: item(code),
    wanted: () => (value === null ? null : reference(value)),
    seen: () => null,
    source: null,
  });
  const items = [compared('A', 50), compared('B', 70), compared('C', 90), compared('D', 90.4), compared('E', null)];

  it.each([
    ['the value of one other', 70.5, 'B'],
    ['outside its tolerance', 70.6, null],
    ['the value of two others', 90.2, null],
    ['its own', 50, null],
    ['of nobody', 60, null],
    ['a zero', 0, null],
    ['none', null, null],
  ])('%s', (_, value, code) => {
    const said = crossedWith(items)(item('A'), seen(value), reference(50));
    if (code === null) expect(said).toBeNull();
    else expect(said).toMatchObject({ name: 'crossed', said: { params: { value: `${value} kW`, wanted: '50 kW', code } } });
  });

  it('a reference of zero proves nothing: a zero is met by every dead point', () => {
    expect(crossedWith([compared('A', 50), compared('B', 0)])(item('A'), seen(0), reference(50))).toBeNull();
  });

  it('holds against the references as they are at the first value that does not fit', () => {
    let asked = 0;
    const moving: Compared = {
      ...compared('B', 70),
      wanted() {
        asked += 1;
        return reference(70 + asked);
      },
    };
    const look = crossedWith([compared('A', 50), moving]);
    expect(look(item('A'), seen(0), reference(50))).toBeNull();
    expect(asked).toBe(0);
    expect(look(item('A'), seen(71, { unit: '' }), reference(50))).toMatchObject({
      said: { params: { value: '71', wanted: '50', code: 'B' } },
    });
    expect(look(item('A'), seen(71), reference(50))).not.toBeNull();
    expect(asked).toBe(1);
  });
});
