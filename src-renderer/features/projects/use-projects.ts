import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { ownWindow } from '../../api/service-place.ts';
import { openDialog } from '../../app/dialog-store.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { formatBytes } from '../../ui/format.ts';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';
import { isStarted } from '../channels/channel-text.ts';
import { useOfChannels } from '../channels/use-channels.ts';
import { usePointsStore } from '../points/points-store.ts';
import { useReadingStore } from '../reading/reading-store.ts';
import { copyPath, inFolder } from './paths.ts';
import { type ProjectStep, showStep, useProjectsStore } from './projects-store.ts';

/** Forgets what is kept by the ids of channels, which begin anew in another project. */
export function forgetByChannel(): void {
  useReadingStore.setState({ drafts: {} });
  usePointsStore.setState({ views: {} });
}

/** Call it when another project was opened: it lets go of everything that belongs to the one before, and shows the new one. */
export function useOpened() {
  const { t } = useTranslation('projects');
  const client = useQueryClient();
  return (name: string) => {
    notifyDone(t('opened', { name }));
    useUiStore.getState().selectChannel(null);
    openDialog(null);
    showStep(null);
    useProjectsStore.setState({ asksDemo: false });
    forgetByChannel();
    void client.resetQueries();
  };
}

export interface ProjectRun {
  readonly isPending: boolean;
  readonly error: AppError | null;
  run(kind: ProjectStep, path: string): void;
  /** Sends a file to the service, and opens it there. */
  send(file: File): void;
  reset(): void;
}

/** Carries out a step with a path. */
export function useProjectRun(): ProjectRun {
  const { t } = useTranslation('projects');
  const opened = useOpened();
  const open = useAction('openProject');
  const copy = useAction('backupProject');
  const rename = useAction('renameProject', ['serviceInfo', 'projectInfo', 'recentProjects', 'listChannels']);
  const upload = useAction('uploadProject', ['recentProjects']);
  const actions = [open, copy, rename, upload];
  return {
    isPending: actions.some(({ isPending }) => isPending),
    error: actions.find(({ error }) => error)?.error ?? null,
    run(kind, path) {
      for (const action of actions) action.reset();
      if (kind === 'copy') {
        copy.mutate(
          { path },
          {
            onSuccess: ({ data }) => {
              notifyDone(t('copied', { path: data.path, size: formatBytes(data.size_bytes) }));
              showStep(null);
            },
          },
        );
      } else if (kind === 'rename') {
        rename.mutate(
          { path },
          {
            onSuccess: ({ data }) => {
              notifyDone(t('renamed', { name: data.name }));
              showStep(null);
            },
          },
        );
      } else open.mutate({ path, create: kind === 'new' }, { onSuccess: ({ data }) => opened(data.name) });
    },
    send(file) {
      for (const action of actions) action.reset();
      upload.mutate(
        { file },
        { onSuccess: ({ data }) => open.mutate({ path: data.path }, { onSuccess: (answer) => opened(answer.data.name) }) },
      );
    },
    reset() {
      for (const action of actions) action.reset();
    },
  };
}

const isAnyStarted = (channels: readonly Channel[]) => channels.some(({ status }) => isStarted(status));

/** The steps as buttons, menus and commands begin them: with the file chooser of the system in the window, with a path in a browser. */
export function useProjectSteps() {
  const { t } = useTranslation('projects');
  const opened = useOpened();
  const project = useOperation('projectInfo', {}).data;
  const folder = useOperation('recentProjects', {}).data?.folder;
  const isBusy = useOfChannels(isAnyStarted).data ?? false;
  const open = useAction('openProject');
  const demo = useAction('openDemo');
  const forget = useAction('forgetProject', ['recentProjects']);

  const begin = async (kind: ProjectStep) => {
    const present = project?.path ?? '';
    const suggested = {
      new: folder === undefined ? '' : inFolder(folder, `${t('newName')}.loopcheck`),
      open: '',
      copy: copyPath(present, new Date()),
      rename: present,
    }[kind];
    const chooser = ownWindow();
    const path = chooser ? await chooser.chooseProject({ kind: kind === 'open' ? 'open' : 'save', path: suggested }) : suggested;
    if (path !== null) showStep({ kind, path });
  };
  const go = (path: string) => {
    // what runs would be stopped: that is asked first
    if (isBusy) showStep({ kind: 'open', path });
    else open.mutate({ path }, { onSuccess: ({ data }) => opened(data.name), onError: notifyError });
  };
  return {
    begin: (kind: ProjectStep) => void begin(kind).catch((thrown) => notifyError(toAppError(thrown))),
    /** Opens a project that is known by its path. */
    go,
    forget: (path: string) => forget.mutate({ path }, { onError: notifyError }),
    openDemo(isAsked = !isBusy) {
      if (!isAsked) useProjectsStore.setState({ asksDemo: true });
      else demo.mutate({}, { onSuccess: ({ data }) => opened(data.name), onError: notifyError });
    },
    isStartingDemo: demo.isPending,
    isOpening: open.isPending,
  };
}

/** Saves the open project as the browser saves files. */
export function downloadProject(): Promise<void> {
  return save(async () => (await api.call('downloadProject', {})).data);
}

/** Saves the text form of the open project, or of one channel. */
export function saveText(channelId?: number): Promise<void> {
  return save(async () => (await api.call('projectText', channelId === undefined ? {} : { channel_id: channelId })).data);
}

async function save(ask: () => Promise<DownloadedFile>): Promise<void> {
  try {
    saveFile(await ask());
  } catch (thrown) {
    notifyError(toAppError(thrown));
  }
}
