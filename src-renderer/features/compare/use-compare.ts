import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel } from '#shared/contract/channels.ts';
import type { InputOf } from '#shared/contract/index.ts';
import { LARGEST_TABLE_FILE } from '#shared/contract/point-files.ts';
import type { ComparedSide, Comparison } from '#shared/contract/table-compare.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { operationKey } from '../../api/hooks.ts';

export type SideName = 'before' | 'after';

/** What somebody has chosen for one side; a file is kept here, so that it can be given in again when the service has forgotten it. */
export type ChosenSide =
  | { readonly of: 'channel'; readonly channelId: number | null }
  | { readonly of: 'step'; readonly channelId: number; readonly stepId: number | null }
  | { readonly of: 'file'; readonly file: File | null };

export type Sides = Readonly<Record<SideName, ChosenSide>>;

/** Octets of a file that is too large to be sent; null: it is not. */
export function tooLarge(side: ChosenSide): number | null {
  return side.of === 'file' && side.file !== null && side.file.size > LARGEST_TABLE_FILE ? side.file.size : null;
}

/** True when both sides are chosen. */
export function isChosen({ before, after }: Sides): boolean {
  return [before, after].every((side) => {
    if (side.of === 'file') return side.file !== null && tooLarge(side) === null;
    return side.channelId !== null && (side.of === 'channel' || side.stepId !== null);
  });
}

/** Gives a file in where it is one. */
async function sideOf(side: ChosenSide): Promise<ComparedSide> {
  if (side.of === 'channel') return { of: 'channel', channel_id: side.channelId ?? 0 };
  if (side.of === 'step') return { of: 'step', channel_id: side.channelId, step_id: side.stepId ?? 0 };
  // what is sent is what was chosen, also when the file is saved meanwhile
  const file = side.file ?? new File([], '');
  return { of: 'file', file_id: (await api.call('giveCompareFile', { file })).data.file_id };
}

/** The comparison of a dialog: its two sides, and what they differ in. */
export function useCompare(channel: Channel) {
  const client = useQueryClient();
  const [sides, setSides] = useState<Sides>({ before: { of: 'channel', channelId: channel.id }, after: { of: 'file', file: null } });
  const [protocol, setProtocol] = useState(channel.protocol_type);
  const [result, setResult] = useState<Comparison | null>(null);
  const compare = useMutation<Comparison, AppError, Sides>({
    mutationFn: async ({ before, after }) => {
      const asked: InputOf<'comparePoints'> = { before: await sideOf(before), after: await sideOf(after), protocol_type: protocol };
      const { data } = await api.call('comparePoints', asked);
      client.setQueryData(operationKey('comparison', { comparison_id: data.comparison_id }), data);
      return data;
    },
    retry: false,
    onSuccess: setResult,
  });
  return {
    sides,
    protocol,
    setProtocol,
    setSide: (name: SideName, side: ChosenSide) => setSides((present) => ({ ...present, [name]: side })),
    result,
    isComparing: compare.isPending,
    error: compare.error ? toAppError(compare.error) : null,
    run: () => compare.mutate(sides),
    swap() {
      const swapped = { before: sides.after, after: sides.before };
      setSides(swapped);
      compare.mutate(swapped);
    },
    /** Back to the choice of the tables. */
    leave: () => setResult(null),
  };
}

export type CompareState = ReturnType<typeof useCompare>;
