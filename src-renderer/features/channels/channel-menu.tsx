import { ActionIcon, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { CommandItems } from '../../commands/command-items.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useChannelCommands } from './channel-commands.ts';

function Items({ channel }: { readonly channel: Channel }) {
  return <CommandItems commands={useChannelCommands(channel)} />;
}

/** What can be done with one channel. */
export function ChannelMenu({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('more', { name: channel.name })} data-testid="channel-menu">
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Items channel={channel} />
      </Menu.Dropdown>
    </Menu>
  );
}
