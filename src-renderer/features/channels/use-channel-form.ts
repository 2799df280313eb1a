import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddChannelBody, type Channel, type ProtocolDescriptor, UpdateChannelBody } from '#shared/contract/channels.ts';
import type { ConnType } from '#shared/domain/enums.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { useAction } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { checkField, issueText, serviceIssues, unplacedError } from '../../ui/form/issues.ts';
import { type RecordForm, useRecordForm, valueAt } from '../../ui/form/record-form.ts';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import type { TakenDevice } from '../device-file/device-file-dialog.tsx';
import { closeChannelDialog } from './channel-dialog-store.ts';
import {
  type ChannelFormSections,
  changedSettings,
  channelPaths,
  channelSpec,
  channelValues,
  newChannelValues,
  sectionsFor,
  toChannelInput,
  wouldRebuild,
} from './channel-form-model.ts';
import { useChannels } from './use-channels.ts';
import { withDevice, withoutDevice } from './values-of-file.ts';

export interface ChannelFormState {
  readonly form: RecordForm;
  readonly descriptor: ProtocolDescriptor;
  readonly connType: ConnType;
  readonly sections: ChannelFormSections;
  /** Saving closes and reopens the line of a started channel. */
  readonly rebuilds: boolean;
  readonly isPending: boolean;
  readonly error: AppError | null;
  submit(startAfter: boolean): void;
  /** Checks the fields of a step; true when they are right. The wrong ones say so. */
  checkStep(isOfStep: (path: string) => boolean): boolean;
  /** The file that a new channel is filled in from, and that goes with it; null for a channel that is there. */
  readonly deviceFile: {
    readonly taken: TakenDevice | null;
    take(device: TakenDevice): void;
    /** Without the file, and without what it filled in. */
    drop(): void;
    /** Without the file: it lies with the channel, or another protocol was chosen. */
    forget(): void;
  } | null;
}

export interface ChannelFormOptions {
  /** What happens when all is saved, in place of closing the dialog and starting the channel. */
  onSaved?(channel: Channel): void;
  /** Protocol of a new channel; the first one by default. */
  readonly initial?: ProtocolDescriptor | undefined;
}

/** Field errors of the form, in the reader's language, from the contract and the protocol's own schema. */
function useChannelCheck(existing: Channel | null) {
  const { t } = useTranslation('fields');
  const { t: tChannels } = useTranslation('channels');
  const channels = useChannels();
  return (input: Record<string, unknown>, sections: ChannelFormSections): Record<string, string> => {
    const parsed = AddChannelBody.safeParse(input);
    const errors: Record<string, string> = {};
    for (const issue of parsed.error?.issues ?? []) {
      const path = issue.path.join('.');
      errors[path] ??= issueText(t, issue, channelSpec(path), valueAt(input, path));
    }
    for (const spec of [...sections.connection, ...sections.behaviour]) {
      const text = checkField(t, spec, input[spec.key]);
      if (text) errors[spec.key] ??= text;
    }
    for (const spec of sections.protocol) {
      const path = `protocol.${spec.key}`;
      const text = checkField(t, spec, valueAt(input, path));
      if (text) errors[path] = text;
    }
    const name = String(input.name ?? '').trim();
    if (channels.data?.some((channel) => channel.name === name && channel.id !== existing?.id)) errors.name = tChannels('form.nameTaken');
    return errors;
  };
}

/** The device of a file that fills in the form of a new channel. */
function useTakenDevice(form: RecordForm, descriptor: ProtocolDescriptor, connType: ConnType) {
  const [taken, setTaken] = useState<TakenDevice | null>(null);
  const names = new Set(useChannels().data?.map(({ name }) => name));
  return {
    taken,
    take(device: TakenDevice) {
      form.setAll(withDevice(form.values, { descriptor, connType }, device, taken, names));
      form.setErrors({});
      setTaken(device);
    },
    drop() {
      if (taken) form.setAll(withoutDevice(form.values, descriptor, taken));
      setTaken(null);
    },
    forget: () => setTaken(null),
  };
}

