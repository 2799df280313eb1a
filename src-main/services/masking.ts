import type { ExplainedNode, Explanation, SecretRange } from '../drivers/spi/index.ts';

const MASK = '**';

/** Octets in upper-case hex with a space between; secret ones as `**`. */
export function maskedHex(bytes: Uint8Array, secrets: readonly SecretRange[]): string {
  const octets = Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
  for (const { start, end } of secrets) octets.fill(MASK, Math.max(0, start), Math.max(0, end));
  return octets.join(' ');
}

/**
 * The tree of an explanation without its secrets. A node inside a secret range, or a field that reaches into one, keeps its name and place, not
 * its value; a node that holds a secret among others keeps its own.
 */
export function maskedNodes({ nodes, secrets }: Pick<Explanation, 'nodes' | 'secrets'>): ExplainedNode[] {
  if (secrets.length === 0) return [...nodes];
  const isHidden = (node: ExplainedNode) =>
    secrets.some(({ start, end }) =>
      node.children.length === 0 ? node.start < end && node.end > start : node.start >= start && node.end <= end,
    );
  const mask = (node: ExplainedNode): ExplainedNode => ({
    ...node,
    value: isHidden(node) ? MASK : node.value,
    children: node.children.map(mask),
  });
  return nodes.map(mask);
}
