import { expect, it } from 'vitest';
import { testPoint } from '../drivers/testing/points.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { findChannel, findDevice, findPoint, findPointOf, typeName } from './lookup.ts';
import type { ProjectSession } from './ports.ts';

const SETPOINT = testPoint({ id: 7, code: 'P', frame_type: 3 });

function channelWith(id: number, name: string, ...points: readonly (typeof SETPOINT)[]): ChannelRuntime {
  const config = (wanted: number) => points.find((point) => point.id === wanted);
  return { id, settings: { name }, points: { config } } as unknown as ChannelRuntime;
}

const [EMPTY, METER] = [channelWith(1, 'Empty'), channelWith(2, 'Meter 1', SETPOINT)];
const session = {
  channels: {
    list: () => [EMPTY, METER],
    get: (id: number) => [EMPTY, METER].find((channel) => channel.id === id),
    byName: (name: string) => [EMPTY, METER].find((channel) => channel.settings.name === name),
  },
} as unknown as ProjectSession;

const missing = (code: string, params: object) => expect.objectContaining({ code: 'CONFIG_NOT_FOUND', said: { code, params } });

it('finds channels by number and by name, blanks around it aside, and tells what is not there', () => {
  expect([findChannel(session, 2), findDevice(session, ' Meter 1 ')]).toEqual([METER, METER]);
  expect(() => findChannel(session, 9)).toThrow(missing('service.no_channel', { id: 9 }));
  expect(() => findDevice(session, 'Meter 2')).toThrow(missing('service.no_device', { name: 'Meter 2' }));
});

it('finds a point of a channel, or of any, by number and type; one of another type is told as that', () => {
  const found = { channel: METER, point: SETPOINT };
  expect([findPointOf(METER, 7, 3), findPoint(session, 7, 3)]).toEqual([found, found]);
  expect(() => findPointOf(EMPTY, 7, 3)).toThrow(missing('service.no_point_in', { channel: 'Empty', point: 7 }));
  expect(() => findPoint(session, 8, 3)).toThrow(missing('service.no_point', { point: 8 }));
  const other = missing('service.other_type', { point: 7, type: 'YT (3)', asked: 'YC (0)' });
  expect(() => findPointOf(METER, 7, 0)).toThrow(other);
  expect(() => findPoint(session, 7, 0)).toThrow(other);
  expect([typeName(1), typeName(2)]).toEqual(['YX (1)', 'YK (2)']);
});
