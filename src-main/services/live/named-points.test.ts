import { beforeEach, describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { JobBench } from '../jobs/testing/job-bench.ts';
import type { ProjectSession } from '../ports.ts';
import { findNamed, type NamedPoint, type PlaceOfCode } from './named-points.ts';

let session: ProjectSession;
beforeEach(() => {
  const bench = new JobBench([modbusTcpDriver]);
  bench.client(502, [{ code: 'U' }, { code: 'I' }], { name: 'Feeder 1' });
  bench.client(503, [{ code: 'U' }, { code: 'P' }], { name: 'Feeder 2' });
  session = bench.deps.projects.current();
});

const found = (points: readonly NamedPoint[], ofAll?: PlaceOfCode) =>
  findNamed(session, points, ofAll).map(({ channel, point }) => `${channel.settings.name} ${point.code}`);

describe('a point named by its code', () => {
  it('is the one of the channel that has it, in the order asked for, also twice', () => {
    expect(found([{ code: 'P' }, { code: 'I' }, { code: 'P' }])).toEqual(['Feeder 2 P', 'Feeder 1 I', 'Feeder 2 P']);
    expect(found([])).toEqual([]);
  });

  it('is the one of its device or channel, where one is named', () => {
    expect(found([{ code: 'U', device_name: 'Feeder 2' }])).toEqual(['Feeder 2 U']);
    expect(found([{ code: 'U', channel_id: 1 }])).toEqual(['Feeder 1 U']);
    expect(found([{ code: 'U', channel_id: 2, device_name: 'Feeder 2' }])).toEqual(['Feeder 2 U']);
  });

  it('is the one of the place for all, but where it names its own', () => {
    const points: NamedPoint[] = [{ code: 'U' }, { code: 'U', channel_id: 1 }, { code: 'U', device_name: 'Feeder 1' }, { code: 'P' }];
    const expected = ['Feeder 2 U', 'Feeder 1 U', 'Feeder 1 U', 'Feeder 2 P'];
    expect(found(points, { channel_id: 2 })).toEqual(expected);
    expect(found(points, { device_name: 'Feeder 2' })).toEqual(expected);
  });
});

describe('is refused', () => {
  it('a code that several channels have, with their names, at its place', () => {
    expect(() => found([{ code: 'I' }, { code: 'U' }])).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        data: [expect.objectContaining({ path: 'points.1.code', message: expect.stringMatching(/U.*Feeder 1.*Feeder 2/) })],
      }),
    );
  });

  it('all codes that nobody has, or not the one that was named, by their names', () => {
    expect(() => found([{ code: 'X' }, { code: 'I' }, { code: 'P', channel_id: 1 }])).toThrow(
      expect.objectContaining({ code: 'CONFIG_NOT_FOUND', message: expect.stringMatching(/X.*P/) }),
    );
  });

  it('a device or a channel that is not there', () => {
    expect(() => found([{ code: 'U', device_name: 'Feeder 3' }])).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
    expect(() => found([{ code: 'U' }], { channel_id: 3 })).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
  });

  it('a device that is not the channel, at the point that names both', () => {
    expect(() => found([{ code: 'I' }, { code: 'U', device_name: 'Feeder 1', channel_id: 2 }])).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        data: [expect.objectContaining({ path: 'points.1.code', message: expect.stringContaining('Feeder 1') })],
      }),
    );
  });
});
