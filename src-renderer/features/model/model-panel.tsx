import { Button, CloseButton, Loader, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type RefObject, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { DeviceModel } from '#shared/contract/iec61850.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useCommand, useKeyHint } from '../../commands/registry.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { AddPointsDialog } from './add-points-dialog.tsx';
import { DataSetView } from './data-set-view.tsx';
import { DifferencesView } from './differences-view.tsx';
import { DocumentDialog } from './document-dialog.tsx';
import { ExportButton } from './export-button.tsx';
import classes from './model.module.css';
import { ModelStatusLine } from './model-status.tsx';
import { MODEL_VIEWS, type ModelUiState, useModelUi } from './model-store.ts';
import { ModelTreeGrid } from './model-tree.tsx';
import { ancestorsOf } from './tree-rows.ts';
import { MOST_FOUND, useModelTree } from './use-model-tree.ts';

const SEARCH_DELAY_MS = 250;

interface TreeViewProps {
  readonly channel: Channel;
  readonly model: DeviceModel;
  readonly ui: ModelUiState;
  readonly search: string;
  clearSearch(): void;
  onPoint(reference: string): void;
}

function TreeView({ channel, model, ui, search, clearSearch, onPoint }: TreeViewProps) {
  const { t } = useTranslation('model');
  const tree = useModelTree(channel.id, model.revision, ui.open, search);
  const [revealed, setRevealed] = useState<string | null>(null);
  const onRevealed = useCallback(() => setRevealed(null), []);
  const reveal = (reference: string) => {
    setRevealed(reference);
    ui.setOpen(ancestorsOf(reference), true);
    ui.setActive(reference);
    clearSearch();
  };
  if (tree.error) return <ErrorNotice error={tree.error} compact />;
  if (tree.isLoading) return <Loader size="sm" m="md" />;
  if (tree.rows.length === 0) {
    if (search !== '') return <EmptyState icon="search" title={t('noneFound')} hint={t('noneFoundHint')} />;
    return <Unknown channel={channel} model={model} />;
  }
  return (
    <>
      {tree.hasMore ? <div className={classes.more}>{t('moreFound', { count: MOST_FOUND })}</div> : null}
      <ModelTreeGrid
        rows={tree.rows}
        values={tree.values}
        ui={ui}
        isFound={search !== ''}
        revealed={search === '' ? revealed : null}
        onPoint={onPoint}
        onReveal={reveal}
        onRevealed={onRevealed}
      />
    </>
  );
}

function Unknown({ channel, model }: { readonly channel: Channel; readonly model: DeviceModel }) {
  const { t } = useTranslation('model');
  if (model.state === 'learning') return <EmptyState icon="busy" title={t('empty.learning')} hint={t('empty.learningHint')} />;
  const isStopped = channel.status === 'stopped' || channel.status === 'error';
  return <EmptyState icon="list" title={t('empty.title')} hint={t(isStopped ? 'empty.stoppedHint' : 'empty.hint')} />;
}

interface ToolbarProps {
  readonly ui: ModelUiState;
  readonly search: string;
  readonly hasDocuments: boolean;
  readonly channelId: number;
  readonly canExport: boolean;
  readonly box: RefObject<HTMLInputElement | null>;
  onSearch(text: string): void;
  onAdd(): void;
  onDocument(): void;
}

function Toolbar({ ui, search, hasDocuments, channelId, canExport, box, onSearch, onAdd, onDocument }: ToolbarProps) {
  const { t } = useTranslation('model');
  const count = ui.ticked.size;
  const key = useKeyHint('find-model');
  return (
    <div className={classes.toolbar}>
      <SegmentedControl
        aria-label={t('views')}
        size="xs"
        data={MODEL_VIEWS.map((view) => ({ value: view, label: t(`view.${view}`) }))}
        value={ui.view}
        onChange={(value) => ui.setView(MODEL_VIEWS.find((view) => view === value) ?? 'tree')}
        data-testid="model-views"
      />
      {ui.view === 'tree' ? (
        <TextInput
          ref={box}
          className={classes.search ?? ''}
          aria-label={t('search')}
          title={`${t('search')}${key}`}
          placeholder={t('searchHint')}
          leftSection={<Icon name="search" size={14} />}
          rightSection={search === '' ? null : <CloseButton size="xs" aria-label={t('clearSearch')} onClick={() => onSearch('')} />}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onSearch('')}
          maxLength={200}
          data-testid="model-search"
        />
      ) : null}
      <span className={classes.spring} />
      {count > 0 && ui.view === 'tree' ? (
        <Button variant="subtle" onClick={ui.clearTicked} data-testid="model-clear">
          {t('clearTicked')}
        </Button>
      ) : null}
      {ui.view === 'tree' ? (
        <Button disabled={count === 0} leftSection={<Icon name="plus" size={14} />} onClick={onAdd} data-testid="model-add">
          {count === 0 ? t('addNone') : t('add', { count })}
        </Button>
      ) : null}
      {canExport ? <ExportButton channelId={channelId} /> : null}
      {hasDocuments ? (
        <Button variant="default" leftSection={<Icon name="file" size={14} />} onClick={onDocument} data-testid="model-document">
          {t('document.open')}
        </Button>
      ) : null}
    </div>
  );
}

