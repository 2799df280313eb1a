import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentReport } from '#shared/contract/iec61850.ts';
import type { OperationName } from '#shared/contract/index.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { api } from '../../api/client.ts';

const REFRESH: readonly OperationName[] = [
  'deviceModel',
  'modelNodes',
  'modelDifferences',
  'iec61850TreeData',
  'listChannels',
  'autoReadStatus',
];

/** The steps of taking a file over. */
export interface DocumentState {
  /** What the chosen file holds; null before one was read. */
  readonly report: DocumentReport | null;
  /** The device that is meant; empty while several are there and none is chosen. */
  readonly choice: string;
  /** The address of the device that is taken from the file; empty: the channel keeps its own. */
  readonly address: string;
  readonly isReading: boolean;
  readonly isStoring: boolean;
  /** The file is too large to be sent; its size. */
  readonly tooLarge: number | null;
  readonly error: AppError | null;
  /** Reads a file and asks what it holds. Nothing changes. */
  read(file: File): void;
  choose(choice: string): void;
  takeAddress(address: string): void;
  /** Keeps the file with the channel. */
  store(onDone: () => void): void;
  reset(): void;
}

/** One file on its way to a channel; it is kept in memory, so that what is stored is what was looked at. */
export function useDocument(channelId: number, largest: number): DocumentState {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [picked, setPicked] = useState<string | null>(null);
  const [address, setAddress] = useState('');
  const [tooLarge, setTooLarge] = useState<number | null>(null);
  const preview = useMutation<DocumentReport, AppError, File>({
    mutationFn: async (chosen) => {
      const kept = await inMemory(chosen);
      setFile(kept);
      return (await api.call('storeDocument', { channel_id: channelId, mode: 'preview', file: kept })).data;
    },
    retry: false,
  });
  const choice = picked ?? preview.data?.choice ?? '';
  const storing = useMutation<DocumentReport, AppError, File>({
    mutationFn: async (kept) => {
      const device = { ...(choice === '' ? {} : { choice }), ...(address === '' ? {} : { address }) };
      return (await api.call('storeDocument', { channel_id: channelId, mode: 'store', file: kept, ...device })).data;
    },
    retry: false,
    onSettled: () => Promise.all(REFRESH.map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  const reset = () => {
    preview.reset();
    storing.reset();
    setFile(null);
    setPicked(null);
    setAddress('');
    setTooLarge(null);
  };
  return {
    report: preview.data ?? null,
    choice,
    isReading: preview.isPending,
    isStoring: storing.isPending,
    tooLarge,
    error: storing.error ?? preview.error,
    read(chosen) {
      reset();
      if (chosen.size > largest) setTooLarge(chosen.size);
      else preview.mutate(chosen);
    },
    address,
    choose(next) {
      setPicked(next);
      setAddress('');
    },
    takeAddress: setAddress,
    store(onDone) {
      if (file) storing.mutate(file, { onSuccess: onDone });
    },
    reset,
  };
}

/** A file as it is now. Rejects with `CONFIG_INVALID` when it cannot be read any more. */
export async function inMemory(file: File): Promise<File> {
  try {
    return new File([await file.arrayBuffer()], file.name);
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', say('app.file_gone'), {
      cause,
    });
  }
}
