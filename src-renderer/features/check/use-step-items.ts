import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CheckItem, CheckSession } from '#shared/contract/check.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import type { GridRows } from '../../ui/data-grid/rows.ts';
import { notifyError } from '../../ui/notify.ts';

/** Where a block of items is to stand: behind `place` of the others, whose order among themselves does not change by it. */
interface Wanted {
  readonly key: string;
  place: number;
  isSending: boolean;
}

/** The row behind `place` rows of those that are not moved; `moved` are the places of those that are, from the top. */
export function rowBehind(place: number, moved: readonly number[]): number {
  return moved.reduce((row, at) => (at <= row ? row + 1 : row), place);
}

/**
 * Moves items by rows in the order that is shown, which has to be that of the session. Keys that come while a step is on its way are added up, so
 * none is lost; each goes on from where the ones before lead, whatever the rows on the screen say meanwhile.
 */
export function useStepItems({ id: session_id }: CheckSession, rows: GridRows<CheckItem>) {
  const client = useQueryClient();
  const wanted = useRef<Wanted | null>(null);
  const present = useRef(rows);
  useEffect(() => {
    present.current = rows;
    // the rows say where the items are, once nothing is on its way
    if (!wanted.current?.isSending) wanted.current = null;
  }, [rows]);

  async function send(job: Wanted, ids: readonly string[]) {
    job.isSending = true;
    try {
      for (let sent = Number.NaN; sent !== job.place; ) {
        sent = job.place;
        const moved = ids.map((id) => present.current.indexOf(id)).sort((one, other) => one - other);
        const next = rowBehind(sent, moved);
        const [behind] = next < present.current.count ? await present.current.range(next, next) : [];
        await api.call('editCheckItems', { session_id, items: [...ids], before: behind?.item ?? null });
      }
    } catch (thrown) {
      wanted.current = null;
      notifyError(toAppError(thrown));
    } finally {
      job.isSending = false;
      await client.invalidateQueries({ queryKey: ['checkItems'] });
    }
  }

  /** Answers the row that the first of the items comes to; null where they stay, or are not all here. */
  return (items: readonly CheckItem[], distance: 1 | -1): number | null => {
    const ids = items.map(({ item }) => item);
    const places = ids.map((id) => rows.indexOf(id)).sort((one, other) => one - other);
    const [first = -1] = places;
    if (first < 0) return null;
    const key = [...ids].sort().join();
    if (wanted.current?.key !== key) wanted.current = { key, place: first, isSending: false };
    const job = wanted.current;
    const place = Math.min(rows.count - ids.length, Math.max(0, job.place + distance));
    const isBlock = places.every((at, index) => at === first + index);
    if (place === job.place && isBlock) return null;
    job.place = place;
    if (!job.isSending) void send(job, ids);
    return place;
  };
}
