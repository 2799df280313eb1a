import { Button, Group, NumberInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceTemplate } from '#shared/contract/library.ts';
import { otherEnd, simulatedPort } from '#shared/domain/device-library.ts';
import { isSerial, isServing } from '#shared/domain/enums.ts';
import { freeName } from '#shared/domain/free-name.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { SerialPortField } from '../channels/serial-port-field.tsx';
import { useChannels } from '../channels/use-channels.ts';
import classes from './library.module.css';
import { useLibrary, useTemplateWords } from './use-library.ts';

/** The place of the new channel, as it is written; what is left empty is filled in by the service. */
interface Place {
  readonly name: string;
  readonly ip: string;
  readonly port: string | number;
  readonly comPort: string;
  readonly slave: string | number;
}

const NOWHERE: Place = { name: '', ip: '', port: '', comPort: '', slave: '' };

const given = (value: string) => (value.trim() === '' ? undefined : value.trim());
const number = (value: string | number) => (typeof value === 'number' ? value : undefined);

interface FieldsProps {
  readonly template: DeviceTemplate;
  readonly place: Place;
  readonly serves: boolean;
  onChange(place: Place): void;
}

function PlaceFields({ template, place, serves, onChange }: FieldsProps) {
  const { t } = useTranslation('library');
  const words = useTemplateWords();
  const set = (change: Partial<Place>) => onChange({ ...place, ...change });
  const usual = template.port ?? protocolFacts(template.protocol_type).defaultPort;
  return (
    <Stack gap="xs">
      <TextInput
        label={t('channelName')}
        placeholder={words(template).name}
        value={place.name}
        maxLength={100}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data-path="name"
      />
      {isSerial(template.conn_type) ? (
        <SerialPortField
          text={{ label: t('comPort'), hint: '' }}
          value={place.comPort}
          error={null}
          onChange={(comPort) => set({ comPort: String(comPort ?? '') })}
        />
      ) : (
        <Group grow gap="xs">
          <TextInput
            label={t('ip')}
            placeholder="127.0.0.1"
            value={place.ip}
            onChange={(event) => set({ ip: event.currentTarget.value })}
            data-path="ip"
          />
          <NumberInput
            label={t('port')}
            placeholder={String(serves ? simulatedPort(usual) : usual)}
            value={place.port}
            min={1}
            max={65_535}
            hideControls
            onChange={(port) => set({ port })}
            data-path="port"
          />
        </Group>
      )}
      {template.slaves.length === 1 ? (
        <NumberInput
          label={t('slave')}
          placeholder={String(template.slaves[0])}
          value={place.slave}
          min={0}
          max={999_999_999_999}
          hideControls
          onChange={(slave) => set({ slave })}
          data-path="slave_id"
        />
      ) : null}
    </Stack>
  );
}

/** One template: what it is, and the channel or the simulated device that is made of it. */
export function UseTemplate({ template }: { readonly template: DeviceTemplate }) {
  const { t } = useTranslation('library');
  const { name, about } = useTemplateWords()(template);
  const { use, remove, saveAsFile, made } = useLibrary();
  const asking = isServing(template.conn_type) ? otherEnd(template.conn_type) : template.conn_type;
  const [connType, setConnType] = useState(asking);
  const [place, setPlace] = useState(NOWHERE);
  const [isAsked, setIsAsked] = useState(false);
  const serves = isServing(connType);
  const taken = new Set(useChannels().data?.map((channel) => channel.name));
  const start = () =>
    use.mutate(
      {
        id: template.id,
        conn_type: connType,
        name: given(place.name) ?? freeName(name, taken),
        ip: given(place.ip),
        port: number(place.port),
        com_port: given(place.comPort),
        slave_id: number(place.slave),
      },
      { onSuccess: ({ data }) => made(data) },
    );
  return (
    <section className={classes.one} aria-label={name} data-testid="template">
      <h3 className={classes.title}>{name}</h3>
      {about === '' ? null : <Text size="sm">{about}</Text>}
      <Text size="xs" c="dimmed">
        {t('facts', { count: template.points, values: template.start_values, protocol: protocolFacts(template.protocol_type).name })}
      </Text>
      <SegmentedControl
        aria-label={t('as')}
        value={serves ? 'device' : 'channel'}
        onChange={(value) => setConnType(value === 'device' ? otherEnd(asking) : asking)}
        data={[
          { value: 'channel', label: t('asChannel') },
          { value: 'device', label: t('asDevice') },
        ]}
      />
      <Text size="xs" c="dimmed">
        {t(serves ? 'deviceHint' : 'channelHint')}
      </Text>
      <PlaceFields template={template} place={place} serves={serves} onChange={setPlace} />
      <ErrorNotice error={use.error} compact />
      <Group gap="xs" mt="auto">
        <Button leftSection={<Icon name="plus" size={14} />} loading={use.isPending} onClick={start} data-testid="template-use">
          {t(serves ? 'addDevice' : 'addChannel')}
        </Button>
        <Button variant="default" loading={saveAsFile.isPending} onClick={() => saveAsFile.mutate(template.id)} data-testid="template-file">
          {t('file')}
        </Button>
        {template.built_in ? null : (
          <Button variant="default" color="red" onClick={() => setIsAsked(true)} data-testid="template-delete">
            {t('delete')}
          </Button>
        )}
      </Group>
      <ConfirmDialog
        opened={isAsked}
        title={t('deleteTitle', { name })}
        confirmLabel={t('delete')}
        danger
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id: template.id }, { onSuccess: () => setIsAsked(false) })}
        onClose={() => setIsAsked(false)}
      >
        <Text size="sm">{t('deleteText')}</Text>
      </ConfirmDialog>
    </section>
  );
}
