import { describe, expect, it } from 'vitest';
import type { EventEntry } from '#shared/contract/events.ts';
import { appendEvents } from './events-feed.ts';

function entries(from: number, to: number): EventEntry[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    seq: from + index,
    channel_id: 1,
    kind: 'change',
    point_id: 1,
    frame_type: 1,
    code: 'YX1',
    value: 1,
    flags: [],
    device_time: null,
    received_at: '2026-03-01T08:00:00.000Z',
    text: '',
  }));
}

describe('events of a page', () => {
  it('are put behind the known ones, each once', () => {
    const first = appendEvents(undefined, { items: entries(1, 3), last_seq: 3, dropped: 0 });
    const second = appendEvents(first, { items: entries(3, 5), last_seq: 5, dropped: 0 });
    expect(second.items.map((item) => item.seq)).toEqual([1, 2, 3, 4, 5]);
    expect(second.lastSeq).toBe(5);
  });

  it('stay the same object when a poll brought nothing', () => {
    const feed = appendEvents(undefined, { items: entries(1, 3), last_seq: 3, dropped: 1 });
    expect(appendEvents(feed, { items: [], last_seq: 3, dropped: 1 })).toBe(feed);
  });

  it('are bounded', () => {
    const feed = appendEvents(undefined, { items: entries(1, 1990), last_seq: 1990, dropped: 0 });
    const next = appendEvents(feed, { items: entries(1991, 2100), last_seq: 2100, dropped: 0 });
    expect(next.items).toHaveLength(2000);
    expect(next.items[0]?.seq).toBe(101);
  });

  it('begin anew with a new log', () => {
    const feed = appendEvents(undefined, { items: entries(1, 50), last_seq: 50, dropped: 7 });
    const restarted = appendEvents(feed, { items: entries(1, 2), last_seq: 2, dropped: 0 });
    expect(restarted.items.map((item) => item.seq)).toEqual([1, 2]);
  });

  it('skip over sequence numbers of other channels without asking for them again', () => {
    const feed = appendEvents(undefined, { items: entries(1, 2), last_seq: 90, dropped: 0 });
    expect(feed.lastSeq).toBe(90);
  });

  it('go on behind the last entry when an answer was cut short', () => {
    const feed = appendEvents(undefined, { items: entries(1, 2), last_seq: 2, dropped: 0 }, 3);
    expect(appendEvents(feed, { items: entries(3, 5), last_seq: 40, dropped: 0 }, 3).lastSeq).toBe(5);
    expect(appendEvents(feed, { items: entries(3, 4), last_seq: 40, dropped: 0 }, 3).lastSeq).toBe(40);
  });
});
