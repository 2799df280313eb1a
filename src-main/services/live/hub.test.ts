import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/contract/events.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { ManualClock } from '../../platform/manual-clock.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { JobBench } from '../jobs/testing/job-bench.ts';
import type { ProjectSession } from '../ports.ts';
import { LiveHub, MOST_READERS } from './hub.ts';
import { placeText, presentPlace } from './place.ts';
import { type FilterRequest, StreamFilter } from './stream-filter.ts';
import { Taker } from './testing/taker.ts';

let clock: ManualClock;
let session: ProjectSession;
let hub: LiveHub;
let one: ChannelRuntime;
/** Faults that were logged. */
let faults: unknown[];
let bench: JobBench;
beforeEach(() => {
  bench = new JobBench([modbusTcpDriver]);
  one = bench.client(502, [{ code: 'P' }, { code: 'Q' }]);
  bench.client(503, [{ code: 'R' }]);
  session = bench.deps.projects.current();
  clock = bench.clock;
  faults = [];
  hub = new LiveHub({ clock, logger: { ...bench.deps.logger, error: (fields: unknown) => void faults.push(fields) } });
});

/** A reader that came in; `since` as it gave it. */
function join(request: FilterRequest = {}, since?: string, hello: Record<string, unknown> = {}, taker = new Taker()): Taker {
  hub.join(session, new StreamFilter(session, request), taker, { since, hello });
  return taker;
}
/** The device answered: a value of the first point. */
function read(value: number, pointId = 1000): void {
  one.points.apply(
    [{ kind: 'value', pointId, value, valueText: '', raw: new Uint8Array(2), quality: 'good', flags: [], sourceTime: null }] as never,
    clock.wallMs(),
  );
}
const values = (taker: Taker) => taker.items('values').map(({ code, value }) => `${code} ${value}`);
const here = () => placeText(session, presentPlace(session));

describe('the hub of the stream', () => {
  it('gives a sign of life with the place every 15 s, and no timer goes on without readers', async () => {
    const taker = join({ kinds: ['command'] });
    await clock.advance(100);
    const before = taker.text.length;
    await clock.advance(14_500);
    expect(taker.text.length).toBe(before);
    await clock.advance(1000);
    expect(taker.text.slice(before)).toMatch(/^id: bench-\d+-0\n: \n\n$/);
    taker.closed();
    await clock.advance(1000);
    expect(hub.counts()).toEqual({ readers: 0, missed: 0, disconnected: 0 });
    expect(clock.pending).toBe(0);
  });

  it('has so many readers at most, and room again when one is gone', () => {
    const takers = Array.from({ length: MOST_READERS - 1 }, () => join());
    expect(() => hub.requireRoom()).not.toThrow();
    join();
    expect(() => hub.requireRoom()).toThrow(expect.objectContaining({ code: 'STATE_BUSY' }));
    takers[0]?.closed();
    expect(() => hub.requireRoom()).not.toThrow();
  });

  it('looks at states every 200 ms, whoever tells nothing of them', async () => {
    const taker = join({ kinds: ['channel'] });
    await clock.advance(500);
    expect(taker.of('channel').map(({ channel_id, status }) => [channel_id, status])).toEqual([
      [1, 'stopped'],
      [2, 'stopped'],
    ]);
    await session.channels.remove(2);
    await clock.advance(250);
    expect(taker.of('channel').at(-1)).toMatchObject({ channel_id: 2, status: null });
    expect(taker.of('channel')).toHaveLength(3);
  });
});

