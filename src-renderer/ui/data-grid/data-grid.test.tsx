import { act, fireEvent, render, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useMemo, useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { giveSize } from '../../features/testing/fake-service.ts';
import type { GridColumn } from './column.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { DataGrid, type DataGridProps } from './data-grid.tsx';
import { useLocalRows } from './rows.ts';
import { tickColumn } from './tick-column.tsx';

interface Item {
  readonly id: number;
  readonly name: string;
  readonly value: number;
}

const items = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: index, name: `N${index}`, value: index * 10 }));
const idOf = (item: Item) => String(item.id);
const drawn = vi.fn();
const save = vi.fn(async (_row: Item, text: string) => (text === 'bad' ? 'That name is taken.' : null));

const COLUMNS: readonly GridColumn<Item>[] = [
  tickColumn<Item>({ column: 'Selected', of: (item) => `Selected ${item.name}` }),
  { id: 'id', name: 'Number', width: 60, isSortable: true, align: 'right', cell: (item) => item.id, text: (item) => String(item.id) },
  {
    id: 'name',
    name: 'Name',
    width: 100,
    grows: 1,
    cell: (item) => {
      drawn(item.id);
      return item.name;
    },
    text: (item) => item.name,
    edit: { kind: 'text', maxLength: 20, valueOf: (item) => item.name, save },
  },
  {
    id: 'value',
    name: 'Value',
    width: 80,
    cell: (item) => item.value,
    text: (item) => String(item.value),
    watch: (item) => item.value,
    edit: { kind: 'number', isFor: (item) => item.id !== 1, valueOf: (item) => String(item.value), save },
  },
  { id: 'extra', name: 'Extra', width: 50, isExtra: true, cell: () => 'x' },
];

function localRows(list: readonly Item[]) {
  return renderHook(() => useLocalRows(list, idOf)).result.current;
}

let setList: (list: readonly Item[]) => void = () => undefined;

function Stand({ start, more }: { readonly start: readonly Item[]; readonly more: Partial<DataGridProps<Item>> }) {
  const [list, set] = useState(start);
  setList = set;
  const rows = useLocalRows(list, idOf);
  const columns = useMemo(() => COLUMNS, []);
  return <DataGrid name="stand" label="Stand" testId="stand-scroll" rows={rows} columns={columns} {...more} />;
}

function show(start = items(100), more: Partial<DataGridProps<Item>> = {}) {
  const page = render(
    <Providers env="test">
      <Stand start={start} more={more} />
    </Providers>,
  );
  return { user: userEvent.setup(), grid: screen.getByRole('grid'), page };
}

const rowAt = (index: number) => document.querySelector<HTMLElement>(`[data-row="${index}"]`) as HTMLElement;
const cell = (index: number, column: string) => rowAt(index).querySelector<HTMLElement>(`[data-column="${column}"]`) as HTMLElement;
const selected = () =>
  [...document.querySelectorAll('[data-row][aria-selected="true"]')].map((row) => Number(row.getAttribute('data-row')));
const heads = () => screen.getAllByRole('columnheader').map((head) => head.getAttribute('data-head'));
const activeCell = () => document.getElementById(screen.getByRole('grid').getAttribute('aria-activedescendant') ?? '');
const clipboard = () => vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();

beforeEach(() => {
  giveSize();
  localStorage.clear();
  useUiStore.setState({ tables: {} });
  drawn.mockClear();
  save.mockClear();
});

