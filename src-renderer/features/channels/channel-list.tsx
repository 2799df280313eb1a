import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { OtherServices } from '../remotes/other-services.tsx';
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

interface PlaceItemProps {
  readonly icon: IconName;
  readonly words: string;
  readonly hint: string;
  readonly isSelected: boolean;
  readonly testId: string;
  onChoose(): void;
}

/** An entry above the channels: what belongs to all of them. */
function PlaceItem({ icon, words, hint, isSelected, testId, onChoose }: PlaceItemProps) {
  return (
    <li className={`${classes.item} ${classes.plant} ${isSelected ? classes.selected : ''}`}>
      <button
        type="button"
        className={classes.choose}
        onClick={onChoose}
        data-testid={testId}
        {...(isSelected ? { 'aria-current': 'true' as const } : {})}
      >
        <Icon name={icon} size={14} />
        <span className={classes.name}>{words}</span>
        <span className={classes.hint}>{hint}</span>
      </button>
    </li>
  );
}

/** All channels with their state, to choose, start and stop. */
export function ChannelList() {
  const { t } = useTranslation(['channels', 'plant', 'check']);
  const [filter, setFilter] = useState('');
  const channels = useChannels();
  const selectedId = useUiStore((state) => state.selectedChannelId);
  const showsPlant = useUiStore((state) => state.showsPlant);
  const showsCheck = useUiStore((state) => state.check !== null);
  const showsStart = useUiStore((state) => state.showsStart);
  const { showPlant, showCheck } = useUiStore.getState();
  const showsChannel = !showsPlant && !showsCheck && !showsStart;
  const all = channels.data ?? [];
  const selected = pickChannel(all, selectedId);
  const shown = filter && all.length >= FILTER_FROM ? all.filter((channel) => matches(channel, filter)) : all;
  return (
    <div className={classes.panel}>
      <div className={classes.head}>
        <h2 className={classes.title}>{channels.data ? t('channels:count', { count: all.length }) : t('channels:title')}</h2>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => openChannelDialog({ kind: 'add' })}
          data-testid="add-channel"
        >
          {t('channels:add')}
        </Button>
      </div>
      {all.length >= FILTER_FROM ? (
        <div className={classes.search}>
          <TextInput
            aria-label={t('channels:search')}
            placeholder={t('channels:search')}
            leftSection={<Icon name="search" size={14} />}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
        </div>
      ) : null}
      <ul className={classes.list} data-testid="channel-list">
        {all.length > 0 ? (
          <>
            <PlaceItem
              icon="plant"
              words={t('plant:title')}
              hint={t('plant:hint')}
              isSelected={showsPlant && !showsStart}
              testId="open-plant"
              onChoose={showPlant}
            />
            <PlaceItem
              icon="prove"
              words={t('check:title')}
              hint={t('check:place')}
              isSelected={showsCheck && !showsStart}
              testId="open-check"
              onChoose={() => showCheck(null)}
            />
          </>
        ) : null}
        {groupsOf(shown).map(([protocol, channels]) => (
          <li key={protocol}>
            <div className={classes.group}>{protocol}</div>
            <ul className={classes.inner} aria-label={protocol}>
              {channels.map((channel) => (
                <ChannelItem key={channel.id} channel={channel} isSelected={showsChannel && channel.id === selected?.id} />
              ))}
            </ul>
          </li>
        ))}
        {all.length > 0 && shown.length === 0 ? <li style={{ padding: 12 }}>{t('channels:noneFound')}</li> : null}
        <OtherServices />
      </ul>
    </div>
  );
}
