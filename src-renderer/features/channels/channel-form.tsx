import { Alert, Button, Checkbox, Group, Loader, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { isSerial, isServing } from '#shared/domain/enums.ts';
import { useOperation } from '../../api/hooks.ts';
import { channels as words } from '../../i18n/en/channels.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { FormFrame } from '../../ui/form/form-frame.tsx';
import { FoldedSection, FormSection } from '../../ui/form/form-section.tsx';
import type { FieldSpec } from '../../ui/form/schema-field.ts';
import { type FieldWidth, SchemaFields } from '../../ui/form/schema-fields.tsx';
import { Icon } from '../../ui/icons.tsx';
import { openFind } from '../find/find-store.ts';
import { closeChannelDialog } from './channel-dialog-store.ts';
import { changedCount, changeProtocol, groupsOf } from './channel-form-model.ts';
import { roleOf } from './channel-text.ts';
import { DeviceFileSection } from './device-file-section.tsx';
import { SerialPortField } from './serial-port-field.tsx';
import { type ChannelFormState, useChannelForm } from './use-channel-form.ts';
import { useChannels } from './use-channels.ts';

const WIDTHS: Readonly<Record<string, FieldWidth>> = {
  com_port: 'half',
  baud_rate: 'half',
  data_bits: 'third',
  stop_bits: 'third',
  parity: 'third',
  timeout_ms: 'third',
  retries: 'third',
  request_gap_ms: 'third',
  max_gap: 'third',
  address_base: 'third',
  group: 'full',
  auto_reconnect: 'third',
  auto_start: 'third',
  read_only: 'third',
  remote_ap_title: 'half',
  remote_ae_qualifier: 'half',
  local_ap_title: 'half',
  local_ae_qualifier: 'half',
};

const isNamed = (section: string): section is keyof typeof words.form.section => section in words.form.section;

interface ProtocolGroupProps {
  readonly state: ChannelFormState;
  readonly section: string;
  readonly specs: readonly FieldSpec[];
}

/** Settings that most leave as they are, out of sight until somebody has changed one or opens them. */
function ProtocolGroup({ state, section, specs }: ProtocolGroupProps) {
  const { t } = useTranslation('channels');
  const { form } = state;
  const changed = changedCount(form.valueOf('protocol'), specs);
  const widths: Readonly<Record<string, FieldWidth>> = {
    ...Object.fromEntries(specs.map(({ key, maxLength }): [string, FieldWidth] => [key, (maxLength ?? 0) > 1000 ? 'full' : 'third'])),
    ...WIDTHS,
  };
  return (
    <FoldedSection
      title={isNamed(section) ? t(`form.section.${section}`) : section}
      summary={changed > 0 ? t('form.changed', { count: changed }) : t('form.asDefault')}
      isOpenAtFirst={changed > 0}
      isHeldOpen={specs.some(({ key }) => form.errorOf(`protocol.${key}`) !== null)}
      testId={`section-${section}`}
    >
      <SchemaFields form={form} specs={specs} prefix="protocol." widths={widths} />
    </FoldedSection>
  );
}

interface IdentityProps {
  readonly state: ChannelFormState;
  readonly descriptors: readonly ProtocolDescriptor[];
}

/** Name, protocol and kind of connection. */
export function Identity({ state, descriptors }: IdentityProps) {
  const { t } = useTranslation('fields');
  const { form, descriptor, connType } = state;
  const choose = (value: string | null) => {
    const next = descriptors.find((item) => String(item.protocol_type) === value);
    if (!next) return;
    form.setAll(changeProtocol(form.values, descriptor, next));
    state.deviceFile?.forget();
  };
  return (
    <Group grow align="flex-start" gap="sm" preventGrowOverflow={false}>
      <TextInput
        label={t('name')}
        value={String(form.valueOf('name') ?? '')}
        onChange={(event) => form.set('name', event.currentTarget.value)}
        error={form.errorOf('name')}
        withAsterisk
        data-autofocus
        data-path="name"
      />
      <Select
        label={t('protocol_type')}
        data={descriptors.map((item) => ({ value: String(item.protocol_type), label: item.name }))}
        value={String(descriptor.protocol_type)}
        onChange={choose}
        allowDeselect={false}
        error={form.errorOf('protocol_type')}
        data-path="protocol_type"
      />
      <Select
        label={t('conn_type')}
        data={descriptor.conn_types.map((item) => ({ value: String(item), label: t(`connOf.${roleOf(item)}`) }))}
        value={String(connType)}
        onChange={(value) => value !== null && form.set('conn_type', Number(value))}
        allowDeselect={false}
        error={form.errorOf('conn_type')}
        data-path="conn_type"
      />
    </Group>
  );
}

/** Where the channel connects to, or listens at. */
export function ConnectionSection({ state }: { readonly state: ChannelFormState }) {
  const { t } = useTranslation(['channels', 'fields']);
  const { form, sections, connType } = state;
  const parityLabel = (value: string | number | boolean) => {
    return value === 'N' || value === 'E' || value === 'O' ? t(`fields:parityOf.${value}`) : String(value);
  };
  const ipText = isServing(connType) ? { ip: { hint: t('fields:hint.ipServer') } } : {};
  return (
    <FormSection title={t('channels:form.connection')}>
      <SchemaFields
        form={form}
        specs={sections.connection}
        widths={WIDTHS}
        custom={{ com_port: (props) => <SerialPortField {...props} /> }}
        texts={{ ...ipText, parity: { choiceLabel: parityLabel } }}
      />
    </FormSection>
  );
}

/** How the channel talks: what most leave as it is. */
export function SettingSections({ state }: { readonly state: ChannelFormState }) {
  const { t } = useTranslation('channels');
  const { form, sections, descriptor, connType } = state;
  const channels = useChannels().data ?? [];
  const groups = [...new Set(channels.flatMap(({ group }) => (group === '' ? [] : [group])))];
  return (
    <>
      {sections.behaviour.length > 0 ? (
        <FormSection title={t('form.behaviour')}>
          <SchemaFields form={form} specs={sections.behaviour} widths={WIDTHS} />
        </FormSection>
      ) : null}
      {groupsOf(sections.protocol).map(({ section, specs }) =>
        section === null ? (
          <FormSection key="" title={t('form.protocolSettings', { protocol: descriptor.name })}>
            <SchemaFields form={form} specs={specs} prefix="protocol." />
          </FormSection>
        ) : (
          <ProtocolGroup key={`${descriptor.protocol_type} ${connType} ${section}`} state={state} section={section} specs={specs} />
        ),
      )}
      <FormSection title={t('form.general')}>
        <SchemaFields form={form} specs={sections.general} widths={WIDTHS} texts={{ group: { suggestions: groups } }} />
      </FormSection>
    </>
  );
}

interface FormBodyProps {
  readonly channel: Channel | null;
  readonly descriptors: readonly [ProtocolDescriptor, ...ProtocolDescriptor[]];
  /** Describes the device of a new channel; null: it begins without. */
  readonly file: File | null;
}

function FormBody({ channel, descriptors, file }: FormBodyProps) {
  const { t } = useTranslation(['channels', 'app', 'tools']);
  const initial = file ? descriptors.find(({ model }) => (model?.extensions.length ?? 0) > 0) : undefined;
  const state = useChannelForm(channel, descriptors, { initial });
  const [startAfter, setStartAfter] = useState(true);
  const search = () => {
    closeChannelDialog();
    const { descriptor, connType, form } = state;
    const line = isSerial(connType) ? { com_port: String(form.valueOf('com_port') ?? '') } : { com_port: null };
    const port = Number(form.valueOf('port')) || descriptor.default_port;
    openFind({ protocol_type: descriptor.protocol_type, ...line, ip: String(form.valueOf('ip') ?? ''), port });
  };
  const footer = (
    <>
      {channel ? null : (
        <Checkbox
          mr="auto"
          label={t('channels:form.startAfter')}
          checked={startAfter}
          onChange={(event) => setStartAfter(event.currentTarget.checked)}
        />
      )}
      {channel || !state.descriptor.tools ? null : (
        <Button variant="subtle" leftSection={<Icon name="search" size={14} />} onClick={search} data-testid="open-find">
          {t('tools:find.open')}
        </Button>
      )}
      <Button variant="default" onClick={closeChannelDialog}>
        {t('app:action.cancel')}
      </Button>
      <Button type="submit" loading={state.isPending} data-testid="save-channel">
        {channel ? t('app:action.save') : t('app:action.add')}
      </Button>
    </>
  );
  return (
    <FormFrame
      form={state.form}
      testId="channel-form"
      error={state.error}
      footer={footer}
      onSubmit={() => state.submit(startAfter && !isSerialWithoutPort(state))}
    >
      <Identity state={state} descriptors={descriptors} />
      <DeviceFileSection state={state} given={file} />
      <ConnectionSection state={state} />
      <SettingSections state={state} />
      {state.rebuilds ? (
        <Alert color="amber" icon={<Icon name="warn" size={18} />}>
          {t('channels:form.rebuild')}
        </Alert>
      ) : null}
    </FormFrame>
  );
}

/** A serial channel without a port can be stored, not started. */
function isSerialWithoutPort(state: ChannelFormState): boolean {
  return isSerial(state.connType) && !state.form.valueOf('com_port');
}

/** The form of a channel, built from what the chosen protocol says about itself. `channel` null adds a new one, for a device of `file` where there is one. */
export default function ChannelForm({ channel, file }: { readonly channel: Channel | null; readonly file: File | null }) {
  const { t } = useTranslation('channels');
  const protocols = useOperation('listProtocols', {});
  if (!protocols.data) return protocols.error ? <ErrorNotice error={protocols.error} /> : <Loader size="sm" />;
  const [first, ...others] = protocols.data;
  if (!first) return <Text>{t('form.noProtocols')}</Text>;
  return <FormBody channel={channel} descriptors={[first, ...others]} file={file} />;
}
