import { z } from 'zod';

/** What a field holds, as pages and files show it: settings that are lists or tables as one line of text. */
const FieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** One field of a point that differs, or that is to be changed. */
export const FieldChange = z.object({
  field: z.string().describe('by the name of the contract; a setting of the protocol as protocol.type_id'),
  before: FieldValue.describe('null: not set, or no limit'),
  after: FieldValue,
});
export type FieldChange = z.infer<typeof FieldChange>;
