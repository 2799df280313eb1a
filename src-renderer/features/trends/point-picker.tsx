import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { DataOf, InputOf, NameOf } from '#shared/contract/index.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { serviceApi } from '../../api/client.ts';
import { shownService } from '../../api/service-place.ts';
import { withinTime } from '../../api/within-time.ts';
import { useProjectSession } from '../../app/project-session.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import { useChannels } from '../channels/use-channels.ts';
import { useOwnChannels, useRemoteViews } from '../remotes/use-remotes.ts';
import { MOST_CURVES, useTrendStore } from './trend-store.ts';

/** Points that are offered at once. */
export const OFFERED_POINTS = 50;
/** Typing rests so long before the service is asked, in milliseconds. */
export const REST_MS = 200;

/** A channel that points are chosen from. */
interface Place {
  readonly key: string;
  /** Number of its service; null: the one that the page came from. */
  readonly service: number | null;
  readonly serviceName: string;
  readonly channelId: number;
  readonly name: string;
}

const keyOf = (service: number | null, channelId: number) => `${service ?? 0}:${channelId}`;

/** The channels of the shown service, then those of the others. */
function usePlaces(): readonly Place[] {
  const { t } = useTranslation('remotes');
  const placesOf = (service: number | null, serviceName: string, channels: readonly { readonly id: number; readonly name: string }[]) =>
    channels.map(({ id, name }) => ({ key: keyOf(service, id), service, serviceName, channelId: id, name }));
  const views = useRemoteViews();
  const own = useOwnChannels();
  const shown = useChannels().data ?? [];
  const shownName = views.find(({ id }) => id === shownService)?.name ?? t('own');
  return [
    ...placesOf(shownService, shownName, shown),
    ...(shownService === null ? [] : placesOf(null, t('own'), own)),
    ...views.filter(({ id }) => id !== shownService).flatMap(({ id, name, channels }) => placesOf(id, name, channels)),
  ];
}

/** What one service among others says; one that hangs is not waited for. */
function useServiceQuery<Name extends NameOf<'query'>>(
  { service, serviceName }: Pick<Place, 'service' | 'serviceName'>,
  name: Name,
  input: InputOf<Name>,
  enabled: boolean,
) {
  return useQuery<DataOf<Name>, AppError>({
    queryKey: ['service', service, name, input as unknown],
    queryFn: async ({ signal }) => (await withinTime(serviceName, signal, (ending) => serviceApi(service).call(name, input, ending))).data,
    // what was found before stays while something else is searched, in the same service
    placeholderData: (before, query) => (query?.queryKey[1] === service ? before : undefined),
    enabled,
    retry: false,
  });
}

/** Chooses a point of any channel by its name or code, of other services as well. */
export const PointPicker = memo(function PointPicker({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('trends');
  const words = useWords();
  const places = usePlaces();
  const [chosen, setChosen] = useState(keyOf(shownService, channel.id));
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), REST_MS);
  const points = useTrendStore((state) => state.points);
  const add = useTrendStore((state) => state.add);
  const session = useProjectSession((state) => state.session);
  const isFull = points.length >= MOST_CURVES;
  const place = places.find(({ key }) => key === chosen);
  const asking = place ?? { service: shownService, serviceName: '' };
  const { service } = asking;
  const channelId = place?.channelId ?? channel.id;
  const isOther = service !== shownService;
  // the ids of another service hold as long as it has this project open
  const info = useServiceQuery(asking, 'serviceInfo', {}, isOther);
  const project = useServiceQuery(asking, 'projectInfo', {}, isOther);
  const input = { channel_id: channelId, page: 1, page_size: OFFERED_POINTS, ...(asked === '' ? {} : { search: asked }) };
  const found = useServiceQuery(asking, 'pointTable', input, !isFull);
  const of =
    place && info.data && project.data && isOther
      ? { id: place.service, name: place.serviceName, session: info.data.project_session, project: project.data.path }
      : null;
  const items = isOther && !of ? [] : (found.data?.items.filter(({ channel_id }) => channel_id === channelId) ?? []);
  const error = found.error ?? info.error ?? project.error;
  const textOf = ({ code, name }: { readonly code: string; readonly name: string }) => (name && name !== code ? `${code} · ${name}` : code);
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const { key, serviceName, name } of places)
    groups.set(serviceName, [...(groups.get(serviceName) ?? []), { value: key, label: name }]);
  const choose = (value: string | null) => {
    const point = items.find(({ id }) => String(id) === value);
    if (point) add(session, { of, channelId, frameType: point.frame_type, id: point.id });
    setSearch('');
  };
  return (
    <>
      <Select
        w={150}
        aria-label={t('channel')}
        data={groups.size > 1 ? [...groups].map(([group, options]) => ({ group, items: options })) : [...groups.values()].flat()}
        // a service that is away takes its channels along
        value={place?.key ?? keyOf(shownService, channel.id)}
        onChange={(value) => value !== null && setChosen(value)}
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
        nothingFoundMessage={error ? words(error.said, error.message) : t('noPoints')}
        value={null}
        onChange={choose}
        data-testid="trend-point"
      />
    </>
  );
});
