import { NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublisherTarget } from '#shared/contract/publish.ts';

/** What the fields of a kind of target take. */
export interface FieldsProps<Kind extends PublisherTarget['kind']> {
  readonly target: Extract<PublisherTarget, { kind: Kind }>;
  /** What the service says against a field, by its path. */
  readonly issues: Readonly<Record<string, ReactNode>>;
  onChange(part: Partial<Extract<PublisherTarget, { kind: Kind }>>): void;
}

/** The settings of InfluxDB beside its address: those of its version. */
export function InfluxFields({ target, issues, onChange }: FieldsProps<'influxdb'>) {
  const { t } = useTranslation('publish');
  const isFirst = target.version === 1;
  return (
    <>
      <Select
        label={t('field.version')}
        data={[
          { value: '1', label: t('field.version1') },
          { value: '2', label: t('field.version2') },
        ]}
        value={String(target.version)}
        onChange={(value) => onChange({ version: Number(value) as 1 | 2 })}
        allowDeselect={false}
        data-testid="publisher-version"
      />
      <TextInput
        label={t(isFirst ? 'field.database' : 'field.bucket')}
        value={target.database}
        onChange={(event) => onChange({ database: event.currentTarget.value })}
        error={issues['target.database']}
        data-testid="publisher-database"
      />
      {isFirst ? (
        <TextInput
          label={t('field.retention_policy')}
          description={t('field.retention_policyHint')}
          value={target.retention_policy}
          onChange={(event) => onChange({ retention_policy: event.currentTarget.value })}
          error={issues['target.retention_policy']}
        />
      ) : (
        <TextInput
          label={t('field.org')}
          value={target.org}
          onChange={(event) => onChange({ org: event.currentTarget.value })}
          error={issues['target.org']}
        />
      )}
      <TextInput
        label={t('field.measurement')}
        value={target.measurement}
        onChange={(event) => onChange({ measurement: event.currentTarget.value })}
        error={issues['target.measurement']}
      />
      {isFirst ? (
        <TextInput
          label={t('field.user')}
          value={target.user}
          onChange={(event) => onChange({ user: event.currentTarget.value })}
          error={issues['target.user']}
        />
      ) : null}
      <EveryMs value={target.every_ms} issue={issues['target.every_ms']} onChange={(every_ms) => onChange({ every_ms })} />
    </>
  );
}

/** The settings of PostgreSQL beside its address. */
export function PostgresFields({ target, issues, onChange }: FieldsProps<'postgresql'>) {
  const { t } = useTranslation('publish');
  return (
    <>
      <TextInput
        label={t('field.table')}
        value={target.table}
        onChange={(event) => onChange({ table: event.currentTarget.value.trim() })}
        error={issues['target.table']}
        data-testid="publisher-table"
      />
      <TextInput
        label={t('field.user')}
        value={target.user}
        onChange={(event) => onChange({ user: event.currentTarget.value })}
        error={issues['target.user']}
        data-testid="publisher-user"
      />
      <EveryMs value={target.every_ms} issue={issues['target.every_ms']} onChange={(every_ms) => onChange({ every_ms })} />
      <Stack gap={6}>
        <Switch
          label={t('field.create_table')}
          checked={target.create_table}
          onChange={(event) => onChange({ create_table: event.currentTarget.checked })}
        />
        <Switch label={t('field.tls')} checked={target.tls} onChange={(event) => onChange({ tls: event.currentTarget.checked })} />
      </Stack>
    </>
  );
}

interface EveryMsProps {
  readonly value: number;
  readonly issue: ReactNode;
  onChange(value: number): void;
}

function EveryMs({ value, issue, onChange }: EveryMsProps) {
  const { t } = useTranslation('publish');
  return (
    <NumberInput
      label={t('field.every_ms')}
      description={t('field.every_msHint')}
      value={value}
      onChange={(given) => onChange(Number(given))}
      error={issue}
      min={100}
      max={3_600_000}
      allowDecimal={false}
    />
  );
}
