import { describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type { EventRecord } from '../../runtime/logs/event-log.ts';
import { channelSettings } from '../../runtime/testing/harness.ts';
import type { PointState } from '../../runtime/values/point-table.ts';
import { NEVER_READ } from '../rows.ts';
import type { CheckedPoint } from './elsewhere/checked-channel.ts';
import { framesOf, placeOf, seenIn, seenNow } from './evidence.ts';

const AT = Date.UTC(2026, 0, 1);
const READ: PointState = {
  ...{ ...NEVER_READ, value: 1, rawHex: '0001', quality: 'good', flags: ['BL'], sourceTime: AT - 5, updatedAt: AT },
};
const point = testPoint({ id: 7, code: 'P', unit: 'kW', protocol: { enum_texts: { 1: 'closed' } } });

/** The point in a channel of this project; with `arrivedAt` in one of another service, which has the number 9 there. */
function found(state: PointState | undefined = READ, arrivedAt?: number | null, frames: string[] = []): CheckedPoint {
  const elsewhere = {
    ...{ channelId: 9, service: { name: 'North' }, arrivedAt: () => arrivedAt ?? null },
    framesOf: async (of: { id: number }, most: number) => frames.map((each) => `${each} ${of.id} ${most}`),
  };
  const channel = { id: 1, points: { state: () => state }, ...(arrivedAt !== undefined && { elsewhere }) };
  return { channel: channel as unknown as CheckedPoint['channel'], point };
}

describe('a value as evidence', () => {
  it('has all that stands in the table, with its text', () => {
    expect(seenNow(found())).toStrictEqual({
      channel_id: 1,
      point_id: 7,
      code: 'P',
      value: 1,
      value_text: 'closed',
      unit: 'kW',
      raw_hex: '0001',
      quality: 'good',
      flags: ['BL'],
      source_time: '2025-12-31T23:59:59.995Z',
      received_at: '2026-01-01T00:00:00.000Z',
    });
  });

  it.each<[string, PointState, number | null]>([
    ['that was never read is none', NEVER_READ, null],
    ['that is no number is none', { ...READ, value: Number.NaN }, null],
    ['of zero is one', { ...READ, value: 0 }, 0],
  ])('%s', (_, state, value) => {
    expect(seenNow(found(state)).value).toBe(value);
  });

  it('of a point that the table does not know was never read', () => {
    const unknown = { channel: { id: 1, points: { state: () => undefined } } as unknown as CheckedPoint['channel'], point };
    expect(seenNow(unknown)).toMatchObject({ value: null, quality: 'never', received_at: null });
  });

  it.each([
    [AT + 250, { arrived_at: '2026-01-01T00:00:00.250Z' }],
    [0, { arrived_at: '1970-01-01T00:00:00.000Z' }],
    [null, {}],
  ])('of another service names it, its number there and when it came here: %s', (arrivedAt, times) => {
    const { channel_id, service, arrived_at, ...rest } = seenNow(found(READ, arrivedAt));
    expect({ channel_id, service }).toEqual({ channel_id: 9, service: 'North' });
    expect(arrived_at === undefined ? {} : { arrived_at }).toEqual(times);
    const { channel_id: _, ...own } = seenNow(found());
    expect(rest).toEqual(own);
  });
});

describe('a value that an event brought', () => {
  const event = { value: 1, flags: ['BL'], text: '', deviceTime: AT - 5, receivedAt: AT, isInvalid: false } as unknown as EventRecord;

  it('is that of the event, whatever stands in the table now', () => {
    expect(seenIn(found(NEVER_READ), event, '0001')).toStrictEqual(seenNow(found()));
    expect(seenIn(found(READ, null), event, '0001', AT + 9).arrived_at).toBe('2026-01-01T00:00:00.009Z');
  });

  it.each<[Partial<EventRecord>, string, string]>([
    [{}, 'good', 'closed'],
    [{ isInvalid: true }, 'invalid', 'closed'],
    [{ value: null, text: 'Meter 7' }, 'invalid', 'Meter 7'],
    [{ value: 5, text: '5.0' }, 'good', '5.0'],
  ])('%j is %s, "%s"', (changes, quality, text) => {
    expect(seenIn(found(), { ...event, ...changes } as EventRecord, '')).toMatchObject({ quality, value_text: text });
  });
});

describe('the place of a value as evidence', () => {
  it('is JSON: what is undefined among its settings is left out', () => {
    const channel = {
      settings: channelSettings({ protocol: { word_order: 'CDAB', left: undefined } }),
      driver: modbusTcpDriver,
      service: null,
    };
    const { point: of, channel: at, mapping } = placeOf({ channel, point });
    expect(of).toStrictEqual({ ...point });
    expect(at).toMatchObject({ ip: '192.0.2.10', protocol: { word_order: 'CDAB' } });
    expect(at.protocol).not.toHaveProperty('left');
    expect(mapping).toMatchObject({ 'channel.ip': '192.0.2.10', address: point.address });
  });
});

describe('the frames of a value', () => {
  it('of another service are what that tells of them', async () => {
    expect(await framesOf(found(READ, null, ['a', 'b']))).toEqual(['a 7 6', 'b 7 6']);
  });
});
