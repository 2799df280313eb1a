/** Sends the entries of a block to the client that has it enabled, numbered from 0 at each enabling (IEC 61850-7-2, 17.2.2.2). */
import type { EntryBuffer } from './entry-buffer.ts';
import type { ReportClient } from './report-client.ts';
import { type ReportHead, reportsOf } from './report-pdus.ts';

/** What the block says of itself in each report. */
export type BlockHead = Omit<ReportHead, 'sequence' | 'hasOverflow' | 'isBuffered'>;

export interface ReportStreamOptions {
  readonly buffer: EntryBuffer;
  readonly isBuffered: boolean;
  /** The number of the next report. */
  onSequence(sequence: number): void;
}

/** What a report takes beside its values, about. */
const HEAD_OCTETS = 150;

export class ReportStream {
  readonly #options: ReportStreamOptions;
  #client: ReportClient | null = null;
  #sequence = 0;
  #hasOverflow = false;

  constructor(options: ReportStreamOptions) {
    this.#options = options;
  }

  /** Who has the block enabled; null where nobody has. */
  get client(): ReportClient | null {
    return this.#client;
  }

  /** True where a report waits for its turn. */
  get isReady(): boolean {
    return this.#client !== null && this.#options.buffer.next !== null;
  }

  /** `hasOverflow`: the client cannot know what it has missed. */
  begin(client: ReportClient, hasOverflow: boolean): void {
    this.#client = client;
    this.#hasOverflow = hasOverflow;
    this.#number(0);
  }

  end(): void {
    this.#client = null;
    this.#options.buffer.rewind();
  }

  /** Sends the next report, in as many segments as the client needs; answers about how many octets it took. */
  sendNext(head: BlockHead): number {
    const { buffer, isBuffered } = this.#options;
    const client = this.#client;
    const entry = buffer.next;
    if (!client || !entry) return 0;
    const lost = buffer.takeLost();
    // an unbuffered block has no other way to tell that reports are missing
    if (!isBuffered) this.#number(this.#sequence + lost);
    const hasOverflow = this.#hasOverflow || lost > 0;
    const reports = reportsOf({ ...head, isBuffered, sequence: this.#sequence, hasOverflow }, entry, client.maxPduOctets);
    for (const report of reports) client.report(report);
    this.#hasOverflow = false;
    this.#number(this.#sequence + 1);
    buffer.sent();
    return entry.octets + reports.length * HEAD_OCTETS;
  }

  #number(next: number): void {
    this.#sequence = next % (this.#options.isBuffered ? 0x1_0000 : 0x100);
    this.#options.onSequence(this.#sequence);
  }
}
