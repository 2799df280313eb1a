import { Button, Loader, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { isSerial, isServing } from '#shared/domain/enums.ts';
import { useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { FormFrame } from '../../ui/form/form-frame.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useFocus } from '../../ui/use-focus.ts';
import { ConnectionSection, Identity, SettingSections } from '../channels/channel-form.tsx';
import { DeviceFileSection } from '../channels/device-file-section.tsx';
import { useChannelForm } from '../channels/use-channel-form.ts';
import { useChannelActions, useChannels } from '../channels/use-channels.ts';
import { Examination } from '../doctor/doctor-dialog.tsx';
import { openFind } from '../find/find-store.ts';
import { guideTo } from '../guide/guide.ts';
import { useJob } from '../jobs/use-job.ts';
import { openImport } from '../point-files/point-files-store.ts';
import classes from './projects.module.css';
import { showNewChannel } from './projects-store.ts';

type End = 'doctor' | 'table';

/** Fields of the first step; all others belong to the second. */
const PLACE_FIELDS: readonly string[] = [
  'name',
  'protocol_type',
  'conn_type',
  'ip',
  'port',
  'com_port',
  'baud_rate',
  'data_bits',
  'stop_bits',
  'parity',
];

function Steps({ now, end }: { readonly now: number; readonly end: End }) {
  const { t } = useTranslation('projects');
  return (
    <ol className={classes.steps}>
      {(['place', 'settings', end] as const).map((name, index) => (
        <li
          key={name}
          className={`${classes.step} ${index === now ? classes.stepNow : ''} ${index < now ? classes.stepDone : ''}`}
          {...(index === now ? { 'aria-current': 'step' as const } : {})}
        >
          {index + 1}. {t(`step.${name}`)}
        </li>
      ))}
    </ol>
  );
}

/** The third step: what the doctor says of the new channel; a served one is started, and waits for its clients. */
function Seen({ channel, onEdit, onClose }: { readonly channel: Channel; onEdit(): void; onClose(): void }) {
  const { t } = useTranslation('projects');
  const { start } = useChannelActions();
  const starting = useFocus<HTMLButtonElement>();
  const show = (starts: boolean) => {
    useUiStore.getState().selectChannel(channel.id);
    if (starts) start(channel.id);
    onClose();
  };
  return (
    <Stack gap="sm">
      {isServing(channel.conn_type) ? (
        <Text>{t('step.served', { name: channel.name })}</Text>
      ) : (
        <Examination channel={channel} slaveIds={[]} onClose={() => show(false)} onEdit={onEdit} />
      )}
      <Button
        ref={starting}
        ml="auto"
        leftSection={<Icon name="play" size={14} />}
        disabled={isSerial(channel.conn_type) && !channel.com_port}
        onClick={() => show(true)}
        data-testid="new-channel-start"
      >
        {t('step.start', { name: channel.name })}
      </Button>
    </Stack>
  );
}

/** Ref of the steps: with another step the keyboard is in its first field, so that Enter goes on; the dialog sees to the first step. */
function useStepFocus(step: number) {
  const frame = useRef<HTMLDivElement>(null);
  const before = useRef(step);
  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    frame.current?.querySelector<HTMLElement>('form input:not(:disabled)')?.focus();
  }, [step]);
  return frame;
}

interface StepsBodyProps {
  readonly end: End;
  readonly descriptors: readonly [ProtocolDescriptor, ...ProtocolDescriptor[]];
  readonly channelId: number | null;
  /** It begins with a file that describes the device. */
  readonly isOfFile: boolean;
  onAdded(id: number): void;
  onClose(): void;
}

