import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { OperationName } from '#shared/contract/index.ts';
import { LARGEST_TABLE_FILE } from '#shared/contract/point-files.ts';
import type { CapturedConversation, LookedCapture, TakenCapture } from '#shared/contract/simulation.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { inMemory } from '../model/use-document.ts';

const REFRESH: readonly OperationName[] = ['pointTable', 'listChannels', 'pointHistory', 'listSeries', 'simulation'];

/** Where a capture comes from: a file of this computer, or one that the project keeps, by its name. */
export type CaptureSource = File | string;

export const nameOfSource = (source: CaptureSource) => (typeof source === 'string' ? source : source.name);

/** What is asked of a conversation beside its place. */
interface TakeOptions {
  readonly name: string;
  readonly isOnce: boolean;
}

/** The steps from a capture to a channel, as the dialog shows them. */
export interface CaptureState {
  readonly source: CaptureSource | null;
  /** What was found in it; null before. */
  readonly looked: LookedCapture | null;
  readonly isLooking: boolean;
  /** The file is too large to be sent; its size. */
  readonly tooLarge: number | null;
  readonly error: AppError | null;
  readonly isTaking: boolean;
  /** What became of it; null before. */
  readonly taken: TakenCapture | null;
  look(source: CaptureSource): void;
  /** Forgets the capture, also while it is looked into. */
  reset(): void;
  take(conversation: CapturedConversation, options: TakeOptions): void;
}

/** One capture on its way into a channel. A file is kept in memory, so that what is taken is what was looked at. */
export function useCapture(channelId: number): CaptureState {
  const client = useQueryClient();
  const [source, setSource] = useState<CaptureSource | null>(null);
  const [tooLarge, setTooLarge] = useState<number | null>(null);
  const asking = useRef(new AbortController());
  const looking = useMutation<LookedCapture, AppError, CaptureSource>({
    mutationFn: async (wanted) => {
      const { signal } = asking.current;
      if (typeof wanted === 'string') return (await api.call('lookKept', { name: wanted }, signal)).data;
      const file = await inMemory(wanted);
      if (!signal.aborted) setSource(file);
      return (await api.call('lookCapture', { file }, signal)).data;
    },
    retry: false,
  });
  const taking = useMutation<TakenCapture, AppError, { conversation: number; source: CaptureSource; options: TakeOptions }>({
    mutationFn: async ({ conversation, source: from, options: { name, isOnce } }) => {
      const into = { conversation, name, channel_id: channelId };
      if (typeof from === 'string') return (await api.call('takeKept', { ...into, capture: from, once: isOnce })).data;
      return (await api.call('takeCapture', { ...into, file: from, once: isOnce ? 'true' : 'false' })).data;
    },
    retry: false,
    onSettled: () => Promise.all(REFRESH.map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  const reset = () => {
    asking.current.abort();
    asking.current = new AbortController();
    looking.reset();
    taking.reset();
    setSource(null);
    setTooLarge(null);
  };
  return {
    source,
    looked: looking.data ?? null,
    isLooking: looking.isPending,
    tooLarge,
    error: taking.error ?? looking.error,
    isTaking: taking.isPending,
    taken: taking.data ?? null,
    look(wanted) {
      reset();
      if (typeof wanted !== 'string' && wanted.size > LARGEST_TABLE_FILE) {
        setTooLarge(wanted.size);
        return;
      }
      setSource(wanted);
      looking.mutate(wanted);
    },
    reset,
    take({ index }, options) {
      if (source !== null) taking.mutate({ conversation: index, source, options });
    },
  };
}
