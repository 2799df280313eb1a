import { Kbd, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUiStore } from '../../app/ui-store.ts';
import { Icon, type IconName } from '../icons.tsx';
import type { GridColumn } from './column.ts';
import classes from './data-grid.module.css';
import { useMoveColumn } from './grid-head.tsx';
import { shownOf } from './layout.ts';
import type { GridColumns } from './use-grid-columns.ts';

/** Something that can be done with rows, in the context menu. */
export interface GridMenuItem {
  readonly id: string;
  readonly words: string;
  readonly icon?: IconName;
  /** As people read it. */
  readonly key?: string;
  /** Why it cannot be done now; null when it can. */
  readonly reason: string | null;
  run(): void;
}

/** Where a menu was asked for, in pixels of the window, and for what. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
  /** Column whose header it is; null for the rows. */
  readonly column: string | null;
  /** Row it was asked for; null for the one of the keyboard. */
  readonly row: string | null;
}

interface GridMenuProps {
  readonly place: MenuPlace;
  /** Groups of items, with a line between them. */
  readonly groups: readonly (readonly GridMenuItem[])[];
  readonly children?: React.ReactNode;
  onClose(): void;
}

/** A menu at the pointer, or at the cell of the keyboard. */
export function GridMenu({ place, groups, children, onClose }: GridMenuProps) {
  const { t } = useTranslation('grid');
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      offset={2}
      // its place is where the pointer is: that a header or a pane is said to cover it is no reason to hide it
      hideDetached={false}
      // a long menu that fits neither above nor below lies over its place
      middlewares={{ flip: true, shift: { crossAxis: true, padding: 4 } }}
    >
      <Menu.Target>
        {/* the menu names its state at its target, which only a button may have */}
        <button type="button" tabIndex={-1} aria-label={t('menu')} className={classes.menuTarget} style={{ left: place.x, top: place.y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('menu')} data-testid="grid-menu" onContextMenu={(event) => event.preventDefault()} mah="80vh">
        {groups
          .filter((items) => items.length > 0)
          .map((items, at) => (
            <div key={items[0]?.id} role="none">
              {at > 0 ? <Menu.Divider /> : null}
              {items.map((item) => (
                <Menu.Item
                  key={item.id}
                  disabled={item.reason !== null}
                  title={item.reason ?? undefined}
                  leftSection={item.icon ? <Icon name={item.icon} size={14} /> : <span style={{ width: 14 }} />}
                  rightSection={item.key === undefined ? null : <Kbd size="xs">{item.key}</Kbd>}
                  onClick={item.run}
                  data-testid={`menu-${item.id}`}
                >
                  {item.words}
                </Menu.Item>
              ))}
            </div>
          ))}
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}

/** What can be done with one column. */
export function useColumnItems<Row>(name: string, columns: GridColumns<Row>, onSort: (column: string) => void) {
  const { t } = useTranslation('grid');
  const { setTable } = useUiStore.getState();
  const move = useMoveColumn(name, columns.all);
  const layoutOf = () => useUiStore.getState().tables[name];
  return (column: GridColumn<Row>): readonly (readonly GridMenuItem[])[] => {
    const at = columns.shown.findIndex(({ id }) => id === column.id);
    const [before, after] = [columns.shown[at - 1], columns.shown[at + 1]];
    const isPinned = columns.pinned.has(column.id);
    const pinned = layoutOf()?.pinned ?? [];
    const why = column.isFixed ? t('why.fixed') : null;
    const beside = (other: GridColumn<Row> | undefined) =>
      why ?? (other === undefined || other.isFixed || columns.pinned.has(other.id) !== isPinned ? t('why.edge') : null);
    return [
      column.isSortable ? [{ id: 'sort', words: t('sort'), icon: 'up', key: 'Enter', reason: null, run: () => onSort(column.id) }] : [],
      [
        {
          id: 'left',
          words: t('moveLeft'),
          icon: 'left',
          key: 'Alt+←',
          reason: beside(before),
          run: () => move(column.id, before?.id ?? '', 'before'),
        },
        {
          id: 'right',
          words: t('moveRight'),
          icon: 'right',
          key: 'Alt+→',
          reason: beside(after),
          run: () => move(column.id, after?.id ?? '', 'after'),
        },
        {
          id: 'pin',
          words: t(isPinned ? 'unpin' : 'pin'),
          icon: isPinned ? 'unpin' : 'pin',
          reason: why,
          run: () => setTable(name, { pinned: isPinned ? pinned.filter((id) => id !== column.id) : [...pinned, column.id] }),
        },
        {
          id: 'hide',
          words: t('hide', { column: column.name }),
          icon: 'close',
          reason: why ?? (columns.shown.filter((other) => !other.isFixed).length > 1 ? null : t('why.last')),
          run: () => setTable(name, { shown: { ...shownOf(columns.all, layoutOf()?.shown ?? {}), [column.id]: false } }),
        },
      ],
    ];
  };
}
