import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { chinese } from '../../testing/explained.ts';
import { exchangeContext } from '../../testing/sinks.ts';
import { spoken } from '../../testing/spoken.ts';
import { bench, finish, pointsOf } from '../testing/bench.ts';
import { METER_CHECKS, runMeterChecks } from './meter-checks.ts';
import type { ReadEnd } from './meter-checks-readings.ts';
import { type CheckRow, compareSum } from './meter-checks-rows.ts';

const METER = '000000000042';
const NOW = Date.UTC(2026, 2, 5, 6, 30);

/** A meter of 2007 with these items as they travel, after the identifier; everything else is refused. */
function meterWith(items: Readonly<Record<number, string>>, clock = new ManualClock(NOW)) {
  const read = async (_target: unknown, di: number): Promise<ReadEnd> => {
    const hex = items[di];
    return hex === undefined ? { kind: 'refused', word: 2 } : { kind: 'data', data: Uint8Array.from(Buffer.from(hex, 'hex')) };
  };
  return (params: Record<string, unknown> = {}) =>
    runMeterChecks({ meter: METER, ...params }, { read, clock, utcOffsetMs: 8 * 3_600_000 }, exchangeContext());
}

const rowsOf = ({ result }: { result: Readonly<Record<string, unknown>> }) => result.checks as CheckRow[];
const row = (end: { result: Readonly<Record<string, unknown>> }, check: string) => rowsOf(end).find((each) => each.check === check);

describe('the checks of a meter', () => {
  it('all stand in the answer, each with its reason where it was not possible', async () => {
    const end = await meterWith({})();
    expect(end.outcome).toBe('accepted');
    expect(rowsOf(end).map(({ check, verdict }) => [check, verdict])).toEqual(
      [
        'rates_forward',
        'rates_reverse',
        'phases_energy',
        'phases_active',
        'phases_reactive',
        'clock',
        'weekday',
        'ct_ratio',
        'ct_ratio_stored',
        'pt_ratio',
      ].map((check) => [check, 'not_possible']),
    );
    expect(spoken(row(end, 'clock')?.reason)).toBe('The meter answered error word 02 (no requested data) to 04000101 (Date and weekday).');
    expect(end.result).toMatchObject({ meter: METER, edition: 2007, verdict: 'not_possible' });
    expect(chinese(row(end, 'clock')?.reason ?? '')).toMatch(/^电表对 04000101（.+）应答错误信息字 02（无请求数据）。$/);
    expect(end.stages.map(({ detail }) => spoken(detail))).toEqual(['10 checks: 0 ok, 0 failed, 10 not possible.']);
  });

  it('add the rates of a block, or of items one by one', async () => {
    // 100.00 = 10.00 + 20.00 + 30.00 + 40.00
    const block = await meterWith({ 130816: '0000010000100000002000000030000000400000'.replace('0000010000', '00000100') })();
    expect(row(block, 'rates_forward')?.verdict).toBeDefined();
    const items = {
      65536: '00000100',
      65792: '00100000',
      66048: '00200000',
      66304: '00300000',
      66560: '00400000',
    };
    const right = row(await meterWith(items)(), 'rates_forward');
    expect(spoken(right?.reason)).toBe('Total against 10 + 20 + 30 + 40 of 4 rates.');
    expect(right).toMatchObject({
      read: 100,
      expected: 100,
      difference: 0,
      tolerance: 0.05,
      verdict: 'ok',
    });
    const wrong = await meterWith({ ...items, 66560: '00300000' })({ energy_tolerance: 5 });
    expect(row(wrong, 'rates_forward')).toMatchObject({ expected: 90, difference: 10, verdict: 'failed' });
    expect(wrong.result.verdict).toBe('failed');
  });

  it('take phases that are not there for none, and signs for what they are', async () => {
    // total 1.2345 kW, A 1.2345 kW, B and C all FF
    const single = await meterWith({ 33816320: '452301' + '452301' + 'ffffffffffff' })();
    expect(row(single, 'phases_active')).toMatchObject({ read: 1.2345, expected: 1.2345, verdict: 'ok' });
    // -2.0000 = 1.0000 - 2.0000 - 1.0000
    const reverse = await meterWith({ 33816320: '000082' + '000001' + '000082' + '000081' })();
    expect(row(reverse, 'phases_active')).toMatchObject({ read: -2, expected: -2, difference: 0, verdict: 'ok' });
    const off = await meterWith({ 33816320: '000082' + '000001' + '000082' + '000001' })();
    expect(row(off, 'phases_active')).toMatchObject({ expected: 0, difference: -2, tolerance: 0.02, verdict: 'failed' });
  });

  it('compare the clock with this computer in the local time of the meter', async () => {
    // 2026-03-05 is a Thursday; 14:30:00 in China is 06:30 UTC
    const right = await meterWith({ 67109121: '04050326', 67109122: '003014' })();
    expect(row(right, 'clock')).toMatchObject({
      read: '2026-03-05 14:30:00',
      expected: '2026-03-05 14:30:00',
      difference: 0,
      verdict: 'ok',
    });
    expect(row(right, 'weekday')).toMatchObject({ read: 4, expected: 4, verdict: 'ok' });
    const slow = await meterWith({ 67109121: '03050326', 67109122: '002814' })({ clock_tolerance_s: 30 });
    expect(row(slow, 'clock')).toMatchObject({ difference: -120, tolerance: 30, unit: 's', verdict: 'failed' });
    expect(spoken(row(slow, 'clock')?.reason)).toMatch(/^The clock is 120 s slow/);
    expect(row(slow, 'weekday')).toMatchObject({ read: 3, expected: 4, verdict: 'failed' });
  });

  it('reckon the ratios of transformers from what a person measured', async () => {
    // phase B shows 1.200 A and 57.7 V; 50 is stored
    const meter = meterWith({ 33686016: '001200', 33620480: '7705', 67109638: '500000' });
    const good = await meter({ phase: 'B', reference_current: 60.5, reference_voltage: 5770, pt_ratio: 100 });
    expect(row(good, 'ct_ratio')).toMatchObject({ read: 50.4166666667, expected: 50, tolerance: 1, verdict: 'ok' });
    expect(row(good, 'pt_ratio')).toMatchObject({ read: 100, expected: 100, difference: 0, verdict: 'ok' });
    expect(spoken(row(good, 'ct_ratio_stored')?.reason)).toBe('ct_ratio is needed to compare with; the meter has 50.');
    const bad = await meter({ phase: 'B', reference_current: 60, ct_ratio: 40, reference_voltage: 230, pt_ratio: 1 });
    expect(row(bad, 'ct_ratio')).toMatchObject({ read: 50, expected: 40, difference: 10, verdict: 'failed' });
    expect(row(bad, 'ct_ratio_stored')).toMatchObject({ read: 50, expected: 40, verdict: 'failed' });
    expect(row(bad, 'pt_ratio')?.verdict).toBe('failed');
  });

  it('say what is missing for a ratio', async () => {
    const meter = meterWith({ 33685760: '000000' });
    expect(spoken(row(await meter({ reference_current: 60 }), 'ct_ratio')?.reason)).toMatch(/^ct_ratio is needed/);
    expect(spoken(row(await meter({ reference_current: 60, ct_ratio: 50 }), 'ct_ratio')?.reason)).toMatch(
      /shows 0 A on phase A, too little/,
    );
    expect(spoken(row(await meter({ reference_voltage: 5770 }), 'pt_ratio')?.reason)).toMatch(/^pt_ratio is needed/);
  });

  it('need the number of one meter', () => {
    for (const meter of ['00001234567', '999999999999', 'AAAAAAAAAAAA'])
      expect(METER_CHECKS.params.safeParse({ meter }).success).toBe(false);
  });

  it('name a value that is none', async () => {
    const end = await meterWith({ 67109121: 'ff0503aa' })();
    expect(spoken(row(end, 'clock')?.reason)).toMatch(/no value: octet AA is no pair of decimal digits/);
  });
});

