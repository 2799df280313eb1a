import type { KeyboardEvent } from 'react';
import { useUiStore } from '../../app/ui-store.ts';
import { canEdit, type GridColumn } from './column.ts';
import { useMoveColumn } from './grid-head.tsx';
import type { GridRows } from './rows.ts';
import type { GridColumns } from './use-grid-columns.ts';
import type { GridSelection } from './use-grid-selection.ts';

/** Pixels by which the keyboard makes a column wider or narrower. */
const WIDTH_STEP = 10;

/** Where the keyboard stands in a grid. */
export interface KeyPlace<Row> {
  readonly row: Row | undefined;
  /** -1 for none. */
  readonly index: number;
  readonly column: GridColumn<Row> | undefined;
  /** Brings a row into sight. */
  show(index: number): void;
}

interface GridKeys<Row> {
  readonly name: string;
  readonly rows: GridRows<Row>;
  readonly columns: GridColumns<Row>;
  readonly selection: GridSelection<Row>;
  readonly column: GridColumn<Row> | undefined;
  readonly isInHead: boolean;
  /** Rows that fit the window. */
  pageRows(): number;
  setColumn(id: string): void;
  setInHead(isInHead: boolean): void;
  /** Shows a row that the keyboard goes to. */
  show(index: number): void;
  onSort(column: string): void;
  onEdit(index: number, column: string): void;
  onCopy(hasHeader: boolean): void;
  onMenu(): void;
  /** Keys of the table itself; what it prevents the default of goes no further. */
  onKey?: ((event: KeyboardEvent, place: KeyPlace<Row>) => void) | undefined;
}

/** Rows that a key moves the keyboard by; null for other keys. */
function stepOf(key: string, count: number, pageRows: number): number | null {
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: pageRows, PageUp: -pageRows, Home: -count, End: count };
  return steps[key] ?? null;
}

/** True where a key belongs to what has the focus inside of a cell. */
function isOwn({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input:not([type="checkbox"]), select, textarea')) return true;
  return target.matches('button, a, input') && (key === 'Enter' || key === ' ');
}

/** True for the keys that ask for a context menu. */
function asksForMenu({ key, shiftKey }: KeyboardEvent): boolean {
  return key === 'ContextMenu' || (key === 'F10' && shiftKey);
}

function useHeadKeys<Row>(keys: GridKeys<Row>) {
  const { name, columns, column } = keys;
  const move = useMoveColumn(name, columns.all);
  const { setTable } = useUiStore.getState();
  return (event: KeyboardEvent): boolean => {
    const distance = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (event.key === 'ArrowDown') keys.setInHead(false);
    else if (asksForMenu(event)) keys.onMenu();
    else if (column && (event.key === 'Enter' || event.key === ' ') && column.isSortable) keys.onSort(column.id);
    else if (column && distance !== 0 && event.altKey) {
      const other = columns.shown[columns.shown.indexOf(column) + distance];
      // the keyboard goes with the column
      keys.setColumn(column.id);
      if (other && !other.isFixed && !column.isFixed) move(column.id, other.id, distance < 0 ? 'before' : 'after');
    } else if (column && distance !== 0 && event.shiftKey) {
      const widths = useUiStore.getState().tables[name]?.widths;
      setTable(name, { widths: { ...widths, [column.id]: Math.max(28, columns.widthOf(column.id) + distance * WIDTH_STEP) } });
    } else if (distance !== 0) moveColumnBy(keys, distance);
    else return false;
    return true;
  };
}

function moveColumnBy<Row>({ columns, column, setColumn }: GridKeys<Row>, distance: number): void {
  const at = column ? columns.shown.indexOf(column) : -1;
  const next = columns.shown[Math.min(columns.shown.length - 1, Math.max(0, at + distance))];
  if (next) setColumn(next.id);
}

function moveRow<Row>(keys: GridKeys<Row>, distance: number, isExtending: boolean): void {
  const { rows, selection } = keys;
  const at = selection.fromIndex;
  if (rows.count === 0) return;
  if (at === 0 && distance === -1 && !isExtending) {
    keys.setInHead(true);
    return;
  }
  // from nowhere: arrows begin at the first row, Home and End go where they always go
  const from = at >= 0 ? at : distance > 0 ? -1 : rows.count;
  const next = Math.min(rows.count - 1, Math.max(0, from + distance));
  if (isExtending) selection.extendTo(next);
  else selection.one(next);
  keys.show(next);
}

function onLetter<Row>(event: KeyboardEvent, { selection, onCopy }: GridKeys<Row>): boolean {
  if (!event.ctrlKey && !event.metaKey) return false;
  const letter = event.key.toLowerCase();
  if (letter === 'a') selection.all();
  // text that was marked is what a person wants to copy
  else if (letter === 'c' && (window.getSelection()?.toString() ?? '') === '') onCopy(true);
  else return false;
  return true;
}

/** The keys of a grid (WAI-ARIA grid pattern): one tab stop, arrows over rows and columns, the header above the first row. */
export function useGridKeys<Row>(keys: GridKeys<Row>): (event: KeyboardEvent) => void {
  const onHeadKey = useHeadKeys(keys);
  return (event) => {
    if (isOwn(event) || event.defaultPrevented) return;
    const { rows, selection, column } = keys;
    const index = selection.activeIndex;
    const row = rows.at(index);
    if (keys.isInHead) {
      if (onHeadKey(event)) event.preventDefault();
      return;
    }
    const edits = event.key === 'F2' || (event.key === 'Enter' && !event.ctrlKey);
    keys.onKey?.(event, { row, index, column, show: keys.show });
    if (event.defaultPrevented) return;
    const step = event.ctrlKey && event.key.startsWith('Arrow') ? null : stepOf(event.key, rows.count, keys.pageRows());
    if (step !== null) moveRow(keys, step, event.shiftKey);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') moveColumnBy(keys, event.key === 'ArrowLeft' ? -1 : 1);
    else if (asksForMenu(event)) keys.onMenu();
    else if (edits && column && canEdit(column, row)) keys.onEdit(index, column.id);
    else if (event.key === 'Escape' && selection.rows.size > 0) selection.none();
    else if (event.key === ' ' && row !== undefined) selection.toggle(index);
    else if (!onLetter(event, keys)) return;
    event.preventDefault();
    // a command of the page with the same key must not run beside it
    if (edits) event.stopPropagation();
  };
}
