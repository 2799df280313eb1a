/** The type of a logical node: asked for as a whole, and put together of its parts, down to the leaves, where a device cannot tell it in one answer. */

import { AppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { MmsComponent, MmsType } from './mms/types.ts';
import { CONSTRAINTS, constraintOrder } from './model/constraints.ts';

/** Something of the device that the model is without, and why. */
export interface LeftOut {
  /** `LD/LN$FC$DO…`, `LD/LN$name` of a data set, or words. */
  readonly what: string;
  readonly reason: Message;
}

/** What was learnt of a logical node. */
export interface NodeType {
  readonly type: MmsType;
  /** `LD/LN$FC…` of structures put together of their names: these come in an order of their own, so that values of the whole would be taken for one another. */
  readonly unordered: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/** Asks for the type of an item; the error where the device does not tell it. */
export type AskType = (item: string) => Promise<MmsType | AppError>;

/** Learns one logical node. `names` are all names of the device below it, `LN` and `LN$FC$DO…`. Rejects as `ask` does. */
export async function learnNodeType(domain: string, node: string, names: readonly string[], ask: AskType): Promise<NodeType> {
  const parts = new PartsOfNode(domain, namesBelow(names), ask);
  const whole = await ask(node);
  const type = !(whole instanceof AppError) && whole.kind === 'structure' ? whole : await parts.node(node);
  return { type, unordered: parts.unordered, leftOut: parts.leftOut };
}

class PartsOfNode {
  readonly unordered: string[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #domain: string;
  readonly #below: ReadonlyMap<string, readonly string[]>;
  readonly #ask: AskType;

  constructor(domain: string, below: ReadonlyMap<string, readonly string[]>, ask: AskType) {
    this.#domain = domain;
    this.#below = below;
    this.#ask = ask;
  }

  /** A node whose functional constraints are not listed may have any of them. */
  async node(node: string): Promise<MmsType> {
    const listed = this.#below.get(node);
    const guessed = listed ? null : CONSTRAINTS.map((constraint) => `${node}$${constraint}`);
    const components: MmsComponent[] = [];
    for (const item of guessed ?? listed ?? []) {
      const type = await this.#part(item, guessed !== null);
      if (type) components.push({ name: lastOf(item), type });
    }
    components.sort((one, other) => constraintOrder(one.name) - constraintOrder(other.name));
    this.unordered.push(`${this.#domain}/${node}`);
    return { kind: 'structure', components };
  }

  async #part(item: string, isGuess: boolean): Promise<MmsType | null> {
    const type = await this.#ask(item);
    if (!(type instanceof AppError)) return type;
    const below = this.#below.get(item) ?? [];
    const components: MmsComponent[] = [];
    for (const name of below) {
      const part = await this.#part(name, false);
      if (part) components.push({ name: lastOf(name), type: part });
    }
    if (components.length > 0) {
      this.unordered.push(`${this.#domain}/${item}`);
      return { kind: 'structure', components };
    }
    if (!isGuess && below.length === 0) this.leftOut.push({ what: `${this.#domain}/${item}`, reason: type.said });
    return null;
  }
}

/** Names directly below each name. */
function namesBelow(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const below = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const end = name.lastIndexOf('$');
    if (end < 0) continue;
    const parent = name.slice(0, end);
    const known = below.get(parent);
    if (known) known.push(name);
    else below.set(parent, [name]);
  }
  return below;
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('$') + 1);
}
