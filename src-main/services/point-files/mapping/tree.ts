/** What JSON and YAML hold, and the shapes in it that mean something by themselves. */

/** What JSON and YAML hold. */
export type Tree = string | number | boolean | null | undefined | Date | readonly Tree[] | { readonly [key: string]: Tree };
/** A thing with members. */
export type Branch = Readonly<Record<string, Tree>>;

/** Levels that are read; what lies deeper is not in a list of points. */
export const DEEPEST = 32;

/** True for a thing with members. */
export function isBranch(tree: Tree): tree is Branch {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree) && !(tree instanceof Date);
}

/** True where a thing lies below itself, as an alias of YAML can say: such a tree has no end. */
export function containsItself(tree: Tree): boolean {
  const above = new Set<object>();
  const ended = new Set<object>();
  const leadsBack = (item: Tree): boolean => {
    if (typeof item !== 'object' || item === null || ended.has(item)) return false;
    if (above.has(item)) return true;
    above.add(item);
    const isBack = Object.values(item).some(leadsBack);
    above.delete(item);
    ended.add(item);
    return isBack;
  };
  return leadsBack(tree);
}

/** Texts of numbers: `{0: off, 1: on}` or `[{value: 0, name: off}]`. */
export function isLookUp(value: Tree): boolean {
  if (isBranch(value)) {
    const keys = Object.keys(value);
    return (
      keys.length > 0 &&
      keys.every((key) => /^(0x[0-9a-f]+|-?\d+)$/i.test(key)) &&
      Object.values(value).every((text) => typeof text === 'string')
    );
  }
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    (value as readonly Tree[]).every((item) => isBranch(item) && numberIn(item) !== undefined && textIn(item) !== undefined)
  );
}

const numberIn = (item: Branch): number | undefined => {
  const value = item.value ?? item.key;
  return typeof value === 'number' ? value : undefined;
};

const textIn = (item: Branch): string | undefined => {
  const text = item.label ?? item.name ?? item.text ?? item.desc;
  // a thing with an address is a point
  return typeof text === 'string' && item.address === undefined && item.type === undefined ? text : undefined;
};

/** Texts of numbers in one line. */
export function lookUpText(value: Tree): string {
  const pairs = isBranch(value)
    ? Object.entries(value).map(([key, text]) => `${key}=${String(text)}`)
    : (value as readonly Branch[]).map((item) => `${numberIn(item)}=${textIn(item)}`);
  return pairs.map((pair) => pair.replace(/[;\n]+/g, ',')).join('; ');
}
