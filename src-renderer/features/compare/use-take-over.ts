import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Comparison, DIFFERENCE_KINDS, type DifferenceKind } from '#shared/contract/table-compare.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { useAction } from '../../api/hooks.ts';
import { useOfferUndo } from '../point-edit/history.tsx';

/** All kinds of rows that can be taken over. */
const TAKEN: DifferenceKind[] = DIFFERENCE_KINDS.filter((kind) => kind !== 'faulty');

/** Which rows are taken over, how many they are, and how many points that deletes. */
export interface Taking {
  /** Null: all rows that can be taken. */
  readonly codes: readonly string[] | null;
  readonly count: number;
  readonly removed: number;
}

/** How many of the chosen points were changed meanwhile, as a refusal names them; null: it is another failure. */
function changedOf(error: AppError | null): number | null {
  const data = error?.data as { readonly codes?: unknown } | null | undefined;
  return error?.code === 'STATE_CONFLICT' && Array.isArray(data?.codes) ? data.codes.length : null;
}

/** Takes differences over; asks first where points are deleted by it, and offers to take it back. `onTaken` is called when it is done. */
export function useTakeOver({ comparison_id, before }: Comparison, onTaken: () => void) {
  const { t } = useTranslation('tables');
  const [asked, setAsked] = useState<Taking | null>(null);
  const offerUndo = useOfferUndo(before.channel_id ?? 0);
  const take = useAction('takeDifferences', ['pointTable', 'listChannels', 'pointHistory', 'tableCheck']);
  // what was refused for an older comparison says nothing of this one
  const error = take.variables?.comparison_id === comparison_id ? take.error : null;
  const conflict = changedOf(error);

  function run({ codes, count }: Taking) {
    setAsked(null);
    take.mutate(
      { comparison_id, ...(codes === null ? { kinds: TAKEN } : { codes: [...codes] }) },
      {
        onSuccess: ({ data }) => {
          offerUndo(t('compare.taken', { count }), data.step_id);
          onTaken();
        },
      },
    );
  }

  return {
    isBusy: take.isPending,
    /** Chosen points that were changed since the comparison, so that nothing was taken over; null: it was not refused for that. */
    conflict,
    error: conflict === null ? error : null,
    /** What was asked for and waits to be confirmed. */
    asked,
    start: (taking: Taking) => (taking.removed > 0 ? setAsked(taking) : run(taking)),
    confirm: () => asked && run(asked),
    cancel: () => setAsked(null),
  };
}

export type TakeOver = ReturnType<typeof useTakeOver>;