describe('the checks over a line', () => {
  const points = pointsOf([
    { address: 0x00010000, slave_id: 42 },
    { address: 0x9010, slave_id: 43, protocol: { edition: 1997 } },
  ]);

  it.each([
    [2007, '000000000042'],
    [1997, '000000000043'],
  ])('find a simulated meter of %i in order', async (edition, meter) => {
    const { client, clock, line } = bench({ points });
    const end = await finish(clock, client.operate('meter_checks', { meter, edition }, exchangeContext()));
    if (!('value' in end)) throw new Error('the checks failed');
    const rows = rowsOf(end.value);
    expect(rows.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(end.value.result.verdict).toBe('ok');
    expect(rows.filter(({ verdict }) => verdict === 'ok').map(({ check }) => check)).toEqual(
      expect.arrayContaining(['rates_forward', 'phases_active', 'clock', 'weekday']),
    );
    const controls = line.sent.map(({ bytes }) => bytes[bytes.indexOf(0x68) + 8]);
    expect([...new Set(controls)]).toEqual([edition === 2007 ? 0x11 : 0x01]);
  });

  it('end soon when the meter does not answer', async () => {
    const { client, clock, line } = bench({ points });
    const end = await finish(clock, client.operate('meter_checks', { meter: '000000000007' }, exchangeContext()));
    if (!('value' in end)) throw new Error('the checks failed');
    expect([end.value.outcome, end.value.result.verdict, line.sent.length]).toEqual(['unknown', 'not_possible', 2]);
    expect(spoken(rowsOf(end.value).at(-4)?.reason)).toBe('Meter 000000000007 does not answer.');
  });

  it('stop where somebody asks for it', async () => {
    const { client, clock } = bench({ points });
    const context = exchangeContext({ isStopping: () => true });
    expect(await finish(clock, client.operate('meter_checks', { meter: METER }, context))).toMatchObject({ error: { code: 'CANCELLED' } });
  });
});

describe('a sum', () => {
  const title = { check: 'x', name_en: '', name_zh: '', unit: 'kWh' };
  it('forgives the last digit of each part', () => {
    const words = { part: 'rate' as const, tolerance: () => 0.02 };
    expect(compareSum(title, [1.02, 0.5, 0.5], words).verdict).toBe('ok');
    expect(compareSum(title, [1.03, 0.5, 0.5], words).verdict).toBe('failed');
    expect(spoken(compareSum(title, [null, 0.5], words).reason)).toBe('The meter has no value for the total.');
    expect(spoken(compareSum(title, [1, null, null], words).reason)).toBe('The meter has no rates.');
  });
});
