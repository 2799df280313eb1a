import { FrameType } from '#shared/domain/enums.ts';
import { quoted } from '#shared/messages/index.ts';
import type {
  DeviceModelView,
  ModelCounts,
  ModelDataSet,
  ModelDifference,
  ModelDocument,
  ModelNode,
  ModelNodeKind,
  ModelPlace,
  ModelStatus,
  PointSuggestion,
} from '../../drivers/spi/model.ts';
import type { Steps } from '../../platform/steps.ts';
import { canonicalReference } from '../tasks/dataset-snapshot.ts';

interface Branch {
  readonly node: ModelNode;
  readonly children: readonly Branch[];
}

/** Attributes of a measured value and of a status, as `name constraint type`. */
const MEASURED = ['mag MX ', 'q MX Quality', 't MX Timestamp', 'db CF INT32U', 'units CF ENUMERATED'];
const STATUS = ['stVal ST BOOLEAN', 'q ST Quality', 't ST Timestamp', 'd DC VisString255', 'subEna SV BOOLEAN'];

/** A model of the tests: one logical device with `nodes` logical nodes of 10 data objects with 5 attributes each. */
export class FakeModel implements DeviceModelView {
  readonly #roots: Branch[];
  readonly #byReference = new Map<string, Branch>();
  readonly #counts = { logicalDevices: 0, logicalNodes: 0, dataObjects: 0, attributes: 0 };
  status: ModelStatus;
  revision = 1;
  sets: readonly ModelDataSet[];
  found: { readonly items: readonly ModelDifference[]; readonly more: number } | null = null;

