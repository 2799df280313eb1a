import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { EventEntry } from '#shared/contract/events.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { POLL } from '../../api/hooks.ts';

/** Entries a page keeps; the service keeps its own, larger log. */
const KEPT = 2000;
const PER_POLL = 1000;

export interface EventsFeed {
  readonly items: readonly EventEntry[];
  readonly lastSeq: number;
  /** Entries the service has dropped since it started, because its log is bounded. */
  readonly dropped: number;
}

interface EventsAnswer {
  readonly items: readonly EventEntry[];
  readonly last_seq: number;
  readonly dropped: number;
}

/** Puts what a poll of at most `limit` entries brought behind what the page has. A sequence that went back is a new log: the old entries go. */
export function appendEvents(feed: EventsFeed | undefined, answer: EventsAnswer, limit = PER_POLL): EventsFeed {
  const isContinued = feed !== undefined && answer.last_seq >= feed.lastSeq;
  const known = isContinued ? feed.items : [];
  const last = known.at(-1)?.seq ?? 0;
  const fresh = answer.items.filter((item) => item.seq > last);
  // A full answer may have left newer entries for the next poll; the rest of the numbers belongs to other channels.
  const isCutShort = isContinued && answer.items.length >= limit;
  const lastSeq = isCutShort ? (answer.items.at(-1)?.seq ?? answer.last_seq) : answer.last_seq;
  if (isContinued && fresh.length === 0 && answer.dropped === feed.dropped && lastSeq === feed.lastSeq) return feed;
  const items = fresh.length === 0 ? known : [...known, ...fresh].slice(-KEPT);
  return { items, lastSeq, dropped: answer.dropped };
}

/** What each point had before an event, by the number of the event, as far as the events tell. */
export function valuesBefore(events: readonly EventEntry[]): ReadonlyMap<number, number> {
  const present = new Map<number, number>();
  const before = new Map<number, number>();
  for (const { seq, kind, point_id, value } of events) {
    if (kind !== 'change' || point_id === null || value === null) continue;
    const known = present.get(point_id);
    if (known !== undefined) before.set(seq, known);
    present.set(point_id, value);
  }
  return before;
}

/** The events of a channel and of the service itself, polled behind what the page already has. */
export function useEventsFeed(channelId: number) {
  const client = useQueryClient();
  const queryKey = ['eventsFeed', channelId];
  return useQuery<EventsFeed, AppError>({
    queryKey,
    queryFn: async ({ signal }) => {
      const feed = client.getQueryData<EventsFeed>(queryKey);
      const after = feed ? { after_seq: feed.lastSeq } : {};
      const { data } = await api.call('listEvents', { channel_id: channelId, system: 'true', limit: PER_POLL, ...after }, signal);
      return appendEvents(feed, data);
    },
    refetchInterval: POLL.table,
    structuralSharing: false,
  });
}
