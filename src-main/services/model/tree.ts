import type { ModelNode as ModelNodeRow, ModelTreeNode } from '#shared/contract/iec61850.ts';
import type { DeviceModelView, ModelNode } from '../../drivers/spi/model.ts';
import { JsonPieces } from './json-pieces.ts';
import type { PlaceOf } from './values.ts';

/** A node in the names of the contract; what says nothing is left out. `isWhole`: its children go along, so nobody needs their number. */
export function nodeRow(node: ModelNode, isWhole = false): ModelNodeRow {
  return {
    name: node.name,
    kind: node.kind,
    reference: node.reference,
    ...(node.key === null ? {} : { key: node.key }),
    ...(node.constraint === null ? {} : { fc: node.constraint }),
    ...(node.type === '' ? {} : { type: node.type }),
    ...(node.commonDataClass === '' ? {} : { cdc: node.commonDataClass }),
    ...(node.description === '' ? {} : { description: node.description }),
    ...(node.frameType === null ? {} : { frame_type: node.frameType }),
    ...(isWhole || node.childCount === 0 ? {} : { child_count: node.childCount }),
  };
}

/** Nodes with what lies below them, `depth` levels at most. */
export function treeOf(view: DeviceModelView, nodes: readonly ModelNode[], depth: number): ModelTreeNode[] {
  if (depth === 0) return [];
  return nodes.map((node) => {
    if (node.childCount === 0) return nodeRow(node);
    if (depth === 1) return nodeRow(node);
    return { ...nodeRow(node, true), children: treeOf(view, view.children(node.reference) ?? [], depth - 1) };
  });
}

/** A tree as JSON text: pieces that become octets in some hundred microseconds each. */
export type TreePieces = readonly string[];

/** Levels of a tree that is not cut. */
export const WHOLE = Number.POSITIVE_INFINITY;

/** Whole trees, each kept until its model changes: scripts ask for them again and again, for the values beside. */
export class WholeTrees {
  readonly #kept = new WeakMap<DeviceModelView, { readonly revision: number; readonly pieces: TreePieces }>();

  /** As `treePieces`. */
  async pieces(view: DeviceModelView, breathe: () => Promise<void>): Promise<TreePieces> {
    const kept = this.#kept.get(view);
    if (kept?.revision === view.revision) return kept.pieces;
    const made = await treePieces(view, () => view.children(null) ?? [], WHOLE, breathe);
    this.#kept.set(view, made);
    return made.pieces;
  }
}

/**
 * A tree of `depth` levels below some nodes, made with `breathe` between the nodes, and from the start again when the model changes meanwhile. Rejects as `nodesOf`.
 */
export async function treePieces(
  view: DeviceModelView,
  nodesOf: () => readonly ModelNode[],
  depth: number,
  breathe: () => Promise<void>,
): Promise<{ readonly revision: number; readonly pieces: TreePieces }> {
  for (;;) {
    const { revision } = view;
    const text = new JsonPieces();
    await writeNodes(nodesOf(), depth, { view, text, breathe });
    if (view.revision === revision) return { revision, pieces: text.end() };
  }
}

interface Writing {
  readonly view: DeviceModelView;
  readonly text: JsonPieces;
  breathe(): Promise<void>;
}

/** Nodes without anything below them that are written before other work may get its turn. */
const NODES_A_TURN = 64;
/** Children of a node that is written as a whole. */
const FEW = 64;

async function writeNodes(nodes: readonly ModelNode[], depth: number, writing: Writing): Promise<void> {
  const { view, text, breathe } = writing;
  text.add('[');
  for (const [at, node] of depth === 0 ? [] : nodes.entries()) {
    if (at > 0) text.add(',');
    const isLast = node.childCount === 0 || depth === 1;
    if (isLast) text.add(JSON.stringify(nodeRow(node)));
    else if (node.kind !== 'logical-device' && node.childCount <= FEW) text.add(JSON.stringify(treeOf(view, [node], depth)[0]));
    else {
      text.add(`${JSON.stringify(nodeRow(node, true)).slice(0, -1)},"children":`);
      await writeNodes(view.children(node.reference) ?? [], depth - 1, writing);
      text.add('}');
    }
    if (!isLast || at % NODES_A_TURN === NODES_A_TURN - 1) await breathe();
  }
  text.add(']');
}

interface MemberRow {
  readonly reference: string;
  readonly fc: string;
  readonly description: string;
  readonly cdc: string;
  readonly type: string;
}

/** Members of a data set with what the model says of them; an attribute without description has that of its data object. */
export function memberRows(view: DeviceModelView | null, references: readonly string[], placeOf: PlaceOf): MemberRow[] {
  const siblings = new Map<string, ReadonlyMap<string, ModelNode>>();
  const nodeOf = (reference: string): ModelNode | undefined => {
    const parent = parentOf(reference);
    if (view === null || parent === null) return undefined;
    let children = siblings.get(parent);
    if (!children) {
      children = new Map((view.children(parent) ?? []).map((node) => [node.name, node]));
      siblings.set(parent, children);
    }
    return children.get(reference.slice(parent.length + 1));
  };
  return references.map((reference) => {
    const { node: place, constraint } = placeOf(reference);
    const node = nodeOf(place);
    return {
      reference,
      fc: constraint,
      description: descriptionOf(place, nodeOf),
      cdc: node?.commonDataClass ?? '',
      type: node?.type ?? '',
    };
  });
}

function descriptionOf(reference: string, nodeOf: (reference: string) => ModelNode | undefined): string {
  for (let place: string | null = reference; place?.includes('.'); place = parentOf(place)) {
    const description = nodeOf(place)?.description ?? '';
    if (description !== '') return description;
  }
  return '';
}

/** `LD/LN.DO` of `LD/LN.DO.DA`, `LD` of `LD/LN`; null above. */
function parentOf(reference: string): string | null {
  const end = Math.max(reference.lastIndexOf('.'), reference.lastIndexOf('/'));
  return end < 0 ? null : reference.slice(0, end);
}