interface PanelProps {
  readonly channel: Channel;
  readonly facts: NonNullable<ProtocolDescriptor['model']>;
}

function Panel({ channel, facts }: PanelProps) {
  const ui = useModelUi(channel.id);
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), SEARCH_DELAY_MS);
  const [showsDocument, setShowsDocument] = useState(false);
  /** Nodes that are to be points, as they were when it was asked. */
  const [adding, setAdding] = useState<readonly string[] | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const { t } = useTranslation('commands');
  const isTree = ui.view === 'tree';
  useCommand(
    isTree
      ? {
          id: 'find-model',
          keyId: 'find',
          group: 'points',
          words: t('findModel'),
          key: 'mod+F',
          reason: null,
          run: () => box.current?.focus(),
        }
      : null,
  );
  useCommand({
    id: 'add-from-model',
    group: 'points',
    words: t('addFromModel'),
    key: 'Insert',
    leavesTyping: true,
    reason: isTree && ui.ticked.size > 0 ? null : t('why.noNodes'),
    run: () => setAdding([...ui.ticked]),
  });
  const query = useOperation('deviceModel', { channel_id: channel.id }, { pollMs: POLL.status });
  const model = query.data;
  if (!model) return query.error ? <ErrorNotice error={query.error} /> : <Loader size="sm" m="md" />;
  return (
    <div className={classes.panel} data-testid="model-panel">
      <Toolbar
        ui={ui}
        search={search}
        hasDocuments={facts.extensions.length > 0}
        channelId={channel.id}
        canExport={facts.extensions.length > 0 && model.counts.logical_nodes > 0}
        box={box}
        onSearch={setSearch}
        onAdd={() => setAdding([...ui.ticked])}
        onDocument={() => setShowsDocument(true)}
      />
      <ModelStatusLine model={model} />
      <div className={classes.content}>
        {isTree ? (
          <TreeView
            channel={channel}
            model={model}
            ui={ui}
            search={search.trim() === '' ? '' : asked}
            clearSearch={() => setSearch('')}
            onPoint={(reference) => setAdding([reference])}
          />
        ) : ui.view === 'dataSets' ? (
          <DataSetView channel={channel} model={model} ui={ui} />
        ) : (
          <DifferencesView channelId={channel.id} hasDocument={model.document !== null} revision={model.revision} />
        )}
      </div>
      {adding ? (
        <AddPointsDialog
          channelId={channel.id}
          references={adding}
          onAdded={() => ui.setTicked(adding, false)}
          onClose={() => setAdding(null)}
        />
      ) : null}
      {showsDocument ? (
        <DocumentDialog channel={channel} facts={facts} document={model.document} onClose={() => setShowsDocument(false)} />
      ) : null}
    </div>
  );
}

/** The information model of a device: its tree with the last values, its data sets, and where the file and the device differ. */
export default function ModelPanel({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('model');
  const protocols = useOperation('listProtocols', {});
  if (!protocols.data) return protocols.error ? <ErrorNotice error={protocols.error} /> : <Loader size="sm" m="md" />;
  const facts = protocols.data.find((item) => item.protocol_type === channel.protocol_type)?.model;
  if (!facts) return <EmptyState icon="info" title={t('none')} />;
  return <Panel key={channel.id} channel={channel} facts={facts} />;
}
