/** What lists in the form of trees leave out because their program knows it. */
import { type Branch, isBranch, type Tree } from './tree.ts';

/** The tree with what its kind means where nothing is written: Home Assistant and SunSpec. Any other tree stays as it is. */
export function completeTree(tree: Tree): Tree {
  if (!isBranch(tree))
    return Array.isArray(tree) && tree.some((item) => isBranch(item) && isHub(item))
      ? { modbus: (tree as readonly Tree[]).map(completeHub) }
      : tree;
  if (isSunSpec(tree)) return completeModel(tree);
  if (Array.isArray(tree.modbus)) return { ...tree, modbus: (tree.modbus as readonly Tree[]).map(completeHub) };
  return isHub(tree) ? { modbus: [completeHub(tree)] } : tree;
}

/** Parts of a hub of Home Assistant, with the table that its addresses are of where none is named. */
const HUB_PARTS: Readonly<Record<string, { readonly key: string; readonly table: string }>> = {
  sensors: { key: 'input_type', table: 'holding' },
  binary_sensors: { key: 'input_type', table: 'coil' },
  switches: { key: 'write_type', table: 'holding' },
};

const isHub = (tree: Branch): boolean =>
  Object.keys(HUB_PARTS).some((part) => Array.isArray(tree[part])) && ('type' in tree || 'host' in tree || 'port' in tree);

function completeHub(hub: Tree): Tree {
  if (!isBranch(hub)) return hub;
  const parts = Object.entries(HUB_PARTS).flatMap(([part, { key, table }]) => {
    const items = hub[part];
    if (!Array.isArray(items)) return [];
    const entities = (items as readonly Tree[]).flatMap((item): readonly Tree[] => (isBranch(item) ? separated(item) : [item]));
    return [[part, entities.map((item) => (isBranch(item) ? completeEntity(item, part, key, table) : item))] as const];
  });
  // how the hub is reached says nothing of its points
  const { host: _h, port: _p, type: _t, delay: _d, timeout: _o, ...rest } = hub;
  return { ...rest, ...Object.fromEntries(parts) };
}

/** Formats of one value in the words of Python's struct, big endian. */
const STRUCTURES: Readonly<Record<string, string>> = {
  h: 'int16',
  H: 'uint16',
  i: 'int32',
  l: 'int32',
  I: 'uint32',
  L: 'uint32',
  f: 'float32',
  q: 'int64',
  Q: 'uint64',
  d: 'float64',
};

/** Values of a structure of several (`>5h`) as items of their own, one behind the other; any other item as it is. */
function separated(item: Branch): Branch[] {
  const written = typeof item.structure === 'string' && item.data_type === 'custom' ? item.structure.replace(/^[>!]/, '') : '';
  const parts = [...written.matchAll(/(\d*)([a-zA-Z])/g)].flatMap(([, count = '', letter = '']) =>
    Array.from({ length: Number(count || 1) }, () => letter),
  );
  const isKnown =
    parts.length > 1 &&
    parts.length <= MOST_PARTS &&
    parts.every((letter) => STRUCTURES[letter] !== undefined) &&
    /^(\d*[a-zA-Z])+$/.test(written);
  if (!isKnown || typeof item.address !== 'number') return [item];
  let address = item.address;
  return parts.map((letter, at) => {
    const type = STRUCTURES[letter] ?? 'int16';
    const { structure: _, unique_id: id, ...rest } = item;
    const part = {
      ...rest,
      ...(typeof id === 'string' ? { unique_id: `${id}_${at + 1}` } : {}),
      name: `${String(item.name ?? '')} ${at + 1}`,
      data_type: type,
      address,
    };
    address += Number(/\d+/.exec(type)?.[0] ?? 16) / 16;
    return part;
  });
}

/** Registers of one request at most. */
const MOST_PARTS = 125;

function completeEntity(item: Branch, part: string, key: string, table: string): Branch {
  const stated = item[key];
  const area = typeof stated === 'string' ? stated.replace(/s$/, '').replace('discrete_input', 'discrete input') : table;
  const { [key]: _, ...rest } = item;
  const isState = part !== 'sensors';
  const custom = typeof item.structure === 'string' ? STRUCTURES[item.structure.replace(/^[>!]/, '')] : undefined;
  const type = isState ? 'bool' : item.data_type === 'custom' && custom ? custom : (item.data_type ?? 'int16');
  return { ...rest, input_type: area, data_type: type, ...(isState ? {} : { swap: item.swap ?? 'none' }) };
}

const isSunSpec = (tree: Branch): boolean => typeof tree.id === 'number' && isBranch(tree.group) && Array.isArray(tree.group.points);

/** Octets of the types of the SunSpec Device Information Model Specification (version 1.1, 4.3), in registers, where a point does not state its size. */
const SIZES: Readonly<Record<string, number>> = {
  int32: 2,
  uint32: 2,
  acc32: 2,
  float32: 2,
  bitfield32: 2,
  enum32: 2,
  ipaddr: 2,
  int64: 4,
  uint64: 4,
  acc64: 4,
  float64: 4,
  bitfield64: 4,
  eui48: 4,
  ipv6addr: 8,
};

/** A model with the place of each point from its first register on; repeated groups are placed once. */
function completeModel(tree: Branch): Branch {
  const points: Branch[] = [];
  placeGroup(tree.group as Branch, 0, '', points);
  return { sunspec: points };
}

function placeGroup(group: Branch, start: number, prefix: string, points: Branch[]): number {
  let offset = start;
  const items = Array.isArray(group.points) ? (group.points as readonly Tree[]) : [];
  for (const item of items) {
    if (!isBranch(item)) continue;
    const type = String(item.type ?? '');
    const size = typeof item.size === 'number' ? item.size : (SIZES[type] ?? 1);
    const { size: _, count: __, ...said } = item;
    points.push({ ...said, name: `${prefix}${String(item.name ?? '')}`, address: offset, registers: size, access: item.access ?? 'R' });
    offset += size;
  }
  for (const inner of Array.isArray(group.groups) ? (group.groups as readonly Tree[]) : []) {
    if (!isBranch(inner)) continue;
    offset = placeGroup(inner, offset, `${prefix}${String(inner.name ?? '')}_1_`, points);
  }
  return offset;
}
