/** The last entries of buffered blocks in the project: a block goes on behind them also when the program was started anew. */
import { z } from 'zod';
import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { CancelTimer, Clock } from '../../../platform/clock.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { DriverLasting } from '../../spi/index.ts';
import type { LastEntry } from './report-memory.ts';

export interface KeptEntriesOptions {
  readonly lasting: DriverLasting | undefined;
  readonly clock: Clock;
  /** The device as the line names it. */
  readonly peer: string;
  /** By `LD/LN$FC$name`. */
  readonly entries: Map<string, LastEntry>;
  notice(message: Message): void;
}

/**
 * An entry is written soon; entries come faster than a file is written, and while they do all are written at this interval. What ends without warning sends what
 * was not written once more, and loses nothing.
 */
const [SOON_MS, KEEP_MS] = [500, 5000];

const Kept = z.object({
  report_entries: z.object({
    peer: z.string(),
    blocks: z.record(
      z.string(),
      z.object({
        report_id: z.string(),
        data_set: z.string(),
        revision: z.number().nullable(),
        members: z.string().default(''),
        entry_id: z.string().regex(/^[0-9A-F]{2}(?: [0-9A-F]{2})*$/),
      }),
    ),
  }),
});

export class KeptEntries {
  readonly #options: KeptEntriesOptions;
  #cancel: CancelTimer | null = null;
  #isToldOfFault = false;
  #writtenMs = Number.NEGATIVE_INFINITY;

  constructor(options: KeptEntriesOptions) {
    this.#options = options;
  }

  /** Takes over what was kept of this device and is not known yet. */
  load(): void {
    const { entries, peer } = this.#options;
    for (const [key, kept] of Object.entries(this.#read(peer))) {
      const { report_id: reportId, data_set: dataSet, revision, members, entry_id } = kept;
      if (!entries.has(key)) entries.set(key, { reportId, dataSet, revision, members, entryId: octetsOf(entry_id) });
    }
  }

  /** An entry is another one: all are written `SOON_MS` from now, or `KEEP_MS` behind the time before. */
  changed(): void {
    const { lasting, clock } = this.#options;
    if (!lasting || this.#cancel) return;
    const waitMs = Math.max(SOON_MS, this.#writtenMs + KEEP_MS - clock.monotonicMs());
    this.#cancel = clock.after(waitMs, () => this.flush());
  }

  /** Writes what is not written yet. Never throws. */
  flush(): void {
    if (this.#cancel === null) return;
    this.#cancel();
    this.#cancel = null;
    this.#writtenMs = this.#options.clock.monotonicMs();
    const { lasting, entries, peer, notice } = this.#options;
    const blocks = Object.fromEntries(
      [...entries].map(([key, { reportId, dataSet, revision, members, entryId }]) => [
        key,
        { report_id: reportId, data_set: dataSet, revision, members, entry_id: hexText(entryId) },
      ]),
    );
    try {
      lasting?.write({ report_entries: { peer, blocks } });
    } catch (thrown) {
      if (!this.#isToldOfFault) notice(say('report.not_kept', { reason: toAppError(thrown).said }));
      this.#isToldOfFault = true;
    }
  }

  #read(peer: string): z.output<typeof Kept>['report_entries']['blocks'] {
    try {
      const kept = Kept.safeParse(this.#options.lasting?.read()).data?.report_entries;
      return kept?.peer === peer ? kept.blocks : {};
    } catch {
      // a project that cannot be read says so elsewhere: the block begins with its oldest entry
      return {};
    }
  }
}

function octetsOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.split(' '), (pair) => Number.parseInt(pair, 16));
}
