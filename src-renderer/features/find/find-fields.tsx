import { Chip, Group, Input, MultiSelect, NumberInput, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import { SerialPortField } from '../channels/serial-port-field.tsx';
import { BAUD_RATES, type FindForm, FORMATS, type Medium, searchable, withProtocol } from './find-model.ts';

interface FindFieldsProps {
  readonly form: FindForm;
  readonly descriptors: readonly ProtocolDescriptor[];
  readonly disabled: boolean;
  onChange(form: FindForm): void;
}

function SerialFields({ form, onChange }: Pick<FindFieldsProps, 'form' | 'onChange'>) {
  const { t } = useTranslation(['tools', 'fields']);
  return (
    <>
      <MultiSelect
        label={t('tools:find.baudRates')}
        data={BAUD_RATES}
        value={[...form.baudRates]}
        onChange={(baudRates) => onChange({ ...form, baudRates })}
        size="xs"
        data-path="baud_rates"
      />
      <div>
        <Input.Label component="div" size="xs" mb={3} id="find-formats">
          {t('tools:find.formats')}
        </Input.Label>
        <Chip.Group multiple value={[...form.formats]} onChange={(formats) => onChange({ ...form, formats })}>
          <Group gap="xs" role="group" aria-labelledby="find-formats">
            {FORMATS.map((format) => (
              <Chip key={format} value={format} size="xs">
                {format}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </div>
    </>
  );
}

function AddressFields({ form, onChange }: Pick<FindFieldsProps, 'form' | 'onChange'>) {
  const { t } = useTranslation('tools');
  return (
    <Group grow gap="sm" align="flex-start" preventGrowOverflow={false}>
      {form.hasWildcards ? null : (
        <>
          <NumberInput
            label={t('find.first')}
            value={form.first}
            onChange={(first) => onChange({ ...form, first })}
            min={0}
            max={255}
            data-path="first_slave"
          />
          <NumberInput
            label={t('find.last')}
            value={form.last}
            onChange={(last) => onChange({ ...form, last })}
            min={0}
            max={255}
            data-path="last_slave"
          />
        </>
      )}
      <NumberInput
        label={t('find.timeout')}
        value={form.timeoutMs}
        onChange={(timeoutMs) => onChange({ ...form, timeoutMs })}
        placeholder={t(usualTimeout(form))}
        suffix=" ms"
        min={10}
        max={10_000}
        data-path="timeout_ms"
      />
      {form.medium === 'serial' ? (
        <NumberInput
          label={t('find.listen')}
          value={form.listenMs}
          onChange={(listenMs) => onChange({ ...form, listenMs })}
          suffix=" ms"
          min={0}
          max={60_000}
          data-path="listen_ms"
        />
      ) : null}
    </Group>
  );
}

/** How long an answer is waited for where nobody says so, as a text of the form. */
function usualTimeout({ hasWildcards, medium }: FindForm) {
  if (medium === 'tcp') return hasWildcards ? 'find.timeoutMetersTcp' : 'find.timeoutTcp';
  return hasWildcards ? 'find.timeoutMeters' : 'find.timeoutAuto';
}

/** Where to search, with what, and for which addresses. */
export function FindFields({ form, descriptors, disabled, onChange }: FindFieldsProps) {
  const { t } = useTranslation(['tools', 'fields']);
  const choices = searchable(descriptors, form.medium);
  const hasSerial = searchable(descriptors, 'serial').length > 0;
  return (
    <fieldset disabled={disabled} style={{ border: 0, margin: 0, padding: 0 }}>
      <Stack gap="xs">
        <Group gap="sm" align="flex-end">
          <SegmentedControl
            aria-label={t('tools:find.medium')}
            data={[
              { value: 'serial', label: t('tools:find.serial'), disabled: !hasSerial },
              { value: 'tcp', label: t('tools:find.tcp') },
            ]}
            value={form.medium}
            onChange={(medium) => onChange(withProtocol({ ...form, medium: medium as Medium }, descriptors, null))}
            disabled={disabled}
          />
          <Select
            label={t('fields:protocol_type')}
            data={choices.map((item) => ({ value: String(item.protocol_type), label: item.name }))}
            value={form.protocol === null ? null : String(form.protocol)}
            onChange={(value) => {
              const chosen = choices.find((item) => String(item.protocol_type) === value);
              if (chosen) onChange(withProtocol(form, descriptors, chosen.protocol_type));
            }}
            allowDeselect={false}
            data-path="protocol_type"
          />
          {form.medium === 'serial' ? (
            <div style={{ flex: 1 }}>
              <SerialPortField
                text={{ label: t('fields:com_port') }}
                value={form.comPort}
                error={null}
                onChange={(value) => onChange({ ...form, comPort: String(value ?? '') })}
              />
            </div>
          ) : (
            <>
              <TextInput
                label={t('fields:ip')}
                value={form.ip}
                onChange={(event) => onChange({ ...form, ip: event.currentTarget.value })}
                style={{ flex: 1 }}
                data-path="ip"
              />
              <NumberInput
                label={t('fields:port')}
                value={form.port}
                onChange={(port) => onChange({ ...form, port })}
                min={1}
                max={65_535}
                w={110}
                data-path="port"
              />
            </>
          )}
        </Group>
        {form.medium === 'serial' ? <SerialFields form={form} onChange={onChange} /> : null}
        <AddressFields form={form} onChange={onChange} />
      </Stack>
    </fieldset>
  );
}
