import { Select, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FieldsProps } from './database-fields.tsx';

/** The usual first level of discovery topics. */
const DISCOVERY = { prefix: 'homeassistant' };

/** The settings of MQTT beside its address. */
export function MqttFields({ target, issues, onChange }: FieldsProps<'mqtt'>) {
  const { t } = useTranslation('publish');
  return (
    <>
      <TextInput
        label={t('field.prefix')}
        description={t('field.prefixHint', { prefix: target.prefix })}
        value={target.prefix}
        onChange={(event) => onChange({ prefix: event.currentTarget.value })}
        error={issues['target.prefix']}
        data-testid="publisher-prefix"
      />
      <ClientFields target={target} issues={issues} onChange={onChange} />
      <Select
        label={t('field.qos')}
        data={['0', '1', '2']}
        value={String(target.qos)}
        onChange={(value) => onChange({ qos: Number(value) as 0 | 1 | 2 })}
        allowDeselect={false}
      />
      <Switch label={t('field.retain')} checked={target.retain} onChange={(event) => onChange({ retain: event.currentTarget.checked })} />
      <Switch
        label={t('field.home_assistant')}
        description={t(target.retain ? 'field.home_assistantHint' : 'field.home_assistantRetain')}
        checked={target.home_assistant !== undefined}
        onChange={(event) => onChange({ home_assistant: event.currentTarget.checked ? DISCOVERY : undefined })}
        data-testid="publisher-home-assistant"
      />
      {target.home_assistant ? (
        <TextInput
          label={t('field.discovery')}
          value={target.home_assistant.prefix}
          onChange={(event) => onChange({ home_assistant: { prefix: event.currentTarget.value } })}
          error={issues['target.home_assistant.prefix']}
          data-testid="publisher-discovery"
        />
      ) : null}
    </>
  );
}

/** The settings of Sparkplug B beside its address. */
export function SparkplugFields({ target, issues, onChange }: FieldsProps<'sparkplug'>) {
  const { t } = useTranslation('publish');
  return (
    <>
      <TextInput
        label={t('field.group')}
        value={target.group}
        onChange={(event) => onChange({ group: event.currentTarget.value })}
        error={issues['target.group']}
        data-testid="publisher-group"
      />
      <TextInput
        label={t('field.node')}
        description={t('field.nodeHint')}
        value={target.node}
        onChange={(event) => onChange({ node: event.currentTarget.value })}
        error={issues['target.node']}
        data-testid="publisher-node"
      />
      <TextInput
        label={t('field.host')}
        description={t('field.hostHint')}
        value={target.host}
        onChange={(event) => onChange({ host: event.currentTarget.value })}
        error={issues['target.host']}
      />
      <ClientFields target={target} issues={issues} onChange={onChange} />
    </>
  );
}

interface ClientFieldsProps {
  readonly target: { readonly client_id: string; readonly user: string };
  readonly issues: FieldsProps<'mqtt'>['issues'];
  onChange(part: { readonly client_id?: string; readonly user?: string }): void;
}

/** As whom a broker is spoken to. */
function ClientFields({ target, issues, onChange }: ClientFieldsProps) {
  const { t } = useTranslation('publish');
  return (
    <>
      <TextInput
        label={t('field.client_id')}
        description={t('field.client_idHint')}
        value={target.client_id}
        onChange={(event) => onChange({ client_id: event.currentTarget.value })}
        error={issues['target.client_id']}
      />
      <TextInput
        label={t('field.user')}
        value={target.user}
        onChange={(event) => onChange({ user: event.currentTarget.value })}
        error={issues['target.user']}
      />
    </>
  );
}
