import { beforeEach, describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { point } from '../../runtime/testing/harness.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { JobBench } from '../jobs/testing/job-bench.ts';
import type { ProjectSession } from '../ports.ts';
import { type FilterRequest, StreamFilter } from './stream-filter.ts';

let session: ProjectSession;
let first: ChannelRuntime;
let second: ChannelRuntime;
beforeEach(() => {
  const bench = new JobBench([modbusTcpDriver]);
  first = bench.client(502, [
    { code: 'U' },
    { code: 'Q', frame_type: FrameType.yx },
    { code: 'I' },
    { code: 'A,B' },
    { code: 'A', frame_type: FrameType.yx },
  ]);
  second = bench.client(503, [{ code: 'U' }, { code: 'P' }]);
  session = bench.deps.projects.current();
});

const filter = (request: FilterRequest = {}) => new StreamFilter(session, request);
const changed = (request: FilterRequest, channel: ChannelRuntime, change = 0) =>
  filter(request)
    .changedPoints(channel, change)
    .map((id) => channel.points.config(id)?.code);

describe('a reader that asks for nothing', () => {
  it('is told of every kind, channel, point and event', () => {
    const all = filter();
    expect((['values', 'events', 'channel', 'task', 'command'] as const).map((kind) => all.has(kind))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(all.channels(session)).toEqual([first, second]);
    expect(changed({}, first)).toEqual(['U', 'Q', 'I', 'A,B', 'A']);
    expect(all.hasEvent({ channelId: 2, frameType: FrameType.yc, code: 'P' })).toBe(true);
    expect(all.hasEvent({ channelId: null, frameType: null, code: 'x' })).toBe(true);
  });
});

describe('a reader that asks for kinds', () => {
  it('is told of these alone', () => {
    const asked = filter({ kinds: ['events', 'task'] });
    expect((['values', 'events', 'task'] as const).map((kind) => asked.has(kind))).toEqual([false, true, true]);
  });
});

describe('a reader that asks for channels', () => {
  it('is told of these alone, and of nothing that belongs to none', () => {
    const asked = filter({ channel_id: [2] });
    expect(asked.channels(session)).toEqual([second]);
    expect([1, 2].map((id) => asked.hasChannel(id))).toEqual([false, true]);
    expect(asked.hasEvent({ channelId: 2, frameType: FrameType.yc, code: 'P' })).toBe(true);
    expect(asked.hasEvent({ channelId: 1, frameType: FrameType.yc, code: 'U' })).toBe(false);
    expect(asked.hasEvent({ channelId: null, frameType: null, code: 'x' })).toBe(false);
  });

  it('is refused one that is not there', () => {
    expect(() => filter({ channel_id: [1, 7] })).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
  });
});

describe('a reader that asks for types', () => {
  const request = { frame_type: [FrameType.yx] };

  it('is told of points of these alone', () => {
    expect(changed(request, first)).toEqual(['Q', 'A']);
    expect(changed(request, second)).toEqual([]);
  });

  it('is told of events of such points, and of those of a channel itself', () => {
    const asked = filter(request);
    expect(asked.hasEvent({ channelId: 1, frameType: FrameType.yx, code: 'Q' })).toBe(true);
    expect(asked.hasEvent({ channelId: 1, frameType: FrameType.yc, code: 'U' })).toBe(false);
    expect(asked.hasEvent({ channelId: 1, frameType: null, code: 'line lost' })).toBe(true);
  });
});

describe('a reader that asks for codes', () => {
  it('is told of the points that have them, in every channel, in the order of the table', () => {
    expect(changed({ code: ['I', 'U'] }, first)).toEqual(['U', 'I']);
    expect(changed({ code: ['I', 'U'] }, second)).toEqual(['U']);
    expect(changed({ code: ['I', 'U'], channel_id: [1] }, first)).toEqual(['U', 'I']);
  });

  it('may name several in one text with commas; a code that has commas itself is one', () => {
    expect(changed({ code: [' U , I'] }, first)).toEqual(['U', 'I']);
    expect(changed({ code: ['A,B'] }, first)).toEqual(['A,B']);
  });

  it('is told of those of the asked types', () => {
    expect(changed({ code: ['U', 'Q'], frame_type: [FrameType.yx] }, first)).toEqual(['Q']);
  });

  it('is told of events of such points alone', () => {
    const asked = filter({ code: ['U'] });
    expect(asked.hasEvent({ channelId: 2, frameType: FrameType.yc, code: 'U' })).toBe(true);
    expect(asked.hasEvent({ channelId: 2, frameType: FrameType.yc, code: 'P' })).toBe(false);
  });

  it('is refused codes that none of its channels has, by their names', () => {
    expect(() => filter({ code: ['U', 'X, P', 'Y'], channel_id: [1] })).toThrow(
      expect.objectContaining({ code: 'CONFIG_NOT_FOUND', message: expect.stringMatching(/(?=.*X)(?=.*P)(?=.*Y)/) }),
    );
    expect(() => filter({ code: ['P'] })).not.toThrow();
  });

  it('is told of what changed since, and not of what did not', () => {
    const [, , current] = first.points.configs();
    if (!current) throw new Error('no point');
    const asked = { code: ['U', 'I'] };
    const before = first.points.lastChange;
    expect(changed(asked, first, before)).toEqual([]);
    first.points.update({ ...current, name: 'Current' });
    expect(changed(asked, first, before)).toEqual(['I']);
    expect(changed({ code: ['U'] }, first, before)).toEqual([]);
  });

  it('is told of a point that came, went or got the code later', () => {
    const asked = filter({ code: ['P'] });
    const codes = () => asked.changedPoints(first, 0).map((id) => first.points.config(id)?.code);
    expect(codes()).toEqual([]);
    first.points.add([point(1900, { code: 'P' })]);
    expect(codes()).toEqual(['P']);
    first.points.update(point(1900, { code: 'R' }));
    expect(codes()).toEqual([]);
    first.points.update(point(1900, { code: 'P' }));
    first.points.remove([1900]);
    expect(codes()).toEqual([]);
  });
});

describe('readers that are told the same', () => {
  it('have one key, in whatever order they asked', () => {
    const requests: FilterRequest[] = [
      { kinds: ['values', 'events'], channel_id: [1, 2], frame_type: [1, 0], code: ['U', 'I'] },
      { kinds: ['events', 'values'], channel_id: [2, 1], frame_type: [0, 1], code: ['I,U', 'U'] },
    ];
    expect(new Set(requests.map((request) => filter(request).key)).size).toBe(1);
  });

  it.each<[string, FilterRequest, FilterRequest]>([
    ['kinds', { kinds: ['values'] }, { kinds: ['events'] }],
    ['channels', { channel_id: [1] }, { channel_id: [2] }],
    ['all channels and those that are there', {}, { channel_id: [1, 2] }],
    ['types', { frame_type: [0] }, { frame_type: [1] }],
    ['codes', { code: ['U'] }, { code: ['I'] }],
    ['a code with commas and two codes', { code: ['A,B'] }, { code: ['A'] }],
  ])('and another one where they differ in %s', (_, one, other) => {
    expect(filter(one).key).not.toBe(filter(other).key);
  });
});
