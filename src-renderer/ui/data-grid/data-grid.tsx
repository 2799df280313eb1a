import { type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../notify.ts';
import { useStable } from '../use-stable.ts';
import { canEdit, type GridColumn } from './column.ts';
import { ColumnItems } from './column-chooser.tsx';
import { copySelected } from './copy.ts';
import classes from './data-grid.module.css';
import { GridHead, type GridSort, headId } from './grid-head.tsx';
import { GridMenu, type GridMenuItem, type MenuPlace, useColumnItems } from './grid-menu.tsx';
import { cellId } from './grid-row.tsx';
import { type GridSight, GridWindow, type WindowProps } from './grid-window.tsx';
import { gridRole } from './roles.ts';
import type { GridRows } from './rows.ts';
import { useCellEdit } from './use-cell-edit.ts';
import { useGridColumns } from './use-grid-columns.ts';
import { type KeyPlace, useGridKeys } from './use-grid-keys.ts';
import { type GridSelection, useGridSelection } from './use-grid-selection.ts';

export interface DataGridProps<Row> extends WindowProps<Row> {
  /** Name under which its columns are remembered. */
  readonly name: string;
  readonly label: string;
  /** Stable between renders. */
  readonly columns: readonly GridColumn<Row>[];
  /** Given by who has to know what is selected. */
  readonly selection?: GridSelection<Row>;
  readonly sort?: GridSort;
  onSort?(column: string): void;
  /** What can be done with the selected rows, besides copying. */
  menu?(): readonly GridMenuItem[];
  onKey?(event: KeyboardEvent, place: KeyPlace<Row>): void;
  /** The keyboard stands in another column. */
  onColumn?(column: string): void;
  /** A row was clicked. */
  onPick?(row: Row): void;
  /** A row was clicked twice, elsewhere than in a cell that is edited in place. */
  onOpen?(row: Row): void;
  /** Selected rows as they are now, where some are out of sight and the grid has only what they were. Null: told that they cannot be had. */
  freshOf?(rows: readonly Row[]): Promise<readonly Row[] | null>;
  /** In place of a note about rows that were copied; null: the clipboard is not available. */
  onCopied?(count: number | null): void;
  /** Stands in place of rows. */
  readonly empty?: ReactNode;
  readonly isTree?: boolean;
  readonly tableTestId?: string;
}

/** Row and column of an event inside of the grid. */
function placeOf(target: EventTarget): { readonly index: number; readonly column: string | null } | null {
  if (!(target instanceof Element)) return null;
  const row = target.closest<HTMLElement>('[data-row]');
  return row ? { index: Number(row.dataset.row), column: target.closest<HTMLElement>('[data-column]')?.dataset.column ?? null } : null;
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, input, select, textarea, a') !== null;
}

/**
 * The table of the house: one virtual list over all rows, wherever they are; columns that are resized, moved, hidden and pinned; selection by mouse and
 * keyboard; copying, context menu and editing in place. The focus stands on the grid itself, its `aria-activedescendant` on the cell of the keyboard:
 * rows come and go while a list is polled and scrolled, and the focus must not go with them (WAI-ARIA grid pattern).
 */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { name, label, rows, isTree = false } = props;
  const { t } = useTranslation('grid');
  const grid = useId();
  const scroll = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const asked = useRef(false);
  const own = useGridSelection(rows, props.topKey);
  const selection = props.selection ?? own;
  const columns = useGridColumns(name, props.columns);
  const [columnId, setColumnState] = useState<string | null>(null);
  function setColumnId(id: string) {
    setColumnState(id);
    props.onColumn?.(id);
  }
  const cellEdit = useCellEdit({ rows, shown: columns.shown, table, setColumn: setColumnId });
  const sight = useRef<GridSight>(null);
  const show = (index: number) => sight.current?.show(index);
  const [isInHead, setInHead] = useState(false);
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const column = columns.shown.find(({ id }) => id === columnId) ?? columns.shown.find(({ isFixed }) => !isFixed) ?? columns.shown[0];
  const onSort = useStable((id: string) => props.onSort?.(id));
  const itemsOfColumn = useColumnItems(name, columns, onSort);
  const { activeIndex } = selection;
  const idAt = (index: number) => {
    const row = rows.at(index);
    return row === undefined ? undefined : rows.idOf(row);
  };

  function toCell(id: string) {
    setColumnId(id);
    const element = isInHead ? document.getElementById(headId(grid, id)) : cellElement(table.current, activeIndex, id);
    element?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }

  function edit(index: number, id: string) {
    const row = rows.at(index);
    const item = columns.shown.find((shown) => shown.id === id);
    if (row !== undefined && item) cellEdit.begin(row, item);
  }

  async function copy(hasHeader: boolean) {
    const selected = selection.now();
    if (selected.length === 0) return;
    const isHere = (row: Row) => rows.indexOf(rows.idOf(row)) >= 0;
    const told = props.onCopied ?? ((count: number | null) => notifyDone(count === null ? t('copyFailed') : t('copied', { count })));
    const chosen = props.freshOf && !selected.every(isHere) ? await props.freshOf(selected) : selected;
    if (chosen) told(await copySelected(chosen, name, props.columns, hasHeader));
  }

  function rowItems(): readonly (readonly GridMenuItem[])[] {
    const none = selection.rows.size > 0 ? null : t('why.none');
    const clicked = menu?.row ?? null;
    const index = clicked === null ? activeIndex : rows.indexOf(clicked);
    const isEditable = canEdit(column, rows.at(index));
    return [
      props.menu?.() ?? [],
      isEditable && column
        ? [
            {
              id: 'edit-cell',
              words: t('editCell', { column: column.name }),
              icon: 'edit',
              key: 'F2',
              reason: null,
              run: () => edit(index, column.id),
            },
          ]
        : [],
      [
        { id: 'copy', words: t('copyHeader'), icon: 'copy', key: 'Ctrl+C', reason: none, run: () => void copy(true) },
        { id: 'copy-plain', words: t('copyPlain'), reason: none, run: () => void copy(false) },
        { id: 'select-all', words: t('selectAll'), key: 'Ctrl+A', reason: null, run: () => selection.all() },
      ],
    ];
  }

  const onGridKey = useGridKeys<Row>({
    name,
    rows,
    columns,
    selection,
    column,
    isInHead,
    pageRows: () => sight.current?.pageRows ?? 1,
    setColumn: toCell,
    setInHead,
    show,
    onSort,
    onEdit: edit,
    onCopy: (hasHeader) => void copy(hasHeader),
    onMenu: () => {
      asked.current = true;
    },
    onKey: props.onKey,
  });

  function onKeyDown(event: KeyboardEvent) {
    if (cellEdit.takesKey(event.key)) event.preventDefault();
    else onGridKey(event);
  }

  /** The menu opens when the key is let go: a menu that opens while it is held takes the rest of the key as its own and closes. */
  function onKeyUp({ key }: KeyboardEvent) {
    if (!asked.current || (key !== 'F10' && key !== 'ContextMenu')) return;
    asked.current = false;
    const element = document.getElementById(isInHead ? headId(grid, column?.id ?? '') : cellId(grid, activeIndex, column?.id ?? ''));
    const box = (element ?? table.current)?.getBoundingClientRect();
    setMenu({
      x: (box?.left ?? 0) + 8,
      y: element ? (box?.bottom ?? 0) : (box?.top ?? 0) + (sight.current?.headHeight ?? 0),
      column: isInHead ? (column?.id ?? null) : null,
      row: null,
    });
  }

  /** With Shift the browser would mark text from the last click to this one, and Ctrl+C would copy that instead of the rows. */
  function onMouseDown(event: MouseEvent) {
    if (!event.shiftKey || isControl(event.target)) return;
    event.preventDefault();
    table.current?.focus({ preventScroll: true });
  }

  function onClick(event: MouseEvent) {
    const place = placeOf(event.target);
    if (!place || rows.isPast) return;
    const isTick = event.target instanceof Element && event.target.matches('[data-tick]');
    if (isControl(event.target) && !isTick) return;
    setInHead(false);
    if (place.column) setColumnId(place.column);
    if (event.shiftKey) selection.extendTo(place.index);
    else if (isTick || event.ctrlKey || event.metaKey) selection.toggle(place.index);
    else selection.one(place.index);
    const row = rows.at(place.index);
    if (row !== undefined && !isTick) props.onPick?.(row);
  }

  function onDoubleClick(event: MouseEvent) {
    const place = placeOf(event.target);
    const row = place ? rows.at(place.index) : undefined;
    if (!place || row === undefined || rows.isPast || isControl(event.target)) return;
    const clicked = columns.shown.find(({ id }) => id === place.column);
    if (clicked && canEdit(clicked, row)) edit(place.index, clicked.id);
    else props.onOpen?.(row);
  }

  function onContextMenu(event: MouseEvent) {
    const head = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-head]')?.dataset.head : undefined;
    const place = placeOf(event.target);
    if ((!place && head === undefined) || isTextField(event.target)) return;
    event.preventDefault();
    if (place && rows.isPast) return;
    if (place?.column) setColumnId(place.column);
    const id = place ? idAt(place.index) : undefined;
    if (place && id !== undefined && !selection.rows.has(id)) selection.one(place.index);
    setMenu({ x: event.clientX, y: event.clientY, column: head ?? null, row: id ?? null });
  }

  const menuColumn = menu?.column ? columns.all.find(({ id }) => id === menu.column) : undefined;
  const activeCell = isInHead ? headId(grid, column?.id ?? '') : activeIndex >= 0 ? cellOf(grid, activeIndex, column, props, rows) : null;
  const head = (
    <GridHead
      grid={grid}
      name={name}
      columns={columns}
      sortedBy={props.sort?.column}
      order={props.sort?.order}
      active={isInHead ? (column?.id ?? null) : null}
      onSort={onSort}
    />
  );
  const frame = {
    ...gridRole(isTree),
    'aria-label': label,
    ...(activeCell === null ? {} : { 'aria-activedescendant': activeCell }),
    'data-testid': props.tableTestId,
    onKeyDown,
    onKeyUp,
    onFocus: ({ currentTarget }: FocusEvent) => markFocus(scroll.current, currentTarget.matches(':focus-visible')),
    onBlur: () => markFocus(scroll.current, false),
    onMouseDown,
    onClick,
    onDoubleClick,
    onContextMenu,
  };
  return (
    <GridWindow
      {...{ props, grid, scroll, table, sight, columns, head, frame, selection, cellEdit }}
      active={isInHead ? null : (column?.id ?? '')}
    >
      {rows.count === 0 ? <div className={classes.empty}>{props.empty}</div> : null}
      {menu ? (
        <GridMenu place={menu} groups={menuColumn ? itemsOfColumn(menuColumn) : rowItems()} onClose={() => setMenu(null)}>
          {menuColumn ? <ColumnItems name={name} columns={props.columns} /> : null}
        </GridMenu>
      ) : null}
    </GridWindow>
  );
}

/** Shows or hides the ring of the focus around the window of the list. */
function markFocus(box: HTMLElement | null, isFocused: boolean): void {
  if (box) box.toggleAttribute('data-focused', isFocused);
}

function isTextField(target: EventTarget): boolean {
  return target instanceof Element && target.matches('input:not([type="checkbox"]), textarea');
}

/** A cell that is drawn. */
function cellElement(table: HTMLElement | null, index: number, column: string): Element | null {
  const cells = table?.querySelectorAll<HTMLElement>(`[data-row="${index}"] > [data-column]`) ?? [];
  return Array.from(cells).find(({ dataset }) => dataset.column === column) ?? null;
}

/** Id of the cell the keyboard stands in; a row without cells of its own has one. */
function cellOf<Row>(grid: string, index: number, column: GridColumn<Row> | undefined, props: DataGridProps<Row>, rows: GridRows<Row>) {
  const row = rows.at(index);
  const isWhole = row !== undefined && (props.wholeRow?.(row) ?? null) !== null;
  return cellId(grid, index, isWhole ? 'whole' : (column?.id ?? ''));
}
