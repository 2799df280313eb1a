import { Button } from '@mantine/core';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useCommand } from '../../commands/registry.ts';
import { Icon } from '../../ui/icons.tsx';
import { SetpointsDialog } from './setpoints-dialog.tsx';

/** How many setpoints of the channel were written and not brought back; nothing while there are none. Opens the way back. */
export const SetpointsButton = memo(function SetpointsButton({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('setpoints');
  const [isOpen, setIsOpen] = useState(false);
  const isAsked = !isServing(channel.conn_type);
  const { data } = useOperation('touchedSetpoints', { channel_id: channel.id }, { pollMs: POLL.status, enabled: isAsked });
  const items = isAsked ? (data?.items.filter((item) => item.channel_id === channel.id) ?? []) : [];
  useCommand({
    id: 'setpoints',
    group: 'points',
    words: t('title'),
    reason: items.length > 0 ? null : t('none'),
    run: () => setIsOpen(true),
  });
  return (
    <>
      {items.length > 0 ? (
        <Button
          size="compact-xs"
          variant="subtle"
          color="amber"
          leftSection={<Icon name="restore" size={13} />}
          onClick={() => setIsOpen(true)}
          data-testid="setpoints"
        >
          {t('changed', { count: items.length })}
        </Button>
      ) : null}
      {isOpen ? <SetpointsDialog channel={channel} setpoints={items} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
});
