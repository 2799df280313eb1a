import type { ModelNode as ModelNodeRow, ModelTreeNode } from '#shared/contract/iec61850.ts';
import type { DeviceModelView, ModelNode } from '../../drivers/spi/model.ts';
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

/** Whole trees as JSON text, each kept until its model changes: scripts ask for them again and again, for the values beside. */
export class WholeTrees {
  readonly #texts = new WeakMap<DeviceModelView, { readonly revision: number; readonly text: string }>();

  /** Made anew with `breathe` between the logical nodes, and from the start again when the model changes meanwhile. */
  async text(view: DeviceModelView, breathe: () => Promise<void>): Promise<string> {
    for (;;) {
      const { revision } = view;
      const kept = this.#texts.get(view);
      if (kept?.revision === revision) return kept.text;
      const devices: string[] = [];
      for (const device of view.children(null) ?? []) devices.push(await treeText(view, device, breathe));
      if (view.revision === revision) this.#texts.set(view, { revision, text: `[${devices.join(',')}]` });
    }
  }
}

/** The tree of a logical device, node by node. */
async function treeText(view: DeviceModelView, device: ModelNode, breathe: () => Promise<void>): Promise<string> {
  if (device.childCount === 0) return JSON.stringify(nodeRow(device));
  const nodes: string[] = [];
  for (const node of view.children(device.reference) ?? []) {
    nodes.push(JSON.stringify(treeOf(view, [node], Number.POSITIVE_INFINITY)[0]));
    await breathe();
  }
  return `${JSON.stringify(nodeRow(device, true)).slice(0, -1)},"children":[${nodes.join(',')}]}`;
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