function StepsBody({ end, descriptors, channelId, isOfFile, onAdded, onClose }: StepsBodyProps) {
  const { t } = useTranslation(['projects', 'app', 'tools']);
  const channel = useChannels().data?.find(({ id }) => id === channelId) ?? null;
  const [step, setStep] = useState(0);
  const saved = (data: Channel) => {
    onAdded(data.id);
    if (end === 'doctor') setStep(2);
    else {
      useUiStore.getState().selectChannel(data.id);
      useUiStore.getState().setTab('points');
      onClose();
      openImport(data.id);
    }
  };
  const initial = isOfFile ? descriptors.find(({ model }) => (model?.extensions.length ?? 0) > 0) : undefined;
  const state = useChannelForm(channel, descriptors, { onSaved: saved, initial });
  const isPlace = step === 0;
  const frame = useStepFocus(step);
  // what the service refuses of the first step is told there
  const isPlaceWrong = PLACE_FIELDS.some((path) => state.form.errorOf(path) !== null);
  useEffect(() => {
    if (isPlaceWrong) setStep((now) => (now === 1 ? 0 : now));
  }, [isPlaceWrong]);
  const submit = () => {
    if (!isPlace) state.submit(false);
    else if (state.checkStep((path) => PLACE_FIELDS.includes(path))) setStep(1);
  };
  const search = () => {
    onClose();
    const ip = String(state.form.valueOf('ip') ?? '');
    const port = Number(state.form.valueOf('port')) || state.descriptor.default_port;
    const com = isSerial(state.connType) ? String(state.form.valueOf('com_port') ?? '') : null;
    openFind({ protocol_type: state.descriptor.protocol_type, com_port: com, ip, port });
  };
  const footer = (
    <>
      {isPlace && state.descriptor.tools ? (
        <Button variant="subtle" mr="auto" leftSection={<Icon name="search" size={14} />} onClick={search}>
          {t('tools:find.open')}
        </Button>
      ) : null}
      <Button variant="default" onClick={isPlace ? onClose : () => setStep(0)} data-testid="new-channel-back">
        {isPlace ? t('app:action.cancel') : t('projects:step.back')}
      </Button>
      <Button type="submit" loading={state.isPending} data-testid="new-channel-next">
        {isPlace ? t('projects:step.next') : t(end === 'doctor' ? 'projects:step.addAndLook' : 'projects:step.addAndImport')}
      </Button>
    </>
  );
  return (
    <div ref={frame}>
      <Steps now={step} end={end} />
      {step === 2 ? (
        channel ? (
          <Seen channel={channel} onEdit={() => setStep(1)} onClose={onClose} />
        ) : (
          <Loader size="sm" />
        )
      ) : (
        <FormFrame key={step} form={state.form} testId="new-channel-form" error={state.error} footer={footer} onSubmit={submit}>
          {isPlace ? (
            <>
              <Identity state={state} descriptors={descriptors} />
              <DeviceFileSection state={state} isOpenAtFirst={isOfFile} />
              <ConnectionSection state={state} />
            </>
          ) : (
            <SettingSections state={state} />
          )}
        </FormFrame>
      )}
    </div>
  );
}

/** A new channel in three steps: protocol and place, settings, and what the doctor sees; or its point table in place of the doctor. */
export default function NewChannel({ end, isOfFile }: { readonly end: End; readonly isOfFile: boolean }) {
  const { t } = useTranslation(['projects', 'app', 'channels']);
  const protocols = useOperation('listProtocols', {});
  const [channelId, setChannelId] = useState<number | null>(null);
  const job = useJob('doctor', channelId ?? 0);
  const [first, ...others] = protocols.data ?? [];
  const close = () => {
    if (channelId !== null && job.isRunning) job.cancel();
    if (channelId !== null) useUiStore.getState().selectChannel(channelId);
    showNewChannel(null);
  };
  return (
    <Modal
      {...guideTo('projects')}
      opened
      onClose={close}
      size={760}
      title={t('projects:step.title')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      closeOnClickOutside={false}
      data-testid="new-channel"
    >
      {first ? (
        <StepsBody
          end={end}
          descriptors={[first, ...others]}
          channelId={channelId}
          isOfFile={isOfFile}
          onAdded={setChannelId}
          onClose={close}
        />
      ) : protocols.error ? (
        <ErrorNotice error={protocols.error} />
      ) : (
        <Loader size="sm" />
      )}
    </Modal>
  );
}
