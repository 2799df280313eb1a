import { Button, Group } from '@mantine/core';
import { type KeyboardEvent, memo, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { useOperation } from '../../api/hooks.ts';
import { useIsActiveArea, useSetTab } from '../../app/area.tsx';
import { useCommand } from '../../commands/registry.ts';
import { useWords } from '../../i18n/words.ts';
import { canEdit } from '../../ui/data-grid/column.ts';
import { copySelected } from '../../ui/data-grid/copy.ts';
import type { KeyPlace } from '../../ui/data-grid/use-grid-keys.ts';
import { useGridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { useStable } from '../../ui/use-stable.ts';
import { useProtocol } from '../channels/protocol-facts.ts';
import { FindCause } from '../doctor/find-cause.tsx';
import { openImport } from '../point-files/point-files-store.ts';
import { TableFilesMenu } from '../point-files/table-files-menu.tsx';
import { openPointForm } from '../point-form/point-form-store.ts';
import { WriteDialog } from '../write/write-dialog.tsx';
import { isOpen, writeObstacle } from '../write/write-rules.ts';
import { useWriteStore } from '../write/write-store.ts';
import { POINT_TABLE, usePointColumns } from './columns.tsx';
import { DeletePoints } from './delete-points.tsx';
import { PointActions } from './point-actions.tsx';
import { PointGrid } from './point-grid.tsx';
import { InspectorToggle, PointInspector } from './point-inspector.tsx';
import classes from './points.module.css';
import { PointsFooter } from './points-footer.tsx';
import { filterKey } from './points-store.ts';
import { PointsToolbar } from './points-toolbar.tsx';
import { publishTicked } from './table-scope.ts';
import { usePointActions } from './use-point-actions.ts';
import { freshPoints, useChannel, usePointRows, usePollMs } from './use-point-query.ts';

interface Offered {
  readonly channel: Channel | null;
  readonly single: Point | null;
  readonly count: number;
  readonly isServiceReadOnly: boolean;
  onRead(point: Point): void;
  onWrite(point: Point): void;
  onEdit(): void;
  onDelete(): void;
}

/** What the palette, the keys and the menu of a row offer while the table is on the screen. */
function usePointCommands(channelId: number, offered: Offered) {
  const { t } = useTranslation(['commands', 'points']);
  const { channel, single, count } = offered;
  const group = 'points' as const;
  const always = { group, reason: null };
  const noSingle = single ? null : t('points:why.selectOne');
  const noneSelected = count > 0 ? null : t('points:why.selectSome');
  const obstacle = channel && single ? writeObstacle(channel, single, offered.isServiceReadOnly) : null;
  const isServed = channel !== null && isServing(channel.conn_type);
  useCommand({
    id: 'read-point',
    group,
    words: t('commands:readPoint'),
    reason: noSingle ?? (channel && isOpen(channel) ? null : t('points:why.notStarted')),
    run: () => (single ? offered.onRead(single) : undefined),
  });
  useCommand({
    id: 'write-point',
    group,
    words: isServed ? t('points:action.serve') : t('points:action.write'),
    reason: noSingle ?? (obstacle ? t(`points:why.${obstacle}`) : null),
    run: () => (single ? offered.onWrite(single) : undefined),
  });
  useCommand({ id: 'edit-points', group, words: t('commands:editPoints'), key: 'F2', reason: noneSelected, run: offered.onEdit });
  useCommand({ id: 'delete-points', group, words: t('commands:deletePoints'), reason: noneSelected, run: offered.onDelete });
  useCommand({ ...always, id: 'add-point', words: t('commands:addPoint'), run: () => openPointForm({ channelId }) });
  useCommand({ ...always, id: 'import-points', words: t('commands:importPoints'), run: () => openImport(channelId) });
}

/** Tells the reading bar which rows are ticked, as long as the table is on the screen. */
function useTickedRows(channelId: number, points: ReadonlyMap<string, Point>) {
  const keys = useMemo(() => [...points.values()].map(({ frame_type, id }) => ({ frame_type, id })), [points]);
  useEffect(() => publishTicked(channelId, keys), [channelId, keys]);
  useEffect(() => () => publishTicked(channelId, null), [channelId]);
}

/** What stands in place of rows that there are not. */
function NoPoints({
  channelId,
  isFiltered,
  hasModel,
}: {
  readonly channelId: number;
  readonly isFiltered: boolean;
  readonly hasModel: boolean;
}) {
  const { t } = useTranslation('points');
  const setTab = useSetTab();
  return (
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
  );
}

function PointsView({ channelId }: { readonly channelId: number }) {
  const { t } = useTranslation('points');
  const words = useWords();
  const channel = useChannel(channelId);
  const isActive = useIsActiveArea();
  const isServiceReadOnly = useOperation('serviceInfo', {}).data?.read_only ?? false;
  const { view, sight, rows, isKnown, error, retry } = usePointRows(channelId, usePollMs(channel));
  const selection = useGridSelection(rows, filterKey(view));
  useTickedRows(channelId, selection.rows);
  const protocol = useProtocol(channel?.protocol_type);
  const actions = usePointActions(channel, isServiceReadOnly);
  const onRead = useStable(actions.read);
  const onWrite = useStable(actions.write);
  const columns = usePointColumns(channel, isServiceReadOnly, { onRead, onWrite });
  /** As they were when it was asked: what leaves the table meanwhile is deleted all the same. */
  const [deleting, setDeleting] = useState<readonly Point[]>([]);
  const count = selection.rows.size;
  const single = count === 1 ? (selection.now()[0] ?? null) : null;
  const edit = (point: Point) => openPointForm({ channelId, point });
  /** With the selected points as they are now: of those out of sight the table has what they were. */
  const withSelected = (run: (points: readonly Point[]) => void) => {
    const selected = selection.now();
    if (selected.every((point) => rows.indexOf(String(point.id)) >= 0)) run(selected);
    else freshPoints(channelId, selected).then(run, (thrown: unknown) => notifyError(toAppError(thrown)));
  };
  const onEdit = () =>
    withSelected((points) => {
      const [point] = points;
      if (points.length > 1) openPointForm({ channelId, points });
      else if (point) edit(point);
    });
  const onWriteSelected = () => withSelected(([point]) => (point ? onWrite(point) : undefined));
  const onDelete = () => setDeleting(selection.now());
  usePointCommands(channelId, { channel, single, count, isServiceReadOnly, onRead, onWrite: onWriteSelected, onEdit, onDelete });

  function onKey(event: KeyboardEvent, { row, column }: KeyPlace<Point>) {
    if (event.key === 'Delete' && count > 0) onDelete();
    else if (event.key === 'Enter' && single && !canEdit(column, row)) onRead(single);
    else return;
    event.preventDefault();
  }

  const active = rows.at(selection.activeIndex);
  const feedback =
    actions.feedback ??
    (active?.error ? { tone: 'failed' as const, text: words(active.error_message, active.error), slaveId: active.slave_id } : null);
  const isFiltered = view.search !== '' || view.frameType !== null || view.slaveId !== null || view.quality !== null;

  return (
    <section className={classes.root} aria-label={t('title')}>
      <PointsToolbar channelId={channelId} columns={columns}>
        <PointActions
          channel={channel}
          single={single}
          count={count}
          isServiceReadOnly={isServiceReadOnly}
          isReading={actions.isReading}
          onRead={onRead}
          onWrite={onWriteSelected}
          onEdit={onEdit}
          onCopy={() => withSelected((points) => void copySelected(points, POINT_TABLE, columns).then(actions.copied))}
          onDelete={onDelete}
          onAdd={() => openPointForm({ channelId })}
        />
        {channel ? <TableFilesMenu channel={channel} /> : null}
        <InspectorToggle />
      </PointsToolbar>
      {error ? <ErrorNotice error={error} onRetry={retry} /> : null}
      {isKnown && rows.count === 0 ? (
        <NoPoints channelId={channelId} isFiltered={isFiltered} hasModel={protocol?.model !== undefined} />
      ) : (
        <div className={classes.work}>
          <PointGrid
            channelId={channelId}
            view={view}
            rows={rows}
            columns={columns}
            selection={selection}
            onKey={onKey}
            onOpen={edit}
            onCopied={actions.copied}
          />
          {channel ? <PointInspector channel={channel} chosen={single ?? active ?? null} actions={actions} onEdit={edit} /> : null}
        </div>
      )}
      <PointsFooter
        sight={sight}
        total={rows.count}
        selected={count}
        isSelecting={selection.isLoading}
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
        onDeleted={(deleted) => {
          selection.none();
          actions.setFeedback({ tone: 'info', text: t('deleted', { count: deleted }) });
        }}
      />
      {isActive ? <WriteDialog /> : null}
    </section>
  );
}

/** The point table of a channel with everything that can be done to its points. Leaving it stops nothing in the service. */
export const PointsPanel = memo(function PointsPanel({ channelId }: { readonly channelId: number }) {
  const closeWrite = useWriteStore((state) => state.close);
  useEffect(() => closeWrite, [closeWrite]);
  return <PointsView key={channelId} channelId={channelId} />;
});
