import { Button, Group, Loader, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LARGEST_PROJECT_TEXT, type ProjectTextReport } from '#shared/contract/projects.ts';
import { type AppError, issueMessage } from '#shared/domain/errors.ts';
import { PROTOCOLS } from '#shared/domain/protocols.ts';
import { api } from '../../api/client.ts';
import { useOperation } from '../../api/hooks.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { ChooseFile, DropZone } from '../../ui/drop-zone.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Said } from '../../ui/said.tsx';
import { guideTo } from '../guide/guide.ts';
import { inFolder, projectPath } from './paths.ts';
import { Stops } from './project-dialog.tsx';
import classes from './projects.module.css';
import { showReadText } from './projects-store.ts';
import { useOpened } from './use-projects.ts';

type Mode = 'add' | 'new';
type Issue = ProjectTextReport['errors'][number];

/** Rows of errors and channels that are drawn. */
const MOST_ROWS = 200;

const close = () => showReadText(false);

/** One text: it is kept in memory, so that what is read in is what was looked at. */
function useReadText() {
  const { t } = useTranslation('projects');
  const opened = useOpened();
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [tooLarge, setTooLarge] = useState(false);
  const preview = useMutation<ProjectTextReport, AppError, File>({
    mutationFn: async (chosen) => {
      const kept = new File([await chosen.arrayBuffer()], chosen.name);
      setFile(kept);
      return (await api.call('importProjectText', { mode: 'preview', file: kept })).data;
    },
    retry: false,
  });
  const applying = useMutation<ProjectTextReport, AppError, { mode: Mode; path?: string; file: File }>({
    mutationKey: ['importProjectText'],
    mutationFn: async (input) => (await api.call('importProjectText', input)).data,
    retry: false,
    onSuccess: (report) => {
      if (!report.applied || !report.project) return;
      close();
      if (report.mode === 'new') opened(report.project.name);
      else {
        notifyDone(t('text.added', { count: report.counts.channels }));
        void client.invalidateQueries({ queryKey: ['listChannels'] });
        void client.invalidateQueries({ queryKey: ['projectInfo'] });
      }
    },
  });
  return {
    file,
    tooLarge,
    report: applying.data && !applying.data.applied ? applying.data : (preview.data ?? null),
    isReading: preview.isPending,
    isApplying: applying.isPending,
    error: applying.error ?? preview.error,
    choose(chosen: File) {
      applying.reset();
      preview.reset();
      setFile(chosen);
      setTooLarge(chosen.size > LARGEST_PROJECT_TEXT);
      if (chosen.size <= LARGEST_PROJECT_TEXT) preview.mutate(chosen);
    },
    apply(mode: Mode, path: string) {
      if (file) applying.mutate({ mode, file, ...(mode === 'new' ? { path } : {}) });
    },
  };
}

type Reading = ReturnType<typeof useReadText>;

function Choose({ reading }: { readonly reading: Reading }) {
  const { t } = useTranslation('projects');
  return (
    <DropZone label={t('text.drop')} onFile={reading.choose}>
      {reading.isReading ? <Loader size="sm" /> : <Icon name="upload" size={28} />}
      <Text>{reading.isReading ? t('text.reading', { name: reading.file?.name ?? '' }) : t('text.drop')}</Text>
      <ChooseFile
        label={t('choose')}
        onFile={reading.choose}
        accept=".json"
        disabled={reading.isReading}
        data-autofocus
        data-testid="text-choose"
      />
      {reading.tooLarge ? (
        <Text c="red" role="alert">
          {t('text.tooLarge', { limit: formatBytes(LARGEST_PROJECT_TEXT) })}
        </Text>
      ) : null}
    </DropZone>
  );
}

function Issues({ label, issues, testId }: { readonly label: string; readonly issues: readonly Issue[]; readonly testId: string }) {
  const { t } = useTranslation('projects');
  if (issues.length === 0) return null;
  const columns: readonly SmallColumn<Issue>[] = [
    { id: 'path', name: t('text.place'), isRowHeader: true, cell: ({ path }) => <span className="lc-mono">{path || '–'}</span> },
    { id: 'what', name: t('text.what'), cell: (issue) => <Said message={issueMessage(issue)} text={issue.message} /> },
  ];
  return (
    <div className={classes.rows}>
      <SmallTable
        label={label}
        columns={columns}
        rows={issues.slice(0, MOST_ROWS)}
        keyOf={({ path, message }, index) => `${path} ${message} ${index}`}
        testId={testId}
      />
    </div>
  );
}

