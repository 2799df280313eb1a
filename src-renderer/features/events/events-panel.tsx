import { Button, Chip, Group, Switch, Tooltip } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventEntry } from '#shared/contract/events.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { useCommand, useKeyHint } from '../../commands/registry.ts';
import { useWords } from '../../i18n/words.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { useChannel } from '../points/use-point-query.ts';
import { clockOffset, offsetText } from './clock-offset.ts';
import { useEventColumns } from './event-columns.tsx';
import classes from './events.module.css';
import { useEventsFeed, valuesBefore } from './events-feed.ts';
import { saveEvents } from './events-file.ts';

type Kind = EventEntry['kind'];
const KINDS: readonly Kind[] = ['change', 'channel', 'task', 'system'];
const NO_EVENTS: readonly EventEntry[] = [];

/** What the clock of the device is ahead, where its events carry a time. */
function OffsetFact({ events }: { readonly events: readonly EventEntry[] }) {
  const { t } = useTranslation('events');
  const offset = useMemo(() => clockOffset(events), [events]);
  if (!offset) return null;
  return (
    <Tooltip label={t('clockOffsetHint', { count: offset.count })}>
      <span className={classes.muted} data-testid="clock-offset">
        {t('clockOffset', { offset: offsetText(offset.offsetMs) })}
      </span>
    </Tooltip>
  );
}

const idOf = (event: EventEntry) => String(event.seq);

/** Which events are shown. */
function useFilter() {
  const words = useWords();
  const [kinds, setKinds] = useState<string[]>([...KINDS]);
  const [search, setSearch] = useState('');
  const passes = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    const textOf = ({ code, name, text, text_message }: EventEntry) => `${code} ${name ?? ''} ${words(text_message, text)}`.toLowerCase();
    return (event: EventEntry) => kinds.includes(event.kind) && (wanted === '' || textOf(event).includes(wanted));
  }, [kinds, search, words]);
  return { kinds, setKinds, search, setSearch, passes };
}

/** What happened on a channel and in the service itself, in the order it happened. */
export default function EventsPanel({ channelId }: { readonly channelId: number }) {
  const { t } = useTranslation(['events', 'commands']);
  const { kinds, setKinds, search, setSearch, passes } = useFilter();
  const [follow, setFollow] = useState(true);
  const feed = useEventsFeed(channelId);
  const channel = useChannel(channelId);
  const box = useRef<HTMLInputElement>(null);
  const all = feed.data?.items ?? NO_EVENTS;
  const hasCauses = useMemo(() => all.some((event) => event.cause !== undefined), [all]);
  const before = useMemo(() => valuesBefore(all), [all]);
  const columns = useEventColumns({ hasCauses, before });
  const rows = useMemo(() => all.filter(passes), [all, passes]);
  const grid = useLocalRows(rows, idOf);
  const saving = useMutation({
    mutationFn: () => saveEvents({ channelId, name: channel?.name ?? String(channelId), columns, passes }),
    onError: (thrown) => notifyError(toAppError(thrown)),
    retry: false,
  });
  const view = { group: 'points', reason: null } as const;
  const findWords = t('commands:findEvents');
  useCommand({ ...view, id: 'find-events', keyId: 'find', words: findWords, key: 'mod+F', run: () => box.current?.focus() });
  const saveWords = t('events:export');
  useCommand({ ...view, id: 'export-events', keyId: 'export-points', words: saveWords, key: 'mod+E', run: () => saving.mutate() });
  const findKey = useKeyHint('find-events');
  const saveKey = useKeyHint('export-events');
  const dropped = feed.data?.dropped ?? 0;
  return (
    <div className={classes.wrap} data-testid="events-panel">
      <div className={classes.bar}>
        <Chip.Group multiple value={kinds} onChange={setKinds}>
          <Group gap={4} role="group" aria-label={t('events:filter')} wrap="nowrap">
            {KINDS.map((kind) => (
              <Chip key={kind} value={kind} size="xs" variant="outline">
                {t(`events:kinds.${kind}`)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <SearchField
          ref={box}
          flex="0 1 180px"
          words={t('events:search')}
          title={`${findWords}${findKey}`}
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.currentTarget.value)}
          data-testid="events-search"
        />
        <div className={classes.spacer} />
        <OffsetFact events={all} />
        {dropped > 0 ? <span className={classes.muted}>{t('events:dropped', { count: dropped })}</span> : null}
        <span className={classes.muted} data-testid="events-shown">
          {t('events:shown', { count: rows.length })}
        </span>
        <Switch label={t('events:follow')} checked={follow} onChange={(event) => setFollow(event.currentTarget.checked)} />
        <Button
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          title={`${t('events:exportHint')}${saveKey}`}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
          data-testid="events-export"
        >
          {saveWords}
        </Button>
      </div>
      <ErrorNotice error={feed.data ? null : feed.error} compact />
      <DataGrid
        name="events"
        label={t('events:label')}
        rows={grid}
        columns={columns}
        follow={{ isOn: follow, onChange: setFollow }}
        empty={feed.data ? <EmptyState icon="list" title={t('events:empty')} hint={t('events:emptyHint')} /> : null}
      />
    </div>
  );
}
