import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CommandState } from '#shared/contract/points.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { useAction } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { useProtocol } from '../channels/protocol-facts.ts';
import { optionSpecs } from './command-options.ts';
import { useOptionText } from './option-text.ts';
import { useWriteStore, type WriteTarget } from './write-store.ts';

/** What stands before the command of the dialog. */
export interface Before {
  /** False where the protocol tells nothing. */
  readonly isTold: boolean;
  /** Null while it is asked for, and where that failed. */
  readonly state: CommandState | null;
  readonly error: AppError | null;
  /** Why nothing can be sent; null: nothing is known against it. */
  readonly reason: string | null;
  /** It can be selected first. */
  readonly canSelect: boolean;
  ask(): void;
}

/** Asks the device once, when the confirmation is reached, and again when somebody wants it. */
export function useBefore({ channel, point }: WriteTarget, isServed: boolean): Before {
  const { t } = useTranslation('points');
  const words = useWords();
  const text = useOptionText();
  const protocol = useProtocol(channel.protocol_type);
  const { options, setMissingOptions } = useWriteStore();
  const isTold = !isServed && protocol?.command_state === true;
  const { data, error, isPending, mutate } = useAction('commandState');
  const ask = useCallback(
    () => mutate({ channel_id: channel.id, point_id: point.id, frame_type: point.frame_type, options }),
    [mutate, channel.id, point.id, point.frame_type, options],
  );
  const hasAsked = useRef(false);
  useEffect(() => {
    if (!isTold || hasAsked.current) return;
    hasAsked.current = true;
    ask();
  }, [isTold, ask]);
  const state = data?.data ?? null;
  useEffect(() => {
    if (state) setMissingOptions(state.missing_options);
  }, [state, setMissingOptions]);
  const misplaced = optionSpecs(protocol, channel, point).filter(
    ({ key }) => options[key] !== undefined && state?.missing_options.includes(key),
  );
  const isUnread = isTold && !error && (isPending || state === null);
  const reason = isUnread
    ? t('write.beforeUnread')
    : state?.obstacle
      ? words(state.obstacle_message, state.obstacle)
      : misplaced.length > 0
        ? t('write.missingOptions', { options: misplaced.map(text.nameOf).join(', ') })
        : null;
  const steps = state?.steps ?? protocol?.commands ?? [];
  return { isTold, state, error, reason, canSelect: !isServed && steps.includes('select'), ask };
}
