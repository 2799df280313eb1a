import type { ExplainNode } from '#shared/contract/frames.ts';

/** A node of the explanation with its place in the tree. */
export interface FlatNode {
  readonly path: string;
  readonly depth: number;
  readonly node: ExplainNode;
  /** Number among its siblings from 1, and how many there are: what a screen reader says. */
  readonly position: number;
  readonly siblings: number;
}

/** The tree in reading order. */
export function flattenTree(nodes: readonly ExplainNode[], depth = 1, prefix = ''): FlatNode[] {
  return nodes.flatMap((node, index) => {
    const path = prefix === '' ? String(index) : `${prefix}.${index}`;
    return [{ path, depth, node, position: index + 1, siblings: nodes.length }, ...flattenTree(node.children, depth + 1, path)];
  });
}

/** The deepest node that covers octet `index`, so that pointing at an octet finds its meaning. */
export function nodeAtOctet(flat: readonly FlatNode[], index: number): FlatNode | null {
  let found: FlatNode | null = null;
  for (const item of flat) {
    if (index >= item.node.start && index < item.node.end && (!found || item.depth >= found.depth)) found = item;
  }
  return found;
}

/** Octets as they are shown: two digits each, or ** where they are secret. */
export function octetsOf(hex: string): readonly string[] {
  return hex.trim() === '' ? [] : hex.trim().split(/\s+/);
}

/** A range of octets in words of numbers: `3`, `3–4`, empty when it covers none. */
export function rangeText(start: number, end: number): string {
  if (end <= start) return '';
  return end - start === 1 ? String(start) : `${start}–${end - 1}`;
}