describe('how a reader begins', () => {
  it('from now on: its place and what is said to it at first, states as they are, then values as they come', async () => {
    read(1);
    const taker = join({}, undefined, { warnings: ['x'] });
    const [hello] = taker.messages;
    expect(hello).toMatchObject({ event: 'hello', data: { project_session: 'bench', place: hello?.id, warnings: ['x'] } });
    await clock.advance(250);
    expect(values(taker)).toEqual([]);
    expect(taker.of('channel').map(({ channel_id }) => channel_id)).toEqual([1, 2]);
    expect(taker.of('task')).toHaveLength(4);
    read(2);
    await clock.advance(50);
    expect(values(taker)).toEqual(['P 2']);
    expect([taker.of('missed'), taker.of('channel').length, taker.of('task').length]).toEqual([[], 2, 4]);
  });

  it('with everything: all points as they are, from a place in front of every change', async () => {
    read(1);
    one.points.remove([1001]);
    session.commands.add(entry(1));
    const taker = join({ kinds: ['values', 'events', 'command'] }, 'all');
    session.events.add(HEAD, { ...BODY, text: 'later' });
    await clock.advance(100);
    expect(taker.messages[0]).toMatchObject({ event: 'hello', id: null, data: { place: 'bench-0-0' } });
    expect(values(taker)).toEqual(['P 1', 'R 0']);
    expect(taker.of('values').some((data) => 'deleted' in data)).toBe(false);
    expect(taker.items('events').map(({ text }) => text)).toEqual(['later']);
    expect(taker.of('missed')).toEqual([]);
    read(1, 1000);
    one.points.remove([1000]);
    await clock.advance(50);
    expect(taker.of('values').at(-1)).toMatchObject({ channel_id: 1, deleted: [1000] });
  });

  it('with everything but the events of before', async () => {
    session.events.add(HEAD, { ...BODY, text: 'before' });
    const taker = join({}, 'all');
    await clock.advance(100);
    expect(taker.items('events')).toEqual([]);
  });

  it('where it was: all that happened behind its place, and nothing is missed', async () => {
    const place = here();
    read(7);
    session.events.add(HEAD, { ...BODY, text: 'while away' });
    const taker = join({ kinds: ['values', 'events'] }, place);
    expect(taker.messages).toMatchObject([{ event: 'hello', id: place, data: { place } }]);
    await clock.advance(50);
    expect(values(taker)).toEqual(['P 7']);
    expect(taker.items('events').map(({ text }) => text)).toEqual(['while away']);
    expect([taker.of('missed'), hub.counts().missed]).toEqual([[], 0]);
    expect(taker.messages.at(-1)?.id, 'the place to come back with').toBe(here());
  });

  it('with a place that means nothing here: it is told so at once, with the tables to read again', async () => {
    read(7);
    const place = here();
    const taker = join({ channel_id: [1] }, 'another-3-4');
    expect(taker.messages).toMatchObject([
      { event: 'hello', id: place, data: { place } },
      { event: 'missed', id: null, data: { reason: 'unknown_place', from: null, to: place, read_again: [1] } },
    ]);
    expect(hub.counts().missed).toBe(1);
    await clock.advance(250);
    expect(values(taker)).toEqual([]);
  });
});

describe('readers at one place', () => {
  it('with one filter are told by the same octets, with another one what that lets pass', async () => {
    const [first, second] = [join({ kinds: ['values'] }), join({ kinds: ['values'] })];
    const other = join({ kinds: ['values'], frame_type: [FrameType.yk] });
    await clock.advance(100);
    read(5);
    await clock.advance(50);
    expect([values(first), values(second), values(other)]).toEqual([['P 5'], ['P 5'], []]);
    expect(second.blocks.at(-1)).toBe(first.blocks.at(-1));
    read(6);
    await clock.advance(50);
    expect([values(first), values(second)]).toEqual([
      ['P 5', 'P 6'],
      ['P 5', 'P 6'],
    ]);
  });

  it('do not wait for one that is full in the midst of it; that one is told the rest when it takes again', async () => {
    const [quick, full] = [join({}), join({})];
    await clock.advance(250);
    full.isTaking = false;
    read(5);
    session.events.add(HEAD, { ...BODY, text: 'one' });
    await clock.advance(50);
    expect(values(full)).toEqual(['P 5']);
    expect([full.items('events'), quick.items('events').map(({ text }) => text)]).toEqual([[], ['one']]);
    session.events.add(HEAD, { ...BODY, text: 'two' });
    await clock.advance(1000);
    expect(quick.items('events').map(({ text }) => text)).toEqual(['one', 'two']);
    full.drain();
    await clock.advance(100);
    expect(full.of('missed')).toMatchObject([{ reason: 'slow' }]);
    expect(full.items('events').map(({ text }) => text)).toEqual(['one', 'two']);
    expect(full.messages.at(-1)?.id).toBe(here());
    read(6);
    await clock.advance(50);
    expect([values(full).at(-1), values(quick).at(-1)]).toEqual(['P 6', 'P 6']);
    expect(full.of('missed'), 'it is slow no more').toHaveLength(1);
  });

  it('are told together what nobody can tell them any more', async () => {
    session.events.resize(2);
    const [first, second] = [join({ kinds: ['events'] }), join({ kinds: ['events'] })];
    await clock.advance(100);
    for (let count = 0; count < 5; count++) session.events.add(HEAD, { ...BODY, text: `e${count}` });
    await clock.advance(50);
    for (const taker of [first, second]) {
      expect(taker.of('missed')).toMatchObject([{ reason: 'away', events: 3 }]);
      expect(taker.items('events').map(({ text }) => text)).toEqual(['e3', 'e4']);
    }
    expect(hub.counts().missed).toBe(2);
  });
});

