import { useMantineColorScheme } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { useTranslation } from 'react-i18next';
import { openDialog } from '../app/dialog-store.ts';
import { useUiStore } from '../app/ui-store.ts';
import { openChannelDialog } from '../features/channels/channel-dialog-store.ts';
import { pickChannel, useChannels } from '../features/channels/use-channels.ts';
import { setLanguage } from '../i18n/index.ts';
import { isCovered, useCommand } from './registry.ts';

/** Opens the palette, unless a dialog is being worked in. */
export function openPalette(): void {
  if (!isCovered()) spotlight.open();
}

/** The commands that are there whatever is on the screen; draws nothing. */
export function AppCommands() {
  const { t, i18n } = useTranslation('commands');
  const { setColorScheme } = useMantineColorScheme();
  const { showPlant, selectChannel, toggleSidebar } = useUiStore.getState();
  const selectedId = useUiStore((state) => state.selectedChannelId);
  const channels = useChannels().data ?? [];
  const at = channels.findIndex((channel) => channel.id === pickChannel(channels, selectedId)?.id);
  const goTo = (index: number) => {
    const channel = channels[index];
    if (channel) selectChannel(channel.id);
  };
  const always = { reason: null };
  useCommand({ ...always, id: 'plant', group: 'go', words: t('plant'), key: 'mod+0', run: showPlant });
  useCommand({
    id: 'channel-before',
    group: 'go',
    words: t('channelBefore'),
    key: 'mod+ArrowUp',
    reason: at > 0 ? null : t('why.noChannel'),
    run: () => goTo(at - 1),
  });
  useCommand({
    id: 'channel-after',
    group: 'go',
    words: t('channelAfter'),
    key: 'mod+ArrowDown',
    reason: at >= 0 && at < channels.length - 1 ? null : t('why.noChannel'),
    run: () => goTo(at + 1),
  });
  useCommand({ ...always, id: 'sidebar', group: 'go', words: t('sidebar'), key: 'mod+B', run: toggleSidebar });
  useCommand({ ...always, id: 'add-channel', group: 'service', words: t('addChannel'), run: () => openChannelDialog({ kind: 'add' }) });
  useCommand({ ...always, id: 'keys', group: 'service', words: t('keys'), key: 'F1', run: () => openDialog('keys') });
  useCommand({ ...always, id: 'settings', group: 'service', words: t('settings'), run: () => openDialog('settings') });
  useCommand({ ...always, id: 'project', group: 'service', words: t('project'), run: () => openDialog('project') });
  useCommand({ ...always, id: 'audit', group: 'service', words: t('audit'), run: () => openDialog('audit') });
  useCommand({
    ...always,
    id: 'language',
    group: 'service',
    words: t('language'),
    run: () => void setLanguage(i18n.language === 'en' ? 'zh-CN' : 'en'),
  });
  useCommand({ ...always, id: 'light', group: 'service', words: t('light'), run: () => setColorScheme('light') });
  useCommand({ ...always, id: 'dark', group: 'service', words: t('dark'), run: () => setColorScheme('dark') });
  return null;
}
