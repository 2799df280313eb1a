import { z } from 'zod';
import { LIST_ROLES } from '../domain/list-mapping.ts';
import { say } from '../messages/index.ts';
import { schemaWords } from '../messages/schema-words.ts';

/** Rows of a sheet that are read. */
const LastRow = 101_000;
/** What a column means. */
export const Role = z.enum(LIST_ROLES);
/** A header. */
export const Word = z.string().max(500);

const ListColumnChoice = z.object({
  index: z.int().min(0).max(255).describe('place of the column in the sheet, A is 0'),
  role: Role,
});

const ListTableChoice = z.object({
  sheet: z.string().max(200).describe('name of the sheet; empty for csv and text'),
  header_row: z.int().min(0).max(LastRow).describe('row of the headers, 1 is the first; 0: there are none'),
  header_rows: z.int().min(1).max(3).optional().describe('rows that the headers take; default as found'),
  first_row: z.int().min(1).max(LastRow).optional().describe('first row with a point; default: the one below the headers'),
  last_row: z.int().min(1).max(LastRow).optional().describe('default: to the next table, or to the end'),
  left: z.int().min(0).max(255).optional().describe('first column, of tables that stand side by side; default 0'),
  taken: z.boolean().optional().describe('false leaves the table out; default true'),
  columns: z
    .array(ListColumnChoice)
    .max(256)
    .optional()
    .describe('what columns mean; those that are not named keep the meaning that was found'),
});

/** How a foreign list is read. Everything is optional: what is left out is what the program finds. */
export const ListMapping = z.object({
  profile: z.string().max(100).nullable().optional().describe('id of a profile; null: none. Left out: the one that the list fits, if any'),
  tables: z
    .array(ListTableChoice)
    .max(64)
    .optional()
    .describe(
      'a table with the place of one that was found changes that one; any other place makes a table of its own, and the found ones of its sheet go',
    ),
  headers: z
    .array(z.object({ header: Word, role: Role }))
    .max(256)
    .optional()
    .describe('what columns of a header mean, in all tables'),
  answers: z.record(z.string().max(200), z.string().max(100)).optional().describe('answers to questions by their id'),
  commands: z
    .enum(['leave', 'make'])
    .optional()
    .describe('`make`: rows that can be written become YK or YT beside their YC or YX; default `leave`'),
  hidden_rows: z.enum(['take', 'leave']).optional().describe('default `take`'),
  slave_id: z.int().min(0).max(999_999_999_999).optional().describe('slave of rows that name none; default 1'),
  add: z
    .int()
    .min(-65_535)
    .max(65_535)
    .optional()
    .describe('added to every address, for lists that count from the start of a block; default 0'),
  words: z
    .array(
      z.object({
        prefix: z.string().min(1).max(10).describe('in capital letters: D'),
        area: z.enum(['coil', 'discrete', 'input', 'holding']),
        first: z.int().min(0).max(65_535).describe('address of number 0'),
        octal: z.boolean().optional().describe('the numbers are octal'),
      }),
    )
    .max(32)
    .optional()
    .describe('words before a number that name an address: D100'),
});
export type ListMapping = z.infer<typeof ListMapping>;

/** The mapping as a field of a form, which is text. */
export const MappingField = z
  .string()
  .max(60_000)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: schemaWords(say('field.mapping')) });
      return z.NEVER;
    }
  })
  .pipe(ListMapping)
  .optional()
  .describe('the mapping as JSON (schema ListMapping); left out or {}: as found');
