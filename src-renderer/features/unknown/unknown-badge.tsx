import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { isListening } from '#shared/domain/listening.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { sideOf } from './unknown-side.ts';

/** Number of objects that the device sends and the table does not have; 0 where the protocol has none. */
export function useUnknownTotal(channel: Channel): number {
  const protocols = useOperation('listProtocols', {});
  const descriptor = protocols.data?.find((item) => item.protocol_type === channel.protocol_type);
  const side = isServing(channel.conn_type) ? 'server' : 'client';
  const enabled = isListening(channel) || descriptor?.unknown_objects?.[side] === true;
  const query = useOperation('unknownObjects', { channel_id: channel.id, page: 1, page_size: 1 }, { pollMs: POLL.slow, enabled });
  return enabled && !query.isPlaceholderData ? (query.data?.total ?? 0) : 0;
}

/** The number of unknown objects of a channel; nothing where there are none. */
export function UnknownBadge({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('tools');
  const total = useUnknownTotal(channel);
  if (total === 0) return null;
  return (
    <Badge
      size="sm"
      circle={total < 10}
      variant="filled"
      color="steel"
      title={t('unknown.badge', { count: total, ...sideOf(channel) })}
      data-testid="unknown-badge"
    >
      {total}
    </Badge>
  );
}
