import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/contract/events.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { point } from '../../runtime/testing/harness.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { JobBench } from '../jobs/testing/job-bench.ts';
import { message, messagesOf, missedOf, type Sources, type Stretch, unknownPlace } from './messages.ts';
import { type Place, placeText, presentPlace } from './place.ts';
import { StateWatch } from './state-watch.ts';
import { type FilterRequest, StreamFilter } from './stream-filter.ts';
import { messagesIn } from './testing/taker.ts';
import { ValueTexts } from './value-texts.ts';

let sources: Sources;
let first: ChannelRuntime;
let second: ChannelRuntime;
/** The place when the test begins. */
let start: Place;
beforeEach(() => {
  const bench = new JobBench([modbusTcpDriver]);
  first = bench.client(502, [{ code: 'P' }, { code: 'Q' }]);
  second = bench.client(503, [{ code: 'R' }]);
  const session = bench.deps.projects.current();
  sources = { session, watch: new StateWatch(session), texts: new ValueTexts() };
  sources.watch.look();
  start = presentPlace(session);
});

const filter = (request: FilterRequest) => new StreamFilter(sources.session, request);
const stretch = (changes: Partial<Stretch> = {}): Stretch => ({
  ...{ from: start, to: presentPlace(sources.session), isFirst: false, isAll: false },
  ...changes,
});
const texts = (request: FilterRequest, changes?: Partial<Stretch>) => [...messagesOf(sources, filter(request), stretch(changes))];
const told = (request: FilterRequest, changes?: Partial<Stretch>) => messagesIn(texts(request, changes).join(''));
const missed = (request: FilterRequest, changes?: Partial<Stretch>, isSlow = false) =>
  missedOf(sources, filter(request), stretch(changes), isSlow);

function read({ points }: ChannelRuntime, ...ids: number[]): void {
  const rest = { kind: 'value', value: 5, valueText: '', raw: new Uint8Array(2), quality: 'good', flags: [], sourceTime: null };
  points.apply(ids.map((pointId) => ({ ...rest, pointId })) as never, 0);
}
function happen(text: string, channelId: number | null = 1): number {
  return sources.session.events.add(
    { channelId, kind: 'channel', pointId: null, frameType: null, code: '' },
    { value: null, flags: [], deviceTime: null, receivedAt: 0, text, said: null, detail: null },
  );
}
const entry = (id: number, channel_id = 1) => ({ id, channel_id }) as AuditEntry;
const idsOf = (data: Record<string, unknown> | undefined) => (data?.items as { id: number }[] | undefined)?.map(({ id }) => id);

it('a message is an event with its data on one line, and an id where it has one', () => {
  expect(message('task', '{}')).toBe('event: task\ndata: {}\n\n');
  expect(message('task', '{}', 'a-1-2')).toBe('event: task\nid: a-1-2\ndata: {}\n\n');
});

