import { Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckSession } from '#shared/contract/check.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import { useChannels } from '../channels/use-channels.ts';
import classes from './check.module.css';
import { CheckForm } from './check-form.tsx';
import { showCheckDialog, useCheckScreen } from './check-store.ts';
import { ExportDialog } from './export-dialog.tsx';
import { LogoField } from './logo-field.tsx';
import { EMPTY_POINTS, type PointsDraft, readChannel, readPoints } from './points-draft.ts';
import { PointsFields } from './points-fields.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { StartDialog } from './start-dialog.tsx';

const close = () => showCheckDialog(null);
const COVER = ['project', 'site', 'customer', 'contractor', 'contractorSigner', 'customerSigner'] as const;

type Cover = Readonly<Record<string, string>>;

/** Fields of the first page: those that are there, and the usual ones. Empty ones are not kept. */
function CoverFields({ cover, onChange }: { readonly cover: Cover; onChange(cover: Cover): void }) {
  const { t } = useTranslation('check');
  return (
    <>
      <h3 className={classes.heading}>{t('form.cover')}</h3>
      {Object.entries(cover).map(([name, value]) => (
        <TextInput
          key={name}
          label={name}
          value={value}
          maxLength={500}
          onChange={(event) => onChange({ ...cover, [name]: event.currentTarget.value })}
        />
      ))}
    </>
  );
}

function useCover(present: Cover) {
  const { t } = useTranslation('check');
  const usual = Object.fromEntries(COVER.map((field) => [t(`form.coverFields.${field}`), '']));
  const [cover, setCover] = useState<Cover>({ ...(Object.keys(present).length === 0 ? usual : {}), ...present });
  const kept = Object.fromEntries(Object.entries(cover).filter(([, value]) => value.trim() !== ''));
  return { cover, setCover, kept };
}

/** The channel one came from, as a form names it; none where that was no channel or it is gone. */
function useCameFrom(): readonly string[] {
  const channels = useChannels().data ?? [];
  const from = useUiStore((state) => state.checkFrom);
  if (from === null) return [];
  const channel = from.channelId === null ? channels[0] : channels.find(({ id }) => id === from.channelId);
  return channel ? [String(channel.id)] : [];
}

/** Points as they are written; `channels`: those that stand there until somebody says otherwise. */
function useDraft(channels: readonly string[] = []) {
  const [changed, setChanged] = useState<Partial<PointsDraft>>({});
  const [isTried, setTried] = useState(false);
  const draft: PointsDraft = { ...EMPTY_POINTS, channels, ...changed };
  const { issues, input } = readPoints(draft);
  return {
    draft,
    input,
    issues: isTried ? issues : {},
    tried: () => setTried(true),
    change: (change: Partial<PointsDraft>) => setChanged((present) => ({ ...present, ...change })),
  };
}

type Added = { readonly added: number; readonly already: number };

/** Adds the points of each channel; those of the channels before stay where one is refused. */
async function addPoints(
  sessionId: number,
  { channels }: PointsDraft,
  input: NonNullable<ReturnType<typeof readPoints>['input']>,
): Promise<Added> {
  let [added, already] = [0, 0];
  for (const channel of channels) {
    const { data } = await api.call('addCheckItems', { session_id: sessionId, ...readChannel(channel), ...input });
    added += data.added;
    already += data.already;
  }
  return { added, already };
}

function useAdded() {
  const { t } = useTranslation('check');
  return ({ added, already }: Added) =>
    notifyDone([t('form.added', { count: added }), ...(already > 0 ? [t('form.already', { count: already })] : [])].join(' '));
}

