import { Button, Group, Progress, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Channel } from '#shared/contract/channels.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';
import { formatDateTime } from '../../ui/time.ts';
import { LARGEST_DOWNLOAD, readWholeFile } from './file-parts.ts';
import { useOperationsStore } from './operations-store.ts';

const Listed = z.object({
  records: z.array(z.object({ record: z.string(), files: z.array(z.string()), size: z.number(), is_complete: z.boolean() })),
  files: z.array(z.object({ name: z.string(), size: z.number(), modified: z.string().nullable() })),
  more: z.boolean(),
});

interface State {
  readonly name: string;
  readonly octets: number;
  readonly size: number;
}

/** The last part of a name, with which a file is saved. */
function plainName(name: string): string {
  return name.split(/[\\/]/).findLast((part) => part !== '') || 'file';
}

/** Downloads one file after the other; what is under way ends with `cancel` and when the panel is left. */
function useDownload(channel: Channel) {
  const { t } = useTranslation('operations');
  const [state, setState] = useState<State | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const under = useRef<AbortController | null>(null);
  useEffect(() => () => under.current?.abort(), []);
  const words = {
    tooLarge: (name: string) => t('files.tooLarge', { name, most: formatBytes(LARGEST_DOWNLOAD) }),
    changed: (name: string) => t('files.changed', { name }),
    short: (name: string) => t('files.short', { name }),
  };
  const start = async (names: readonly string[]) => {
    const end = new AbortController();
    under.current = end;
    setError(null);
    try {
      for (const name of names) {
        const onProgress = (octets: number, size: number) => setState({ name, octets, size });
        onProgress(0, 0);
        const bytes = await readWholeFile(name, { channel, signal: end.signal, words, onProgress });
        end.signal.throwIfAborted();
        saveFile({ name: plainName(name), bytes, mediaType: 'application/octet-stream' });
        notifyDone(t('files.saved', { name: plainName(name) }));
      }
    } catch (thrown) {
      if (!end.signal.aborted) setError(toAppError(thrown));
    }
    setState(null);
  };
  return { state, error, start: (names: readonly string[]) => void start(names), cancel: () => under.current?.abort() };
}

function Under({ state, onCancel }: { readonly state: State; onCancel(): void }) {
  const { t } = useTranslation('operations');
  const percent = state.size > 0 ? Math.min(100, (100 * state.octets) / state.size) : 0;
  const said = t('files.progress', { name: state.name, done: formatBytes(state.octets), size: formatBytes(state.size) });
  return (
    <Group gap="sm" wrap="nowrap" role="status" data-testid="file-progress">
      <Progress value={percent} w={160} aria-label={said} />
      <Text size="sm">{said}</Text>
      <Button variant="default" size="compact-xs" onClick={onCancel} data-testid="file-cancel">
        {t('files.cancel')}
      </Button>
    </Group>
  );
}

/** What `list_files` brought: disturbance records with their sets, and all files, each to be saved on this computer. */
export function DeviceFiles({ channel, result }: { readonly channel: Channel; readonly result: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation('operations');
  const { state, error, start, cancel } = useDownload(channel);
  const { choose, remember } = useOperationsStore();
  const listed = Listed.safeParse(result).data;
  if (!listed) return null;
  const isBusy = state !== null;
  const showHeader = (name: string) => {
    remember(channel.id, { file: name });
    choose(channel.id, 'record_header');
  };
  const button = (key: string, label: string, run: () => void, disabled = isBusy) => (
    <Button key={key} variant="default" size="compact-xs" disabled={disabled} onClick={run}>
      {label}
    </Button>
  );
  const ofRecords: readonly SmallColumn<(typeof listed.records)[number]>[] = [
    { id: 'record', name: t('files.records'), cell: ({ record }) => record },
    { id: 'size', name: t('files.size'), isShort: true, cell: ({ size }) => formatBytes(size) },
    {
      id: 'set',
      name: t('files.set'),
      cell: ({ files, is_complete }) => (
        <>
          {files.map(plainName).join(', ')} {is_complete ? null : <b>{t('files.incomplete')}</b>}
        </>
      ),
    },
    {
      id: 'do',
      name: null,
      isShort: true,
      cell: ({ files }) => (
        <Group gap={4} wrap="nowrap">
          {button('save', t('files.saveSet'), () => start(files))}
          {button('header', t('files.header'), () => showHeader(files[0] ?? ''), false)}
        </Group>
      ),
    },
  ];
  const ofFiles: readonly SmallColumn<(typeof listed.files)[number]>[] = [
    { id: 'name', name: t('files.all'), cell: ({ name }) => name },
    { id: 'size', name: t('files.size'), isShort: true, cell: ({ size }) => formatBytes(size) },
    { id: 'modified', name: t('files.modified'), isShort: true, cell: ({ modified }) => formatDateTime(modified) },
    { id: 'do', name: null, isShort: true, cell: ({ name }) => button('save', t('files.save'), () => start([name])) },
  ];
  return (
    <>
      {state ? <Under state={state} onCancel={cancel} /> : null}
      {error ? <ErrorNotice error={error} compact /> : null}
      {listed.records.length > 0 ? (
        <SmallTable
          label={t('files.records')}
          columns={ofRecords}
          rows={listed.records}
          keyOf={(row) => row.record}
          testId="file-records"
        />
      ) : null}
      <SmallTable label={t('files.all')} columns={ofFiles} rows={listed.files} keyOf={(row) => row.name} testId="file-list" />
      {listed.files.length === 0 ? <Text size="sm">{t('noRows')}</Text> : null}
      {listed.more ? (
        <Group gap="sm">
          <Icon name="info" size={14} />
          <Text size="sm">{t('files.more', { last: listed.files.at(-1)?.name ?? '' })}</Text>
        </Group>
      ) : null}
    </>
  );
}
