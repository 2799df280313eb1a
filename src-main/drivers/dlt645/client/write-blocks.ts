/** Meters that refused a password: nothing is written to them until a person lifts that, because meters lock for 24 hours. */

import { z } from 'zod';
import { MessageSchema } from '#shared/contract/common.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted, say, together } from '#shared/messages/index.ts';
import type { DriverLasting } from '../../spi/index.ts';

const WriteBlock = z.object({
  /** Twelve digits. */
  meter: z.string(),
  /** UTC milliseconds. */
  since: z.number(),
  /** What the meter answered; words alone where an earlier version kept it. */
  reason: z.union([MessageSchema, z.string().transform(quoted)]),
});
export type WriteBlock = z.output<typeof WriteBlock>;

const Kept = z.object({ write_blocks: z.array(WriteBlock) });

/** The blocks of one channel. They last over connections, restarts of the channel and of the service. */
export class WriteBlocks {
  readonly #lasting: DriverLasting;
  /** Blocks that could not be stored: those hold as long as the connection. */
  #unstored: readonly WriteBlock[] | null = null;

  constructor(lasting: DriverLasting) {
    this.#lasting = lasting;
  }

  list(): readonly WriteBlock[] {
    return this.#unstored ?? Kept.safeParse(this.#lasting.read()).data?.write_blocks ?? [];
  }

  add(block: WriteBlock): void {
    this.#write([...this.list().filter(({ meter }) => meter !== block.meter), block]);
  }

  /** Answers what was lifted; null where nothing was blocked. */
  lift(meter: string): WriteBlock | null {
    const blocks = this.list();
    const found = blocks.find((block) => block.meter === meter) ?? null;
    if (found) this.#write(blocks.filter((block) => block !== found));
    return found;
  }

  /** Throws `STATE_CONFLICT` for a meter that nothing may be written to. */
  requireNone(meter: string): void {
    const block = this.list().find((each) => each.meter === meter);
    if (!block) return;
    const since = new Date(block.since).toISOString();
    const why = say('dlt645.blocked_since', { meter, since, reason: block.reason });
    throw new AppError('STATE_CONFLICT', together(why, say('dlt645.blocked_next')));
  }

  #write(blocks: readonly WriteBlock[]): void {
    try {
      this.#lasting.write({ write_blocks: blocks });
      this.#unstored = null;
    } catch {
      // the meter has answered: a full disk must not hide that
      this.#unstored = blocks;
    }
  }
}
