import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PROJECT_ENDING } from '#shared/domain/projects.ts';
import { useOperation } from '../../api/hooks.ts';
import { ownWindow } from '../../api/service-place.ts';
import { ChooseFile } from '../../ui/drop-zone.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { isStarted } from '../channels/channel-text.ts';
import { useChannels } from '../channels/use-channels.ts';
import { guideTo } from '../guide/guide.ts';
import { projectPath } from './paths.ts';
import { type ProjectStep, showStep, useProjectsStore } from './projects-store.ts';
import { downloadProject, useProjectRun } from './use-projects.ts';

const close = () => showStep(null);

/** What stops when another project is opened, or the open one gets another name. */
export function Stops({ kind }: { readonly kind: ProjectStep }) {
  const { t } = useTranslation('projects');
  const running = (useChannels().data ?? []).filter(({ status }) => isStarted(status)).length;
  if (kind === 'copy' || running === 0) return null;
  return (
    <Alert color="amber" icon={<Icon name="warn" size={18} />}>
      {t(kind === 'rename' ? 'stopsForName' : 'stops', { count: running })}
    </Alert>
  );
}

interface StepFormProps {
  readonly kind: ProjectStep;
  readonly begin: string;
}

function StepForm({ kind, begin }: StepFormProps) {
  const { t } = useTranslation(['projects', 'app']);
  const present = useOperation('projectInfo', {}).data?.path ?? '';
  const [text, setText] = useState(begin);
  const action = useProjectRun();
  const isBrowser = ownWindow() === undefined;
  const path = projectPath(text, kind === 'new' ? begin : present);
  const choose = async () => {
    const chosen = await ownWindow()?.chooseProject({ kind: kind === 'open' ? 'open' : 'save', path });
    if (chosen) setText(chosen);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (path !== '') action.run(kind, path);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t('projects:path')}
          description={t(`projects:hint.${kind}`)}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--lc-mono)' } }}
          data-autofocus
          data-path="path"
        />
        {isBrowser ? <BrowserWay kind={kind} send={action.send} isPending={action.isPending} /> : null}
        <Stops kind={kind} />
        <ErrorNotice error={action.error} compact />
        <Group justify="flex-end" gap="xs">
          {isBrowser ? null : (
            <Button variant="default" mr="auto" onClick={() => void choose()}>
              {t('projects:choose')}
            </Button>
          )}
          <Button variant="default" onClick={close}>
            {t('app:action.cancel')}
          </Button>
          <Button type="submit" disabled={path === ''} loading={action.isPending} data-testid="project-go">
            {t(`projects:go.${kind}`)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface BrowserWayProps {
  readonly kind: ProjectStep;
  readonly isPending: boolean;
  send(file: File): void;
}

/** A browser shows files of its own computer, the service may run on another one: files go up and down. */
function BrowserWay({ kind, isPending, send }: BrowserWayProps) {
  const { t } = useTranslation('projects');
  if (kind === 'copy') {
    return (
      <Group gap="xs">
        <Text c="dimmed">{t('or')}</Text>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Icon name="download" size={14} />}
          onClick={() => void downloadProject().then(close)}
          data-testid="project-download"
        >
          {t('download')}
        </Button>
      </Group>
    );
  }
  if (kind !== 'open') return null;
  return (
    <Group gap="xs">
      <Text c="dimmed">{t('or')}</Text>
      <ChooseFile
        label={t('send')}
        onFile={send}
        accept={PROJECT_ENDING}
        size="compact-sm"
        leftSection={<Icon name="upload" size={14} />}
        loading={isPending}
        data-testid="project-send"
      />
    </Group>
  );
}

/** New, open, save a copy, rename: the path, what it means for what runs, and the answer. */
export default function ProjectDialog() {
  const { t } = useTranslation(['projects', 'app']);
  const step = useProjectsStore((state) => state.step);
  if (!step) return null;
  return (
    <Modal
      {...guideTo('projects')}
      opened
      onClose={close}
      size={600}
      title={t(`projects:title.${step.kind}`)}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      data-testid="project-dialog"
    >
      <StepForm key={`${step.kind} ${step.path}`} kind={step.kind} begin={step.path} />
    </Modal>
  );
}
