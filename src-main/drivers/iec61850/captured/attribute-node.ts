/** Values of variables taken apart into attributes, by the types that a conversation told or by the shapes of the standard. */
import type { MmsType, MmsValue } from '../mms/types.ts';
import { isConstraint } from '../model/constraints.ts';
import { standardMembers } from './standard-shapes.ts';

/** Elements of an array that become attributes: no more than a table can serve. */
const MOST_ELEMENTS = 1024;

/** A variable: `parts` are the functional constraint, data object, and so on below a logical node; empty for the node itself. */
export interface Attribute {
  readonly domain: string;
  readonly node: string;
  readonly parts: readonly string[];
  /** Null: not told. */
  readonly type: MmsType | null;
}

/** Told of each leaf with its value, in their order; `unknown` of a structure of which the members have no names. */
export interface AttributeVisitor<Leaf> {
  leaf(leaf: Leaf, value: MmsValue): void;
  unknown(): void;
}

/** Remembers how the values of a variable are taken apart. `makeLeaf` says what a leaf is, at its first value. */
export class AttributeNode<Leaf> {
  readonly #attribute: Attribute;
  readonly #makeLeaf: (attribute: Attribute, value: MmsValue) => Leaf;
  #names: readonly string[] | null = null;
  #children: readonly AttributeNode<Leaf>[] = [];
  #leaf: { readonly kind: MmsValue['kind']; readonly leaf: Leaf } | null = null;

  constructor(attribute: Attribute, makeLeaf: (attribute: Attribute, value: MmsValue) => Leaf) {
    this.#attribute = attribute;
    this.#makeLeaf = makeLeaf;
  }

  visit(value: MmsValue, visitor: AttributeVisitor<Leaf>): void {
    const { type } = this.#attribute;
    if (type && type.kind !== value.kind) {
      visitor.unknown();
      return;
    }
    if (value.kind !== 'structure' && value.kind !== 'array') {
      if (this.#leaf?.kind !== value.kind) this.#leaf = { kind: value.kind, leaf: this.#makeLeaf(this.#attribute, value) };
      visitor.leaf(this.#leaf.leaf, value);
      return;
    }
    const { items } = value;
    if (value.kind === 'array') this.#takeElements(items.length);
    else if (!this.#takeMembers(items)) {
      visitor.unknown();
      return;
    }
    for (const [at, child] of this.#children.entries()) child.visit(items[at] as MmsValue, visitor);
  }

  /** False where the members have no names. */
  #takeMembers(items: readonly MmsValue[]): boolean {
    const { type, node, parts } = this.#attribute;
    if (type) {
      if (type.kind !== 'structure' || type.components.length !== items.length) return false;
      if (!this.#names) {
        this.#names = type.components.map(({ name }) => name);
        this.#children = type.components.map(({ name, type: part }) => this.#child([...parts, name], part));
      }
      return true;
    }
    const names = isConstraint(parts[0] ?? '') ? standardMembers(node, parts, items) : null;
    if (!names) return false;
    if (this.#names !== names) {
      this.#names = names;
      this.#children = names.map((name) => this.#child([...parts, name], null));
    }
    return true;
  }

  #takeElements(count: number): void {
    const { type, parts } = this.#attribute;
    const last = parts.at(-1);
    const most = last === undefined || last.endsWith(')') ? 0 : Math.min(count, MOST_ELEMENTS);
    const element = type?.kind === 'array' ? type.element : null;
    if (this.#names === null && this.#children.length === most) return;
    this.#names = null;
    this.#children = Array.from({ length: most }, (_, at) => this.#child([...parts.slice(0, -1), `${last}(${at})`], element));
  }

  #child(parts: readonly string[], type: MmsType | null): AttributeNode<Leaf> {
    const { domain, node } = this.#attribute;
    return new AttributeNode({ domain, node, parts, type }, this.#makeLeaf);
  }
}
