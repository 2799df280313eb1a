import { type MouseEvent, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelNode } from '#shared/contract/iec61850.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { Icon } from '../../ui/icons.tsx';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import shared from './model.module.css';
import classes from './model-tree.module.css';
import { shownValue, type ValueIndex, valueOfNode } from './model-values.ts';
import { canBePoint, isBranch, type TreeRow } from './tree-rows.ts';

/** Control blocks of GOOSE and sampled values, which do not travel in MMS. */
const FOREIGN: ReadonlySet<string> = new Set(['GO', 'GS', 'MS', 'US']);

/** Pixels before the text of a level. */
export function indent(depth: number): number {
  return 6 + (depth - 1) * 16;
}

interface NodeActions {
  /** Found nodes stand by themselves: they have their whole reference, and are shown in the tree when they are opened. */
  readonly isFound: boolean;
  onToggle(row: TreeRow): void;
  onTick(node: ModelNode, isRange: boolean): void;
}

interface NameCellProps extends NodeActions {
  readonly row: TreeRow;
  readonly node: ModelNode;
  readonly isTicked: boolean;
}

function NameCell({ row, node, isTicked, isFound, onToggle, onTick }: NameCellProps) {
  const { t } = useTranslation('model');
  const { name } = node;
  const stop = (act: (event: MouseEvent) => void) => (event: MouseEvent) => {
    event.stopPropagation();
    act(event);
  };
  const toggleName = isFound ? t('reveal', { name }) : t(row.isOpen ? 'closeNode' : 'openNode', { name });
  return (
    <span className={classes.name} style={{ paddingLeft: indent(row.depth) }}>
      {isBranch(node) || isFound ? (
        <button
          type="button"
          tabIndex={-1}
          className={shared.toggle}
          onClick={stop(() => onToggle(row))}
          aria-label={toggleName}
          title={toggleName}
        >
          <Icon name={isFound ? 'list' : row.isOpen ? 'down' : 'right'} size={12} />
        </button>
      ) : (
        <span className={shared.toggle} />
      )}
      {canBePoint(node) ? (
        <input
          type="checkbox"
          tabIndex={-1}
          className={shared.check}
          checked={isTicked}
          readOnly
          aria-label={t('tick', { name })}
          onClick={stop((event) => onTick(node, event.shiftKey))}
        />
      ) : null}
      <span className={isFound ? classes.reference : classes[node.kind]}>{isFound ? node.reference : name}</span>
    </span>
  );
}

/** Columns of the model: what a node is, what point it would be, and its last value. */
export function useModelColumns(values: ValueIndex, { isFound, onToggle, onTick }: NodeActions): readonly GridColumn<TreeRow>[] {
  const { t } = useTranslation('model');
  return useMemo(() => {
    /** Rows without a node have no cells. */
    const column = (
      id: 'name' | 'type' | 'fc' | 'point' | 'description' | 'value',
      width: number,
      textOf: (node: ModelNode) => string,
      more: Partial<GridColumn<TreeRow>> = {},
    ): GridColumn<TreeRow> => {
      const ofRow = ({ node }: TreeRow) => (node ? textOf(node) : '');
      return { id, name: t(`column.${id}`), hint: t(`columnHint.${id}`), width, cell: ofRow, titleOf: ofRow, text: ofRow, ...more };
    };
    const typeOf = (node: ModelNode) => node.cdc ?? node.type ?? (node.child_count ? t('children', { count: node.child_count }) : '');
    const descriptionOf = (node: ModelNode) =>
      node.kind === 'control-block' && FOREIGN.has(node.fc ?? '') ? t('outOfScope') : (node.description ?? '');
    const mono = { className: shared.type ?? '' };
    return [
      column('name', 240, (node) => node.reference, {
        grows: 3,
        cell: (row, { isSelected }) =>
          row.node ? (
            <NameCell row={row} node={row.node} isTicked={isSelected} isFound={isFound} onToggle={onToggle} onTick={onTick} />
          ) : null,
      }),
      column('type', 118, typeOf, mono),
      column('fc', 40, (node) => node.fc ?? '', mono),
      column('point', 48, (node) => (node.frame_type === undefined ? '' : FRAME_TYPE_LETTERS[node.frame_type])),
      column('description', 160, descriptionOf, { grows: 2 }),
      column('value', 110, (node) => shownValue(valueOfNode(values, node)), { grows: 1, align: 'right', testId: 'model-value' }),
    ];
  }, [t, values, isFound, onToggle, onTick]);
}
