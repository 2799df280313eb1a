import { useCallback, useEffect, useRef, useState } from 'react';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { POLL } from '../../api/hooks.ts';
import { EMPTY_TAIL, extendTail, MAX_ROWS, type Tail } from './tail.ts';

export interface FrameTail {
  readonly tail: Tail;
  readonly error: AppError | null;
  readonly isLoaded: boolean;
  /** Forgets the rows of the page; the next poll goes on behind the last one seen. */
  reset(): void;
}

/** Entries behind the last one seen. When more came than the page keeps, the older ones are skipped and shown as a gap. */
async function fetchBehind(channelId: number, lastSeq: number, signal: AbortSignal) {
  const query = { channel_id: channelId, limit: MAX_ROWS, ...(lastSeq > 0 ? { after_seq: lastSeq } : {}) };
  const { data } = await api.call('listFrames', query, signal);
  const newest = data.items.at(-1)?.seq ?? lastSeq;
  const isStartedAnew = data.last_seq < lastSeq;
  if (!isStartedAnew && data.last_seq <= newest) return data;
  return (await api.call('listFrames', { channel_id: channelId, limit: MAX_ROWS }, signal)).data;
}

/** Follows the frame log of a channel, one poll a second while the page is visible and not paused; never two polls at once. */
export function useFrameTail(channelId: number, isPaused: boolean): FrameTail {
  const [tail, setTail] = useState<Tail>(EMPTY_TAIL);
  const [error, setError] = useState<AppError | null>(null);
  const [isLoaded, setIsLoaded] = useState(false);
  const lastSeq = useRef(0);

  useEffect(() => {
    if (isPaused) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    const poll = async () => {
      if (isAsking || document.hidden) return;
      isAsking = true;
      try {
        const page = await fetchBehind(channelId, lastSeq.current, abort.signal);
        if (abort.signal.aborted) return;
        lastSeq.current = page.last_seq < lastSeq.current ? 0 : lastSeq.current;
        lastSeq.current = Math.max(lastSeq.current, page.items.at(-1)?.seq ?? 0);
        setTail((before) => extendTail(before, page));
        setIsLoaded(true);
        setError(null);
      } catch (thrown) {
        if (abort.signal.aborted) return;
        setError(toAppError(thrown));
      } finally {
        isAsking = false;
      }
      timer = setTimeout(() => void poll(), POLL.status);
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
  }, [channelId, isPaused]);

  const reset = useCallback(() => setTail((before) => ({ ...EMPTY_TAIL, lastSeq: before.lastSeq })), []);
  return { tail, error, isLoaded, reset };
}
