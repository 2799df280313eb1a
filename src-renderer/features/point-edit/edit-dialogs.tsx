import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { useOperation } from '../../api/hooks.ts';
import type { GridRows } from '../../ui/data-grid/rows.ts';
import { useProtocol } from '../channels/protocol-facts.ts';
import { type PointsView, tableQuery } from '../points/points-store.ts';
import { allPoints } from './all-points.ts';

const FillDialog = lazy(async () => ({ default: (await import('./fill-dialog.tsx')).FillDialog }));
const DuplicateDialog = lazy(async () => ({ default: (await import('./duplicate-dialog.tsx')).DuplicateDialog }));
const MoveDialog = lazy(async () => ({ default: (await import('./move-dialog.tsx')).MoveDialog }));
const ReplaceDialog = lazy(async () => ({ default: (await import('./replace-dialog.tsx')).ReplaceDialog }));

/** A dialog that changes many points in one step, with the points as they were when it was asked for. */
export interface Editing {
  readonly kind: 'fill' | 'duplicate' | 'move' | 'replace';
  readonly points: readonly Point[];
  /** Column of the table that the keyboard stood in. */
  readonly column: string | null;
}

/** Selected points as they stand in the table: the first is the one on top. Those that are not here yet follow as they were selected. */
export function inTableOrder(points: readonly Point[], rows: GridRows<Point>): readonly Point[] {
  const placed = points.map((point) => ({ point, place: rows.indexOf(String(point.id)) }));
  if (placed.some(({ place }) => place < 0)) return points;
  return placed.sort((a, b) => a.place - b.place).map(({ point }) => point);
}

/** Other channels of the same protocol: points can be moved to them. */
export function useMoveTargets(channel: Channel | null): readonly Channel[] {
  const channels = useOperation('listChannels', {}).data ?? [];
  return channels.filter(({ id, protocol_type }) => id !== channel?.id && protocol_type === channel?.protocol_type);
}

interface EditDialogsProps {
  readonly channel: Channel;
  readonly editing: Editing;
  readonly targets: readonly Channel[];
  readonly view: PointsView;
  /** Points that the filters show. */
  readonly total: number;
  onClose(): void;
}

/** The dialog that is asked for. */
export function EditDialogs({ channel, editing, targets, view, total, onClose }: EditDialogsProps) {
  const { kind, points, column } = editing;
  const descriptor = useProtocol(channel.protocol_type);
  const channelId = channel.id;
  const filtered = useQuery<readonly Point[], AppError>({
    queryKey: ['allPoints', tableQuery(channelId, view)],
    queryFn: ({ signal }) => allPoints(channelId, view, signal),
    enabled: kind === 'replace',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <Suspense fallback={null}>
      {kind === 'fill' && descriptor ? (
        <FillDialog channelId={channelId} descriptor={descriptor} points={points} column={column} onClose={onClose} />
      ) : null}
      {kind === 'duplicate' && descriptor ? (
        <DuplicateDialog channelId={channelId} descriptor={descriptor} points={points} onClose={onClose} />
      ) : null}
      {kind === 'move' ? <MoveDialog channel={channel} targets={targets} points={points} onClose={onClose} /> : null}
      {kind === 'replace' ? (
        <ReplaceDialog
          channelId={channelId}
          selected={points}
          filtered={filtered.data ?? null}
          failure={filtered.error}
          total={total}
          onClose={onClose}
        />
      ) : null}
    </Suspense>
  );
}
