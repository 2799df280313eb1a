import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { MissingPart } from '#shared/contract/projects.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { openChannelDialog } from '../channels/channel-dialog-store.ts';
import { useChannels } from '../channels/use-channels.ts';
import classes from './projects.module.css';
import { useProjectsStore } from './projects-store.ts';

/** What the open project lacks on this computer; looked at now and then, as adapters are plugged in and files are copied. */
function useMissing(): readonly MissingPart[] {
  return useOperation('missingParts', {}, { pollMs: POLL.slow }).data?.items ?? [];
}

/** The step that can be taken from here. */
function WayOut({ part, channel }: { readonly part: MissingPart; readonly channel: Channel | undefined }) {
  const { t } = useTranslation('projects');
  const { selectChannel, setTab } = useUiStore.getState();
  if (!channel) return null;
  const act = () => {
    if (part.kind === 'document') {
      selectChannel(channel.id);
      setTab('model');
    } else openChannelDialog({ kind: part.kind === 'secrets' ? 'secrets' : 'edit', channel });
  };
  return (
    <Button size="compact-sm" variant="default" onClick={act}>
      {t(`missing.way.${part.kind === 'protocol' ? 'file' : part.kind}`)}
    </Button>
  );
}

/** Everything that is missing, with what to do; nothing when all is there. */
export function MissingSection() {
  const { t } = useTranslation('projects');
  const items = useMissing();
  const channels = useChannels().data ?? [];
  if (items.length === 0) return null;
  const columns: readonly SmallColumn<MissingPart>[] = [
    { id: 'channel', name: t('missing.channel'), isRowHeader: true, isShort: true, cell: ({ channel }) => channel },
    { id: 'kind', name: t('missing.what'), isShort: true, cell: ({ kind }) => t(`missing.kind.${kind}`) },
    {
      id: 'text',
      name: t('missing.todo'),
      cell: ({ message, message_code, params }) => <Said message={{ code: message_code, params }} text={message} />,
    },
    { id: 'way', name: null, cell: (part) => <WayOut part={part} channel={channels.find(({ id }) => id === part.channel_id)} /> },
  ];
  return (
    <section className={classes.missing} aria-label={t('missing.title', { count: items.length })} data-testid="missing-parts">
      <h2 className={classes.missingTitle}>
        <Icon name="warn" /> {t('missing.title', { count: items.length })}
      </h2>
      <div className={classes.missingRows}>
        <SmallTable
          label={t('missing.title', { count: items.length })}
          columns={columns}
          rows={items}
          keyOf={({ kind, channel_id, message }) => `${kind} ${channel_id} ${message}`}
          rowData={({ kind }) => ({ 'data-missing': kind })}
        />
      </div>
    </section>
  );
}

/** Above the work: that something is missing, until it is there or was put aside. */
export function MissingBar() {
  const { t } = useTranslation('projects');
  const items = useMissing();
  const hidden = useProjectsStore((state) => state.hiddenMissing);
  const showStart = useUiStore((state) => state.showStart);
  const isStartShown = useUiStore((state) => state.showsStart);
  const channels = useChannels().data;
  const what = items.map(({ kind, channel_id, message }) => `${kind} ${channel_id} ${message}`).join('\n');
  if (items.length === 0 || what === hidden || isStartShown || channels?.length === 0) return null;
  return (
    <div className={classes.bar} role="status" data-testid="missing-bar">
      <Icon name="warn" />
      <b>{t('missing.title', { count: items.length })}</b>
      <span className="lc-ellipsis">{[...new Set(items.map(({ kind }) => t(`missing.kind.${kind}`)))].join(' · ')}</span>
      <Button size="compact-sm" variant="default" onClick={showStart} data-testid="missing-show">
        {t('missing.show')}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => useProjectsStore.setState({ hiddenMissing: what })}>
        {t('missing.later')}
      </Button>
    </div>
  );
}
