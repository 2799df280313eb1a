import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelNode } from '#shared/contract/iec61850.ts';
import { Icon } from '../../ui/icons.tsx';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import shared from './model.module.css';
import classes from './model-tree.module.css';
import { canBePoint, isBranch, type TreeRow } from './tree-rows.ts';

const COLUMNS = ['name', 'type', 'fc', 'point', 'description', 'value'] as const;

/** Control blocks of GOOSE and sampled values, which do not travel in MMS. */
const FOREIGN: ReadonlySet<string> = new Set(['GO', 'GS', 'MS', 'US']);

/** Pixels before the text of a level. */
function indent(depth: number): number {
  return 6 + (depth - 1) * 16;
}

/** Widths and names of the columns. */
export function TreeHead() {
  const { t } = useTranslation('model');
  return (
    <>
      <colgroup>
        {COLUMNS.map((column) => (
          <col key={column} className={classes[`${column}Column`]} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col" className={column === 'value' ? classes.number : ''} title={t(`columnHint.${column}`)}>
              {t(`column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

/** Keeps the place of rows that are not drawn. */
export function SpacerRow({ height }: { readonly height: number }) {
  return (
    <tr className={classes.spacer} aria-hidden>
      <td colSpan={COLUMNS.length} style={{ height }} />
    </tr>
  );
}

/** Stands for children that are on their way. */
export function WaitingRow({ depth, index }: { readonly depth: number; readonly index: number }) {
  const { t } = useTranslation('model');
  return (
    <tr id={`model-row-${index}`} aria-level={depth} aria-rowindex={index + 2}>
      <td className={shared.muted} colSpan={COLUMNS.length} style={{ paddingLeft: indent(depth) + 20 }}>
        {t('loading')}
      </td>
    </tr>
  );
}

interface NodeRowProps {
  readonly index: number;
  readonly row: TreeRow;
  readonly node: ModelNode;
  readonly isActive: boolean;
  readonly isTicked: boolean;
  readonly isFound: boolean;
  readonly value: string;
  onPick(): void;
  onToggle(): void;
  onTick(isRange: boolean): void;
}

/** One node: what it is, what point it would be, and its last value. */
export function NodeRow(props: NodeRowProps) {
  const { t } = useTranslation('model');
  const { row, node, index, isFound, value } = props;
  const opens = isBranch(node);
  const type = node.cdc ?? node.type ?? (node.child_count ? t('children', { count: node.child_count }) : '');
  const isForeign = node.kind === 'control-block' && FOREIGN.has(node.fc ?? '');
  const description = isForeign ? t('outOfScope') : (node.description ?? '');
  return (
    <tr
      id={`model-row-${index}`}
      className={`${classes.row} ${props.isActive ? classes.active : ''}`}
      aria-level={row.depth}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-rowindex={index + 2}
      aria-selected={props.isTicked}
      {...(opens && !isFound ? { 'aria-expanded': row.isOpen } : {})}
      onClick={props.onPick}
      onDoubleClick={opens || isFound ? props.onToggle : undefined}
      data-testid="model-row"
      data-kind={node.kind}
    >
      <NameCell {...props} opens={opens} />
      <td className={node.cdc || node.type ? shared.type : shared.muted} title={type}>
        {type}
      </td>
      <td className={shared.type}>{node.fc ?? ''}</td>
      <td className={shared.muted}>{node.frame_type === undefined ? '' : FRAME_TYPE_LETTERS[node.frame_type]}</td>
      <td title={description}>{description}</td>
      <td className={classes.number} title={value} data-testid="model-value">
        {value}
      </td>
    </tr>
  );
}

function NameCell({ row, node, isFound, isTicked, opens, onToggle, onTick }: NodeRowProps & { readonly opens: boolean }) {
  const { t } = useTranslation('model');
  const { name } = node;
  const stop = (act: (event: MouseEvent) => void) => (event: MouseEvent) => {
    event.stopPropagation();
    act(event);
  };
  const toggleName = isFound ? t('reveal', { name }) : t(row.isOpen ? 'closeNode' : 'openNode', { name });
  return (
    <td title={node.reference}>
      <span className={classes.name} style={{ paddingLeft: indent(row.depth) }}>
        {opens || isFound ? (
          <button type="button" tabIndex={-1} className={shared.toggle} onClick={stop(onToggle)} aria-label={toggleName} title={toggleName}>
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
            onClick={stop((event) => onTick(event.shiftKey))}
          />
        ) : null}
        <span className={isFound ? classes.reference : classes[node.kind]}>{isFound ? node.reference : name}</span>
      </span>
    </td>
  );
}
