import { Button, Group } from '@mantine/core';
import { type KeyboardEvent, memo, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#shared/contract/points.ts';
import { PLAIN_NOTATION } from '#shared/domain/notation.ts';
import { useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { useCommand } from '../../commands/registry.ts';
import { useWords } from '../../i18n/words.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useProtocol } from '../channels/protocol-facts.ts';
import { FindCause } from '../doctor/find-cause.tsx';
import { openImport } from '../point-files/point-files-store.ts';
import { TableFilesMenu } from '../point-files/table-files-menu.tsx';
import { openPointForm } from '../point-form/point-form-store.ts';
import { WriteDialog } from '../write/write-dialog.tsx';
import { useWriteStore } from '../write/write-store.ts';
import { DeletePoints } from './delete-points.tsx';
import { PointActions } from './point-actions.tsx';
import { PointGrid } from './point-grid.tsx';
import classes from './points.module.css';
import { PointsContext } from './points-context.ts';
import { PointsFooter } from './points-footer.tsx';
import { PointsToolbar } from './points-toolbar.tsx';
import { EMPTY_SELECTION, keepOnly, type Selection, toggle } from './selection.ts';
import { publishTicked } from './table-scope.ts';
import { usePointActions } from './use-point-actions.ts';
import { useChannel, usePointsPage } from './use-point-query.ts';

/** What the palette and the keys offer while the table is on the screen. */
function usePointCommands(channelId: number, edit: (() => void) | null) {
  const { t } = useTranslation(['commands', 'points']);
  const always = { group: 'points' as const, reason: null };
  useCommand({
    id: 'edit-points',
    group: 'points',
    words: t('commands:editPoints'),
    key: 'F2',
    reason: edit ? null : t('points:why.selectSome'),
    run: () => edit?.(),
  });
  useCommand({ ...always, id: 'add-point', words: t('commands:addPoint'), run: () => openPointForm({ channelId }) });
  useCommand({ ...always, id: 'import-points', words: t('commands:importPoints'), run: () => openImport(channelId) });
}

/** Selected rows, reduced to those of the page in sight. */
function useSelection(rows: readonly Point[]) {
  const [raw, setSelection] = useState<Selection>(EMPTY_SELECTION);
  const order = useMemo(() => rows.map((row) => row.id), [rows]);
  const selection = useMemo(() => keepOnly(raw, order), [raw, order]);
  const points = useMemo(() => rows.filter((row) => selection.ids.has(row.id)), [rows, selection]);
  return { selection, setSelection, points };
}

/** Tells the reading bar which rows are ticked, as long as the table is on the screen. */
function useTickedRows(channelId: number, points: readonly Point[]) {
  const ticked = JSON.stringify(points.map(({ frame_type, id }) => ({ frame_type, id })));
  useEffect(() => publishTicked(channelId, JSON.parse(ticked)), [channelId, ticked]);
  useEffect(() => () => publishTicked(channelId, null), [channelId]);
}

function PointsView({ channelId }: { readonly channelId: number }) {
  const { t } = useTranslation('points');
  const channel = useChannel(channelId);
  const isServiceReadOnly = useOperation('serviceInfo', {}).data?.read_only ?? false;
  const { view, pageSize, pages, total, rows, query } = usePointsPage(channelId);
  const { selection, setSelection, points } = useSelection(rows);
  useTickedRows(channelId, points);
  const protocol = useProtocol(channel?.protocol_type);
  const hasModel = protocol?.model !== undefined;
  const setTab = useUiStore((state) => state.setTab);
  const actions = usePointActions(channel, isServiceReadOnly);
  const pending = useWriteStore((state) => state.pending);
  /** As they were when it was asked: what leaves the page meanwhile is deleted all the same. */
  const [deleting, setDeleting] = useState<readonly Point[]>([]);
  const single = points.length === 1 ? (points[0] ?? null) : null;

  const edit = (point: Point) => openPointForm({ channelId, point });
  const editMany = (many: readonly Point[]) => (many.length > 1 ? openPointForm({ channelId, points: many }) : many.forEach(edit));
  usePointCommands(channelId, points.length > 0 ? () => editMany(points) : null);

  function onKey(event: KeyboardEvent) {
    const hasText = (window.getSelection()?.toString() ?? '') !== '';
    const isCopy = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && !hasText;
    if (isCopy) void actions.copy(points);
    else if (event.key === 'Delete' && points.length > 0) setDeleting(points);
    else if (event.key === 'Enter' && single) actions.read(single);
    else return;
    event.preventDefault();
  }

  const context = {
    channel,
    notation: protocol?.notation ?? PLAIN_NOTATION,
    nowMs: query.dataUpdatedAt,
    selected: selection.ids,
    pending,
    isServiceReadOnly,
    onToggle: (point: Point) => setSelection(toggle(selection, point.id)),
    onRead: actions.read,
    onWrite: actions.write,
  };
  const words = useWords();
  const active = rows.find((row) => row.id === selection.active);
  const feedback =
    actions.feedback ??
    (active?.error ? { tone: 'failed' as const, text: words(active.error_message, active.error), slaveId: active.slave_id } : null);
  const isFiltered = view.search !== '' || view.frameType !== null || view.slaveId !== null || view.quality !== null;

  return (
    <section className={classes.root} aria-label={t('title')}>
      <PointsToolbar channelId={channelId}>
        <PointActions
          channel={channel}
          points={points}
          isServiceReadOnly={isServiceReadOnly}
          isReading={actions.isReading}
          onRead={actions.read}
          onWrite={actions.write}
          onEdit={editMany}
          onCopy={() => void actions.copy(points)}
          onDelete={() => setDeleting(points)}
          onAdd={() => openPointForm({ channelId })}
        />
        {channel ? <TableFilesMenu channel={channel} /> : null}
      </PointsToolbar>
      {query.error && !query.data ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data && total === 0 ? (
        <EmptyState icon="list" title={isFiltered ? t('emptyFiltered') : t('empty')}>
          {isFiltered ? null : (
            <Group gap="xs">
              <Button leftSection={<Icon name="plus" size={14} />} onClick={() => openPointForm({ channelId })}>
                {t('action.add')}
              </Button>
              <Button variant="default" leftSection={<Icon name="upload" size={14} />} onClick={() => openImport(channelId)}>
                {t('action.import')}
              </Button>
              {hasModel ? (
                <Button variant="default" leftSection={<Icon name="tree" size={14} />} onClick={() => setTab('model')}>
                  {t('action.fromModel')}
                </Button>
              ) : null}
            </Group>
          )}
        </EmptyState>
      ) : (
        <PointsContext value={context}>
          <PointGrid
            channelId={channelId}
            view={view}
            pageSize={pageSize}
            total={total}
            rows={rows}
            selection={selection}
            onSelect={setSelection}
            onKey={onKey}
            onOpen={edit}
          />
        </PointsContext>
      )}
      <PointsFooter
        channelId={channelId}
        page={view.page}
        pages={pages}
        pageSize={pageSize}
        total={total}
        shown={rows.length}
        selected={points.length}
        feedback={feedback}
        cause={
          channel && feedback?.slaveId !== undefined ? (
            <FindCause channel={channel} slaveIds={[feedback.slaveId]} testId="point-cause" />
          ) : null
        }
        onDismiss={() => actions.setFeedback(null)}
      />
      <DeletePoints
        channelId={channelId}
        points={deleting}
        onClose={() => setDeleting([])}
        onDeleted={(count) => {
          setSelection(EMPTY_SELECTION);
          actions.setFeedback({ tone: 'info', text: t('deleted', { count }) });
        }}
      />
      <WriteDialog />
    </section>
  );
}

/** The point table of a channel with everything that can be done to its points. Leaving it stops nothing in the service. */
export const PointsPanel = memo(function PointsPanel({ channelId }: { readonly channelId: number }) {
  const closeWrite = useWriteStore((state) => state.close);
  useEffect(() => closeWrite, [closeWrite]);
  return <PointsView key={channelId} channelId={channelId} />;
});
