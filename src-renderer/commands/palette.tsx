import '@mantine/spotlight/styles.css';
import { Kbd } from '@mantine/core';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { usePreferences } from '../app/preferences.ts';
import { useUiStore } from '../app/ui-store.ts';
import { addressText, protocolName, STATUS_ICON } from '../features/channels/channel-text.ts';
import { useOfChannels } from '../features/channels/use-channels.ts';
import { Icon } from '../ui/icons.tsx';
import { keyText } from './key-text.ts';
import { filterEntries } from './palette-filter.ts';
import { COMMAND_GROUPS, type Command, keyOf, runCommand, useRegistry } from './registry.ts';

/** Most entries that are shown for a text. */
const MOST = 30;

function actionOf(command: Command, key: string | undefined, keywords: string | undefined): SpotlightActionData {
  return {
    id: command.id,
    label: command.words,
    ...(keywords === undefined ? {} : { keywords }),
    ...(command.reason === null ? {} : { description: command.reason, disabled: true }),
    ...(key === undefined ? {} : { rightSection: <Kbd size="xs">{keyText(key)}</Kbd> }),
    onClick: () => runCommand(command),
  };
}

/** Enter takes the first entry where none is marked yet: Spotlight marks it a moment after the list has changed, and people press Enter sooner. */
function onSearchKey({ key, nativeEvent, currentTarget }: KeyboardEvent<HTMLInputElement>) {
  const box = currentTarget.closest('[role="dialog"]');
  if (key !== 'Enter' || nativeEvent.isComposing || box?.querySelector('[data-selected]')) return;
  box?.querySelector<HTMLElement>('[data-action]')?.click();
}

/** What the entries tell of channels. */
const entriesOf = (channels: readonly Channel[]) =>
  channels.map((channel) => ({
    id: channel.id,
    name: channel.name,
    status: channel.status,
    protocol_type: channel.protocol_type,
    address: addressText(channel),
  }));

/** Ctrl+K: everything that can be done now, and every channel, found by a few letters. */
export default function CommandPalette() {
  const { t } = useTranslation(['commands', 'channels']);
  const commands = [...useRegistry((state) => state.commands).values()];
  const keys = usePreferences((state) => state.keys);
  const channels = useOfChannels(entriesOf).data ?? [];
  const selectChannel = useUiStore((state) => state.selectChannel);
  const [query, setQuery] = useState('');
  const words: Readonly<Record<string, string>> = t('commands:alsoKnownAs', { returnObjects: true });
  const groups: SpotlightActionGroupData[] = COMMAND_GROUPS.map((group) => ({
    group: t(`commands:group.${group}`),
    actions: commands
      .filter((command) => command.group === group)
      .map((command) => actionOf(command, keyOf(command, keys), words[command.id])),
  }));
  groups.push({
    group: t('channels:title'),
    actions: channels.map((channel) => ({
      id: `channel ${channel.id}`,
      label: channel.name,
      description: `${protocolName(channel)} · ${channel.address || t('channels:noPort')} · ${t(`channels:status.${channel.status}`)}`,
      leftSection: <Icon name={STATUS_ICON[channel.status]} />,
      onClick: () => selectChannel(channel.id),
    })),
  });
  return (
    <Spotlight
      query={query}
      onQueryChange={setQuery}
      // Spotlight itself clears it at the end of a transition, which there is none of with reduced motion
      onSpotlightClose={() => setQuery('')}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      filter={(text) => filterEntries(text, groups)}
      limit={MOST}
      scrollable
      maxHeight={420}
      highlightQuery
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      nothingFound={t('commands:nothing')}
      shortcut={null}
      attributes={{ content: { 'aria-label': t('commands:search') } }}
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: t('commands:search'),
        'aria-label': t('commands:search'),
        onKeyDown: onSearchKey,
      }}
    />
  );
}
