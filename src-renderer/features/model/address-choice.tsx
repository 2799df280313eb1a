import { Select, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { DocumentReport } from '#shared/contract/iec61850.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useSettingName } from '../../ui/form/field-text.ts';
import classes from './model.module.css';

interface AddressProps {
  readonly channel: Channel;
  readonly device: DocumentReport['choices'][number] | undefined;
  readonly value: string;
  onChange(value: string): void;
}

type Address = DocumentReport['choices'][number]['addresses'][number];

/** What an address of the file changes in the settings of the channel, each with its name. */
function changesOf(channel: Channel, { ip, port, protocol }: Address): { name: string; now: string; next: string }[] {
  const given = { ...(ip === null ? {} : { ip }), ...(port === null ? {} : { port }) };
  const settings = Object.entries(given).map(([name, next]) => ({ name, now: name === 'ip' ? channel.ip : channel.port, next }));
  const selectors = Object.entries(protocol).map(([name, next]) => ({ name, now: channel.protocol[name], next }));
  return [...settings, ...selectors]
    .map(({ name, now, next }) => ({ name, now: String(now ?? ''), next: String(next) }))
    .filter(({ now, next }) => now !== next);
}

/** Which address of the file the channel takes over, and what that changes; nothing for a channel that serves. */
export function AddressChoice({ channel, device, value, onChange }: AddressProps) {
  const { t } = useTranslation('model');
  const nameOf = useSettingName();
  const addresses = device?.addresses ?? [];
  if (isServing(channel.conn_type) || addresses.length === 0) return null;
  const chosen = addresses.find((address) => address.value === value);
  const changes = chosen ? changesOf(channel, chosen) : [];
  return (
    <Stack gap={4}>
      <Select
        label={t('document.address')}
        data={[
          { value: '', label: t('document.ownAddress', { address: `${channel.ip}:${channel.port}` }) },
          ...addresses.map((address) => ({ value: address.value, label: addressLabel(address) })),
        ]}
        value={value}
        onChange={(next) => onChange(next ?? '')}
        allowDeselect={false}
        data-testid="document-address"
      />
      {chosen && changes.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('document.sameAddress')}
        </Text>
      ) : null}
      {changes.length > 0 ? (
        <dl className={classes.facts2} data-testid="document-changes">
          {changes.map(({ name, now, next }) => (
            <Fragment key={name}>
              <dt>{nameOf(name)}</dt>
              <dd>{`${now === '' ? '–' : now} → ${next}`}</dd>
            </Fragment>
          ))}
        </dl>
      ) : null}
    </Stack>
  );
}

function addressLabel({ value, ip, port }: Address): string {
  const place = [ip ?? '', port === null ? '' : `:${port}`].join('');
  return place === '' ? value : `${place} (${value})`;
}
