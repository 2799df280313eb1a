import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isSerial } from '#shared/domain/enums.ts';
import { PLAIN_NOTATION, slaveText } from '#shared/domain/notation.ts';
import { useAction } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { openChannelDialog } from '../channels/channel-dialog-store.ts';
import { useProtocol } from '../channels/protocol-facts.ts';
import { useChannels } from '../channels/use-channels.ts';
import { openFind } from '../find/find-store.ts';
import { guideTo } from '../guide/guide.ts';
import { JobProgress } from '../jobs/job-progress.tsx';
import { useJob } from '../jobs/use-job.ts';
import classes from './doctor.module.css';
import { closeDoctor } from './doctor-store.ts';
import { VerdictList } from './verdict-list.tsx';

interface ExaminationProps {
  readonly channel: Channel;
  /** Addresses it is about; empty: those of the point table. */
  readonly slaveIds: readonly number[];
  onClose(): void;
  /** Where the settings are changed; left out: in the dialog of the channel. */
  onEdit?(): void;
}

/** The examination of a channel: it begins when it is shown. */
export function Examination({ channel, slaveIds, onClose, onEdit }: ExaminationProps) {
  const { t } = useTranslation(['doctor', 'app']);
  const { job, isRunning, isKnown, error, cancel } = useJob('doctor', channel.id);
  const start = useAction('startDoctor', ['listJobs']);
  const protocol = useProtocol(channel.protocol_type);
  const notation = protocol?.notation ?? PLAIN_NOTATION;
  const hasSearch = protocol?.tools !== undefined;
  const examine = () => start.mutate({ channel_id: channel.id, ...(slaveIds.length > 0 ? { slave_ids: [...slaveIds] } : {}) });
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    examine();
  });
  // one that runs already is shown instead of a second one
  const refusal = start.error && !(start.error.code === 'STATE_CONFLICT' && isRunning) ? start.error : null;
  const search = () => {
    onClose();
    openFind({
      protocol_type: channel.protocol_type,
      com_port: isSerial(channel.conn_type) ? channel.com_port : null,
      ip: channel.ip,
      port: channel.port,
    });
  };
  const edit = () => {
    if (onEdit) {
      onEdit();
      return;
    }
    onClose();
    openChannelDialog({ kind: 'edit', channel });
  };
  return (
    <Stack gap="sm">
      {slaveIds.length > 0 ? (
        <Text size="sm" data-testid="doctor-preset">
          {t('doctor:preset', { addresses: slaveIds.map((slaveId) => slaveText(slaveId, notation)).join(', ') })}
        </Text>
      ) : null}
      <VerdictList job={start.isPending ? null : job} />
      <ErrorNotice error={refusal ?? error} />
      <div className={classes.progress}>{job ? <JobProgress job={job} onCancel={cancel} /> : null}</div>
      <Group justify="flex-end" gap="xs">
        {hasSearch ? (
          <Button variant="default" mr="auto" leftSection={<Icon name="search" size={14} />} disabled={isRunning} onClick={search}>
            {t('doctor:search')}
          </Button>
        ) : null}
        <Button variant="default" leftSection={<Icon name="edit" size={14} />} disabled={isRunning} onClick={edit}>
          {t('doctor:edit')}
        </Button>
        <Button variant="default" onClick={onClose} data-autofocus data-testid="doctor-close">
          {t('app:action.close')}
        </Button>
        <Button
          leftSection={<Icon name="reload" size={14} />}
          loading={isRunning || !isKnown || start.isPending}
          onClick={examine}
          data-testid="doctor-again"
        >
          {t('doctor:again')}
        </Button>
      </Group>
    </Stack>
  );
}

interface DoctorDialogProps {
  readonly channelId: number;
  readonly slaveIds: readonly number[];
}

/** The connection doctor of one channel. It begins when it is opened, and ends when it is closed. */
export default function DoctorDialog({ channelId, slaveIds }: DoctorDialogProps) {
  const { t } = useTranslation(['doctor', 'app']);
  const channels = useChannels();
  const channel = channels.data?.find((item) => item.id === channelId);
  const jobs = useJob('doctor', channelId);
  if (!channel) return null;
  const close = () => {
    if (jobs.isRunning) jobs.cancel();
    closeDoctor();
  };
  return (
    <Modal
      {...guideTo('doctor')}
      opened
      onClose={close}
      size={760}
      title={t('doctor:title', { name: channel.name })}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      data-testid="doctor-dialog"
    >
      <Examination key={`${channel.id} ${slaveIds.join()}`} channel={channel} slaveIds={slaveIds} onClose={close} />
    </Modal>
  );
}
