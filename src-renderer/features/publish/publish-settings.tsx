import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Publisher } from '#shared/contract/publish.ts';
import { POLL, useAction, useOperation } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { shownNumber } from '../../ui/number.ts';
import { Said } from '../../ui/said.tsx';
import { BufferLine } from './buffer-line.tsx';
import { draftOf, type PublisherDraft } from './draft.ts';
import classes from './publish.module.css';
import { PublisherForm } from './publisher-form.tsx';

/** Kinds of targets, in the order they are offered. */
const KINDS = ['mqtt', 'sparkplug', 'webhook', 'influxdb', 'postgresql'] as const;

const COLORS: Readonly<Record<Publisher['state'], string>> = {
  off: 'gray',
  unconfirmed: 'amber',
  connecting: 'gray',
  running: 'green',
  failing: 'red',
};

/** Where values of the project go, how that goes, and the form of one. */
export function PublishSettings() {
  const { t } = useTranslation('publish');
  const list = useOperation('publishers', {}, { pollMs: POLL.status });
  const [draft, setDraft] = useState<PublisherDraft | null>(null);
  if (draft) return <PublisherForm initial={draft} onDone={() => setDraft(null)} />;
  if (!list.data) return <ErrorNotice error={list.error} />;
  const { items } = list.data;
  return (
    <Stack gap="sm" data-testid="publishers">
      <Text size="sm" c="dimmed">
        {t('hint')}
      </Text>
      {items.length === 0 ? <Text>{t('none')}</Text> : null}
      {items.map((one) => (
        <Row key={one.id} one={one} onEdit={() => setDraft(draftOf(one))} />
      ))}
      <Group gap="xs">
        {KINDS.map((kind) => (
          <Button
            key={kind}
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setDraft(draftOf(kind))}
            data-testid={`publish-add-${kind}`}
          >
            {t(`add.${kind}`)}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

function Row({ one, onEdit }: { readonly one: Publisher; onEdit(): void }) {
  const { t } = useTranslation('publish');
  const [asked, setAsked] = useState<'remove' | 'confirm' | null>(null);
  const remove = useAction('deletePublisher', ['publishers', 'serviceInfo']);
  const confirm = useAction('confirmPublisher', ['publishers', 'serviceInfo']);
  const test = useAction('testPublisher', []);
  const { name, target, state } = one;
  const settle = { onSuccess: () => setAsked(null) };
  const counts = { sent: shownNumber(String(one.sent)), waiting: shownNumber(String(one.waiting)), lost: shownNumber(String(one.lost)) };
  return (
    <div className={classes.row} data-testid="publisher">
      <Group justify="space-between" wrap="nowrap" align="start">
        <div className={classes.words}>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            <Badge variant="light" color={COLORS[state]} data-testid="publisher-state">
              {t(`state.${state}`)}
            </Badge>
          </Group>
          <Text size="sm" className={classes.url ?? ''}>
            {t(`kind.${target.kind}`)} {target.url}
          </Text>
          <Text size="xs" c="dimmed" data-testid="publisher-counts">
            {t('counts', counts)}
          </Text>
          <BufferLine buffer={one.buffer} />
        </div>
        <Group gap={6} wrap="nowrap">
          {state === 'unconfirmed' ? (
            <Button size="compact-sm" onClick={() => setAsked('confirm')} data-testid="publisher-confirm">
              {t('confirm')}
            </Button>
          ) : (
            <Button
              size="compact-sm"
              variant="default"
              loading={test.isPending}
              onClick={() => test.mutate({ id: one.id }, { onSuccess: ({ data }) => notifyDone(t('reached', { ms: data.reached_in_ms })) })}
              data-testid="publisher-test"
            >
              {t('test')}
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={onEdit} data-testid="publisher-edit">
            {t('edit')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setAsked('remove')} data-testid="publisher-remove">
            {t('remove')}
          </Button>
        </Group>
      </Group>
      {one.error === null ? null : (
        <Text size="sm" c="red" data-testid="publisher-error">
          <Said text={one.error} message={one.error_message} />
        </Text>
      )}
      <ErrorNotice error={test.error} compact />
      <ConfirmDialog
        opened={asked !== null}
        danger={asked === 'remove'}
        title={t(asked === 'remove' ? 'remove' : 'confirm')}
        confirmLabel={t(asked === 'remove' ? 'remove' : 'confirm')}
        pending={remove.isPending || confirm.isPending}
        error={remove.error ?? confirm.error}
        onConfirm={() => (asked === 'remove' ? remove.mutate({ id: one.id }, settle) : confirm.mutate({ id: one.id }, settle))}
        onClose={() => setAsked(null)}
      >
        <Text>{asked === 'remove' ? t('removeText', { name }) : t('confirmText', { name, url: target.url })}</Text>
      </ConfirmDialog>
    </div>
  );
}
