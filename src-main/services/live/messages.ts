import type { z } from 'zod';
import type { StreamMissed, Streams, StreamValues } from '#shared/contract/live.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { eventEntry } from '../events.ts';
import type { ProjectSession } from '../ports.ts';
import { type Place, placeText } from './place.ts';
import type { StateWatch } from './state-watch.ts';
import type { StreamFilter } from './stream-filter.ts';
import type { ValueTexts } from './value-texts.ts';

/** Items of one message. */
const ITEMS = 500;

/** What messages are made of. */
export interface Sources {
  readonly session: ProjectSession;
  readonly watch: StateWatch;
  readonly texts: ValueTexts;
}

/** What a reader is told: from where, and up to where. */
export interface Stretch {
  readonly from: Place;
  readonly to: Place;
  /** The first one of a reader: states of channels and tasks as they are, whatever changed. */
  readonly isFirst: boolean;
  /** Beginning with all points as they are: what was deleted before does not matter. */
  readonly isAll: boolean;
}

type EventName = keyof Streams['eventStream']['events'];
type Missed = z.output<typeof StreamMissed>;

/** One event of the stream; `id` is the place of a reader that has it. */
export function message(event: EventName, json: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${json}\n\n`;
}

/** All messages of a stretch, of which the last one has the place behind it as id: a reader who lost some of them begins with the first again. */
export function* messagesOf(sources: Sources, filter: StreamFilter, stretch: Stretch): Generator<string> {
  let before: string | null = null;
  for (const text of newsOf(sources, filter, stretch)) {
    if (before !== null) yield before;
    before = text;
  }
  if (before !== null) yield `id: ${placeText(sources.session, stretch.to)}\n${before}`;
}

function* newsOf(sources: Sources, filter: StreamFilter, { from, to, isFirst, isAll }: Stretch): Generator<string> {
  const { session, watch } = sources;
  const since = isFirst ? 0 : from.change;
  if (filter.has('channel')) {
    for (const said of watch.channelsSince(since)) {
      const isOld = isFirst && said.status === null;
      if (filter.hasChannel(said.channel_id) && !isOld) yield message('channel', JSON.stringify(said));
    }
  }
  if (filter.has('task')) {
    for (const said of watch.tasksSince(since)) if (filter.hasChannel(said.channel_id)) yield message('task', JSON.stringify(said));
  }
  if (filter.has('values')) for (const channel of filter.channels(session)) yield* valuesOf(sources, filter, channel, from.change, isAll);
  if (filter.has('events')) yield* eventsOf(session, filter, from.event, to.event);
  if (filter.has('command')) {
    for (const entry of session.commands.since(from.change)) {
      if (filter.hasChannel(entry.channel_id)) yield message('command', JSON.stringify(entry));
    }
  }
}

function* valuesOf({ texts }: Sources, filter: StreamFilter, channel: ChannelRuntime, change: number, isAll: boolean): Generator<string> {
  const deleted = isAll ? [] : (channel.points.deletedSince(change) ?? []);
  const ids = filter.changedPoints(channel, change);
  const head = JSON.stringify({ channel_id: channel.id, device_name: channel.settings.name } satisfies Partial<
    z.output<typeof StreamValues>
  >);
  for (let start = 0; start < ids.length || (start === 0 && deleted.length > 0); start += ITEMS) {
    const items = ids.slice(start, start + ITEMS).flatMap((id) => texts.item(channel.points, id) ?? []);
    const gone = start === 0 && deleted.length > 0 ? `,"deleted":${JSON.stringify(deleted)}` : '';
    if (items.length > 0 || gone !== '') yield message('values', `${head.slice(0, -1)},"items":[${items.join(',')}]${gone}}`);
  }
}

function* eventsOf(session: ProjectSession, filter: StreamFilter, from: number, to: number): Generator<string> {
  for (let after = from; after < to; ) {
    const records = session.events.list({ afterSeq: after, limit: ITEMS });
    const last = records.at(-1)?.seq;
    if (last === undefined) return;
    after = last;
    const items = records.filter((record) => record.seq <= to && filter.hasEvent(record)).map((record) => eventEntry(session, record));
    if (items.length > 0) yield message('events', JSON.stringify({ items }));
  }
}

/** What cannot be told any more of a stretch; null where nothing is lost. `isSlow`: the reader did not take what was sent. */
export function missedOf({ session }: Sources, filter: StreamFilter, { from, to, isAll }: Stretch, isSlow: boolean): Missed | null {
  const events = filter.has('events') ? Math.max(0, session.events.dropped - from.event) : 0;
  const commands = filter.has('command') && !isAll ? session.commands.lostSince(from.change) : 0;
  const channels = filter.has('values') && !isAll ? filter.channels(session) : [];
  const readAgain = channels.filter(({ points }) => points.deletedSince(from.change) === null).map(({ id }) => id);
  if (!isSlow && events === 0 && commands === 0 && readAgain.length === 0) return null;
  return {
    reason: isSlow ? 'slow' : 'away',
    from: placeText(session, from),
    to: placeText(session, to),
    changes: isAll ? 0 : to.change - from.change,
    events,
    commands,
    read_again: readAgain,
  };
}

/** What a reader is told whose place means nothing here. */
export function unknownPlace(session: ProjectSession, filter: StreamFilter, to: Place): Missed {
  const read_again = filter.has('values') ? filter.channels(session).map(({ id }) => id) : [];
  return { reason: 'unknown_place', from: null, to: placeText(session, to), changes: 0, events: 0, commands: 0, read_again };
}
