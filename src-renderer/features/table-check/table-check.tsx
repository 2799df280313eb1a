import { lazy, memo, Suspense } from 'react';
import type { Channel } from '#shared/contract/channels.ts';
import { useTableCheckStore } from './table-check-store.ts';

const CheckPanel = lazy(() => import('./check-panel.tsx'));

/** The findings of a table below it, while somebody wants to see them. */
export const TableCheck = memo(function TableCheck({ channel }: { readonly channel: Channel }) {
  const isOpen = useTableCheckStore((state) => state.channelId === channel.id);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <CheckPanel channel={channel} />
    </Suspense>
  );
});
