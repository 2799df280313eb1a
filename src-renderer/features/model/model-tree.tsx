import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelNode } from '#shared/contract/iec61850.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import type { KeyPlace } from '../../ui/data-grid/use-grid-keys.ts';
import type { GridSelection } from '../../ui/data-grid/use-grid-selection.ts';
import { useStable } from '../../ui/use-stable.ts';
import shared from './model.module.css';
import { indent, useModelColumns } from './model-columns.tsx';
import type { ModelUiState } from './model-store.ts';
import type { ValueIndex } from './model-values.ts';
import { canBePoint, isBranch, type TreeRow, tickedBetween } from './tree-rows.ts';

interface ModelTreeProps {
  readonly rows: readonly TreeRow[];
  readonly values: ValueIndex;
  readonly ui: ModelUiState;
  /** Found nodes stand by themselves: they have their whole reference and are shown in the tree when they are opened. */
  readonly isFound: boolean;
  /** A node that was found, or has no branches, was clicked twice: it is to be a point. */
  onPoint(reference: string): void;
  /** Node that is brought into sight as soon as it has a row; null: none. */
  readonly revealed: string | null;
  onReveal(reference: string): void;
  onRevealed(): void;
}

/** What is selected in a tree is what is ticked; it lives with the channel, and so does the row of the keyboard. */
function useTicks({ rows, ui }: ModelTreeProps) {
  const last = useRef<string | null>(null);
  const tick = useStable((node: ModelNode, isRange: boolean) => {
    const from = last.current;
    const isTicked = !ui.ticked.has(node.reference);
    ui.setTicked(isRange && from !== null ? tickedBetween(rows, from, node.reference) : [node.reference], isTicked);
    last.current = node.reference;
  });
  const ticked = useMemo(
    () => new Map(rows.filter(({ key }) => ui.ticked.has(key)).map((row): [string, TreeRow] => [row.key, row])),
    [rows, ui.ticked],
  );
  const go = (index: number) => {
    const row = rows[index];
    if (row) ui.setActive(row.key);
  };
  const activeIndex = rows.findIndex(({ key }) => key === ui.active);
  const selection: GridSelection<TreeRow> = {
    rows: ticked,
    activeIndex,
    fromIndex: activeIndex,
    isLoading: false,
    now: () => [...ticked.values()],
    one: go,
    extendTo: go,
    toggle(index) {
      const node = rows[index]?.node;
      if (node && canBePoint(node)) tick(node, false);
      go(index);
    },
    all: () =>
      ui.setTicked(
        rows.flatMap(({ node }) => (node && canBePoint(node) ? node.reference : [])),
        true,
      ),
    // Escape takes no ticks away: they were gathered over many branches
    none: () => undefined,
  };
  return { selection, tick };
}

/** Opens, closes and leaves nodes by keyboard as a tree is walked (WAI-ARIA treegrid pattern). True for a key that was used. */
function onNodeKey(key: string, { row, index, show }: KeyPlace<TreeRow>, { rows, ui, isFound, onReveal }: ModelTreeProps): boolean {
  const node = row?.node;
  if (!row || !node) return false;
  const goTo = (next: number) => {
    const target = rows[next];
    if (!target) return;
    ui.setActive(target.key);
    show(next);
  };
  const opens = isBranch(node) && !isFound;
  if (key === 'Enter' && isFound) onReveal(node.reference);
  else if (key === 'Enter' && opens) ui.setOpen([node.reference], !row.isOpen);
  else if (key === 'ArrowRight' && opens && !row.isOpen) ui.setOpen([node.reference], true);
  else if (key === 'ArrowRight' && row.isOpen) goTo(index + 1);
  else if (key === 'ArrowLeft' && row.isOpen) ui.setOpen([node.reference], false);
  else if (key === 'ArrowLeft') goTo(rows.slice(0, index).findLastIndex(({ depth }) => depth < row.depth));
  else return false;
  return true;
}

const idOf = (row: TreeRow) => row.key;

/** The information model as a tree of rows. */
export function ModelTreeGrid(props: ModelTreeProps) {
  const { t } = useTranslation('model');
  const { rows, values, ui, isFound, revealed, onReveal, onRevealed } = props;
  const grid = useLocalRows(rows, idOf);
  const { selection, tick } = useTicks(props);
  const onToggle = useStable((row: TreeRow) => {
    if (isFound) onReveal(row.key);
    else ui.setOpen([row.key], !row.isOpen);
  });
  const columns = useModelColumns(values, { isFound, onToggle, onTick: tick });
  const rowProps = useCallback(
    (row: TreeRow) => ({
      'aria-level': row.depth,
      'aria-posinset': row.position,
      'aria-setsize': row.siblings,
      'data-testid': row.node ? 'model-row' : 'model-waiting',
      'data-kind': row.node?.kind,
      ...(row.node && isBranch(row.node) && !isFound ? { 'aria-expanded': row.isOpen } : {}),
    }),
    [isFound],
  );
  const wholeRow = useCallback(
    (row: TreeRow) =>
      row.node ? null : (
        <span className={shared.muted} style={{ paddingLeft: indent(row.depth) + 20 }}>
          {t('loading')}
        </span>
      ),
    [t],
  );
  const wanted = revealed === null ? -1 : rows.findIndex((row) => row.key === revealed);
  const reveal = useMemo(() => (wanted < 0 ? null : { index: wanted }), [wanted]);
  useEffect(() => {
    if (reveal) onRevealed();
  }, [reveal, onRevealed]);

  function onKey(event: KeyboardEvent, place: KeyPlace<TreeRow>) {
    if (onNodeKey(event.key, place, props)) event.preventDefault();
  }

  return (
    <DataGrid
      isTree
      name="model"
      label={t('tree')}
      rows={grid}
      columns={columns}
      selection={selection}
      rowProps={rowProps}
      wholeRow={wholeRow}
      reveal={reveal}
      onKey={onKey}
      onOpen={(row) => {
        if (!row.node) return;
        if (canBePoint(row.node) && (isFound || !isBranch(row.node))) props.onPoint(row.node.reference);
        else if (isFound || isBranch(row.node)) onToggle(row);
      }}
      testId="model-scroll"
      tableTestId="model-tree"
    />
  );
}