describe('rows of a data grid', () => {
  it('are drawn only where they are seen, and counted all', () => {
    const { grid } = show(items(100_000));
    expect(grid.getAttribute('aria-rowcount')).toBe('100001');
    expect(document.querySelectorAll('[data-row]').length).toBeLessThan(60);
    expect(rowAt(0).getAttribute('aria-rowindex')).toBe('2');
    expect(cell(0, 'name').getAttribute('aria-colindex')).toBe('3');
  });

  it('are drawn anew only when they change, however the keyboard moves', async () => {
    const list = items(100_000);
    const { user, grid } = show(list);
    act(() => grid.focus());
    await user.keyboard('{ArrowDown}{ArrowDown}');
    drawn.mockClear();
    await user.keyboard('{ArrowDown}');
    // the row that is left, and the one that is come to
    expect(new Set(drawn.mock.calls.map(([id]) => id))).toEqual(new Set([1, 2]));
    drawn.mockClear();
    act(() => setList(list.with(4, { id: 4, name: 'N4', value: 7 })));
    expect(new Set(drawn.mock.calls.map(([id]) => id))).toEqual(new Set([4]));
  });

  it('come with the key that goes to them, and are drawn once, as selected', async () => {
    const { user, grid } = show(items(1000));
    act(() => grid.focus());
    await user.keyboard('{ArrowDown}');
    drawn.mockClear();
    await user.keyboard('{End}');
    expect(selected()).toEqual([999]);
    expect(drawn.mock.calls.filter(([id]) => id === 999)).toHaveLength(1);
  });

  it('tell on hover what may be cut off, and nothing that stands there in whole', () => {
    const long = 'a name that is longer than its column';
    const columns = [{ id: 'name', name: 'Name', width: 100, cell: (item: Item) => item.name, titleOf: (item: Item) => item.name }];
    show(
      [
        { id: 0, name: 'N0', value: 0 },
        { id: 1, name: long, value: 0 },
      ],
      { columns },
    );
    expect([0, 1].map((index) => cell(index, 'name').getAttribute('title'))).toEqual([null, long]);
  });

  it('take the elements of rows that have left when they are scrolled, so that nothing is made or moved', () => {
    show(items(1000));
    const box = screen.getByTestId('stand-scroll');
    const scrollTo = (row: number) => {
      box.scrollTop = row * 24;
      fireEvent.scroll(box);
    };
    scrollTo(100);
    const body = rowAt(105).parentElement as HTMLElement;
    const before = [...body.children];
    scrollTo(104);
    expect([...body.children]).toEqual(before);
    const told = before.map((row) => Number(row.getAttribute('aria-rowindex'))).toSorted((a, b) => a - b);
    // none twice, none left out
    expect(told).toEqual(Array.from({ length: told.length }, (_, step) => (told[0] ?? 0) + step));
    for (const row of [104, 110]) expect(cell(row, 'name').textContent).toBe(`N${row}`);
    expect(document.querySelectorAll('[data-row="100"]').length).toBeLessThan(2);
  });

  it('mark a cell whose value changes, and not one that comes into sight', () => {
    vi.useFakeTimers();
    const list = items(5);
    show(list);
    expect(cell(2, 'value').dataset.changed).toBeUndefined();
    act(() => setList(list.with(2, { id: 2, name: 'N2', value: 99 })));
    expect(cell(2, 'value').dataset.changed).toBe('a');
    expect(cell(1, 'value').dataset.changed).toBeUndefined();
    act(() => vi.advanceTimersByTime(3000));
    expect(cell(2, 'value').dataset.changed).toBeUndefined();
    // another row in the same place is no change of a value
    act(() => setList(list.toReversed()));
    expect(cell(0, 'value').dataset.changed).toBeUndefined();
    vi.useRealTimers();
  });

  it('give up what is selected and gone', async () => {
    const { user } = show(items(5));
    await user.click(cell(3, 'name'));
    expect(selected()).toEqual([3]);
    act(() => setList(items(3)));
    expect(selected()).toEqual([]);
  });

  it('stay selected when they move', async () => {
    const { user } = show(items(5));
    await user.click(cell(3, 'name'));
    act(() => setList(items(5).toReversed()));
    expect(selected()).toEqual([1]);
    expect(activeCell()).toBe(cell(1, 'name'));
  });
});

