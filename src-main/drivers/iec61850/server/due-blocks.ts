/** Control blocks of a model that was taken over: each is looked at in a turn of its own, or at once where a client asks for it or what it enters is set. */
import { runSteps, type Steps } from '../../../platform/steps.ts';
import type { VariableSpec } from '../mms/pdu.ts';
import { type ControlBlocks, type Variable, variableKey } from './image.ts';
import { isOfControlBlock } from './reports/change-watch.ts';

export class DueBlocks {
  readonly #look: (key: string, block: Variable) => void;
  readonly #membersOf: (block: Variable) => readonly VariableSpec[];
  #due: ControlBlocks = new Map();
  /** Keys of blocks by the logical devices that their members lie in, made when an attribute is set first. */
  #entering: Map<string, Set<string>> | null = null;

  /** `look`: makes a block what it has to be in the model. `membersOf`: the members whose changes it has to enter by the model. */
  constructor(look: (key: string, block: Variable) => void, membersOf: (block: Variable) => readonly VariableSpec[]) {
    this.#look = look;
    this.#membersOf = membersOf;
  }

  /** These are to be looked at, and no others. */
  put(blocks: ControlBlocks): void {
    this.#due = new Map(blocks);
    this.#entering = null;
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

  /** An attribute is about to be set: looks at the blocks that enter what changes in its logical device. */
  beforeSet(key: string): void {
    if (this.#due.size === 0 || isOfControlBlock(key)) return;
    const domain = key.slice(0, key.indexOf('/'));
    this.#entering ??= this.#byDomain();
    const entering = this.#entering.get(domain);
    this.#entering.delete(domain);
    for (const block of entering ?? []) this.#settle(block);
  }

  /** Looks at all that are left, at once. */
  settleAll(): void {
    runSteps(this.steps());
  }

  /** Looks at all that are left, in steps. */
  *steps(): Steps<void> {
    for (const key of this.#due.keys()) {
      yield;
      this.#settle(key);
    }
  }

  #byDomain(): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>();
    for (const [key, block] of this.#due) {
      for (const { name } of this.#membersOf(block)) {
        if (name.scope !== 'domain') continue;
        const keys = found.get(name.domain) ?? new Set();
        found.set(name.domain, keys.add(key));
      }
    }
    return found;
  }

  #settle(key: string): void {
    const block = this.#due.get(key);
    if (!block) return;
    this.#due.delete(key);
    this.#look(key, block);
  }
}
