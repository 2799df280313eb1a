import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelNode } from '#shared/contract/iec61850.ts';
import { NodeRow, SpacerRow, TreeHead, WaitingRow } from './model-row.tsx';
import type { ModelUiState } from './model-store.ts';
import classes from './model-tree.module.css';
import { shownValue, type ValueIndex, valueOfNode } from './model-values.ts';
import { canBePoint, isBranch, type TreeRow, tickedBetween } from './tree-rows.ts';

const ROW_HEIGHT = 26;
const PAGE = 15;

/** The tree itself has the focus and the keys; its rows have none. */
const TREE = { role: 'treegrid', tabIndex: 0, 'aria-multiselectable': true } as const;

interface ModelTreeProps {
  readonly rows: readonly TreeRow[];
  readonly values: ValueIndex;
  readonly ui: ModelUiState;
  /** Found nodes stand by themselves: they have their whole reference and are shown in the tree when they are opened. */
  readonly isFound: boolean;
  /** Node that is brought into sight as soon as it has a row; null: none. */
  readonly revealed: string | null;
  onReveal(reference: string): void;
  onRevealed(): void;
}

/** Moves over the rows by keyboard as a tree is walked (WAI-ARIA treegrid pattern). */
function useTreeKeys({ rows, ui, isFound, onReveal }: ModelTreeProps, show: (index: number) => void) {
  const at = rows.findIndex((row) => row.key === ui.active);
  function moveTo(index: number) {
    const bounded = Math.min(rows.length - 1, Math.max(0, index));
    const row = rows[bounded];
    if (!row) return;
    ui.setActive(row.key);
    show(bounded);
  }
  function toParent(depth: number) {
    for (let index = at - 1; index >= 0; index--) {
      if ((rows[index]?.depth ?? 0) < depth) return moveTo(index);
    }
  }
  function onNode(key: string, row: TreeRow, node: ModelNode): boolean {
    const opens = isBranch(node) && !isFound;
    if (key === ' ' && canBePoint(node)) ui.setTicked([node.reference], !ui.ticked.has(node.reference));
    else if (key === 'Enter' && isFound) onReveal(node.reference);
    else if (key === 'Enter' && opens) ui.setOpen([node.reference], !row.isOpen);
    else if (key === 'ArrowRight' && opens && !row.isOpen) ui.setOpen([node.reference], true);
    else if (key === 'ArrowRight' && row.isOpen) moveTo(at + 1);
    else if (key === 'ArrowLeft' && row.isOpen) ui.setOpen([node.reference], false);
    else if (key === 'ArrowLeft') toParent(row.depth);
    else return key === ' ';
    return true;
  }
  return (event: KeyboardEvent) => {
    const row = rows[at];
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + PAGE,
      PageUp: at - PAGE,
      Home: 0,
      End: rows.length - 1,
    };
    const target = moves[event.key];
    if (target !== undefined) moveTo(target);
    else if (!row?.node || !onNode(event.key, row, row.node)) return;
    event.preventDefault();
  };
}

function useVirtualRows(rows: readonly TreeRow[], scroll: RefObject<HTMLDivElement | null>) {
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollPaddingStart: ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.key ?? index,
  });
}

/** The information model as a tree of rows, drawn only where they are seen. */
export function ModelTreeGrid(props: ModelTreeProps) {
  const { t } = useTranslation('model');
  const { rows, values, ui, isFound, onReveal } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const lastTicked = useRef<string | null>(null);
  const virtual = useVirtualRows(rows, scroll);
  const onKeyDown = useTreeKeys(props, (index) => virtual.scrollToIndex(index, { align: 'auto' }));
  const tick = (node: ModelNode, isRange: boolean) => {
    const from = lastTicked.current;
    const isTicked = !ui.ticked.has(node.reference);
    ui.setTicked(isRange && from !== null ? tickedBetween(rows, from, node.reference) : [node.reference], isTicked);
    lastTicked.current = node.reference;
  };
  const wanted = props.revealed === null ? -1 : rows.findIndex((row) => row.key === props.revealed);
  const { onRevealed } = props;
  useEffect(() => {
    if (wanted < 0) return;
    virtual.scrollToIndex(wanted, { align: 'center' });
    onRevealed();
  }, [wanted, virtual, onRevealed]);
  const activeIndex = rows.findIndex((row) => row.key === ui.active);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0));
  return (
    <div ref={scroll} className={classes.scroll} data-testid="model-scroll">
      <table
        {...TREE}
        className={classes.tree}
        aria-label={t('tree')}
        aria-rowcount={rows.length + 1}
        {...(activeIndex < 0 ? {} : { 'aria-activedescendant': `model-row-${activeIndex}` })}
        onKeyDown={onKeyDown}
        data-testid="model-tree"
      >
        <TreeHead />
        <tbody>
          <SpacerRow height={before} />
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            const { node } = row;
            if (!node) return <WaitingRow key={item.key} depth={row.depth} index={item.index} />;
            return (
              <NodeRow
                key={item.key}
                index={item.index}
                row={row}
                node={node}
                isActive={row.key === ui.active}
                isTicked={ui.ticked.has(node.reference)}
                isFound={isFound}
                value={shownValue(valueOfNode(values, node))}
                onPick={() => ui.setActive(node.reference)}
                onToggle={() => (isFound ? onReveal(node.reference) : ui.setOpen([node.reference], !row.isOpen))}
                onTick={(isRange) => tick(node, isRange)}
              />
            );
          })}
          <SpacerRow height={after} />
        </tbody>
      </table>
    </div>
  );
}
