import { useTranslation } from 'react-i18next';
import { AddChannelBody, type Channel, type ProtocolDescriptor, UpdateChannelBody } from '#shared/contract/channels.ts';
import type { ConnType } from '#shared/domain/enums.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { useAction } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { checkField, issueText, serviceIssues, unplacedError } from '../../ui/form/issues.ts';
import { type RecordForm, useRecordForm, valueAt } from '../../ui/form/record-form.ts';
import { notifyDone, notifyError } from '../../ui/notify.ts';
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

/** State and saving of the channel form. `channel` null adds a new one. `onSaved`: what happens then, in place of closing the dialog and starting the channel. */
export function useChannelForm(
  channel: Channel | null,
  descriptors: readonly [ProtocolDescriptor, ...ProtocolDescriptor[]],
  onSaved?: (channel: Channel) => void,
): ChannelFormState {
  const { t } = useTranslation('channels');
  const form = useRecordForm(channel ? channelValues(channel) : newChannelValues(descriptors[0]));
  const add = useAction('addChannel', ['listChannels', 'projectInfo']);
  const update = useAction('updateChannel', ['listChannels']);
  const start = useAction('startDevice', ['listChannels']);
  const selectChannel = useUiStore((state) => state.selectChannel);
  const check = useChannelCheck(channel);
  const descriptor = descriptors.find((item) => item.protocol_type === form.values.protocol_type) ?? descriptors[0];
  const connType = descriptor.conn_types.find((item) => item === form.values.conn_type) ?? descriptor.conn_types[0] ?? 2;
  const sections = sectionsFor(descriptor, connType);
  const input = toChannelInput(form.values, sections);
  const onError = (error: AppError) => form.setErrors(serviceIssues(error));

  const submitNew = (startAfter: boolean) =>
    add.mutate(AddChannelBody.parse(input), {
      onError,
      onSuccess: ({ data }) => {
        notifyDone(t('form.added', { name: data.name }));
        if (onSaved) {
          onSaved(data);
          return;
        }
        selectChannel(data.id);
        closeChannelDialog();
        // The dialog is gone when the start fails: only the promise still tells.
        if (startAfter) start.mutateAsync({ channel_id: data.id }).catch((error: unknown) => notifyError(toAppError(error)));
      },
    });
  const submitChanges = (existing: Channel) => {
    const changes = UpdateChannelBody.parse({ ...changedSettings(existing, input), channel_id: existing.id });
    update.mutate(changes, { onError, onSuccess: ({ data }) => (onSaved ?? closeChannelDialog)(data) });
  };
  return {
    form,
    descriptor,
    connType,
    sections,
    rebuilds: channel !== null && wouldRebuild(channel, changedSettings(channel, input)),
    isPending: add.isPending || update.isPending,
    error: unplacedError(add.error ?? update.error, channelPaths(sections)),
    submit: (startAfter) => {
      const errors = check(input, sections);
      form.setErrors(errors);
      if (Object.keys(errors).length > 0) return;
      if (channel) submitChanges(channel);
      else submitNew(startAfter);
    },
    checkStep(isOfStep) {
      const errors = Object.fromEntries(Object.entries(check(input, sections)).filter(([path]) => isOfStep(path)));
      form.setErrors(errors);
      return Object.keys(errors).length === 0;
    },
  };
}
