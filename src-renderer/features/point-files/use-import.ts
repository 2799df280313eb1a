import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import { type ImportReport, type ImpossibleBits, LARGEST_TABLE_FILE } from '#shared/contract/point-files.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { api } from '../../api/client.ts';
import type { PastedRows } from './point-files-store.ts';

export type ImportMode = 'merge' | 'replace';

/** The steps of an import as the dialog shows them. */
export interface ImportState {
  readonly file: File | null;
  /** What the file holds and would do; null before one was read. */
  readonly report: ImportReport | null;
  /** What was done; null before. */
  readonly done: ImportReport | null;
  readonly isReading: boolean;
  readonly isApplying: boolean;
  /** The file is too large to be sent; its size. */
  readonly tooLarge: number | null;
  readonly error: AppError | null;
  /** What becomes of bits where none is possible. */
  readonly bits: ImpossibleBits;
  /** Decides it, and looks at the file again. */
  setBits(bits: ImpossibleBits): void;
  /** How the file is read as a foreign list; null: it is read as a table of ours. */
  readonly mapping: ListMapping | null;
  /** The columns of a foreign list are being looked at, before its preview. */
  readonly isMapping: boolean;
  /** Reads the file as a foreign list: as before, or by another mapping. */
  map(mapping?: ListMapping): void;
  /** Asks what the list would do, read by its mapping. */
  lookAtMapped(): void;
  /** Reads a file and asks what it would do. Nothing changes. */
  choose(file: File): void;
  apply(mode: ImportMode): void;
}

/** One import: the file is kept in memory, so that what is imported is what was looked at. */
export function useImport(channelId: number, pasted: PastedRows | null = null): ImportState {
  const client = useQueryClient();
  const into = { channel_id: channelId, ...(pasted ? { pasted: pasted.type } : {}) };
  const [bits, setBits] = useState<ImpossibleBits>('refuse');
  const [file, setFile] = useState<File | null>(null);
  const [tooLarge, setTooLarge] = useState<number | null>(null);
  const [mapping, setMapping] = useState<ListMapping | null>(null);
  const [isMapping, setIsMapping] = useState(false);
  const preview = useMutation<ImportReport, AppError, { chosen: File; impossible_bits: ImpossibleBits; list: ListMapping | null }>({
    mutationFn: async ({ chosen, impossible_bits, list }) => {
      const kept = await keepInMemory(chosen);
      setFile(kept);
      return (await api.call('importPoints', { ...into, mode: 'preview', impossible_bits, file: kept, ...asField(list) })).data;
    },
    retry: false,
    onSuccess: (report, { list }) => {
      if (list !== null || !report.foreign || report.errors.length === 0) return;
      setMapping({});
      setIsMapping(true);
    },
  });
  const applying = useMutation<ImportReport, AppError, { mode: ImportMode; file: File }>({
    mutationFn: async ({ mode, file: kept }) =>
      (await api.call('importPoints', { ...into, mode, impossible_bits: bits, file: kept, ...asField(mapping) })).data,
    retry: false,
    onSettled: async () => {
      await Promise.all(
        ['pointTable', 'listChannels', 'autoReadStatus', 'pointHistory'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      );
    },
  });
  function choose(chosen: File) {
    applying.reset();
    preview.reset();
    setFile(chosen);
    setBits('refuse');
    setMapping(null);
    setIsMapping(false);
    setTooLarge(chosen.size > LARGEST_TABLE_FILE ? chosen.size : null);
    if (chosen.size <= LARGEST_TABLE_FILE) preview.mutate({ chosen, impossible_bits: 'refuse', list: null });
  }
  const onText = useEffectEvent((text: string) => choose(new File([text], PASTED_NAME)));
  const text = pasted?.text ?? null;
  useEffect(() => {
    if (text !== null) onText(text);
  }, [text]);
  return {
    file,
    report: applying.data && !applying.data.applied ? applying.data : (preview.data ?? null),
    done: applying.data?.applied ? applying.data : null,
    isReading: preview.isPending,
    isApplying: applying.isPending,
    tooLarge,
    error: applying.error ?? preview.error,
    choose,
    bits,
    setBits(next) {
      setBits(next);
      applying.reset();
      if (file) preview.mutate({ chosen: file, impossible_bits: next, list: mapping });
    },
    mapping,
    isMapping,
    map(next) {
      applying.reset();
      setMapping(next ?? mapping ?? {});
      setIsMapping(true);
    },
    lookAtMapped() {
      setIsMapping(false);
      if (file) preview.mutate({ chosen: file, impossible_bits: bits, list: mapping });
    },
    apply(mode) {
      if (file) applying.mutate({ mode, file });
    },
  };
}

const asField = (mapping: ListMapping | null) => (mapping === null ? {} : { mapping: JSON.stringify(mapping) });

/** Name of the text that is sent in place of a file. */
const PASTED_NAME = 'clipboard.txt';

async function keepInMemory(file: File): Promise<File> {
  try {
    return new File([await file.arrayBuffer()], file.name);
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', say('app.file_gone'), {
      cause,
    });
  }
}
