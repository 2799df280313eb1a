import { z } from 'zod';
import { FINDING_RULES, FINDING_SEVERITIES } from '../domain/table-findings.ts';
import { FrameTypeSchema, Id, MessageParamsSchema, Nothing, queryInt } from './common.ts';
import { FieldChange } from './field-change.ts';
import { operation } from './operation.ts';
import { StepId } from './points.ts';

/** Findings that one request names. */
export const MOST_FINDING_KEYS = 10_000;

export const TableFinding = z.object({
  key: z.string().describe('names the finding in other requests; the same as long as the same is found at this point'),
  rule: z.enum(FINDING_RULES).describe('stable word; docs/guide/table-check.md lists them'),
  severity: z
    .enum(FINDING_SEVERITIES)
    .describe('error: would be refused if it were entered now; warning: probably wrong; hint: worth a look'),
  params: MessageParamsSchema,
  message: z.string(),
  point_id: Id,
  frame_type: FrameTypeSchema,
  code: z.string(),
  name: z.string(),
  address: z.int(),
  reference: z.string(),
  field: z.string().describe('what it is about'),
  mend: z.array(FieldChange).nullable().describe('what mending it changes; null where somebody has to decide'),
  ignored: z.boolean(),
});
export type TableFinding = z.infer<typeof TableFinding>;

const Severities = { error: z.int(), warning: z.int(), hint: z.int() };

export const TableCheck = z.object({
  revision: z.string().describe('of the table and settings that were looked at; mending names it'),
  is_current: z.boolean().describe('false: the table was changed meanwhile, and is being looked at anew'),
  points: z.int(),
  counts: z.object({ ...Severities, ignored: z.int() }).describe('of all findings; ignored ones count as such alone'),
  rules: z
    .array(
      z.object({ rule: z.enum(FINDING_RULES), ...Severities, ignored: z.int(), mendable: z.int().describe('listed ones with a mend') }),
    )
    .describe('of those that found something'),
  total: z.int().describe('findings that fit the filters; of each rule the first 5000 are listed'),
  items: z.array(TableFinding).describe('in the order of the table'),
});
export type TableCheck = z.infer<typeof TableCheck>;

const chosen = {
  channel_id: Id,
  keys: z.array(z.string().max(1000)).min(1).max(MOST_FINDING_KEYS).optional(),
  rule: z.enum(FINDING_RULES).optional().describe('in place of keys: all listed findings of a rule'),
};

export const tableCheckOperations = {
  tableCheck: operation({
    method: 'GET',
    path: '/api/points/table_check',
    summary: 'What is wrong in the point table of a channel, or worth a look',
    description:
      'From memory; kept until the table, the settings of the channel or what is known of the device change. A large table is looked at in a thread of its own; ' +
      'while that goes on the answer waits for it, and has what was found before where the table is changed again and again. The rules are those of the import.',
    tag: 'points',
    effect: 'query',
    query: z.object({
      channel_id: queryInt(1, Number.MAX_SAFE_INTEGER),
      rule: z.enum(FINDING_RULES).optional(),
      severity: z.enum(FINDING_SEVERITIES).optional(),
      ignored: z.enum(['hide', 'only', 'show']).optional().describe('findings that somebody ignores; default hide'),
      page: queryInt(1, 1_000_000).optional().describe('default 1'),
      page_size: queryInt(1, 10_000).optional().describe('default 100'),
    }),
    body: Nothing,
    data: TableCheck,
    errors: [404],
  }),
  mendFindings: operation({
    method: 'POST',
    path: '/api/points/mend',
    summary: 'Put findings of the table check right, where it is certain how',
    description:
      'One step of the history, which can be undone. Nothing is changed when the table is another one than `revision` says (409), and when one of the keys has no mend ' +
      '(422). Never writes to a device.',
    tag: 'points',
    effect: 'repeatable',
    example: { rule: 'no_feedback' },
    query: Nothing,
    body: z.object({ ...chosen, revision: z.string().max(100).describe('of the table_check that was looked at') }),
    data: z.object({ mended: z.int().describe('findings'), points: z.int().describe('points that were changed'), step_id: StepId }),
    errors: [404, 409, 507],
  }),
  ignoreFindings: operation({
    method: 'POST',
    path: '/api/points/ignore_findings',
    summary: 'Leave findings of the table check out, or bring them back',
    description: 'Kept in the project. A finding that is ignored comes back by itself when something else is found at its point.',
    tag: 'points',
    effect: 'repeatable',
    example: { keys: ['overlap 1 A'], ignored: true },
    query: Nothing,
    body: z.object({ ...chosen, ignored: z.boolean() }),
    data: z.object({ changed: z.int(), ignored: z.int().describe('findings of this channel that are ignored now') }),
    errors: [404, 409, 507],
  }),
} as const;
