import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useOperation } from '../../api/hooks.ts';
import { useProjectSession } from '../../app/project-session.ts';
import { Icon } from '../../ui/icons.tsx';
import { useChannels } from '../channels/use-channels.ts';
import { MOST_CURVES, useTrendStore } from './trend-store.ts';

/** Points that are offered at once. */
export const OFFERED_POINTS = 50;
/** Typing rests so long before the service is asked, in milliseconds. */
export const REST_MS = 200;

/** Chooses a point of any channel by its name or code. */
export function PointPicker({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('trends');
  const channels = useChannels().data ?? [];
  const [of, setOf] = useState(channel.id);
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), REST_MS);
  const { points, add } = useTrendStore();
  const session = useProjectSession((state) => state.session);
  const isFull = points.length >= MOST_CURVES;
  const found = useOperation(
    'pointTable',
    { channel_id: of, page: 1, page_size: OFFERED_POINTS, ...(asked === '' ? {} : { search: asked }) },
    { enabled: !isFull },
  );
  const items = found.data?.items.filter(({ channel_id }) => channel_id === of) ?? [];
  const textOf = ({ code, name }: { readonly code: string; readonly name: string }) => (name && name !== code ? `${code} · ${name}` : code);
  return (
    <>
      <Select
        w={150}
        aria-label={t('channel')}
        data={channels.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(of)}
        onChange={(value) => value !== null && setOf(Number(value))}
        allowDeselect={false}
        data-testid="trend-channel"
      />
      <Select
        w={240}
        searchable
        aria-label={t('add')}
        placeholder={isFull ? t('full', { most: MOST_CURVES }) : t('add')}
        title={t('addHint', { most: MOST_CURVES })}
        disabled={isFull}
        leftSection={<Icon name="plus" size={14} />}
        data={items.map((item) => ({ value: String(item.id), label: textOf(item) }))}
        // the service has searched
        filter={({ options }) => options}
        searchValue={search}
        onSearchChange={setSearch}
        nothingFoundMessage={t('noPoints')}
        value={null}
        onChange={(value) => {
          const point = items.find(({ id }) => String(id) === value);
          if (point) add(session, { channelId: of, frameType: point.frame_type, id: point.id });
          setSearch('');
        }}
        data-testid="trend-point"
      />
    </>
  );
}
