import { useCallback, useEffect, useRef, useState } from 'react';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { POLL } from '../../api/hooks.ts';
import { EMPTY_TAIL, extendBack, extendTail, kept, MAX_ROWS, MOST_ROWS, type Tail } from './tail.ts';

export interface FrameTail {
  readonly tail: Tail;
  readonly error: AppError | null;
  readonly isLoaded: boolean;
  /** Forgets the rows of the page; the next poll goes on behind the last one seen. */
  reset(): void;
  /** Fetches entries in front of the first row, and resolves with their number; null where the page has no room for more. They stay until `forgetOlder`. */
  readonly older: (() => Promise<number>) | null;
  forgetOlder(): void;
}

/** Entries behind the last one seen. When more came than the page keeps, the older ones are skipped and shown as a gap. */
async function fetchBehind(channelId: number, lastSeq: number, filter: string, signal: AbortSignal) {
  const all = { channel_id: channelId, limit: MAX_ROWS, ...(filter === '' ? {} : { filter }) };
  const { data } = await api.call('listFrames', lastSeq > 0 ? { ...all, after_seq: lastSeq } : all, signal);
  const newest = data.items.at(-1)?.seq ?? lastSeq;
  const isStartedAnew = data.last_seq < lastSeq;
  // a filter has looked at all of it; what it left out is not missing
  const isWhole = filter !== '' && data.items.length < MAX_ROWS;
  if (!isStartedAnew && (isWhole || data.last_seq <= newest)) return data;
  return (await api.call('listFrames', all, signal)).data;
}

/**
 * Follows the frame log of a channel, or what of it passes `filter`, one poll a second while the page is visible and not paused; never two polls at once. Another filter is asked over the
 * whole log of the service, also while the list is paused.
 */
export function useFrameTail(channelId: number, isPaused: boolean, filter: string): FrameTail {
  const [tail, setTail] = useState<Tail>(EMPTY_TAIL);
  const [error, setError] = useState<AppError | null>(null);
  const [isLoaded, setIsLoaded] = useState(false);
  const lastSeq = useRef(0);
  const shownFilter = useRef(filter);
  /** Rows that the page keeps. */
  const room = useRef(MAX_ROWS);

  useEffect(() => {
    if (shownFilter.current !== filter) {
      shownFilter.current = filter;
      lastSeq.current = 0;
      room.current = MAX_ROWS;
      setTail(EMPTY_TAIL);
      setIsLoaded(false);
    } else if (isPaused) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    const poll = async () => {
      if (isAsking || document.hidden) return;
      isAsking = true;
      try {
        const page = await fetchBehind(channelId, lastSeq.current, filter, abort.signal);
        if (abort.signal.aborted) return;
        const reached = filter === '' ? (page.items.at(-1)?.seq ?? 0) : page.looked_to;
        lastSeq.current = Math.max(page.last_seq < lastSeq.current ? 0 : lastSeq.current, reached);
        setTail((before) => extendTail(before, page, room.current, filter !== ''));
        setIsLoaded(true);
        setError(null);
      } catch (thrown) {
        if (abort.signal.aborted) return;
        setError(toAppError(thrown));
      } finally {
        isAsking = false;
      }
      if (!isPaused) timer = setTimeout(() => void poll(), POLL.status);
    };
    const onVisibility = () => {
      clearTimeout(timer);
      void poll();
    };
    document.addEventListener('visibilitychange', onVisibility);
    void poll();
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      abort.abort();
      clearTimeout(timer);
    };
  }, [channelId, isPaused, filter]);

  const reset = useCallback(() => setTail((before) => ({ ...EMPTY_TAIL, lastSeq: before.lastSeq })), []);
  const first = tail.rows[0]?.seq;
  const older = useCallback(async () => {
    room.current = MOST_ROWS;
    const isFiltered = filter !== '';
    const { data } = await api.call('listFrames', {
      channel_id: channelId,
      ...(first === undefined ? {} : { before_seq: first }),
      limit: MAX_ROWS,
      ...(isFiltered ? { filter } : {}),
    });
    // the list went on meanwhile, or is another one
    setTail((before) => (before.rows[0]?.seq === first ? extendBack(before, data, isFiltered) : before));
    return data.items.length;
  }, [channelId, filter, first]);
  const forgetOlder = useCallback(() => {
    room.current = MAX_ROWS;
    setTail((before) => kept(before, MAX_ROWS));
  }, []);
  return { tail, error, isLoaded, reset, older: tail.rows.length < MOST_ROWS ? older : null, forgetOlder };
}