  constructor(nodes = 4, device = 'BCU1LD0') {
    const names = Array.from({ length: nodes }, (_, index) => (index % 2 === 0 ? `MMXU${index / 2 + 1}` : `GGIO${(index + 1) / 2}`));
    const logicalNodes = names.map((name) => this.#logicalNode(`${device}/${name}`, name));
    this.#roots = [this.#branch({ name: device, kind: 'logical-device', reference: device }, logicalNodes)];
    this.sets = [
      { name: `${device}/LLN0$dsMeas`, members: [`${device}/MMXU1$MX$A1`, `${device}/MMXU1$MX$A2$mag$f`], isDeletable: false },
      { name: `${device}/LLN0$dsStatus`, members: [`${device}/GGIO1$ST$Ind1`], isDeletable: true },
    ];
    this.status = {
      state: 'known',
      source: 'device',
      done: nodes,
      total: nodes,
      error: null,
      learnedAt: Date.UTC(2026, 4, 1),
      identity: { vendor: 'Example', model: 'BCU', revision: '1.2' },
      configurationRevision: '3',
      counts: this.counts,
    };
  }

  get counts(): ModelCounts {
    return { ...this.#counts, dataSets: this.sets.length };
  }

  children(reference: string | null): readonly ModelNode[] | null {
    if (reference === null) return this.#roots.map(({ node }) => node);
    return this.#byReference.get(spelling(reference))?.children.map(({ node }) => node) ?? null;
  }

  *search(text: string, limit: number): Steps<readonly ModelNode[]> {
    const words = text.toLowerCase().split(/\s+/);
    const found: ModelNode[] = [];
    const walk = ({ node, children }: Branch): boolean => {
      const place = `${node.reference} ${node.description}`.toLowerCase();
      if (words.every((word) => place.includes(word))) found.push(node);
      return found.length < limit && children.every(walk);
    };
    this.#roots.every(walk);
    return found;
  }

  dataSets(): readonly ModelDataSet[] {
    return this.sets;
  }

  suggestPoints(references: readonly string[]): readonly PointSuggestion[] {
    return references.map((reference): PointSuggestion => {
      const node = this.#byReference.get(spelling(reference))?.node;
      if (!node) return { reference, reason: quoted('The model has no such node.') };
      if (node.frameType === null) return { reference, reason: quoted(`${node.name} has no value for a point.`) };
      const isMeasured = node.frameType === FrameType.yc;
      const path =
        node.kind === 'data-object'
          ? `${node.reference}.${isMeasured ? 'mag.f[MX]' : 'stVal[ST]'}`
          : `${node.reference}[${node.constraint}]`;
      const code = node.reference.split('/')[1]?.replaceAll('.', '_') ?? node.name;
      const point = {
        frame_type: node.frameType,
        code,
        name: node.description,
        reference: path,
        unit: isMeasured ? 'A' : '',
        protocol: {},
      };
      return { reference, point };
    });
  }

  // biome-ignore lint/correctness/useYield: nothing of it takes time
  *differences(): Steps<{ readonly items: readonly ModelDifference[]; readonly more: number } | null> {
    return this.found;
  }

  // biome-ignore lint/correctness/useYield: nothing of it takes time
  *exportDocument(): Steps<ModelDocument> {
    return { name: 'FAKE.iid', text: '<SCL/>', leftOut: [] };
  }

  #logicalNode(reference: string, name: string): Branch {
    const isMeasured = name.startsWith('MMXU');
    const objects = Array.from({ length: 10 }, (_, index) => {
      const object = `${isMeasured ? 'A' : 'Ind'}${index + 1}`;
      return this.#dataObject(reference, object, isMeasured);
    });
    return this.#branch({ name, kind: 'logical-node', reference, description: isMeasured ? '测量' : '公用信号' }, objects);
  }

  #dataObject(parent: string, name: string, isMeasured: boolean): Branch {
    const reference = `${parent}.${name}`;
    const attributes = (isMeasured ? MEASURED : STATUS).map((line) => {
      const [attribute = '', constraint = '', type = ''] = line.split(' ');
      return this.#attribute(reference, attribute, constraint, type);
    });
    const about = { description: `${isMeasured ? '电流' : '遥信'} ${name}`, commonDataClass: isMeasured ? 'MV' : 'SPS' };
    return this.#branch(
      { name, kind: 'data-object', reference, frameType: isMeasured ? FrameType.yc : FrameType.yx, ...about },
      attributes,
    );
  }

  #attribute(parent: string, name: string, constraint: string, type: string): Branch {
    const reference = `${parent}.${name}`;
    const parts = name === 'mag' ? [this.#attribute(reference, 'f', constraint, 'FLOAT32')] : [];
    const [head = '', path = ''] = reference.split(/\.(.*)/s);
    const key = `${head}$${constraint}$${path.replaceAll('.', '$')}`;
    const frameType = name === 'f' ? FrameType.yc : name === 'stVal' ? FrameType.yx : null;
    return this.#branch({ name, kind: 'data-attribute', reference, key, constraint, type, frameType }, parts);
  }

  #branch(about: Partial<ModelNode> & { name: string; kind: ModelNodeKind; reference: string }, children: readonly Branch[]): Branch {
    const kinds = {
      'logical-device': 'logicalDevices',
      'logical-node': 'logicalNodes',
      'data-object': 'dataObjects',
      'data-attribute': 'attributes',
    } as const;
    if (about.kind !== 'control-block') this.#counts[kinds[about.kind]] += 1;
    const rest = { key: null, constraint: null, type: '', commonDataClass: '', description: '', frameType: null };
    const branch = { node: { ...rest, ...about, childCount: children.length }, children };
    this.#byReference.set(about.reference, branch);
    return branch;
  }
}

/** Where a reference of any spelling lies in such a model. */
export function fakeModelPlace(reference: string): ModelPlace {
  const constraint = /\$(MX|ST|CF|DC|SV)(?=\$|$)/.exec(canonicalReference(reference))?.[1] ?? '';
  return { node: spelling(reference), constraint };
}

/** `LD/LN.DO.DA` of any spelling. */
function spelling(reference: string): string {
  return canonicalReference(reference)
    .replace(/\$(?:MX|ST|CF|DC|SV)(?=\$|$)/, '')
    .replaceAll('$', '.');
}
