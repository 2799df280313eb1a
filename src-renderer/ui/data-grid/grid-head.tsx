import { type DragEvent, type MouseEvent, memo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useUiStore } from '../../app/ui-store.ts';
import { Icon } from '../icons.tsx';
import type { GridColumn } from './column.ts';
import classes from './data-grid.module.css';
import { DEFAULT_LAYOUT, moveColumn, ordered } from './layout.ts';
import { ROLES } from './roles.ts';
import type { GridColumns } from './use-grid-columns.ts';

/** The order that the source has put its rows into. */
export interface GridSort {
  readonly column: string;
  readonly order: 'asc' | 'desc';
}

interface GridHeadProps<Row> {
  readonly grid: string;
  readonly name: string;
  readonly columns: GridColumns<Row>;
  /** Column the source has sorted by. */
  readonly sortedBy: string | undefined;
  readonly order: GridSort['order'] | undefined;
  /** Column the keyboard stands in; null while it stands in the rows. */
  readonly active: string | null;
  onSort(column: string): void;
}

/** Id of a header cell. */
export function headId(grid: string, column: string): string {
  return `${grid}-head-${column}`;
}

/** Puts a column before or behind another, and remembers it. */
export function useMoveColumn<Row>(name: string, all: readonly GridColumn<Row>[]) {
  const { setTable } = useUiStore.getState();
  return (moved: string, target: string, side: 'before' | 'after') => {
    const layout = useUiStore.getState().tables[name] ?? DEFAULT_LAYOUT;
    const order = ordered(
      all.map((column) => column.id),
      layout.order,
    );
    setTable(name, { order: moveColumn(order, moved, target, side), pinned: layout.pinned.filter((id) => id !== moved) });
  };
}

/** Dragging of headers: which one is on its way, and what it is over. */
function useDragging<Row>({ name, columns }: GridHeadProps<Row>) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const move = useMoveColumn(name, columns.all);
  const clear = () => {
    setDragged(null);
    setOver(null);
  };
  return (column: GridColumn<Row>) => ({
    draggable: !column.isFixed,
    'data-over': over === column.id ? true : undefined,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', column.name);
      setDragged(column.id);
    },
    onDragOver: (event: DragEvent) => {
      if (dragged === null || column.isFixed) return;
      event.preventDefault();
      setOver(column.id);
    },
    onDrop: (event: DragEvent<HTMLElement>) => {
      event.preventDefault();
      const box = event.currentTarget.getBoundingClientRect();
      if (dragged !== null && !column.isFixed) move(dragged, column.id, event.clientX < box.left + box.width / 2 ? 'before' : 'after');
      clear();
    },
    onDragEnd: clear,
  });
}

type SortButtonProps<Row> = { readonly column: GridColumn<Row> } & Pick<GridHeadProps<Row>, 'sortedBy' | 'order' | 'onSort'>;

function SortButton<Row>({ column, sortedBy, order, onSort }: SortButtonProps<Row>) {
  const { t } = useTranslation('grid');
  const isSorted = sortedBy === column.id;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.sort}
      title={column.hint ?? t('sortBy', { column: column.name })}
      onClick={() => onSort(column.id)}
    >
      <span className={classes.headText}>{column.header ?? column.name}</span>
      {isSorted ? <Icon name={order === 'asc' ? 'up' : 'down'} size={12} /> : null}
    </button>
  );
}

function PlainHead<Row>(props: GridHeadProps<Row>) {
  const { grid, name, columns, sortedBy, order, active, onSort } = props;
  const { t } = useTranslation('grid');
  const dragging = useDragging(props);
  const { setTable } = useUiStore.getState();

  function startResize(event: MouseEvent, id: string) {
    event.preventDefault();
    event.stopPropagation();
    // a column that grows begins with the width it has on the screen
    const width = event.currentTarget.parentElement?.offsetWidth ?? columns.widthOf(id);
    flushSync(() => setTable(name, { widths: { ...useUiStore.getState().tables[name]?.widths, [id]: width } }));
    columns.onResize(id)(event);
  }

  function forgetWidth(id: string) {
    const { [id]: _gone, ...widths } = useUiStore.getState().tables[name]?.widths ?? {};
    setTable(name, { widths });
  }

  return (
    <thead {...ROLES.group}>
      <tr {...ROLES.row} aria-rowindex={1} className={classes.headRow}>
        {columns.shown.map((column, place) => (
          <th
            key={column.id}
            id={headId(grid, column.id)}
            {...ROLES.head}
            aria-colindex={place + 1}
            data-head={column.id}
            className={[
              classes.headCell,
              column.align === 'right' && classes.right,
              columns.pinned.has(column.id) && classes.pinned,
              active === column.id && classes.activeCell,
            ]
              .filter(Boolean)
              .join(' ')}
            {...(columns.pinned.has(column.id) ? { style: { left: `var(--pin-${place})` } } : {})}
            {...(sortedBy === column.id ? { 'aria-sort': order === 'asc' ? 'ascending' : 'descending' } : {})}
            {...dragging(column)}
          >
            {column.isSortable ? (
              <SortButton column={column} sortedBy={sortedBy} order={order} onSort={onSort} />
            ) : (
              <span className={classes.headText} title={column.hint}>
                {column.header ?? column.name}
              </span>
            )}
            {column.isFixed ? null : (
              // biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the keyboard has Shift+arrows and the menu of the header
              <span
                className={classes.handle}
                title={t('resize')}
                draggable
                onDragStart={(event) => {
                  event.preventDefault();
                  event.stopPropagation();
                }}
                onMouseDown={(event) => startResize(event, column.id)}
                onDoubleClick={() => forgetWidth(column.id)}
                data-testid={`resize-${column.id}`}
              />
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The header line: sorts by a click, moves by dragging, and each column is as wide as its edge is dragged. */
export const GridHead = memo(PlainHead) as typeof PlainHead;
