import { isDeepStrictEqual } from 'node:util';
import type { Service } from './service.ts';

/** The checks of one protocol. Adds its own results to the report; throws only for a fault of the tool itself. */
export type Suite = (service: Service, report: Report) => Promise<void>;

/** Counts and prints results, one line each. */
export class Report {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  get failed(): number {
    return this.#failed;
  }

  /** Runs one check; whatever it throws is its failure. */
  async check(name: string, body: () => Promise<void>): Promise<void> {
    try {
      await body();
      this.#passed += 1;
      console.log(`ok      ${name}`);
    } catch (error) {
      this.#failed += 1;
      console.log(`FAILED  ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** A peer that cannot be had here. */
  skip(peer: string, reason: string): void {
    this.#skipped += 1;
    console.log(`interop: skipped ${peer}: ${reason}`);
  }

  summary(): string {
    return `${this.#passed} passed, ${this.#failed} failed, ${this.#skipped} skipped`;
  }
}

/** Throws unless both are deeply equal; `what` names the thing that differs. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
}

/** Asks again every 20 ms until the answer is the expected one; throws with the last answer after `limitMs`. */
export async function expectSoon(what: string, ask: () => Promise<unknown>, expected: unknown, limitMs = 3000): Promise<void> {
  const end = performance.now() + limitMs;
  for (;;) {
    const actual = await ask();
    if (isDeepStrictEqual(actual, expected) || performance.now() > end) {
      expectEqual(what, actual, expected);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
