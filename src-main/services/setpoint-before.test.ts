import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import { testPoint } from '../drivers/testing/points.ts';
import { channelSettings } from '../runtime/testing/harness.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { PointState } from '../runtime/values/point-table.ts';
import { NEVER_READ } from './rows.ts';
import { noteDevice, noteWrite, placeOf, touchOf } from './setpoint-before.ts';

const AT = Date.UTC(2026, 0, 1);
const READ: PointState = { ...NEVER_READ, value: 50, quality: 'good', updatedAt: AT };
const point = testPoint({ id: 7, frame_type: FrameType.yt });

interface Known {
  readonly state?: PointState | undefined;
  readonly echoesCommands?: boolean;
  readonly isReadable?: boolean;
  readonly connType?: 1 | 2;
}

/** The point in a channel of its own, whose table shows `state`. */
function found({ state = READ, echoesCommands = false, isReadable = true, connType = 2 }: Known = {}, of = point) {
  const driver = {
    descriptor: { echoesCommands, channelSettings: { safeParse: () => ({ data: {} }), shape: {} } },
    isReadable: () => isReadable,
  } as unknown as ProtocolDriver;
  const points = { state: () => state } as unknown as ChannelRuntime['points'];
  return { channel: { settings: channelSettings({ conn_type: connType }), driver, points } as unknown as ChannelRuntime, point: of };
}

describe('what a write of a setpoint would change', () => {
  it('is the value that was read before, with when, where and of which device', () => {
    const setpoint = found();
    expect(touchOf(setpoint)).toEqual({
      point,
      ...placeOf(setpoint),
      before: 50,
      beforeAt: '2026-01-01T00:00:00.000Z',
    });
  });

  it('is of the device that the channel leads to, and of the place that the point reads', () => {
    const here = placeOf(found());
    expect(here).toEqual({ device: expect.stringContaining('192.0.2.10'), place: expect.stringContaining('0x20') });
    expect(placeOf(found({}, testPoint({ id: 7, name: 'Only its name', frame_type: FrameType.yt })))).toEqual(here);
    expect(placeOf(found({}, testPoint({ id: 7, address: 1, frame_type: FrameType.yt }))).place).not.toBe(here.place);
    const elsewhere = found();
    expect(placeOf({ ...elsewhere, channel: { ...elsewhere.channel, settings: channelSettings({ port: 503 }) } }).device).not.toBe(
      here.device,
    );
  });

  it.each([FrameType.yc, FrameType.yx, FrameType.yk])('is nothing for a point of type %i', (frame_type) => {
    expect(touchOf(found({}, testPoint({ frame_type })))).toBeUndefined();
  });

  it('is nothing for a value that this program serves itself', () => {
    expect(touchOf(found({ connType: 1 }))).toBeUndefined();
  });

  it.each<[string, Known, number | null]>([
    ['good', { state: READ }, 50],
    ['good once, and not asked for long', { state: { ...READ, quality: 'stale' } }, 50],
    ['good, with its own text', { state: { ...READ, valueText: '50' } }, 50],
    ['a text for which the number stands', { state: { ...READ, valueText: '9007199254740993' } }, null],
    ['invalid', { state: { ...READ, quality: 'invalid' } }, null],
    ['never read', { state: NEVER_READ }, null],
    ['no number', { state: { ...READ, value: Number.NaN } }, null],
    ['without bound', { state: { ...READ, value: Number.POSITIVE_INFINITY } }, null],
    ['without a time', { state: { ...READ, updatedAt: null } }, null],
    ['the last command', { echoesCommands: true }, null],
    ['not readable', { isReadable: false }, null],
    ['the last command and not readable', { echoesCommands: true, isReadable: false }, null],
  ])('of a value that is %s', (_, known, before) => {
    const beforeAt = before === null ? null : '2026-01-01T00:00:00.000Z';
    expect(touchOf(found(known))).toMatchObject({ before, beforeAt });
  });
});

describe('a value from before the last write, or of another device', () => {
  it.each([
    ['later', 1, 50],
    ['at the same time', 0, null],
    ['earlier', -1, null],
  ] as const)('read %s than the write ended', (_, after, before) => {
    const setpoint = found({ state: { ...READ, updatedAt: AT + after } });
    noteWrite(setpoint, AT);
    expect(touchOf(setpoint)?.before).toBe(before);
  });

  it.each([
    ['later', 1, 50],
    ['at the same time', 0, null],
    ['earlier', -1, null],
  ] as const)('read %s than the channel changed its device', (_, after, before) => {
    const setpoint = found({ state: { ...READ, updatedAt: AT + after } });
    noteDevice(setpoint.channel, AT);
    expect(touchOf(setpoint)?.before).toBe(before);
  });

  it('a later write or a later change counts, whichever it is', () => {
    const setpoint = found({ state: { ...READ, updatedAt: AT + 5 } });
    noteWrite(setpoint, AT + 10);
    noteDevice(setpoint.channel, AT);
    expect(touchOf(setpoint)?.before).toBeNull();
    noteWrite(setpoint, AT);
    expect(touchOf(setpoint)?.before).toBe(50);
  });

  it('the write of another point, or of another channel, changes nothing', () => {
    const setpoint = found();
    noteWrite({ ...setpoint, point: testPoint({ id: 8, frame_type: FrameType.yt }) }, AT + 10);
    noteWrite(found(), AT + 10);
    expect(touchOf(setpoint)?.before).toBe(50);
  });
});
