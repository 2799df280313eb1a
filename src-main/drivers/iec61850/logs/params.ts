/** What a person or script may ask of the logs of a device, by name. */
import { z } from 'zod';
import type { SettingMeta } from '#shared/domain/setting-meta.ts';

/** Entries that one query brings at most. */
const MOST_ENTRIES = 1000;
/** Longest EntryID in hexadecimal digits, with a space between two octets. */
const LONGEST_ID = 200;

export const LOG_PARAMS = {
  log_blocks: z.object({ logical_device: z.string().max(64).default('').describe('one logical device; empty: all') }),
  query_log: z.object({
    log: z
      .string()
      .min(1)
      .max(220)
      .describe('log as its control block names it: LD/LLN0$name')
      .meta({ stays: true } satisfies SettingMeta),
    from: z.iso.datetime({ offset: true }).optional().describe('time of the first entry; left out: from the oldest'),
    to: z.iso.datetime({ offset: true }).optional().describe('time of the last entry; left out: to the newest'),
    after_entry: z
      .string()
      .max(LONGEST_ID)
      .regex(/^(?:[0-9A-Fa-f]{2} ?)*$/)
      .default('')
      .describe('entry behind which to go on, in hexadecimal; empty: by time alone'),
    after_time: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('time of that entry: devices go on there when they do not have the entry any more'),
    max_entries: z.int().min(1).max(MOST_ENTRIES).default(100),
  }),
};
export type LogQuery = z.output<typeof LOG_PARAMS.query_log>;
