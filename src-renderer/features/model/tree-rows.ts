import type { ModelNode } from '#shared/contract/iec61850.ts';

/** A row of the tree: a node with its place, or what stands for children that are on their way. */
export interface TreeRow {
  readonly key: string;
  /** Null for a row that stands for children which are not there yet. */
  readonly node: ModelNode | null;
  /** Level from 1. */
  readonly depth: number;
  readonly isOpen: boolean;
  /** Number among its siblings from 1, and how many there are. */
  readonly position: number;
  readonly siblings: number;
}

/** Children by the reference of their parent; the empty text is the device itself. */
export type ModelChildren = ReadonlyMap<string, readonly ModelNode[]>;

/** The rows that can be seen: nodes whose parents are all open, in the order of the model. */
export function treeRows(children: ModelChildren, open: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (parent: string, depth: number): void => {
    const nodes = children.get(parent);
    if (!nodes) {
      if (parent !== '') rows.push({ key: `${parent} …`, node: null, depth, isOpen: false, position: 1, siblings: 1 });
      return;
    }
    for (const [index, node] of nodes.entries()) {
      const isOpen = isBranch(node) && open.has(node.reference);
      rows.push({ key: node.reference, node, depth, isOpen, position: index + 1, siblings: nodes.length });
      if (isOpen) add(node.reference, depth + 1);
    }
  };
  add('', 1);
  return rows;
}

/** Nodes that a search found, all of one level. */
export function foundRows(nodes: readonly ModelNode[]): readonly TreeRow[] {
  return nodes.map((node, index) => ({
    key: node.reference,
    node,
    depth: 1,
    isOpen: false,
    position: index + 1,
    siblings: nodes.length,
  }));
}

/** True for a node that can be opened. */
export function isBranch(node: ModelNode): boolean {
  return (node.child_count ?? 0) > 0;
}

/** True for a node that can become a point. */
export function canBePoint(node: ModelNode): boolean {
  return node.frame_type !== undefined;
}

/** References of the nodes above one, from the device down: `LD`, `LD/LN`, `LD/LN.DO`. */
export function ancestorsOf(reference: string): readonly string[] {
  const above: string[] = [];
  for (let at = reference.search(/[/.]/); at >= 0; at = nextBreak(reference, at)) above.push(reference.slice(0, at));
  return above;
}

function nextBreak(reference: string, after: number): number {
  const found = reference.slice(after + 1).search(/[/.]/);
  return found < 0 ? -1 : after + 1 + found;
}

/** Ticks every node between two rows, both included, that can become a point. */
export function tickedBetween(rows: readonly TreeRow[], from: string, to: string): readonly string[] {
  const [a, b] = [rows.findIndex((row) => row.key === from), rows.findIndex((row) => row.key === to)];
  if (a < 0 || b < 0) return [to];
  return rows.slice(Math.min(a, b), Math.max(a, b) + 1).flatMap(({ node }) => (node && canBePoint(node) ? [node.reference] : []));
}
