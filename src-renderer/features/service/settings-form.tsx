import { Button, Group, NumberInput, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ServiceSettings } from '#shared/contract/service.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { checkField, serviceIssues } from '../../ui/form/issues.ts';
import { contractSpecs } from '../../ui/form/schema-field.ts';
import { formatBytes } from '../../ui/format.ts';
import { notifyDone } from '../../ui/notify.ts';

const spec = contractSpecs(ServiceSettings).get('frame_log_bytes');
const MEBIBYTE = 1024 * 1024;

interface SettingsFieldsProps {
  readonly settings: ServiceSettings;
  onDone(): void;
}

function SettingsFields({ settings, onDone }: SettingsFieldsProps) {
  const { t } = useTranslation('app');
  const { t: tFields } = useTranslation('fields');
  const [isReadOnly, setReadOnly] = useState(settings.read_only);
  const [mebibytes, setMebibytes] = useState<number | string>(settings.frame_log_bytes / MEBIBYTE);
  const update = useAction('updateSettings', ['getSettings', 'serviceInfo']);
  const octets = typeof mebibytes === 'number' ? Math.round(mebibytes * MEBIBYTE) : undefined;
  const localIssue = spec ? checkField(tFields, { ...spec, isRequired: true }, octets) : null;
  const range = { min: formatBytes(spec?.min ?? 0), max: formatBytes(spec?.max ?? 0) };
  const serviceIssue = update.error ? (serviceIssues(update.error).frame_log_bytes ?? null) : null;
  const save = () => {
    const changes = { ...(octets === undefined ? {} : { frame_log_bytes: octets }), read_only: isReadOnly };
    update.mutate(changes, {
      onSuccess: () => {
        notifyDone(t('state.saved'));
        onDone();
      },
    });
  };
  return (
    <Stack gap="md">
      <Switch
        label={t('settings.readOnly')}
        description={t('settings.readOnlyHint')}
        checked={isReadOnly}
        onChange={(event) => setReadOnly(event.currentTarget.checked)}
      />
      <NumberInput
        label={t('settings.frameLog')}
        description={t('settings.frameLogHint', range)}
        value={mebibytes}
        onChange={setMebibytes}
        suffix=" MiB"
        decimalScale={3}
        hideControls
        error={localIssue ? `${range.min} – ${range.max}` : serviceIssue}
      />
      <ErrorNotice error={update.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onDone}>
          {t('action.cancel')}
        </Button>
        <Button onClick={save} loading={update.isPending} disabled={localIssue !== null}>
          {t('action.save')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Settings of the service, kept in the project file. */
export function SettingsForm({ onDone }: { onDone(): void }) {
  const settings = useOperation('getSettings', {});
  if (!settings.data) return <ErrorNotice error={settings.error} />;
  return <SettingsFields settings={settings.data} onDone={onDone} />;
}