const DOCUMENT_QUERIES = ['listChannels', 'deviceModel', 'modelNodes', 'modelDifferences', 'iec61850TreeData'] as const;

/** State and saving of the channel form. `channel` null adds a new one. */
export function useChannelForm(
  channel: Channel | null,
  descriptors: readonly [ProtocolDescriptor, ...ProtocolDescriptor[]],
  { onSaved, initial }: ChannelFormOptions = {},
): ChannelFormState {
  const { t } = useTranslation('channels');
  // a channel that was added, and whose file was not taken: it is not added once more
  const [added, setAdded] = useState<Channel | null>(null);
  const existing = channel ?? added;
  const form = useRecordForm(channel ? channelValues(channel) : newChannelValues(initial ?? descriptors[0]));
  const add = useAction('addChannel', ['listChannels', 'projectInfo']);
  const update = useAction('updateChannel', ['listChannels']);
  const keep = useAction('storeDocument', DOCUMENT_QUERIES);
  const start = useAction('startDevice', ['listChannels']);
  const selectChannel = useUiStore((state) => state.selectChannel);
  const check = useChannelCheck(existing);
  const descriptor = descriptors.find((item) => item.protocol_type === form.values.protocol_type) ?? descriptors[0];
  const connType = descriptor.conn_types.find((item) => item === form.values.conn_type) ?? descriptor.conn_types[0] ?? 2;
  const sections = sectionsFor(descriptor, connType);
  const input = toChannelInput(form.values, sections);
  const device = useTakenDevice(form, descriptor, connType);
  const onError = (error: AppError) => form.setErrors(serviceIssues(error));

  /** Puts the file to the channel; device and address are in the settings already, with what somebody changed in them. */
  const keepFile = (saved: Channel, onDone: () => void) => {
    if (!device.taken || !descriptor.model) return onDone();
    const { file } = device.taken;
    keep.mutate(
      { channel_id: saved.id, mode: 'store', file },
      {
        onSuccess: () => {
          device.forget();
          onDone();
        },
      },
    );
  };
  const submitNew = (startAfter: boolean) =>
    add.mutate(AddChannelBody.parse(input), {
      onError,
      onSuccess: ({ data }) => {
        notifyDone(t('form.added', { name: data.name }));
        setAdded(data);
        keepFile(data, () => finishNew(data, startAfter));
      },
    });
  const finishNew = (saved: Channel, startAfter: boolean) => {
    if (onSaved) return onSaved(saved);
    selectChannel(saved.id);
    closeChannelDialog();
    // The dialog is gone when the start fails: only the promise still tells.
    if (startAfter) start.mutateAsync({ channel_id: saved.id }).catch((error: unknown) => notifyError(toAppError(error)));
  };
  const submitChanges = (saved: Channel, startAfter: boolean) => {
    const changes = UpdateChannelBody.parse({ ...changedSettings(saved, input), channel_id: saved.id });
    const done = (data: Channel) => (channel ? (onSaved ?? closeChannelDialog)(data) : finishNew(data, startAfter));
    update.mutate(changes, { onError, onSuccess: ({ data }) => keepFile(data, () => done(data)) });
  };
  return {
    form,
    descriptor,
    connType,
    sections,
    rebuilds: channel !== null && wouldRebuild(channel, changedSettings(channel, input)),
    isPending: add.isPending || update.isPending || keep.isPending,
    error: unplacedError(add.error ?? update.error, channelPaths(sections)) ?? keep.error,
    submit: (startAfter) => {
      const errors = check(input, sections);
      form.setErrors(errors);
      if (Object.keys(errors).length > 0) return;
      if (existing) submitChanges(existing, startAfter);
      else submitNew(startAfter);
    },
    checkStep(isOfStep) {
      const errors = Object.fromEntries(Object.entries(check(input, sections)).filter(([path]) => isOfStep(path)));
      form.setErrors(errors);
      return Object.keys(errors).length === 0;
    },
    deviceFile: channel ? null : device,
  };
}
