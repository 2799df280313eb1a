import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { Icon } from '../../ui/icons.tsx';
import { openChannelDialog } from './channel-dialog-store.ts';
import { ChannelItem } from './channel-item.tsx';
import classes from './channel-list.module.css';
import { addressText, protocolName } from './channel-text.ts';
import { pickChannel, useChannels } from './use-channels.ts';

/** From this many channels on, a filter field is worth its room. */
const FILTER_FROM = 8;

function matches(channel: Channel, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return `${channel.name} ${protocolName(channel)} ${addressText(channel)}`.toLowerCase().includes(wanted);
}

/** All channels with their state, to choose, start and stop. */
export function ChannelList() {
  const { t } = useTranslation('channels');
  const [filter, setFilter] = useState('');
  const channels = useChannels();
  const selectedId = useUiStore((state) => state.selectedChannelId);
  const all = channels.data ?? [];
  const selected = pickChannel(all, selectedId);
  const shown = filter ? all.filter((channel) => matches(channel, filter)) : all;
  return (
    <div className={classes.panel}>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('count', { count: all.length })}</h2>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => openChannelDialog({ kind: 'add' })}
          data-testid="add-channel"
        >
          {t('add')}
        </Button>
      </div>
      {all.length >= FILTER_FROM ? (
        <div className={classes.search}>
          <TextInput
            aria-label={t('search')}
            placeholder={t('search')}
            leftSection={<Icon name="search" size={14} />}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
        </div>
      ) : null}
      <ul className={classes.list} data-testid="channel-list">
        {shown.map((channel) => (
          <ChannelItem key={channel.id} channel={channel} isSelected={channel.id === selected?.id} />
        ))}
        {all.length > 0 && shown.length === 0 ? <li style={{ padding: 12 }}>{t('noneFound')}</li> : null}
      </ul>
    </div>
  );
}