describe('selection of a data grid', () => {
  it('is made by mouse: one, a range, and one more', async () => {
    const { user } = show();
    await user.click(cell(2, 'name'));
    await user.keyboard('{Shift>}');
    await user.click(cell(4, 'name'));
    await user.keyboard('{/Shift}{Control>}');
    await user.click(cell(8, 'name'));
    await user.click(cell(3, 'name'));
    await user.keyboard('{/Control}');
    expect(selected()).toEqual([2, 4, 8]);
    await user.click(screen.getByRole('checkbox', { name: 'Selected N1' }));
    expect(selected()).toEqual([1, 2, 4, 8]);
  });

  it('is made by keyboard', async () => {
    const { user, grid } = show(items(20));
    act(() => grid.focus());
    await user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    expect(selected()).toEqual([0, 1, 2]);
    await user.keyboard('{End}');
    expect(selected()).toEqual([19]);
    await user.keyboard('{Shift>}{Home}{/Shift}');
    expect(selected()).toHaveLength(20);
    await user.keyboard('{Escape}');
    expect(selected()).toEqual([]);
    await user.keyboard('{ArrowDown} ');
    expect(selected()).toEqual([]);
    await user.keyboard('{Control>}a{/Control}');
    expect(selected()).toHaveLength(20);
  });

  it('walks over cells, which the grid names as its active descendant', async () => {
    const { user, grid } = show();
    act(() => grid.focus());
    await user.keyboard('{ArrowDown}');
    expect(activeCell()).toBe(cell(0, 'id'));
    await user.keyboard('{ArrowRight}{ArrowDown}');
    expect(activeCell()).toBe(cell(1, 'name'));
    expect(document.activeElement).toBe(grid);
  });
});

describe('rows that are about to be replaced', () => {
  it('are seen, and neither picked nor selected', async () => {
    const onPick = vi.fn();
    const past = { ...localRows(items(9)), isPast: true };
    const { user, grid } = show(items(9), { rows: past, onPick });
    await user.click(cell(2, 'name'));
    act(() => grid.focus());
    await user.keyboard('{Control>}a{/Control}{ArrowDown} ');
    fireEvent.contextMenu(cell(3, 'name'));
    expect([selected(), onPick.mock.calls, screen.queryByTestId('grid-menu')]).toEqual([[], [], null]);
  });
});

describe('copying from a data grid', () => {
  it('takes the selected rows with column names, or without by the menu', async () => {
    const { user, grid } = show();
    const write = clipboard();
    await user.click(cell(1, 'name'));
    act(() => grid.focus());
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}{Control>}c{/Control}');
    await waitFor(() => expect(write).toHaveBeenCalledWith('Number\tName\tValue\r\n1\tN1\t10\r\n2\tN2\t20'));
    await user.keyboard('{Shift>}{F10}{/Shift}');
    await user.click(await screen.findByTestId('menu-copy-plain'));
    await waitFor(() => expect(write).toHaveBeenLastCalledWith('1\tN1\t10\r\n2\tN2\t20'));
  });
});

