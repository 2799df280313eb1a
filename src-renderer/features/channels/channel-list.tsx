import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { Icon } from '../../ui/icons.tsx';
import { openChannelDialog } from './channel-dialog-store.ts';
import { ChannelItem } from './channel-item.tsx';
import classes from './channel-list.module.css';
import { addressText, groupsOf, protocolName } from './channel-text.ts';
import { pickChannel, useChannels } from './use-channels.ts';

/** From this many channels on, a filter field is worth its room. */
const FILTER_FROM = 8;

function matches(channel: Channel, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return `${channel.name} ${channel.group} ${protocolName(channel)} ${addressText(channel)}`.toLowerCase().includes(wanted);
}

/** The first entry: the overview of all channels. */
function PlantItem({ isSelected }: { readonly isSelected: boolean }) {
  const { t } = useTranslation('plant');
  const showPlant = useUiStore((state) => state.showPlant);
  return (
    <li className={`${classes.item} ${classes.plant} ${isSelected ? classes.selected : ''}`}>
      <button
        type="button"
        className={classes.choose}
        onClick={showPlant}
        data-testid="open-plant"
        {...(isSelected ? { 'aria-current': 'true' as const } : {})}
      >
        <Icon name="plant" size={14} />
        <span className={classes.name}>{t('title')}</span>
        <span className={classes.hint}>{t('hint')}</span>
      </button>
    </li>
  );
}

/** All channels with their state, to choose, start and stop. */
export function ChannelList() {
  const { t } = useTranslation('channels');
  const [filter, setFilter] = useState('');
  const channels = useChannels();
  const selectedId = useUiStore((state) => state.selectedChannelId);
  const showsPlant = useUiStore((state) => state.showsPlant);
  const showsStart = useUiStore((state) => state.showsStart);
  const all = channels.data ?? [];
  const selected = pickChannel(all, selectedId);
  const shown = filter && all.length >= FILTER_FROM ? all.filter((channel) => matches(channel, filter)) : all;
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
        {all.length > 0 ? <PlantItem isSelected={showsPlant && !showsStart} /> : null}
        {groupsOf(shown).map(([protocol, channels]) => (
          <li key={protocol}>
            <div className={classes.group}>{protocol}</div>
            <ul className={classes.inner} aria-label={protocol}>
              {channels.map((channel) => (
                <ChannelItem key={channel.id} channel={channel} isSelected={!showsPlant && !showsStart && channel.id === selected?.id} />
              ))}
            </ul>
          </li>
        ))}
        {all.length > 0 && shown.length === 0 ? <li style={{ padding: 12 }}>{t('noneFound')}</li> : null}
      </ul>
    </div>
  );
}
