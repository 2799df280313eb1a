import type { ScanRange } from '#shared/contract/jobs.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ScanBlock } from '../../../drivers/spi/diagnostics.ts';
import { type BoundedFindings, detailRow } from '../job-record.ts';

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

  add({ functionCode, start, quantity }: ScanBlock, outcome: ScanRange['outcome'], said: Message | null = null): void {
    const told = detailRow(said);
    const last = this.#last;
    const continues =
      last !== null &&
      last.func_code === functionCode &&
      last.start + last.quantity === start &&
      last.outcome === outcome &&
      last.detail === told.detail;
    if (continues) {
      this.#last = { ...last, quantity: last.quantity + quantity };
      return;
    }
    if (last) this.#findings.push(last);
    this.#last = { func_code: functionCode, start, quantity, outcome, ...told };
  }

  list(): ScanRange[] {
    return this.#last ? [...this.#findings.items, this.#last] : [];
  }
}
