import { describe, expect, it } from 'vitest';
import type { ModelTreeNode } from '#shared/contract/iec61850.ts';
import { FrameType } from '#shared/domain/enums.ts';
import type { ModelNode } from '../../drivers/spi/model.ts';
import { FakeModel, fakeModelPlace } from '../../runtime/testing/fake-model.ts';
import { memberRows, nodeRow, treeOf, treePieces, WHOLE, WholeTrees } from './tree.ts';

const size = (nodes: readonly ModelTreeNode[]): number => nodes.reduce((sum, node) => sum + 1 + size(node.children ?? []), 0);

describe('a model of 50,000 attributes', () => {
  const view = new FakeModel(910);

  it('is answered as a whole, each node once', () => {
    expect(view.counts.attributes).toBeGreaterThanOrEqual(50_000);
    const { logicalDevices, logicalNodes, dataObjects, attributes } = view.counts;
    const tree = treeOf(view, view.children(null) ?? [], Number.POSITIVE_INFINITY);
    const text = JSON.stringify(tree);
    expect(size(tree)).toBe(logicalDevices + logicalNodes + dataObjects + attributes);
    expect(text.length).toBeLessThan(200 * size(tree));
  });
});

const textOf = async (trees: WholeTrees, view: FakeModel, breathe = async () => {}) => (await trees.pieces(view, breathe)).join('');

describe('whole trees', () => {
  it('are made once for each revision of a model', async () => {
    const view = new FakeModel(2);
    const trees = new WholeTrees();
    const text = await textOf(trees, view);
    expect(JSON.parse(text)).toEqual(treeOf(view, view.children(null) ?? [], Number.POSITIVE_INFINITY));
    let asked = 0;
    view.children = () => {
      asked += 1;
      return [];
    };
    expect([await textOf(trees, view), asked]).toEqual([text, 0]);
    view.revision += 1;
    expect([await textOf(trees, view), asked]).toEqual(['[]', 1]);
  });

  it('give way between the logical nodes, and are made again where the model changed meanwhile', async () => {
    const view = new FakeModel(3);
    const trees = new WholeTrees();
    let breaths = 0;
    const text = await textOf(trees, view, async () => {
      breaths += 1;
      if (breaths === 2) view.revision += 1;
    });
    // three nodes and their device, twice
    expect(breaths).toBe(8);
    expect(JSON.parse(text)).toEqual(treeOf(view, view.children(null) ?? [], Number.POSITIVE_INFINITY));
  });

  it('of models that are alike are their own', async () => {
    const trees = new WholeTrees();
    const [one, other] = [new FakeModel(1, 'ONE'), new FakeModel(1, 'OTHER')];
    const texts = [await textOf(trees, one), await textOf(trees, other)];
    expect(texts.map((text) => (JSON.parse(text) as ModelTreeNode[])[0]?.name)).toEqual(['ONE', 'OTHER']);
  });

  it('have devices without nodes, and none at all', async () => {
    const view = new FakeModel(1);
    const [device] = view.children(null) ?? [];
    if (!device) throw new Error('no device');
    view.children = (reference) => (reference === null ? [device, { ...device, name: 'EMPTY', reference: 'EMPTY', childCount: 0 }] : null);
    expect(JSON.parse(await textOf(new WholeTrees(), view))).toEqual([
      { name: 'BCU1LD0', kind: 'logical-device', reference: 'BCU1LD0', children: [] },
      { name: 'EMPTY', kind: 'logical-device', reference: 'EMPTY' },
    ]);
    view.children = () => null;
    expect(await textOf(new WholeTrees(), view)).toBe('[]');
    expect(treeOf(view, [device], 2)).toEqual([{ name: 'BCU1LD0', kind: 'logical-device', reference: 'BCU1LD0', children: [] }]);
  });
});

