import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useUiStore } from '../../app/ui-store.ts';
import type { Command } from '../../commands/registry.ts';
import { openDoctor } from '../doctor/doctor-store.ts';
import { makeTemplate } from '../library/library-store.ts';
import { saveText } from '../projects/use-projects.ts';
import { openChannelDialog } from './channel-dialog-store.ts';
import { isStarted } from './channel-text.ts';
import { useProtocol } from './protocol-facts.ts';
import { useChannelActions, useSelectedChannel } from './use-channels.ts';

/** What can be done with a channel: its menu, and the palette, the keys and the menu of the window for the one that is worked with. */
export function useChannelCommands(channel: Channel): readonly Command[] {
  const { t } = useTranslation(['commands', 'channels', 'app', 'doctor', 'projects', 'library']);
  const { start, stop, reload } = useChannelActions();
  const { showBeside } = useUiStore.getState();
  const shown = useSelectedChannel()?.id;
  const hasSecrets = useProtocol(channel.protocol_type)?.secrets_schema !== undefined;
  const started = isStarted(channel.status);
  const { id, name } = channel;
  const always = { group: 'channel', reason: null } as const;
  return [
    {
      ...always,
      id: 'start-stop',
      words: t(started ? 'commands:stopChannel' : 'commands:startChannel', { name }),
      menuWords: t(started ? 'channels:stop' : 'channels:start'),
      icon: started ? 'stop' : 'play',
      reason: channel.status === 'stopping' ? t('channels:status.stopping') : null,
      run: () => (started ? stop(id) : start(id)),
    },
    {
      ...always,
      id: 'edit-channel',
      words: t('commands:editChannel', { name }),
      menuWords: t('app:action.edit'),
      icon: 'edit',
      run: () => openChannelDialog({ kind: 'edit', channel }),
    },
    ...(hasSecrets
      ? [
          {
            ...always,
            id: 'channel-secrets',
            words: t('commands:channelSecrets', { name }),
            menuWords: t('channels:secrets.open'),
            icon: 'key' as const,
            run: () => openChannelDialog({ kind: 'secrets', channel }),
          },
        ]
      : []),
    {
      ...always,
      id: 'reload-channel',
      words: t('commands:reloadChannel', { name }),
      menuWords: t('channels:reload'),
      icon: 'reload',
      run: () => reload(id),
    },
    ...(isServing(channel.conn_type)
      ? []
      : [
          {
            ...always,
            id: 'doctor',
            words: t('commands:doctor', { name }),
            menuWords: t('doctor:open'),
            icon: 'doctor' as const,
            run: () => openDoctor(id),
          },
        ]),
    {
      ...always,
      id: 'save-channel-text',
      words: t('commands:saveText', { name }),
      menuWords: t('projects:text.save'),
      icon: 'download',
      run: () => void saveText(id),
    },
    {
      ...always,
      id: 'make-template',
      words: t('commands:makeTemplate', { name }),
      menuWords: t('library:make'),
      icon: 'list',
      run: () => makeTemplate({ id, name }),
    },
    {
      ...always,
      id: 'show-beside',
      words: t('commands:showBeside', { name }),
      menuWords: t('channels:area.show'),
      icon: 'beside',
      reason: shown === id ? t('channels:area.same') : null,
      run: () => showBeside(id),
    },
    {
      ...always,
      id: 'delete-channel',
      words: t('commands:deleteChannel', { name }),
      menuWords: t('app:action.delete'),
      icon: 'trash',
      isDangerous: true,
      run: () => openChannelDialog({ kind: 'delete', channel }),
    },
  ];
}