describe('the messages of a stretch', () => {
  it('are none where nothing happened', () => {
    expect(texts({})).toEqual([]);
  });

  it('come with the place behind them at the last one alone', () => {
    read(first, 1000);
    happen('one');
    sources.session.commands.add(entry(1));
    const messages = told({});
    expect(messages.map(({ event }) => event)).toEqual(['values', 'events', 'command']);
    expect(messages.map(({ id }) => id)).toEqual([null, null, placeText(sources.session, presentPlace(sources.session))]);
  });

  it('have channels and tasks as they are at first, those that went before left out, and later what changed', async () => {
    await sources.session.channels.remove(2);
    sources.watch.look();
    const state = { kinds: ['channel', 'task'] } as const;
    const ids = (changes?: Partial<Stretch>) =>
      told(state, changes).map(({ event, data }) => `${event} ${data.channel_id} ${data.status ?? data.kind}`);
    expect(ids({ isFirst: true })).toEqual(['channel 1 stopped', 'task 1 automatic', 'task 1 manual']);
    expect(ids()).toEqual(['channel 2 undefined']);
  });

  it('are of the channels and kinds that are asked for', () => {
    read(first, 1000);
    read(second, 2000);
    happen('one', 1);
    happen('two', 2);
    sources.session.commands.add(entry(1, 1));
    sources.session.commands.add(entry(2, 2));
    const all = { isFirst: true };
    const channels = told({ channel_id: [2] }, all).map(
      ({ data }) => data.channel_id ?? (data.items as { channel_id: number }[])[0]?.channel_id,
    );
    expect(channels).toEqual([2, 2, 2, 2, 2, 2]);
    for (const kind of ['channel', 'task', 'values', 'events', 'command'] as const) {
      expect([...new Set(told({ kinds: [kind] }, all).map(({ event }) => event))]).toEqual([kind]);
    }
  });

  it('have 500 values each at most, of one channel each, and name what left the table once', () => {
    first.points.add(Array.from({ length: 1201 }, (_, at) => point(3000 + at)));
    read(second, 2000);
    first.points.remove([1000, 3000]);
    const messages = told({ kinds: ['values'] }).map(({ data }) => data);
    expect(messages.map(({ channel_id, device_name }) => [channel_id, device_name])).toEqual([
      ...Array.from({ length: 3 }, () => [1, 'Channel 1']),
      [2, 'Channel 2'],
    ]);
    expect(messages.map((data) => idsOf(data)?.length)).toEqual([500, 500, 200, 1]);
    expect(messages.flatMap((data) => idsOf(data))).toEqual([...Array.from({ length: 1200 }, (_, at) => 3001 + at), 2000]);
    expect(messages.map(({ deleted }) => deleted)).toEqual([[1000, 3000], undefined, undefined, undefined]);
  });

  it('tell of points that left alone, though nothing else changed', () => {
    first.points.remove([1000]);
    expect(told({ kinds: ['values'] }).map(({ data }) => data)).toEqual([
      { channel_id: 1, device_name: 'Channel 1', items: [], deleted: [1000] },
    ]);
    expect(told({ kinds: ['values'] }, { isAll: true }).map(({ data }) => data)).toEqual([]);
  });

  it('have all events of the stretch in order, 500 each at most, and none of behind it', () => {
    sources.session.events.resize(2000);
    for (let count = 0; count < 1001; count++) happen(`e${count}`);
    const to = presentPlace(sources.session);
    happen('later');
    const messages = told({ kinds: ['events'] }, { to }).map(({ data }) => data.items as { text: string }[]);
    expect(messages.map(({ length }) => length)).toEqual([500, 500, 1]);
    expect(messages.flat().map(({ text }) => text)).toEqual(Array.from({ length: 1001 }, (_, at) => `e${at}`));
  });

  it('have no message for events of which none is asked for', () => {
    for (let count = 0; count < 501; count++) happen(`e${count}`, 2);
    happen('mine');
    expect(told({ kinds: ['events'], channel_id: [1] }).map(({ data }) => data.items)).toMatchObject([[{ text: 'mine' }]]);
  });

  it('come to their end where events gave way meanwhile', () => {
    const { events } = sources.session;
    happen('one');
    const to = { ...presentPlace(sources.session), event: events.lastSeq + 5 };
    expect(told({ kinds: ['events'] }, { to }).map(({ data }) => data.items)).toMatchObject([[{ text: 'one' }]]);
  });

  it('have the commands behind the place', () => {
    sources.session.commands.add(entry(1));
    const from = presentPlace(sources.session);
    sources.session.commands.add(entry(2));
    expect(told({ kinds: ['command'] }, { from }).map(({ data }) => data.id)).toEqual([2]);
  });
});

describe('what cannot be told any more', () => {
  it('is nothing where all is remembered', () => {
    read(first, 1000);
    first.points.remove([1001]);
    happen('one');
    sources.session.commands.add(entry(1));
    expect(missed({})).toBe(null);
  });

  it('is told to a slow reader in any case, with the changes that it did not see one by one', () => {
    read(first, 1000);
    read(first, 1001);
    const to = presentPlace(sources.session);
    expect(missed({}, {}, true)).toEqual({
      ...{ reason: 'slow', from: placeText(sources.session, start), to: placeText(sources.session, to) },
      ...{ changes: to.change - start.change, events: 0, commands: 0, read_again: [] },
    });
    expect(missed({}, { isAll: true }, true)).toMatchObject({ reason: 'slow', changes: 0 });
  });

  it('are events that gave way, as many as it has not seen, for one who hears events', () => {
    sources.session.events.resize(2);
    const seen = happen('one');
    for (let count = 0; count < 4; count++) happen(`e${count}`);
    const from = { ...start, event: seen };
    expect(missed({}, { from })).toMatchObject({ reason: 'away', events: 2, commands: 0, read_again: [] });
    expect(missed({ kinds: ['values'] }, { from })).toBe(null);
    expect(missed({}, { from: presentPlace(sources.session) })).toBe(null);
  });

  it('are commands that are not remembered, for one who hears commands and began with a place', () => {
    for (let count = 0; count < 503; count++) sources.session.commands.add(entry(count));
    expect(missed({})).toMatchObject({ reason: 'away', commands: 3 });
    expect(missed({ kinds: ['values'] })).toBe(null);
    expect(missed({}, { isAll: true })).toBe(null);
  });

  it('are tables of which too many points left: they have to be read again', () => {
    first.points.add(Array.from({ length: 20_001 }, (_, at) => point(10_000 + at)));
    first.points.remove(Array.from({ length: 20_001 }, (_, at) => 10_000 + at));
    expect(missed({})).toMatchObject({ reason: 'away', read_again: [1] });
    expect(missed({ kinds: ['events'] })).toBe(null);
    expect(missed({ channel_id: [2] })).toBe(null);
    expect(missed({}, { isAll: true })).toBe(null);
  });

  it('by one whose place means nothing are all tables, where it hears values', () => {
    const to = placeText(sources.session, start);
    expect(unknownPlace(sources.session, filter({}), start)).toEqual({
      ...{ reason: 'unknown_place', from: null, to, changes: 0, events: 0, commands: 0, read_again: [1, 2] },
    });
    expect(unknownPlace(sources.session, filter({ channel_id: [2] }), start).read_again).toEqual([2]);
    expect(unknownPlace(sources.session, filter({ kinds: ['task'] }), start).read_again).toEqual([]);
  });
});
