import { describe, expect, it } from 'vitest';
import type { ModelNode } from '#shared/contract/iec61850.ts';
import { ancestorsOf, type ModelChildren, tickedBetween, treeRows } from './tree-rows.ts';

const node = (reference: string, child_count = 0, more: Partial<ModelNode> = {}): ModelNode => ({
  name: reference.split(/[/.]/).at(-1) ?? '',
  kind: 'data-object',
  reference,
  ...(child_count > 0 ? { child_count } : {}),
  ...more,
});

const children: ModelChildren = new Map([
  ['', [node('LD0', 2), node('LD1', 1)]],
  ['LD0', [node('LD0/A', 1), node('LD0/B', 0, { frame_type: 1 })]],
  ['LD0/A', [node('LD0/A.x', 0, { frame_type: 0 })]],
]);

describe('rows of the tree', () => {
  it('are the nodes whose parents are open, with their level and place', () => {
    const rows = treeRows(children, new Set(['LD0', 'LD0/A']));
    expect(rows.map((row) => [row.key, row.depth, row.isOpen, row.position, row.siblings])).toEqual([
      ['LD0', 1, true, 1, 2],
      ['LD0/A', 2, true, 1, 2],
      ['LD0/A.x', 3, false, 1, 1],
      ['LD0/B', 2, false, 2, 2],
      ['LD1', 1, false, 2, 2],
    ]);
  });

  it('are none below a closed node, and one that waits where children are not there yet', () => {
    expect(treeRows(children, new Set(['LD0/A', 'LD1'])).map((row) => [row.key, row.node === null])).toEqual([
      ['LD0', false],
      ['LD1', false],
      ['LD1 …', true],
    ]);
    expect(treeRows(new Map(), new Set())).toEqual([]);
  });

  it('of 50,000 attributes, all of them open, are all there', () => {
    const many = new Map<string, ModelNode[]>([['', [node('LD0', 1000)]]]);
    const open = new Set(['LD0']);
    const objects: ModelNode[] = [];
    for (let index = 0; index < 1000; index++) {
      const object = node(`LD0/MMXU1.A${index}`, 50);
      objects.push(object);
      open.add(object.reference);
      many.set(
        object.reference,
        Array.from({ length: 50 }, (_, place) => node(`${object.reference}.a${place}`)),
      );
    }
    many.set('LD0', objects);
    expect(treeRows(many, open)).toHaveLength(51_001);
  });

  it('between two ticks are those that can become a point', () => {
    const rows = treeRows(children, new Set(['LD0', 'LD0/A']));
    expect(tickedBetween(rows, 'LD0/B', 'LD0/A')).toEqual(['LD0/A.x', 'LD0/B']);
    expect(tickedBetween(rows, 'gone', 'LD0/B')).toEqual(['LD0/B']);
  });

  it('above a node are its device, its node and its data object', () => {
    expect(ancestorsOf('LD0/MMXU1.A.phsA.q')).toEqual(['LD0', 'LD0/MMXU1', 'LD0/MMXU1.A', 'LD0/MMXU1.A.phsA']);
    expect(ancestorsOf('LD0')).toEqual([]);
  });
});