function Channels({ report, mode }: { readonly report: ProjectTextReport; readonly mode: Mode }) {
  const { t } = useTranslation('projects');
  const columns: readonly SmallColumn<ProjectTextReport['channels'][number]>[] = [
    { id: 'name', name: t('missing.channel'), isRowHeader: true, cell: ({ name }) => name },
    {
      id: 'protocol',
      name: t('text.protocol'),
      cell: ({ protocol_type }) => PROTOCOLS.find(({ type }) => type === protocol_type)?.name ?? protocol_type,
    },
    { id: 'points', name: t('text.points'), align: 'right', cell: ({ points }) => points },
    { id: 'state', name: null, cell: ({ is_taken }) => (is_taken && mode === 'add' ? t('text.taken') : null) },
  ];
  return (
    <div className={classes.rows}>
      <SmallTable
        label={t('text.channels')}
        columns={columns}
        rows={report.channels.slice(0, MOST_ROWS)}
        keyOf={({ name }) => name}
        testId="text-channels"
      />
    </div>
  );
}

function Preview({ reading, report }: { readonly reading: Reading; readonly report: ProjectTextReport }) {
  const { t } = useTranslation(['projects', 'app']);
  const folder = useOperation('recentProjects', {}).data?.folder ?? '';
  const taken = report.channels.filter(({ is_taken }) => is_taken).length;
  const [mode, setMode] = useState<Mode>(taken > 0 ? 'new' : 'add');
  const [text, setText] = useState('');
  const begin = inFolder(folder, `${(reading.file?.name ?? '').replace(/\.json$/i, '') || t('projects:newName')}.loopcheck`);
  const path = projectPath(text === '' ? begin : text, begin);
  const hasErrors = report.errors.length > 0;
  const isRefused = hasErrors || (mode === 'add' && taken > 0) || report.channels.length === 0;
  return (
    <Stack gap="sm">
      <Text fw={600} data-testid="text-counts">
        {t('projects:text.counts', { name: reading.file?.name ?? '', channels: report.counts.channels, points: report.counts.points })}
      </Text>
      {hasErrors ? (
        <Text c="red">{t('projects:text.errors', { count: report.counts.errors })}</Text>
      ) : (
        <Channels report={report} mode={mode} />
      )}
      <Issues label={t('projects:text.errorList')} issues={report.errors} testId="text-errors" />
      <Issues label={t('projects:text.warningList')} issues={report.warnings} testId="text-warnings" />
      {hasErrors ? null : (
        <>
          <SegmentedControl
            aria-label={t('projects:text.target')}
            value={mode}
            onChange={(value) => setMode(value === 'new' ? 'new' : 'add')}
            data={(['add', 'new'] as const).map((value) => ({ value, label: t(`projects:text.${value}`) }))}
          />
          {mode === 'new' ? (
            <>
              <TextInput
                label={t('projects:path')}
                description={t('projects:hint.new')}
                value={text === '' ? begin : text}
                onChange={(event) => setText(event.currentTarget.value)}
                styles={{ input: { fontFamily: 'var(--lc-mono)' } }}
                data-path="path"
              />
              <Stops kind="new" />
            </>
          ) : taken > 0 ? (
            <Text c="red">{t('projects:text.takenHint', { count: taken })}</Text>
          ) : null}
        </>
      )}
      <ErrorNotice error={reading.error} compact />
      <Group justify="flex-end" gap="xs">
        <ChooseFile label={t('projects:choose')} onFile={reading.choose} accept=".json" mr="auto" />
        <Button variant="default" onClick={close}>
          {t('app:action.cancel')}
        </Button>
        <Button disabled={isRefused} loading={reading.isApplying} onClick={() => reading.apply(mode, path)} data-testid="text-apply">
          {t(`projects:text.go.${mode}`)}
        </Button>
      </Group>
    </Stack>
  );
}

/** From a text to channels: choose a file, look at what it holds and what is wrong, then add it or make a new project of it. */
export default function TextDialog() {
  const { t } = useTranslation(['projects', 'app']);
  const reading = useReadText();
  return (
    <Modal
      {...guideTo('projects')}
      opened
      onClose={close}
      size={760}
      title={t('projects:text.read')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      closeOnClickOutside={false}
      data-testid="text-dialog"
    >
      {reading.report && !reading.isReading ? (
        <Preview key={`${reading.file?.name} ${reading.file?.lastModified}`} reading={reading} report={reading.report} />
      ) : (
        <Stack gap="sm">
          <Choose reading={reading} />
          <ErrorNotice error={reading.error} compact />
        </Stack>
      )}
    </Modal>
  );
}
