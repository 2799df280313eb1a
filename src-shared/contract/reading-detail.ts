import { z } from 'zod';

/** What some protocols tell beside value, quality and time, in rows and events. Fields that were not told are left out. */
export const ReadingDetailFields = {
  cause: z
    .object({ code: z.int().min(0), name: z.string() })
    .optional()
    .describe('why the device sent it: IEC 104 cause of transmission, IEC 61850 reason for inclusion'),
  negative: z.boolean().optional().describe('IEC 104 P/N: the device says no; such data never becomes a value'),
  sequence: z.int().min(0).max(31).optional().describe('sequence number of a counter reading'),
  adjusted: z.boolean().optional().describe('the counter was adjusted since it was read last'),
  carry: z.boolean().optional().describe('the counter overflowed in the period'),
  source_time_text: z.string().optional().describe('time tag of the device as it wrote it, where it is no valid time'),
  time_accuracy: z.int().min(0).max(31).optional().describe('IEC 61850: bits of the fraction of a second that are exact, 0 to 24'),
};

const ReadingDetail = z.object(ReadingDetailFields);
export type ReadingDetailFields = z.infer<typeof ReadingDetail>;