describe('a reader that does not take', () => {
  it('for a minute is disconnected; one that takes something in time goes on', async () => {
    await clock.advance(200_000);
    const [stuck, late] = [new Taker(), new Taker()];
    for (const taker of [stuck, late]) {
      taker.isTaking = false;
      join({}, undefined, {}, taker);
    }
    await clock.advance(59_000);
    late.drain();
    expect(stuck.ended).toBe(null);
    await clock.advance(2000);
    expect([stuck.ended, late.ended]).toEqual(['at once', null]);
    expect(hub.counts()).toMatchObject({ readers: 1, disconnected: 1 });
  });

  it('gets nothing more, whatever happens, and then what it missed', async () => {
    const taker = new Taker();
    taker.isTaking = false;
    join({ kinds: ['command'] }, undefined, {}, taker);
    const written = taker.text.length;
    for (let count = 0; count < 600; count++) {
      session.commands.add(entry(count));
      await clock.advance(50);
    }
    expect(taker.text.length).toBe(written);
    taker.drain();
    await clock.advance(100);
    expect(taker.of('missed')).toMatchObject([{ reason: 'slow', commands: 100 }]);
    expect(taker.of('command').map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, at) => 100 + at));
    expect(hub.counts().missed).toBe(1);
  });

  it('while nothing happens has missed nothing', async () => {
    const taker = join({ kinds: ['values'] });
    await clock.advance(100);
    taker.isTaking = false;
    read(1);
    await clock.advance(20_000);
    taker.drain();
    read(2);
    await clock.advance(50);
    expect([values(taker), taker.of('missed')]).toEqual([['P 1', 'P 2'], []]);
  });

  it('and leaves meanwhile is told nothing more', async () => {
    const taker = join({ kinds: ['values', 'events'] });
    const stays = join({ kinds: ['command'] });
    await clock.advance(100);
    taker.isTaking = false;
    read(1);
    session.events.add(HEAD, { ...BODY, text: 'one' });
    await clock.advance(50);
    const { length } = taker.blocks;
    taker.closed();
    taker.drain();
    await clock.advance(20_000);
    expect(taker.blocks).toHaveLength(length);
    expect([hub.counts(), stays.ended]).toEqual([{ readers: 1, missed: 0, disconnected: 0 }, null]);
  });
});

describe('the end of the stream', () => {
  it('is told to every reader, in order', async () => {
    const takers = [join(), join({ kinds: ['task'] })];
    hub.endAll('service_stops');
    for (const taker of takers) {
      expect(taker.messages.at(-1)).toMatchObject({ event: 'ended', data: { reason: 'service_stops' } });
      expect(taker.ended).toBe('in order');
    }
    expect(hub.counts()).toEqual({ readers: 0, missed: 0, disconnected: 0 });
    await clock.advance(1000);
    expect(clock.pending).toBe(0);
  });

  it('comes when the project is left; a reader of the next one is told of that', async () => {
    const taker = join();
    await clock.advance(100);
    await session.endings.settle(1000);
    expect([taker.of('ended'), taker.ended]).toEqual([[{ reason: 'project_left' }], 'in order']);
    const left = session;
    const next = new JobBench([modbusTcpDriver]);
    next.client(504);
    session = { ...next.deps.projects.current(), id: 'next' };
    const reader = join({ kinds: ['channel'] });
    await clock.advance(250);
    expect(reader.of('hello')).toMatchObject([{ project_session: 'next' }]);
    expect(reader.of('channel').map(({ channel_id }) => channel_id)).toEqual([1]);
    await left.endings.settle(1000);
    expect(reader.ended, 'it does not belong to the project that was left').toBe(null);
  });
});

describe('a fault while somebody is told', () => {
  it.each([1, 2])('ends %d readers at once, is logged, and leaves the others alone', async (count) => {
    const takers = Array.from({ length: count }, () => join({ kinds: ['events'] }));
    const other = join({ kinds: ['values'] });
    await clock.advance(100);
    const fault = new Error('broken');
    session.events.list = () => {
      throw fault;
    };
    session.events.add(HEAD, { ...BODY, text: 'one' });
    read(3);
    await clock.advance(50);
    expect(takers.map(({ ended }) => ended)).toEqual(takers.map(() => 'at once'));
    expect(faults).toEqual([{ err: fault }]);
    expect(hub.counts()).toMatchObject({ readers: 1, disconnected: count });
    expect([values(other), other.ended]).toEqual([['P 3'], null]);
  });

  it('at a look is logged, and the next look is made', async () => {
    const taker = join({ kinds: ['values'] });
    await clock.advance(100);
    const fault = new Error('broken');
    const { list } = session.channels;
    session.channels.list = () => {
      throw fault;
    };
    await clock.advance(200);
    session.channels.list = list;
    expect(faults).toContainEqual({ err: fault });
    read(4);
    await clock.advance(50);
    expect([values(taker), taker.ended]).toEqual([['P 4'], null]);
  });
});

const HEAD = { channelId: 1, kind: 'channel', pointId: null, frameType: null, code: '' } as const;
const BODY = { value: null, flags: [], deviceTime: null, receivedAt: 0, text: '', said: null, detail: null } as const;

function entry(id: number): AuditEntry {
  return {
    ...{ id, at: '2026-01-01T00:00:00.000Z', closed_at: null, channel_id: 1, channel_name: 'One', point_id: 1, frame_type: 2, code: 'K' },
    ...{ operation: null, step: 'operate', value: 1, source: 'api', outcome: 'open', detail: '' },
  };
}
