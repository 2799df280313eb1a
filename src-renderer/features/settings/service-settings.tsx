import { Button, Group, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type KnownSettings, ServiceSettings } from '#shared/contract/service.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { checkField, serviceIssues, unplacedError } from '../../ui/form/issues.ts';
import { contractSpecs } from '../../ui/form/schema-field.ts';
import { formatBytes } from '../../ui/format.ts';
import { notifyDone } from '../../ui/notify.ts';
import classes from './settings.module.css';

const SPECS = contractSpecs(ServiceSettings);
const MEBIBYTE = 1024 * 1024;
const NUMBERS = ['frame_log_bytes', 'events_kept', 'audit_kept', 'port'] as const;
type NumberName = (typeof NUMBERS)[number];
/** What one step of a field is in the unit of the contract: frames are set in MiB. */
const STEP: Readonly<Record<NumberName, number>> = { frame_log_bytes: MEBIBYTE, events_kept: 1, audit_kept: 1, port: 1 };

type Drafts = Readonly<Record<NumberName, number | string>>;

function draftsOf(settings: KnownSettings): Drafts {
  return {
    frame_log_bytes: settings.frame_log_bytes / MEBIBYTE,
    events_kept: settings.events_kept,
    audit_kept: settings.audit_kept,
    port: settings.port,
  };
}

/** The number that a draft means, undefined for none. */
function meantBy(name: NumberName, draft: number | string): number | undefined {
  return typeof draft === 'number' ? Math.round(draft * STEP[name]) : undefined;
}

function useRange(): (name: NumberName) => { readonly min: string; readonly max: string } {
  return (name) => {
    const [min, max] = [SPECS.get(name)?.min ?? 0, SPECS.get(name)?.max ?? 0];
    return name === 'frame_log_bytes' ? { min: formatBytes(min), max: formatBytes(max) } : { min: String(min), max: String(max) };
  };
}

/** What was changed in the form since it was opened: what somebody else changed meanwhile is not taken back. */
function changesOf(opened: KnownSettings, drafts: Drafts, isReadOnly: boolean): Partial<ServiceSettings> {
  const numbers = NUMBERS.flatMap((name) => {
    const value = meantBy(name, drafts[name]);
    return value === undefined || value === opened[name] ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(numbers), ...(isReadOnly === opened.read_only ? {} : { read_only: isReadOnly }) };
}

interface SettingsFieldsProps {
  readonly settings: KnownSettings;
  onDone(): void;
}

function SettingsFields({ settings, onDone }: SettingsFieldsProps) {
  const { t } = useTranslation(['settings', 'app']);
  const { t: tFields } = useTranslation('fields');
  const rangeOf = useRange();
  const [opened] = useState(settings);
  const [isReadOnly, setReadOnly] = useState(settings.read_only);
  const [drafts, setDrafts] = useState(() => draftsOf(settings));
  const [asks, setAsks] = useState(false);
  const info = useOperation('serviceInfo', {}).data;
  const audit = useOperation('listAudit', { page: 1, page_size: 1 }).data;
  const update = useAction('updateSettings', ['getSettings', 'serviceInfo', 'listAudit']);
  const issues = update.error ? serviceIssues(update.error) : {};
  const wrongOf = (name: NumberName) => {
    const spec = SPECS.get(name);
    return spec && checkField(tFields, { ...spec, isRequired: true }, meantBy(name, drafts[name]))
      ? t('settings:range', rangeOf(name))
      : null;
  };
  const changes = changesOf(opened, drafts, isReadOnly);
  const removed = Math.max(0, (audit?.total ?? 0) - (changes.audit_kept ?? Number.POSITIVE_INFINITY));
  const save = () =>
    update.mutate(changes, {
      onSuccess: () => {
        notifyDone(t('app:state.saved'));
        onDone();
      },
      onError: () => setAsks(false),
    });
  const number = (name: NumberName, more: { readonly suffix?: string; readonly decimalScale?: number } = {}) => (
    <NumberInput
      label={t(`settings:service.${name}`)}
      description={t(`settings:service.${name}_hint`, { ...rangeOf(name), now: info?.port ?? '–' })}
      value={drafts[name]}
      onChange={(value) => setDrafts({ ...drafts, [name]: value })}
      decimalScale={0}
      clampBehavior="none"
      hideControls
      error={wrongOf(name) ?? issues[name] ?? null}
      data-testid={`settings-${name}`}
      {...more}
    />
  );
  return (
    <Stack gap="md">
      <Switch
        label={t('settings:service.read_only')}
        description={t('settings:service.read_only_hint')}
        checked={isReadOnly}
        onChange={(event) => setReadOnly(event.currentTarget.checked)}
      />
      <div className={classes.grid}>
        {number('frame_log_bytes', { suffix: ' MiB', decimalScale: 3 })}
        {number('events_kept')}
        {number('audit_kept')}
        {number('port')}
      </div>
      <ErrorNotice error={unplacedError(update.error, NUMBERS)} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onDone}>
          {t('app:action.cancel')}
        </Button>
        <Button
          onClick={() => (removed > 0 ? setAsks(true) : save())}
          loading={update.isPending}
          disabled={NUMBERS.some((name) => wrongOf(name) !== null) || Object.keys(changes).length === 0}
          data-testid="settings-save"
        >
          {t('app:action.save')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={asks}
        danger
        title={t('settings:service.audit_kept')}
        confirmLabel={t('settings:auditRemove', { count: removed })}
        pending={update.isPending}
        onConfirm={save}
        onClose={() => setAsks(false)}
      >
        <Text>{t('settings:auditRemoveText', { count: removed })}</Text>
      </ConfirmDialog>
    </Stack>
  );
}

/** What belongs to the service: how much it keeps, in the project file; how it starts, in its data folder. */
export function ServiceSettingsForm({ onDone }: { onDone(): void }) {
  const settings = useOperation('getSettings', {});
  if (!settings.data) return <ErrorNotice error={settings.error} />;
  return <SettingsFields settings={settings.data} onDone={onDone} />;
}