describe('menu of a data grid', () => {
  it('is for the row it was asked for, and says why something cannot be done', async () => {
    const run = vi.fn();
    const menu = () => [
      { id: 'do', words: 'Do it', reason: null, run },
      { id: 'not', words: 'Do not', reason: 'Not now.', run },
    ];
    const { user } = show(items(9), { menu });
    fireEvent.contextMenu(cell(4, 'name'));
    expect(selected()).toEqual([4]);
    const not = await screen.findByTestId('menu-not');
    expect([not.title, not.hasAttribute('disabled')]).toEqual(['Not now.', true]);
    await user.click(screen.getByTestId('menu-do'));
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe('menu of one of several selected rows', () => {
  it('edits the cell it was asked for', async () => {
    const { user } = show(items(9));
    await user.click(cell(2, 'name'));
    await user.keyboard('{Shift>}');
    await user.click(cell(4, 'name'));
    await user.keyboard('{/Shift}');
    fireEvent.contextMenu(cell(3, 'name'));
    expect(selected()).toEqual([2, 3, 4]);
    const entry = await screen.findByTestId('menu-edit-cell');
    act(() => setList(items(9).toReversed()));
    await user.click(entry);
    expect(screen.getByTestId<HTMLInputElement>('cell-editor').value).toBe('N3');
  });

  it('edits only what can be edited in the row it was asked for', async () => {
    const { user } = show(items(9));
    await user.click(cell(0, 'value'));
    await user.keyboard('{Shift>}');
    await user.click(cell(2, 'value'));
    await user.keyboard('{/Shift}');
    fireEvent.contextMenu(cell(1, 'value'));
    expect(await screen.findByTestId('menu-copy')).toBeTruthy();
    expect(screen.queryByTestId('menu-edit-cell')).toBeNull();
  });
});

describe('columns of a data grid', () => {
  const headMenu = async (column: string) => {
    fireEvent.contextMenu(document.querySelector(`[data-head="${column}"]`) as HTMLElement);
    return await screen.findByTestId('grid-menu');
  };

  it('are hidden, shown, moved, pinned, and put back as they were', async () => {
    const { user } = show();
    await headMenu('value');
    await user.click(screen.getByTestId('menu-left'));
    expect(heads()).toEqual(['select', 'id', 'value', 'name']);
    await headMenu('name');
    await user.click(screen.getByTestId('menu-pin'));
    expect(heads()).toEqual(['select', 'name', 'id', 'value']);
    const menu = await headMenu('id');
    await user.click(within(menu).getByRole('menuitemcheckbox', { name: 'Extra' }));
    await user.click(screen.getByTestId('menu-hide'));
    expect(heads()).toEqual(['select', 'name', 'value', 'extra']);
    await headMenu('value');
    await user.click(screen.getByRole('menuitem', { name: 'Columns as they were' }));
    expect(heads()).toEqual(['select', 'id', 'name', 'value']);
  });

  it('outlive the page', async () => {
    const { page } = show();
    act(() => useUiStore.getState().setTable('stand', { shown: { id: false } }));
    page.unmount();
    const kept = localStorage.getItem('loopcheck.ui') ?? '';
    useUiStore.setState({ tables: {} });
    localStorage.setItem('loopcheck.ui', kept);
    await act(async () => useUiStore.persist.rehydrate());
    show();
    expect(heads()).toEqual(['select', 'name', 'value']);
  });

  it('are those of the table where all of them were hidden', async () => {
    useUiStore.getState().setTable('stand', { shown: { id: false, name: false, value: false } });
    const { user } = show();
    expect(heads()).toEqual(['select', 'id', 'name', 'value']);
    await headMenu('id');
    await user.click(screen.getByTestId('menu-hide'));
    expect(heads()).toEqual(['select', 'name', 'value']);
  });

  it('are hidden down to the last one', async () => {
    const { user } = show();
    const menu = await headMenu('id');
    const choice = (name: string) => within(menu).getByRole('menuitemcheckbox', { name });
    await user.click(choice('Number'));
    await user.click(choice('Value'));
    expect(choice('Name').hasAttribute('disabled')).toBe(true);
    await user.click(choice('Name'));
    expect(heads()).toEqual(['select', 'name']);
    await user.click(choice('Extra'));
    await user.click(choice('Name'));
    expect(heads()).toEqual(['select', 'extra']);
  });

  it('are hidden down to the last one in the tool bar', async () => {
    useUiStore.getState().setTable('stand', { shown: { id: false, name: false } });
    const user = userEvent.setup();
    render(
      <Providers env="test">
        <ColumnChooser name="stand" columns={COLUMNS} />
      </Providers>,
    );
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Value' })).disabled).toBe(true);
    await user.click(screen.getByRole('checkbox', { name: 'Name' }));
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Value' }).disabled).toBe(false);
  });

  it('are as wide as their edge is dragged', () => {
    const { grid } = show();
    expect(grid.style.getPropertyValue('--grid-columns')).toBe('28px 60px minmax(100px, 1fr) 80px');
    const handle = screen.getByTestId('resize-value');
    vi.spyOn(handle.parentElement as HTMLElement, 'offsetWidth', 'get').mockReturnValue(80);
    fireEvent.mouseDown(handle, { clientX: 100 });
    fireEvent.mouseMove(document, { clientX: 130 });
    fireEvent.mouseUp(document, { clientX: 130 });
    expect(grid.style.getPropertyValue('--grid-columns')).toBe('28px 60px minmax(100px, 1fr) 110px');
    fireEvent.doubleClick(handle);
    expect(grid.style.getPropertyValue('--grid-columns')).toBe('28px 60px minmax(100px, 1fr) 80px');
  });

  it('are sorted, moved and widened with the keyboard above the first row', async () => {
    const onSort = vi.fn();
    const { user, grid } = show(items(5), { onSort, sort: { column: 'id', order: 'desc' } });
    act(() => grid.focus());
    await user.keyboard('{ArrowDown}{ArrowUp}{Enter}');
    expect(onSort).toHaveBeenCalledWith('id');
    expect(activeCell()?.getAttribute('aria-sort')).toBe('descending');
    await user.keyboard('{Alt>}{ArrowRight}{/Alt}');
    expect(heads()).toEqual(['select', 'name', 'id', 'value']);
    await user.keyboard('{Shift>}{ArrowRight}{/Shift}');
    expect(useUiStore.getState().tables.stand?.widths).toEqual({ id: 70 });
    await user.keyboard('{Shift>}{F10}{/Shift}');
    expect(await screen.findByTestId('menu-hide')).toBeTruthy();
  });
});

describe('editing in place', () => {
  it('begins with F2, stores with Enter and gives up with Escape', async () => {
    const { user, grid } = show();
    await user.click(cell(2, 'name'));
    act(() => grid.focus());
    await user.keyboard('{F2}');
    const editor = screen.getByTestId<HTMLInputElement>('cell-editor');
    expect([editor.value, document.activeElement]).toEqual(['N2', editor]);
    await user.keyboard('new{Enter}');
    await waitFor(() => expect(screen.queryByTestId('cell-editor')).toBeNull());
    expect(save.mock.calls.map(([row, text]) => [row.id, text])).toEqual([[2, 'new']]);
    expect(document.activeElement).toBe(grid);
    await user.keyboard('{Enter}');
    await user.keyboard('other{Escape}');
    expect(screen.queryByTestId('cell-editor')).toBeNull();
    expect(save).toHaveBeenCalledTimes(1);
    expect(selected()).toEqual([2]);
  });

  it('says what is wrong at the cell and stays open', async () => {
    const { user } = show();
    await user.dblClick(cell(2, 'name'));
    await user.keyboard('bad{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('That name is taken.');
    expect(screen.getByTestId('cell-editor').getAttribute('aria-invalid')).toBe('true');
    await user.keyboard('{Enter}');
    expect(screen.getByTestId('cell-editor')).toBeTruthy();
    await user.keyboard('good{Enter}');
    await waitFor(() => expect(screen.queryByTestId('cell-editor')).toBeNull());
  });

  it('goes on to the next cell with Tab, and back', async () => {
    const { user } = show();
    await user.dblClick(cell(2, 'name'));
    await user.keyboard('{Tab}');
    expect(screen.getByTestId<HTMLInputElement>('cell-editor').value).toBe('20');
    await user.keyboard('{Shift>}{Tab}{/Shift}');
    expect(screen.getByTestId<HTMLInputElement>('cell-editor').value).toBe('N2');
    expect(save).not.toHaveBeenCalled();
  });

  it('leaves cells alone that cannot be edited', async () => {
    const onOpen = vi.fn();
    const { user, grid } = show(items(5), { onOpen });
    await user.dblClick(cell(1, 'value'));
    expect(onOpen).toHaveBeenCalledTimes(1);
    act(() => grid.focus());
    await user.keyboard('{F2}');
    expect(screen.queryByTestId('cell-editor')).toBeNull();
  });
});

describe('an open editor', () => {
  const editor = () => screen.getByTestId<HTMLInputElement>('cell-editor');
  const scrollTo = (top: number) => {
    const box = screen.getByRole('grid').parentElement as HTMLElement;
    box.scrollTop = top;
    fireEvent.scroll(box);
  };

  it('goes with its row when a poll moves it, and goes on where the text was', async () => {
    const { user } = show(items(9));
    await user.dblClick(cell(2, 'name'));
    await user.keyboard('Pu');
    act(() => setList(items(9).toReversed()));
    expect(cell(6, 'name').contains(editor())).toBe(true);
    expect([editor().value, document.activeElement]).toEqual(['Pu', editor()]);
    await user.keyboard('mp{Enter}');
    await waitFor(() => expect(save.mock.calls.map(([row, text]) => [row.id, text])).toEqual([[2, 'Pump']]));
  });

  it('keeps its text when it is scrolled out of sight', async () => {
    const { user } = show(items(1000));
    await user.dblClick(cell(2, 'name'));
    await user.keyboard('Pu');
    scrollTo(12_000);
    expect(rowAt(500)).toBeTruthy();
    await user.keyboard('mp');
    scrollTo(0);
    expect([editor().value, document.activeElement]).toEqual(['Pump', editor()]);
    scrollTo(12_000);
    await user.click(cell(500, 'id'));
    expect(selected()).toEqual([500]);
    expect(save.mock.calls.map(([row, text]) => [row.id, text])).toEqual([[2, 'Pump']]);
    expect(screen.queryByTestId('cell-editor')).toBeNull();
  });

  it('is stored by the next click when its row is gone', async () => {
    const { user } = show(items(9));
    await user.dblClick(cell(8, 'name'));
    await user.keyboard('Pump');
    act(() => setList(items(5)));
    await user.click(cell(1, 'id'));
    expect(selected()).toEqual([1]);
    expect(save.mock.calls.map(([row, text]) => [row.id, text])).toEqual([[8, 'Pump']]);
    act(() => setList(items(9)));
    expect(screen.queryByTestId('cell-editor')).toBeNull();
  });

  it('is given up or stored by a key when its row is gone, and the key does nothing else', async () => {
    const onKey = vi.fn();
    const { user, grid } = show(items(9), { onKey });
    for (const key of ['{Escape}', '{Delete}']) {
      await user.dblClick(cell(8, 'name'));
      await user.keyboard('Pump');
      act(() => setList(items(5)));
      expect(document.activeElement).toBe(grid);
      await user.keyboard(key);
      act(() => setList(items(9)));
      expect(screen.queryByTestId('cell-editor')).toBeNull();
    }
    expect(onKey).not.toHaveBeenCalled();
    expect(save.mock.calls.map(([row, text]) => [row.id, text])).toEqual([[8, 'Pump']]);
  });

  it('leaves the focus where it went, and stores', async () => {
    const { user } = show(items(9));
    const search = document.body.appendChild(document.createElement('input'));
    await user.dblClick(cell(2, 'name'));
    await user.keyboard('Pump');
    await user.click(search);
    await act(async () => undefined);
    expect(save).toHaveBeenCalledTimes(1);
    expect(screen.queryByTestId('cell-editor')).toBeNull();
    await user.keyboard('a');
    expect([document.activeElement, search.value]).toEqual([search, 'a']);
    search.remove();
  });

  it('tells in words what was refused after it was left', async () => {
    const { user } = show(items(9));
    await user.dblClick(cell(2, 'name'));
    await user.keyboard('bad');
    await user.click(cell(4, 'id'));
    const told = await screen.findByText('That name is taken.', { exact: false });
    expect(told.textContent).toBe('Name: “bad” was not stored. That name is taken.');
    expect(selected()).toEqual([4]);
    expect(screen.queryByTestId('cell-editor')).toBeNull();
  });
});
