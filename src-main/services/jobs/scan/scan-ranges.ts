import type { ScanRange } from '#shared/contract/jobs.ts';
import type { ScanBlock } from '../../../drivers/spi/diagnostics.ts';
import type { BoundedFindings } from '../job-record.ts';

/** Neighbouring addresses with the same outcome, as one range each; blocks arrive in the order of their addresses. */
export class ScanRanges {
  readonly #findings: BoundedFindings<ScanRange>;
  /** The range that still grows. */
  #last: ScanRange | null = null;

  constructor(findings: BoundedFindings<ScanRange>) {
    this.#findings = findings;
  }

  get dropped(): number {
    return this.#findings.dropped;
  }

  add({ functionCode, start, quantity }: ScanBlock, outcome: ScanRange['outcome'], detail: string): void {
    const last = this.#last;
    const continues =
      last !== null &&
      last.func_code === functionCode &&
      last.start + last.quantity === start &&
      last.outcome === outcome &&
      last.detail === detail;
    if (continues) {
      this.#last = { ...last, quantity: last.quantity + quantity };
      return;
    }
    if (last) this.#findings.push(last);
    this.#last = { func_code: functionCode, start, quantity, outcome, detail };
  }

  list(): ScanRange[] {
    return this.#last ? [...this.#findings.items, this.#last] : [];
  }
}
