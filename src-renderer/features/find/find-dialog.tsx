import { Alert, Button, Checkbox, Group, Loader, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { FindJob } from '#shared/contract/jobs.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatDuration } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import { useChannels } from '../channels/use-channels.ts';
import { guideTo } from '../guide/guide.ts';
import { JobProgress } from '../jobs/job-progress.tsx';
import { useJob } from '../jobs/use-job.ts';
import classes from './find.module.css';
import { FindFields } from './find-fields.tsx';
import { channelToAdd, initialForm, toFindInput } from './find-model.ts';
import { closeFind, type FindPreset } from './find-store.ts';
import { FoundNotes, FoundTable } from './found-table.tsx';

/** Makes the channel that talks to what was found, with points where they are wanted, and shows it. */
function useMakeChannel(onDone: () => void) {
  const { t } = useTranslation('tools');
  const channels = useChannels();
  const add = useAction('addChannel', ['listChannels', 'projectInfo']);
  const addPoints = useAction('addPoints', ['pointTable', 'listChannels', 'projectInfo']);
  const selectChannel = useUiStore((state) => state.selectChannel);
  const show = (id: number, name: string) => {
    selectChannel(id);
    notifyDone(t('find.made', { name }));
    onDone();
  };
  const make = (job: FindJob, withPoints: boolean) => {
    const input = channelToAdd(job, channels.data ?? []);
    if (!input) return;
    add.mutate(input, {
      onError: notifyError,
      onSuccess: ({ data }) => {
        if (!withPoints || job.points.length === 0) {
          show(data.id, data.name);
          return;
        }
        const points = { channel_id: data.id, points: job.points };
        addPoints.mutate(points, { onError: notifyError, onSuccess: () => show(data.id, data.name) });
      },
    });
  };
  return { make, isPending: add.isPending || addPoints.isPending };
}

interface SearchProps {
  readonly descriptors: readonly ProtocolDescriptor[];
  readonly preset: FindPreset;
  onClose(): void;
}

function Search({ descriptors, preset, onClose }: SearchProps) {
  const { t } = useTranslation(['tools', 'app']);
  const [form, setForm] = useState(() => initialForm(descriptors, preset));
  const { job, isRunning, isKnown, error, cancel } = useJob('find', null);
  const start = useAction('startFind', ['listJobs']);
  const channel = useMakeChannel(onClose);
  const [withPoints, setWithPoints] = useState(true);
  const input = toFindInput(form);
  const failure = start.error ?? error;
  return (
    <Stack gap="sm" className={classes.search}>
      <FindFields form={form} descriptors={descriptors} disabled={isRunning} onChange={setForm} />
      <div className={classes.result}>
        <ErrorNotice error={failure} />
        {job ? (
          <>
            <JobProgress job={job} remark={t('tools:find.atMost', { time: formatDuration(job.predicted_ms) })} onCancel={cancel} />
            <FoundTable job={job} />
            <FoundNotes job={job} />
          </>
        ) : failure ? null : (
          <Alert icon={<Icon name="info" size={18} />}>{t(form.hasWildcards ? 'tools:find.hintMeters' : 'tools:find.hint')}</Alert>
        )}
      </div>
      <Group justify="flex-end" gap="xs">
        {job?.channel && job.points.length > 0 ? (
          <Checkbox
            label={t('tools:find.withPoints', { count: job.points.length })}
            checked={withPoints}
            onChange={(event) => setWithPoints(event.currentTarget.checked)}
            mr="auto"
            data-testid="find-with-points"
          />
        ) : null}
        <Button variant="default" onClick={onClose} data-testid="find-close">
          {t('app:action.close')}
        </Button>
        <Button
          variant={job?.channel ? 'default' : 'filled'}
          leftSection={<Icon name="search" size={14} />}
          disabled={!input}
          loading={isRunning || !isKnown || start.isPending}
          onClick={() => input && start.mutate(input)}
          data-testid="find-start"
        >
          {t('tools:find.start')}
        </Button>
        <Button
          leftSection={<Icon name="plus" size={14} />}
          disabled={!job?.channel}
          loading={channel.isPending}
          onClick={() => job && channel.make(job, withPoints)}
          data-testid="find-make"
        >
          {t('tools:find.make')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The search of a serial line or TCP address for devices. A search ends when it is cancelled or the dialog is closed. */
export default function FindDialog({ preset }: { readonly preset: FindPreset }) {
  const { t } = useTranslation(['tools', 'app']);
  const protocols = useOperation('listProtocols', {});
  const { isRunning, cancel } = useJob('find', null);
  const close = () => {
    if (isRunning) cancel();
    closeFind();
  };
  return (
    <Modal
      {...guideTo('doctor')}
      opened
      onClose={close}
      size={820}
      title={t('tools:find.title')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      data-testid="find-dialog"
    >
      {protocols.data ? (
        <Search descriptors={protocols.data} preset={preset} onClose={close} />
      ) : protocols.error ? (
        <ErrorNotice error={protocols.error} />
      ) : (
        <Loader size="sm" />
      )}
    </Modal>
  );
}
