import { Button, Group, MultiSelect, NumberInput, PasswordInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublisherTarget } from '#shared/contract/publish.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { serviceIssues, unplacedError } from '../../ui/form/issues.ts';
import { AuthorityField } from './authority-field.tsx';
import { MqttFields, SparkplugFields } from './broker-fields.tsx';
import { InfluxFields, PostgresFields } from './database-fields.tsx';
import { type PublisherDraft, secretOf, settingsOf } from './draft.ts';
import { KeepFields } from './keep-fields.tsx';
import classes from './publish.module.css';

const PLACEHOLDERS: Readonly<Record<PublisherTarget['kind'], string>> = {
  mqtt: 'mqtt://192.168.1.10:1883',
  sparkplug: 'mqtt://192.168.1.10:1883',
  webhook: 'https://',
  influxdb: 'http://192.168.1.20:8086',
  postgresql: 'postgresql://192.168.1.20:5432/plant',
};
const KINDS = ['YC', 'YX', 'YK', 'YT'] as const;
/** What has a field that says what is wrong with it. */
const FIELDS = [
  ...['name', 'devices', 'frame_types', 'codes', 'keep', 'keep.mb', 'keep.hours', 'target.home_assistant.prefix'],
  ...['url', 'ca', 'client_id', 'user', 'prefix', 'group', 'node', 'host', 'every_ms'].map((name) => `target.${name}`),
  ...['database', 'retention_policy', 'org', 'measurement', 'table'].map((name) => `target.${name}`),
];

/** The settings of one publisher. Saving them confirms that this project may publish there from this computer. */
export function PublisherForm({ initial, onDone }: { readonly initial: PublisherDraft; onDone(): void }) {
  const { t } = useTranslation(['publish', 'app']);
  const [draft, setDraft] = useState(initial);
  // what is stored already when the secret was refused
  const [storedId, setStoredId] = useState(initial.id);
  const change = (part: Partial<PublisherDraft>) => setDraft({ ...draft, ...part });
  const retarget = (part: Partial<PublisherTarget>) => change({ target: { ...draft.target, ...part } as PublisherTarget });
  const channels = useOperation('listChannels', {}).data ?? [];
  const set = useAction('setPublisher', ['publishers', 'serviceInfo']);
  const secret = useAction('setPublisherSecrets', ['publishers']);
  const issues = set.error ? serviceIssues(set.error) : {};
  const { target } = draft;
  const save = () => {
    const settings = { ...settingsOf(draft), ...(storedId !== null && { id: storedId }) };
    set.mutate(settings, {
      onSuccess: ({ data: { id } }) => {
        setStoredId(id);
        if (draft.secret === '') onDone();
        else secret.mutate({ id, secrets: { [secretOf(target)]: draft.secret } }, { onSuccess: onDone });
      },
    });
  };
  const names = [...new Set([...channels.map(({ name }) => name), ...draft.devices])];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="sm" data-testid="publisher-form">
        <div className={classes.grid}>
          <TextInput
            label={t('publish:field.name')}
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={issues.name}
            data-autofocus
            data-testid="publisher-name"
          />
          <TextInput
            label={t('publish:field.url')}
            value={target.url}
            onChange={(event) => retarget({ url: event.currentTarget.value.trim() })}
            error={issues['target.url']}
            placeholder={PLACEHOLDERS[target.kind]}
            data-testid="publisher-url"
          />
          {target.kind === 'mqtt' ? <MqttFields target={target} issues={issues} onChange={retarget} /> : null}
          {target.kind === 'sparkplug' ? <SparkplugFields target={target} issues={issues} onChange={retarget} /> : null}
          {target.kind === 'influxdb' ? <InfluxFields target={target} issues={issues} onChange={retarget} /> : null}
          {target.kind === 'postgresql' ? <PostgresFields target={target} issues={issues} onChange={retarget} /> : null}
          {target.kind === 'webhook' ? (
            <NumberInput
              label={t('publish:field.every_ms')}
              value={target.every_ms}
              onChange={(value) => retarget({ every_ms: Number(value) })}
              error={issues['target.every_ms']}
              min={100}
              max={3_600_000}
              allowDecimal={false}
            />
          ) : null}
          <PasswordInput
            label={t(`publish:field.${secretOf(target)}`)}
            placeholder={t(draft.isSecretSet ? 'publish:field.secretSet' : 'publish:field.secretNone')}
            value={draft.secret}
            onChange={(event) => change({ secret: event.currentTarget.value })}
            autoComplete="new-password"
            data-testid="publisher-secret"
          />
          <MultiSelect
            label={t('publish:field.devices')}
            data={names}
            value={draft.devices}
            onChange={(devices) => change({ devices })}
            error={issues.devices}
            placeholder={draft.devices.length === 0 ? t('publish:field.all') : ''}
          />
          <MultiSelect
            label={t('publish:field.frame_types')}
            data={KINDS.map((label, index) => ({ value: String(index), label }))}
            value={draft.frame_types.map(String)}
            onChange={(chosen) => change({ frame_types: chosen.map(Number) as PublisherDraft['frame_types'] })}
            error={issues.frame_types}
            placeholder={draft.frame_types.length === 0 ? t('publish:field.all') : ''}
          />
          <TagsInput
            label={t('publish:field.codes')}
            value={draft.codes}
            onChange={(codes) => change({ codes })}
            error={issues.codes}
            placeholder={draft.codes.length === 0 ? t('publish:field.all') : ''}
          />
        </div>
        <AuthorityField target={target} issue={issues['target.ca']} onChange={retarget} />
        {target.kind === 'sparkplug' ? null : (
          <KeepFields
            keep={draft.keep}
            issues={issues}
            isUnconfirmed={target.kind === 'mqtt' && target.qos === 0}
            onChange={(keep) => change({ keep })}
          />
        )}
        <Switch
          label={t('publish:field.enabled')}
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
          data-testid="publisher-enabled"
        />
        <ErrorNotice error={unplacedError(set.error, FIELDS) ?? secret.error} />
        <Group justify="flex-end" gap="xs" className={classes.foot ?? ''}>
          <Button variant="default" onClick={onDone}>
            {t('app:action.cancel')}
          </Button>
          <Button type="submit" loading={set.isPending || secret.isPending} data-testid="publisher-save">
            {t(draft.enabled ? 'publish:save' : 'publish:saveOff')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