function NewSession() {
  const { t } = useTranslation('check');
  const client = useQueryClient();
  const told = useAdded();
  const [name, setName] = useState('');
  const [isTried, setTried] = useState(false);
  const { cover, setCover, kept } = useCover({});
  const points = useDraft(useCameFrom());
  const isNamed = name.trim() !== '';
  const create = useMutation<number, AppError, NonNullable<typeof points.input>>({
    mutationFn: async (input) => {
      const { id } = (await api.call('addCheck', { name: name.trim(), cover: kept })).data;
      // the session is there: what is wrong with its points is told, and they are added from it
      await addPoints(id, points.draft, input).then(told, (thrown) => notifyError(toAppError(thrown)));
      return id;
    },
    onSuccess: (id) => {
      close();
      void client.invalidateQueries({ queryKey: ['listChecks'] });
      useUiStore.getState().showCheck(id);
    },
    retry: false,
  });
  return (
    <CheckForm
      title={t('form.newTitle')}
      testId="check-new"
      error={create.error}
      isPending={create.isPending}
      doWords={t('form.create')}
      onClose={close}
      onSubmit={() => {
        setTried(true);
        points.tried();
        if (isNamed && points.input) create.mutate(points.input);
      }}
    >
      <div className={classes.whole}>
        <TextInput
          label={t('form.name')}
          value={name}
          maxLength={200}
          error={isTried && !isNamed ? t('form.nameMissing') : null}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          data-path="name"
        />
      </div>
      <h3 className={classes.heading}>{t('form.points')}</h3>
      <PointsFields draft={points.draft} issues={points.issues} onChange={points.change} />
      <CoverFields cover={cover} onChange={setCover} />
    </CheckForm>
  );
}

function AddPoints({ sessionId }: { readonly sessionId: number }) {
  const { t } = useTranslation('check');
  const client = useQueryClient();
  const told = useAdded();
  const points = useDraft();
  const add = useMutation<Added, AppError, NonNullable<typeof points.input>>({
    mutationFn: (input) => addPoints(sessionId, points.draft, input),
    onSuccess: (added) => {
      told(added);
      close();
    },
    onSettled: () => Promise.all(['listChecks', 'checkItems', 'checkSummary'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
    retry: false,
  });
  return (
    <CheckForm
      title={t('form.addTitle')}
      testId="check-add"
      error={add.error}
      isPending={add.isPending}
      doWords={t('form.add')}
      onClose={close}
      onSubmit={() => {
        points.tried();
        if (points.input) add.mutate(points.input);
      }}
    >
      <PointsFields draft={points.draft} issues={points.issues} onChange={points.change} />
    </CheckForm>
  );
}

function EditSession({ session }: { readonly session: CheckSession }) {
  const { t } = useTranslation('check');
  const [name, setName] = useState(session.name);
  const { cover, setCover, kept } = useCover(session.cover);
  const save = useAction('editCheck', ['listChecks']);
  const isNamed = name.trim() !== '';
  return (
    <CheckForm
      title={t('form.editTitle')}
      testId="check-edit"
      error={save.error}
      isPending={save.isPending}
      doWords={t('form.save')}
      onClose={close}
      onSubmit={() => isNamed && save.mutate({ session_id: session.id, name: name.trim(), cover: kept }, { onSuccess: close })}
    >
      <div className={classes.whole}>
        <TextInput
          label={t('form.name')}
          value={name}
          maxLength={200}
          error={isNamed ? null : t('form.nameMissing')}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          data-path="name"
        />
      </div>
      <CoverFields cover={cover} onChange={setCover} />
      <LogoField session={session} />
    </CheckForm>
  );
}

function DeleteSession({ session }: { readonly session: CheckSession }) {
  const { t } = useTranslation('check');
  const remove = useAction('deleteCheck', ['listChecks']);
  const { name, items, id } = session;
  const done = () => {
    close();
    if (useUiStore.getState().check?.sessionId === id) useUiStore.getState().showCheck(null);
  };
  return (
    <ConfirmDialog
      opened
      danger
      title={t('deleteTitle')}
      confirmLabel={t('deleteDo', { name })}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ session_id: id }, { onSuccess: done })}
      onClose={close}
    >
      <Text>{t('deleteText', { name, count: items })}</Text>
    </ConfirmDialog>
  );
}

/** The dialogs of sessions; one is open at most. */
export function SessionDialogs() {
  const dialog = useCheckScreen((state) => state.dialog);
  const sessions = useOperation('listChecks', {}).data?.items ?? [];
  if (dialog === null) return null;
  if (dialog.kind === 'new') return <NewSession />;
  if (dialog.kind === 'file') return <RecordDialog onClose={close} />;
  if (dialog.kind === 'record') return <ExportDialog sessionId={dialog.sessionId} onClose={close} />;
  if (dialog.kind === 'add') return <AddPoints sessionId={dialog.sessionId} />;
  const session = sessions.find(({ id }) => id === dialog.sessionId);
  if (!session) return null;
  if (dialog.kind === 'start') return <StartDialog session={session} items={[]} onClose={close} />;
  return dialog.kind === 'edit' ? <EditSession session={session} /> : <DeleteSession session={session} />;
}
