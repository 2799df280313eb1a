import { describe, expect, it } from 'vitest';
import type { ExplainNode } from '#shared/contract/frames.ts';
import { flattenTree, nodeAtOctet, octetsOf, rangeText } from './explain-tree.ts';

function node(name: string, start: number, end: number, children: ExplainNode[] = []): ExplainNode {
  return { name, name_message: null, value: '', value_message: null, start, end, severity: 'info', children };
}

const TREE = [node('MBAP', 0, 7, [node('transaction', 0, 2), node('unit', 6, 7)]), node('PDU', 7, 12, [node('function', 7, 8)])];

describe('explanation tree', () => {
  it('lists the nodes in reading order with their depth and place', () => {
    const flat = flattenTree(TREE);
    expect(flat.map((item) => `${item.depth} ${item.path} ${item.node.name} ${item.position}/${item.siblings}`)).toEqual([
      '1 0 MBAP 1/2',
      '2 0.0 transaction 1/2',
      '2 0.1 unit 2/2',
      '1 1 PDU 2/2',
      '2 1.0 function 1/1',
    ]);
  });

  it('finds the deepest meaning of an octet', () => {
    const flat = flattenTree(TREE);
    expect(nodeAtOctet(flat, 1)?.node.name).toBe('transaction');
    expect(nodeAtOctet(flat, 3)?.node.name).toBe('MBAP');
    expect(nodeAtOctet(flat, 40)).toBeNull();
  });

  it('writes ranges and octets', () => {
    expect([rangeText(3, 4), rangeText(3, 5), rangeText(3, 3)]).toEqual(['3', '3–4', '']);
    expect(octetsOf('00 ** FF')).toEqual(['00', '**', 'FF']);
    expect(octetsOf('')).toEqual([]);
  });
});
