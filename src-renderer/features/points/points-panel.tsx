import { Button, Group } from '@mantine/core';
import { type KeyboardEvent, memo, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { useIsActiveArea, useSetTab } from '../../app/area.tsx';
import { useAwaited } from '../../commands/held-keys.ts';
import { useWords } from '../../i18n/words.ts';
import { canEdit } from '../../ui/data-grid/column.ts';
import { copySelected } from '../../ui/data-grid/copy.ts';
import type { GridRows } from '../../ui/data-grid/rows.ts';
import type { KeyPlace } from '../../ui/data-grid/use-grid-keys.ts';
import { type GridSelection, useGridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import { useStable } from '../../ui/use-stable.ts';
import { useProtocol } from '../channels/protocol-facts.ts';
import { PointCheckHistory } from '../check/point-check-cell.tsx';
import { FindCause } from '../doctor/find-cause.tsx';
import { FramesDrawer } from '../inspector/frames-drawer.tsx';
import { EditDialogs, type Editing, inTableOrder, useMoveTargets } from '../point-edit/edit-dialogs.tsx';
import { StepCommands } from '../point-edit/history.tsx';
import { usePaste } from '../point-edit/use-paste.ts';
import { openImport, openImportOf } from '../point-files/point-files-store.ts';
import { TableFilesMenu } from '../point-files/table-files-menu.tsx';
import { openPointForm } from '../point-form/point-form-store.ts';
import { SetpointsButton } from '../setpoints/setpoints-button.tsx';
import { TableCheckButton } from '../table-check/check-button.tsx';
import { TableCheck } from '../table-check/table-check.tsx';
import { WriteDialog } from '../write/write-dialog.tsx';
import { useWriteStore } from '../write/write-store.ts';
import { POINT_TABLE, usePointColumns } from './columns.tsx';
import { DeletePoints } from './delete-points.tsx';
import { PointActions } from './point-actions.tsx';
import { PointChecks } from './point-checks.tsx';
import { usePointCommands } from './point-commands.ts';
import { PointGrid } from './point-grid.tsx';
import { InspectorToggle, PointInspector } from './point-inspector.tsx';
import classes from './points.module.css';
import { PointsFooter } from './points-footer.tsx';
import { filterKey, isFiltered, usePointsStore } from './points-store.ts';
import { PointsToolbar } from './points-toolbar.tsx';
import { publishTicked } from './table-scope.ts';
import { usePointActions } from './use-point-actions.ts';
import { freshPoints, useChannel, useIsServiceReadOnly, usePointRows, usePollMs } from './use-point-query.ts';

/** Tells the reading bar which rows are ticked, as long as the table is on the screen. */
function useTickedRows(channelId: number, points: ReadonlyMap<string, Point>) {
  const keys = useMemo(() => [...points.values()].map(({ frame_type, id }) => ({ frame_type, id })), [points]);
  useEffect(() => publishTicked(channelId, keys), [channelId, keys]);
  useEffect(() => () => publishTicked(channelId, null), [channelId]);
}

/** Goes to the row that was looked for elsewhere, once its rows are here. */
function useWantedRow(channelId: number, rows: GridRows<Point>, isKnown: boolean, selection: GridSelection<Point>) {
  const wanted = usePointsStore((state) => (state.wanted?.channelId === channelId ? state.wanted.id : null));
  const index = wanted === null ? -1 : rows.indexOf(String(wanted));
  const go = useEffectEvent(() => {
    if (wanted === null || !isKnown) return;
    if (index >= 0) selection.one(index);
    usePointsStore.getState().forgetWanted();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes when one of these changes, and not when the selection does
  useEffect(() => go(), [wanted, index, isKnown]);
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
    <EmptyState icon="list" title={isFiltered ? t('emptyFiltered') : t('empty')} {...(isFiltered ? {} : { hint: t('emptyHint') })}>
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

/** What the table has before anything is selected in it. */
interface PointsTable {
  readonly channelId: number;
  readonly channel: Channel | null;
  readonly isServiceReadOnly: boolean;
  readonly table: ReturnType<typeof usePointRows>;
  readonly columns: ReturnType<typeof usePointColumns>;
  readonly actions: ReturnType<typeof usePointActions>;
  readonly targets: ReturnType<typeof useMoveTargets>;
  /** Points can be made of a model of the device. */
  readonly hasModel: boolean;
  onRead(point: Point): void;
  onWrite(point: Point): void;
  onPaste(): void;
}

/** Asks for what the table shows. The selection is not here: a key that goes to another row asks for nothing of it anew. */
function PointsView({ channelId }: { readonly channelId: number }) {
  const channel = useChannel(channelId);
  const isServiceReadOnly = useIsServiceReadOnly();
  const table = usePointRows(channelId, usePollMs(channel));
  const protocol = useProtocol(channel?.protocol_type);
  const actions = usePointActions(channel, isServiceReadOnly);
  const onRead = useStable(actions.read);
  const onWrite = useStable(actions.write);
  const columns = usePointColumns(channel, isServiceReadOnly, { onRead, onWrite });
  const targets = useMoveTargets(channel);
  const onPaste = usePaste(channelId, table.view.frameType);
  return (
    <SelectablePoints
      {...{ channelId, channel, isServiceReadOnly, table, columns, actions, targets, onRead, onWrite, onPaste }}
      hasModel={protocol?.model !== undefined}
    />
  );
}

function SelectablePoints({ channelId, channel, isServiceReadOnly, table, columns, actions, targets, hasModel, ...acts }: PointsTable) {
  const { t } = useTranslation('points');
  const words = useWords();
  const isActive = useIsActiveArea();
  const { onRead, onWrite, onPaste } = acts;
  const { view, sight, rows, isKnown, error, retry } = table;
  useAwaited(!isKnown && !error);
  const selection = useGridSelection(rows, filterKey(view));
  useTickedRows(channelId, selection.rows);
  useWantedRow(channelId, rows, isKnown, selection);
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
  const onDeleteClosed = useStable(() => setDeleting([]));
  const onDeleted = useStable(() => selection.none());
  const column = useRef<string | null>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const onMany = (kind: Editing['kind']) => {
    const begin = (points: readonly Point[]) => setEditing({ kind, column: column.current, points: inTableOrder(points, rows) });
    if (count > 0) withSelected(begin);
    else begin([]);
  };
  const offered = { channel, single, count, isServiceReadOnly, canMove: targets.length > 0 };
  usePointCommands(channelId, { ...offered, onRead, onWrite: onWriteSelected, onEdit, onDelete, onMany, onPaste });

  function onKey(event: KeyboardEvent, { row, column }: KeyPlace<Point>) {
    if (event.key === 'Delete' && count > 0) onDelete();
    else if (event.key === 'Enter' && single && !canEdit(column, row)) onRead(single);
    else return;
    event.preventDefault();
  }

  const drop = useFileDrop((file) => openImportOf(channelId, file));
  const active = rows.at(selection.activeIndex);
  const feedback =
    actions.feedback ??
    (active?.error ? { tone: 'failed' as const, text: words(active.error_message, active.error), slaveId: active.slave_id } : null);

  return (
    <section className={`${classes.root} ${drop.isOver ? classes.over : ''}`} aria-label={t('title')} {...drop.handlers}>
      <PointsToolbar channelId={channelId} columns={columns}>
        <PointActions
          channel={channel}
          single={single}
          count={count}
          isServiceReadOnly={isServiceReadOnly}
          isReading={actions.isReading}
          onRead={() => (single ? onRead(single) : undefined)}
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
        <NoPoints channelId={channelId} isFiltered={isFiltered(view)} hasModel={hasModel} />
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
            onColumn={(id) => {
              column.current = id;
            }}
          />
          {channel ? (
            <PointInspector
              channel={channel}
              isServiceReadOnly={isServiceReadOnly}
              chosen={single ?? active ?? null}
              selection={selection}
              actions={actions}
              onEdit={edit}
              onEditSelected={onEdit}
            />
          ) : null}
        </div>
      )}
      <FramesDrawer chosen={single ?? active ?? null} />
      {channel ? <TableCheck channel={channel} /> : null}
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
      >
        {channel ? <SetpointsButton channel={channel} /> : null}
        <TableCheckButton channelId={channelId} canTry={channel !== null && !isServing(channel.conn_type)} />
      </PointsFooter>
      <StepCommands channelId={channelId} />
      <DeletePoints channelId={channelId} points={deleting} onClose={onDeleteClosed} onDeleted={onDeleted} />
      {channel && editing ? (
        <EditDialogs
          channel={channel}
          editing={editing}
          targets={targets}
          view={view}
          total={rows.count}
          onClose={() => setEditing(null)}
        />
      ) : null}
      <PointChecks channelId={channelId} sight={sight} rows={rows} />
      {isActive ? (
        <>
          <WriteDialog />
          <PointCheckHistory />
        </>
      ) : null}
    </section>
  );
}

/** The point table of a channel with everything that can be done to its points. Leaving it stops nothing in the service. */
export const PointsPanel = memo(function PointsPanel({ channelId }: { readonly channelId: number }) {
  const closeWrite = useWriteStore((state) => state.close);
  useEffect(() => closeWrite, [closeWrite]);
  return <PointsView key={channelId} channelId={channelId} />;
});
