import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckVerification } from '#shared/contract/check.ts';
import type { DataOf } from '#shared/contract/index.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { ChooseFile, DropZone } from '../../ui/drop-zone.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { guideTo } from '../guide/guide.ts';
import classes from './check.module.css';

type Merged = DataOf<'mergeCheck'>;
type Conflict = Merged['conflicts'][number];

/** Conflicts that are drawn. */
const MOST_ROWS = 200;

/** One file: it is kept in memory, so that what is merged is what was looked at. */
function useRecord() {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const verifying = useMutation<CheckVerification, AppError, File>({
    mutationFn: async (chosen) => {
      const kept = new File([await chosen.arrayBuffer()], chosen.name);
      setFile(kept);
      return (await api.call('verifyRecord', { file: kept })).data;
    },
    retry: false,
  });
  const merging = useMutation<Merged, AppError, File>({
    mutationFn: async (chosen) => (await api.call('mergeCheck', { file: chosen })).data,
    onSettled: () => Promise.all(['listChecks', 'checkItems', 'checkSummary'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
    retry: false,
  });
  return {
    name: file?.name ?? '',
    isReading: verifying.isPending,
    verification: verifying.data,
    merged: merging.data,
    isMerging: merging.isPending,
    error: merging.error ?? verifying.error,
    choose(chosen: File) {
      merging.reset();
      setFile(chosen);
      verifying.mutate(chosen);
    },
    merge: () => (file ? merging.mutate(file) : undefined),
  };
}

function Verified({ name, found }: { readonly name: string; readonly found: CheckVerification }) {
  const { t } = useTranslation('check');
  return (
    <Alert
      color={found.is_whole ? 'green' : 'red'}
      icon={<Icon name={found.is_whole ? 'ok' : 'bad'} size={18} />}
      title={t(found.is_whole ? 'file.whole' : 'file.broken')}
      role="status"
      data-testid="record-verified"
      data-whole={found.is_whole}
    >
      <Stack gap={4}>
        <Text size="sm">{t('file.facts', { name, parts: found.parts, entries: found.entries })}</Text>
        {found.viewer === 'other' ? <Text size="sm">{t('file.otherViewer')}</Text> : null}
        {found.explained === 'other' ? <Text size="sm">{t('file.otherExplained')}</Text> : null}
        {found.fault ? (
          <Text size="sm">
            <Said message={found.fault.said} text={found.fault.text} />
          </Text>
        ) : null}
        {found.heads.length > 0 ? (
          <>
            <Text size="sm">{t('file.heads')}</Text>
            <ul className={classes.digest}>
              {found.heads.map((head) => (
                <li key={head}>{head}</li>
              ))}
            </ul>
          </>
        ) : null}
      </Stack>
    </Alert>
  );
}

function Merging({ merged }: { readonly merged: Merged }) {
  const { t } = useTranslation('check');
  const { session, items, parts, entries, conflicts } = merged;
  const columns: readonly SmallColumn<Conflict>[] = [
    { id: 'code', name: t('column.code'), isRowHeader: true, cell: ({ code }) => code },
    { id: 'what', name: t('column.what'), cell: ({ what }) => t(`file.conflict.${what}`) },
  ];
  return (
    <Stack gap="xs" data-testid="record-merged">
      <Text fw={600} role="status">
        {t('file.merged', { name: session.name, items, parts, entries })}
      </Text>
      {conflicts.length === 0 ? (
        <Text>{t('file.noConflicts')}</Text>
      ) : (
        <>
          <Text>{t('file.conflicts')}</Text>
          <SmallTable
            label={t('file.conflicts')}
            columns={columns}
            rows={conflicts.slice(0, MOST_ROWS)}
            keyOf={({ item, what }) => `${item} ${what}`}
          />
        </>
      )}
    </Stack>
  );
}

/** From a record to results: look whether it is as it was written, then merge it, and see what came. */
export function RecordDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['check', 'app']);
  const record = useRecord();
  const { merged } = record;
  return (
    <Modal
      {...guideTo('check')}
      opened
      onClose={onClose}
      size={680}
      title={t('check:file.title')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Stack gap="sm" data-testid="record-dialog">
        <DropZone label={t('check:file.drop')} onFile={record.choose}>
          {record.isReading ? <Loader size="sm" /> : <Icon name="upload" size={28} />}
          <Text>{record.isReading ? t('check:file.reading', { name: record.name }) : t('check:file.drop')}</Text>
          <ChooseFile
            label={t('check:file.choose')}
            onFile={record.choose}
            accept=".json,.html"
            disabled={record.isReading}
            data-autofocus
            data-testid="record-choose"
          />
        </DropZone>
        {record.verification && !record.isReading ? <Verified name={record.name} found={record.verification} /> : null}
        {merged ? <Merging merged={merged} /> : null}
        <ErrorNotice error={record.error} compact />
        <Group justify="flex-end" gap="xs">
          <Text size="xs" c="dimmed" mr="auto">
            {merged ? '' : t('check:file.mergeHint')}
          </Text>
          <Button variant="default" onClick={onClose}>
            {t('app:action.close')}
          </Button>
          {merged ? (
            <Button
              onClick={() => {
                onClose();
                useUiStore.getState().showCheck(merged.session.id);
              }}
            >
              {t('check:file.open')}
            </Button>
          ) : (
            <Button
              disabled={record.verification?.is_whole !== true || record.isReading}
              loading={record.isMerging}
              onClick={record.merge}
              data-testid="record-merge"
            >
              {t('check:file.merge')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