describe('trees of large models', () => {
  const LONGEST = 100_000;

  it('come in pieces of which none is long, whatever the model is long in, and with turns of others between', async () => {
    const view = new FakeModel(4);
    const [device] = view.children(null) ?? [];
    const [node] = view.children(device?.reference ?? null) ?? [];
    const [object] = view.children(node?.reference ?? null) ?? [];
    if (!device || !node || !object) throw new Error('no device');
    const children = view.children.bind(view);
    const named = (of: ModelNode, count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...of, name: `${of.name}x${at}`, childCount: 0 }));
    const shapes: Readonly<Record<string, typeof view.children>> = {
      'many devices': (at) => (at === null ? named(device, 1_000) : null),
      'many devices with nodes': (at) => (at === null ? Array.from({ length: 100 }, () => device) : children(at)),
      'many nodes': (at) => (at === null ? [device] : at === device.reference ? named(node, 1_000) : null),
      'many objects of one node': (at) =>
        at === null ? [device] : at === device.reference ? [{ ...node, childCount: 1_000 }] : named(object, 1_000),
    };
    for (const [name, shape] of Object.entries(shapes)) {
      view.children = shape;
      let breaths = 0;
      const breathe = async () => {
        breaths += 1;
      };
      for (const depth of [1, 3, WHOLE]) {
        const { pieces } = await treePieces(view, () => view.children(null) ?? [], depth, breathe);
        const isSame = pieces.join('') === JSON.stringify(treeOf(view, view.children(null) ?? [], depth));
        expect(isSame, `${name}, ${depth}`).toBe(true);
        expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(LONGEST);
      }
      expect(breaths, name).toBeGreaterThan(10);
    }
  });

  it('whose node is gone meanwhile are refused as if it had never been', async () => {
    const view = new FakeModel(3);
    let asked = 0;
    const nodesOf = () => {
      asked += 1;
      if (asked > 1) throw new Error('no such node');
      return view.children(null) ?? [];
    };
    const breathe = async () => {
      view.revision = 77;
    };
    await expect(treePieces(view, nodesOf, WHOLE, breathe)).rejects.toThrow('no such node');
  });
});

describe('nodes as rows', () => {
  const view = new FakeModel(2);

  it('leave out what says nothing, and count children that do not go along', () => {
    const [device] = view.children(null) ?? [];
    if (!device) throw new Error('no device');
    expect(nodeRow(device)).toEqual({ name: 'BCU1LD0', kind: 'logical-device', reference: 'BCU1LD0', child_count: 2 });
    expect(nodeRow(device, true)).not.toHaveProperty('child_count');
  });

  it('say all that the model says of them', () => {
    const node = {
      ...{ name: 'mag', kind: 'data-attribute', reference: 'A/B.C.mag', key: 'A/B$MX$C$mag', constraint: 'MX', type: 'FLOAT32' },
      ...{ commonDataClass: 'MV', description: 'power', frameType: FrameType.yc, childCount: 0 },
    } as ModelNode;
    expect(nodeRow(node)).toEqual({
      ...{ name: 'mag', kind: 'data-attribute', reference: 'A/B.C.mag', key: 'A/B$MX$C$mag', fc: 'MX', type: 'FLOAT32', cdc: 'MV' },
      ...{ description: 'power', frame_type: 0 },
    });
  });

  it('stop at the depth that was asked for', () => {
    const roots = view.children(null) ?? [];
    expect(treeOf(view, roots, 0)).toEqual([]);
    expect(size(treeOf(view, roots, 2))).toBe(3);
  });

  it('tell of members what the model says, and nothing of others', () => {
    const row = { description: '', cdc: '', type: '' };
    expect(memberRows(view, ['BCU1LD0/GGIO1$ST$Ind2', 'BCU1LD0/GGIO1$ST$Ind2$q', 'BCU1LD0/X1$ST$Y'], fakeModelPlace)).toEqual([
      { ...row, reference: 'BCU1LD0/GGIO1$ST$Ind2', fc: 'ST', description: '遥信 Ind2', cdc: 'SPS' },
      { ...row, reference: 'BCU1LD0/GGIO1$ST$Ind2$q', fc: 'ST', description: '遥信 Ind2', type: 'Quality' },
      { ...row, reference: 'BCU1LD0/X1$ST$Y', fc: 'ST' },
    ]);
    expect(memberRows(null, ['BCU1LD0/GGIO1$ST$Ind2'], fakeModelPlace)).toEqual([{ ...row, reference: 'BCU1LD0/GGIO1$ST$Ind2', fc: 'ST' }]);
  });
});
