import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { DocumentReport, ModelDocument } from '#shared/contract/iec61850.ts';
import { useAction } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { formatSince } from '../../ui/time.ts';
import { guideTo } from '../guide/guide.ts';
import { AddressChoice } from './address-choice.tsx';
import { DocumentDrop } from './document-drop.tsx';
import { DocumentWarnings } from './document-warnings.tsx';
import classes from './model.module.css';
import { type DocumentState, useDocument } from './use-document.ts';

interface DocumentDialogProps {
  readonly channel: Channel;
  readonly facts: NonNullable<ProtocolDescriptor['model']>;
  readonly document: ModelDocument | null;
  onClose(): void;
}

const REFRESH = ['deviceModel', 'modelNodes', 'modelDifferences', 'iec61850TreeData', 'listChannels'] as const;

interface ChoiceProps {
  readonly choices: DocumentReport['choices'];
  readonly value: string;
  onChange(value: string): void;
}

function DeviceChoice({ choices, value, onChange }: ChoiceProps) {
  const { t } = useTranslation('model');
  return (
    <Select
      label={t('document.device')}
      placeholder={t('document.chooseDevice')}
      data={choices.map((choice) => ({ value: choice.value, label: choice.label || choice.value }))}
      value={value === '' ? null : value}
      onChange={(next) => next !== null && onChange(next)}
      searchable={choices.length > 8}
      allowDeselect={false}
      nothingFoundMessage={t('noneFound')}
      error={value === '' && choices.length > 0 ? t('document.choiceMissing') : undefined}
      data-testid="document-choice"
    />
  );
}

/** True while a change of the file closes and opens the line. */
function isUp(channel: Channel): boolean {
  return channel.status !== 'stopped' && channel.status !== 'error';
}

function RebuildNotice({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels');
  if (!isUp(channel)) return null;
  return (
    <Alert color="amber" icon={<Icon name="warn" size={18} />}>
      {t('form.rebuild')}
    </Alert>
  );
}

/** The file that is kept: what it is, the device that is meant, another device, and the way to be rid of it. */
function Present({ channel, facts, document }: Omit<DocumentDialogProps, 'onClose'> & { readonly document: ModelDocument }) {
  const { t } = useTranslation('model');
  const [choice, setChoice] = useState(document.choice);
  const [address, setAddress] = useState('');
  const [isDeleting, setIsDeleting] = useState(false);
  const update = useAction('updateChannel', REFRESH);
  const remove = useAction('deleteDocument', REFRESH);
  const device = document.choices.find(({ value }) => value === choice);
  const place = device?.addresses.find(({ value }) => value === address);
  const change = {
    ...(place?.ip ? { ip: place.ip } : {}),
    ...(place?.port ? { port: place.port } : {}),
    protocol: { ...channel.protocol, [facts.setting]: choice, ...place?.protocol },
  };
  return (
    <Stack gap="xs">
      <dl className={classes.facts2} data-testid="document-facts">
        <dt>{t('document.file')}</dt>
        <dd>{`${document.name} · ${formatBytes(document.octets)} · ${t('document.storedAt', { time: formatSince(document.stored_at, new Date()) })}`}</dd>
        <dt>{t('document.title')}</dt>
        <dd>{document.title}</dd>
      </dl>
      <DeviceChoice
        choices={document.choices}
        value={choice}
        onChange={(next) => {
          setChoice(next);
          setAddress('');
        }}
      />
      <AddressChoice channel={channel} device={device} value={address} onChange={setAddress} />
      <ErrorNotice error={update.error ?? remove.error} compact />
      <Group justify="space-between" gap="xs">
        {isDeleting ? (
          <Group gap="xs">
            <Text size="sm">{t('document.deleteQuestion')}</Text>
            <Button variant="default" onClick={() => setIsDeleting(false)}>
              {t('document.keep')}
            </Button>
            <Button
              color="red"
              loading={remove.isPending}
              onClick={() => remove.mutate({ channel_id: channel.id }, { onSuccess: () => notifyDone(t('document.deleted')) })}
              data-testid="document-delete-confirm"
            >
              {t('document.delete')}
            </Button>
          </Group>
        ) : (
          <Button
            variant="default"
            leftSection={<Icon name="trash" size={14} />}
            onClick={() => setIsDeleting(true)}
            data-testid="document-delete"
          >
            {t('document.delete')}
          </Button>
        )}
        <Button
          disabled={choice === document.choice && address === ''}
          loading={update.isPending}
          onClick={() =>
            update.mutate({ channel_id: channel.id, ...change }, { onSuccess: () => notifyDone(t('document.chosen', { device: choice })) })
          }
          data-testid="document-use"
        >
          {t('document.use')}
        </Button>
      </Group>
    </Stack>
  );
}

interface PreviewProps {
  readonly channel: Channel;
  readonly state: DocumentState;
  readonly report: DocumentReport;
  onClose(): void;
}

function Preview({ channel, state, report, onClose }: PreviewProps) {
  const { t } = useTranslation(['model', 'app']);
  const store = () =>
    state.store(() => {
      notifyDone(t('model:document.stored', { name: report.name }));
      onClose();
    });
  return (
    <Stack gap="xs" data-testid="document-preview">
      <dl className={classes.facts2}>
        <dt>{t('model:document.file')}</dt>
        <dd>{`${report.name} · ${formatBytes(report.octets)}`}</dd>
        <dt>{t('model:document.title')}</dt>
        <dd>{report.title}</dd>
      </dl>
      <DeviceChoice choices={report.choices} value={state.choice} onChange={state.choose} />
      <AddressChoice
        channel={channel}
        device={report.choices.find(({ value }) => value === state.choice)}
        value={state.address}
        onChange={state.takeAddress}
      />
      <DocumentWarnings warnings={report.warnings} />
      <RebuildNotice channel={channel} />
      <ErrorNotice error={state.error} compact />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={state.reset}>
          {t('model:document.other')}
        </Button>
        <Button
          disabled={state.choice === '' && report.choices.length > 0}
          loading={state.isStoring}
          onClick={store}
          data-testid="document-store"
        >
          {t('model:document.store')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The file that describes the device: what is kept now, and another one from disk to its last step. */
export function DocumentDialog(props: DocumentDialogProps) {
  const { t } = useTranslation(['model', 'app']);
  const { channel, facts, document, onClose } = props;
  const state = useDocument(channel.id, facts.max_octets);
  return (
    <Modal
      {...guideTo('walk-ied')}
      opened
      onClose={onClose}
      size={620}
      title={t('model:document.heading', { channel: channel.name })}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      closeOnClickOutside={false}
    >
      <Stack gap="md" data-testid="document-dialog">
        {state.report && !state.isReading ? (
          <Preview channel={channel} state={state} report={state.report} onClose={onClose} />
        ) : (
          <>
            {document ? <Present key={`${document.stored_at} ${document.choice}`} {...props} document={document} /> : null}
            <DocumentDrop state={state} facts={facts} hasDocument={document !== null} />
            {document ? <RebuildNotice channel={channel} /> : null}
          </>
        )}
      </Stack>
    </Modal>
  );
}
