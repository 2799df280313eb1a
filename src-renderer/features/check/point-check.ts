import { useMemo } from 'react';
import { create } from 'zustand';
import type { CheckSession } from '#shared/contract/check.ts';
import type { DataOf } from '#shared/contract/index.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useCheckMemory } from './check-store.ts';

export type PointCheck = DataOf<'checkPoints'>['items'][number];

/** A session whose states tables show. */
export type TableSession = Pick<CheckSession, 'id' | 'name'>;

interface PointChecks {
  readonly session: TableSession | null;
  /** Of the rows in sight by channel, then by point. */
  readonly byChannel: Readonly<Record<number, ReadonlyMap<number, PointCheck>>>;
  /** The point whose results are shown; null: of none. */
  readonly shown: { readonly sessionId: number; readonly item: string; readonly code: string } | null;
}

/** What the check says of the points on the screen. Apart from the rows, so that a verdict draws one cell. */
export const usePointChecks = create<PointChecks>()(() => ({ session: null, byChannel: {}, shown: null }));

/** The session that tables show the states of: the one that was looked at last, else the newest; null where there is none. */
export function useTableSession(): CheckSession | null {
  const chosen = useCheckMemory((state) => state.sessionId);
  const sessions = useOperation('listChecks', {}, { pollMs: POLL.slow }).data?.items;
  return useMemo(() => sessions?.find(({ id }) => id === chosen) ?? sessions?.at(-1) ?? null, [sessions, chosen]);
}
