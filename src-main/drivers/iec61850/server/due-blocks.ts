/** Control blocks of a model that was taken over: each is looked at in a turn of its own, or at once where a client asks for it. */
import type { Steps } from '../../../platform/steps.ts';
import { type ControlBlocks, type Variable, variableKey } from './image.ts';

export class DueBlocks {
  readonly #look: (key: string, block: Variable) => void;
  #due: ControlBlocks = new Map();

  /** `look`: makes a block what it has to be in the model. */
  constructor(look: (key: string, block: Variable) => void) {
    this.#look = look;
  }

  /** These are to be looked at, and no others. */
  put(blocks: ControlBlocks): void {
    this.#due = new Map(blocks);
  }

  /** Looks at the blocks that a variable is, lies in or consists of. */
  settle({ domain, node, path: [constraint, name] }: Variable): void {
    if (this.#due.size === 0) return;
    if (constraint !== undefined && name !== undefined) {
      this.#settle(variableKey({ domain, node, path: [constraint, name] }));
      return;
    }
    const start = `${variableKey({ domain, node, path: constraint === undefined ? [] : [constraint] })}$`;
    for (const key of this.#due.keys()) if (key.startsWith(start)) this.#settle(key);
  }

  /** Looks at all that are left, in steps. */
  *steps(): Steps<void> {
    for (const key of this.#due.keys()) {
      yield;
      this.#settle(key);
    }
  }

  #settle(key: string): void {
    const block = this.#due.get(key);
    if (!block) return;
    this.#due.delete(key);
    this.#look(key, block);
  }
}
