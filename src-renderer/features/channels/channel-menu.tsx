import { ActionIcon, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useOperation } from '../../api/hooks.ts';
import { Icon } from '../../ui/icons.tsx';
import { openDoctor } from '../doctor/doctor-store.ts';
import { saveText } from '../projects/use-projects.ts';
import { openChannelDialog } from './channel-dialog-store.ts';
import { useChannelActions } from './use-channels.ts';

/** Passwords of a channel, where its protocol has any. */
function SecretsItem({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels');
  const protocols = useOperation('listProtocols', {});
  if (!protocols.data?.find((item) => item.protocol_type === channel.protocol_type)?.secrets_schema) return null;
  return (
    <Menu.Item
      leftSection={<Icon name="lock" />}
      onClick={() => openChannelDialog({ kind: 'secrets', channel })}
      data-testid="channel-secrets"
    >
      {t('secrets.open')}
    </Menu.Item>
  );
}

/** Edit, passwords, reload, examination and delete of one channel. */
export function ChannelMenu({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation(['channels', 'app', 'doctor', 'projects']);
  const { reload } = useChannelActions();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('channels:more', { name: channel.name })} data-testid="channel-menu">
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="edit" />} onClick={() => openChannelDialog({ kind: 'edit', channel })}>
          {t('app:action.edit')}
        </Menu.Item>
        <SecretsItem channel={channel} />
        <Menu.Item leftSection={<Icon name="reload" />} onClick={() => reload(channel.id)}>
          {t('channels:reload')}
        </Menu.Item>
        {isServing(channel.conn_type) ? null : (
          <Menu.Item leftSection={<Icon name="question" />} onClick={() => openDoctor(channel.id)}>
            {t('doctor:open')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="download" />} onClick={() => void saveText(channel.id)} data-testid="channel-save-text">
          {t('projects:text.save')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => openChannelDialog({ kind: 'delete', channel })}>
          {t('app:action.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
