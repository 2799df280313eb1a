import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UPDATE_FILE, type UpdateNotice } from '#shared/contract/updates.ts';
import { english } from '#shared/messages/index.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { serviceIssues, unplacedError } from '../../ui/form/issues.ts';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { formatDateTime } from '../../ui/time.ts';
import classes from './update.module.css';
import { useUpdate } from './use-update.ts';

type NoticeFile = UpdateNotice['files'][number];

/** What a newer version brings, and where its files lie. */
function Newer({ notice, own }: { readonly notice: UpdateNotice; readonly own: string }) {
  const { t } = useTranslation('settings');
  const columns: readonly SmallColumn<NoticeFile>[] = [
    {
      id: 'where',
      name: t('update.where'),
      isRowHeader: true,
      cell: ({ place, sha256 }) => (
        <span className={classes.file}>
          {place}
          <span className={classes.digest}>{`SHA-256 ${sha256}`}</span>
        </span>
      ),
    },
    { id: 'size', name: t('update.size'), isShort: true, cell: ({ octets }) => formatBytes(octets) },
  ];
  return (
    <Stack gap="xs" data-testid="update-newer">
      <Text fw={600}>{t('update.newer', { version: notice.version ?? '–', date: notice.date ?? '–', own })}</Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard (WCAG 2.1.1) */}
      <section className={classes.notes} aria-label={t('update.notes')} tabIndex={0} data-testid="update-notes">
        {notice.notes}
      </section>
      <SmallTable label={t('update.files')} columns={columns} rows={notice.files} keyOf={({ name }) => name} />
      <Text size="xs" c="dimmed">
        {t('update.byHand')}
      </Text>
    </Stack>
  );
}

function State({ notice, own }: { readonly notice: UpdateNotice; readonly own: string }) {
  const { t } = useTranslation('settings');
  if (notice.state === 'newer') return <Newer notice={notice} own={own} />;
  if (notice.state === 'failed') {
    return (
      <Alert color="amber" icon={<Icon name="warn" size={18} />} title={t('update.failed')} data-testid="update-failed">
        {notice.trouble ? <Said message={notice.trouble} text={english(notice.trouble)} /> : null}
      </Alert>
    );
  }
  return (
    <Text size="sm" data-testid={`update-${notice.state}`}>
      {t(`update.${notice.state}`, { own, version: notice.version ?? '–' })}
    </Text>
  );
}

function PlaceForm({ place }: { readonly place: string }) {
  const { t } = useTranslation(['settings', 'app']);
  const [draft, setDraft] = useState(place);
  const update = useAction('updateSettings', ['getSettings', 'updateNotice']);
  const look = useAction('lookForUpdate', ['updateNotice']);
  const issues = update.error ? serviceIssues(update.error) : {};
  function submit(event: FormEvent) {
    event.preventDefault();
    look.reset();
    update.mutate({ update_place: draft }, { onSuccess: ({ data }) => setDraft(data.update_place) });
  }
  return (
    <form onSubmit={submit}>
      <Stack gap={4}>
        <Group gap="xs" align="end" wrap="nowrap">
          <TextInput
            flex={1}
            label={t('settings:update.place')}
            placeholder="D:\Loopcheck"
            value={draft}
            maxLength={1000}
            onChange={(event) => setDraft(event.currentTarget.value)}
            error={issues.update_place !== undefined}
            data-testid="update-place"
          />
          <Button type="submit" variant="default" loading={update.isPending} disabled={draft === place} data-testid="update-save">
            {t('app:action.save')}
          </Button>
          <Button
            variant="default"
            loading={look.isPending}
            disabled={place === '' || draft !== place}
            onClick={() => look.mutate({})}
            data-testid="update-look"
          >
            {t('settings:update.look')}
          </Button>
        </Group>
        {issues.update_place === undefined ? null : (
          <Text size="xs" c="red" role="alert" data-testid="update-place-wrong">
            {issues.update_place}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {t('settings:update.placeHint', { file: UPDATE_FILE })}
        </Text>
        <ErrorNotice error={unplacedError(update.error ?? look.error, ['update_place'])} />
      </Stack>
    </form>
  );
}

/** Where newer versions are looked for, and what lies there. */
export function UpdateSettings() {
  const { t } = useTranslation('settings');
  const settings = useOperation('getSettings', {});
  const info = useOperation('serviceInfo', {});
  const notice = useUpdate();
  if (!settings.data || !info.data) return <ErrorNotice error={settings.error ?? info.error} />;
  return (
    <Stack gap="md">
      <div>
        <Text fw={600}>{t('update.title')}</Text>
        <Text size="xs" c="dimmed">
          {t('update.hint')}
        </Text>
      </div>
      <PlaceForm key={settings.data.update_place} place={settings.data.update_place} />
      <ErrorNotice error={notice.error} />
      {notice.data ? <State notice={notice.data} own={info.data.version} /> : null}
      {notice.data?.looked_at ? (
        <Text size="xs" c="dimmed">
          {t('update.lookedAt', { time: formatDateTime(notice.data.looked_at) })}
        </Text>
      ) : null}
    </Stack>
  );
}
