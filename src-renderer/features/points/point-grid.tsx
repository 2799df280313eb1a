import { type KeyboardEvent, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#shared/contract/points.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { usePreferences } from '../../app/preferences.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { keyText } from '../../commands/key-text.ts';
import { keyOf, runCommand, useRegistry } from '../../commands/registry.ts';
import { useWords } from '../../i18n/words.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import type { GridMenuItem } from '../../ui/data-grid/grid-menu.tsx';
import type { GridRows } from '../../ui/data-grid/rows.ts';
import type { KeyPlace } from '../../ui/data-grid/use-grid-keys.ts';
import type { GridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import type { IconName } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { isSort, POINT_TABLE } from './columns.tsx';
import { filterKey, type PointsView, usePointsStore } from './points-store.ts';
import { freshPoints } from './use-point-query.ts';

/** Commands of the menu of a row in order, with the key that only the table has. */
const MENU: readonly (readonly [id: string, icon: IconName, key?: string])[] = [
  ['read-point', 'read', 'Enter'],
  ['write-point', 'send'],
  ['edit-points', 'edit'],
  ['fill-down', 'down'],
  ['duplicate-points', 'copy'],
  ['move-points', 'right'],
  ['replace-text', 'search'],
  ['delete-points', 'trash', 'Del'],
  ['add-point', 'plus'],
  ['paste-points', 'file', 'Ctrl+V'],
  ['import-points', 'upload'],
  ['undo-points', 'left'],
  ['redo-points', 'right'],
  ['point-history', 'list'],
];

/** The menu of the rows, from the commands that are on the screen. */
function menuItems(): readonly GridMenuItem[] {
  const { commands } = useRegistry.getState();
  return MENU.flatMap(([id, icon, ownKey]) => {
    const command = commands.get(id);
    if (!command) return [];
    const chosen = keyOf(command, usePreferences.getState().keys);
    const key = chosen === undefined ? ownKey : keyText(chosen);
    return {
      id,
      icon,
      words: command.words,
      reason: command.reason,
      run: () => runCommand(command),
      ...(key === undefined ? {} : { key }),
    };
  });
}

interface PointGridProps {
  readonly channelId: number;
  readonly view: PointsView;
  readonly rows: GridRows<Point>;
  readonly columns: readonly GridColumn<Point>[];
  readonly selection: GridSelection<Point>;
  /** Keys the grid does not use itself: Enter, Delete on the selected rows. */
  onKey(event: KeyboardEvent, place: KeyPlace<Point>): void;
  onOpen(point: Point): void;
  onCopied(count: number | null): void;
  onColumn(column: string): void;
}

/** The point table: all points of the view in one list, sorted by the service. */
export function PointGrid({ channelId, view, ...grid }: PointGridProps) {
  const { t } = useTranslation('points');
  const words = useWords();
  // the menu is drawn anew when what can be done changes, as it does with the row it was asked for
  useRegistry((state) => state.commands);
  const rowProps = useCallback(
    (point: Point) => ({
      'data-testid': 'point-row',
      'data-code': point.code,
      ...(point.error ? { title: words(point.error_message, point.error) } : {}),
    }),
    [words],
  );
  /** Up, down, and back to the order of the table. */
  function onSort(column: string) {
    if (!isSort(column)) return;
    const { setFilter } = usePointsStore.getState();
    if (view.sort !== column) setFilter(channelId, { sort: column, order: 'asc' });
    else setFilter(channelId, view.order === 'asc' ? { order: 'desc' } : { sort: 'id', order: 'asc' });
  }
  const freshOf = (points: readonly Point[]) =>
    freshPoints(channelId, points).catch((thrown: unknown) => {
      notifyError(toAppError(thrown));
      return null;
    });
  return (
    <DataGrid
      {...grid}
      freshOf={freshOf}
      name={POINT_TABLE}
      label={t('table')}
      rowProps={rowProps}
      menu={menuItems}
      onSort={onSort}
      {...(view.sort === 'id' ? {} : { sort: { column: view.sort, order: view.order } })}
      topKey={`${filterKey(view)} ${view.sort} ${view.order}`}
      startRow={useUiStore.getState().rows[channelId] ?? 0}
      testId="points-scroll"
    />
  );
}
