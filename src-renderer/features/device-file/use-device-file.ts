import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { DocumentDevices } from '#shared/contract/iec61850.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import type { DropState } from '../model/document-drop.tsx';
import { inMemory } from '../model/use-document.ts';

/** A file whose devices are looked at. */
export interface DeviceFileState extends DropState {
  /** What the file holds; null before one was read. */
  readonly found: { readonly file: File; readonly devices: DocumentDevices } | null;
  reset(): void;
}

/** Reads the devices of a file that belongs to no channel yet; it is kept in memory, so that what is stored later is what was looked at. `given` is read at once. */
export function useDeviceFile(protocolType: number, largest: number, given: File | null): DeviceFileState {
  const [tooLarge, setTooLarge] = useState<number | null>(null);
  const reading = useMutation<NonNullable<DeviceFileState['found']>, AppError, File>({
    mutationFn: async (chosen) => {
      const file = await inMemory(chosen);
      return { file, devices: (await api.call('documentDevices', { protocol_type: protocolType, file })).data };
    },
    retry: false,
  });
  const reset = () => {
    reading.reset();
    setTooLarge(null);
  };
  const read = (chosen: File) => {
    reset();
    if (chosen.size > largest) setTooLarge(chosen.size);
    else reading.mutate(chosen);
  };
  const first = useRef(given);
  useEffect(() => {
    const file = first.current;
    first.current = null;
    if (file) read(file);
  });
  return {
    found: reading.data ?? null,
    isReading: reading.isPending,
    tooLarge,
    error: reading.error,
    read,
    reset,
  };
}
