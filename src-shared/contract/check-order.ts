import { z } from 'zod';
import { MOST_CHECK_ITEMS } from '../domain/check.ts';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { checkFields, Expectation } from './check.ts';
import { FrameTypeSchema, Nothing, queryInt } from './common.ts';
import { operation } from './operation.ts';

const MEBIBYTE = 1024 * 1024;

/** Misfits that an answer names. */
export const MOST_MISFITS = 1000;

/** What a template says it is. */
export const CHECK_TEMPLATE_FORMAT = 'loopcheck-check-template';
export const CHECK_TEMPLATE_VERSION = 1;

/** The rules of a session for one point, without any result. */
export const CheckTemplateItem = z.object({
  channel: z.string().max(200),
  code: z.string().min(1).max(200),
  frame_type: FrameTypeSchema,
  group: checkFields.group,
  expectation: Expectation,
});
export type CheckTemplateItem = z.infer<typeof CheckTemplateItem>;

/** A template as its file has it; the items are in the order of the check. */
export const CheckTemplate = z.object({
  format: z.literal(CHECK_TEMPLATE_FORMAT),
  version: z.int().min(1),
  items: z.array(z.unknown()).max(MOST_CHECK_ITEMS),
});

/** What a file says of items, and what of it does not fit. */
export const CheckArranged = z.object({
  changed: z.int().describe('items that are otherwise than before'),
  left: z.int().describe('items that the file does not name: they stay as they are, behind the others'),
  misfits: z
    .array(
      z.object({
        row: z.int().describe('of the file, or number in its list, from 1'),
        channel: z.string(),
        code: z.string(),
        why: z
          .enum(['unknown', 'twice', 'other_type'])
          .describe('no item has the code; the file names it again; the item is of another type'),
      }),
    )
    .describe(`what of the file is used for no item; the first ${MOST_MISFITS}`),
  misfit_count: z.int(),
});
export type CheckArranged = z.infer<typeof CheckArranged>;

const session = { session_id: queryInt(1, Number.MAX_SAFE_INTEGER) };
const channel_id = queryInt(1, Number.MAX_SAFE_INTEGER)
  .optional()
  .describe(
    'only items of this channel, whatever channels the file names; left out: all, and the channel in the file decides between items of the same code',
  );

/** Order of the items, and templates. */
export const checkOrderOperations = {
  orderCheckItems: operation({
    method: 'PUT',
    path: '/api/check/order',
    summary: 'Put the items of a session in order',
    description:
      '`table`: channel by channel as the point tables have them; `group`: by bay or panel in natural order (Bay 2 before Bay 10), within a group as they are; `code`: in natural order.',
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({ session_id: checkFields.session_id, by: z.enum(['table', 'group', 'code']) }),
    data: z.object({ changed: z.int() }),
    errors: [404, 507],
  }),
  orderByCableList: operation({
    method: 'POST',
    path: '/api/check/order_by_list',
    summary: 'Take order and groups of the items from a cable list',
    description:
      'xlsx or csv with a header: `code` (编码), and where they are there `group` (间隔, 屏柜), `page` (页), `terminal` (端子) and `channel` (通道). The items get the order of the rows; their group is the first of ' +
      'group, page and terminal strip that a row names. Rows without a code are left; a file that is no such list is refused (422) and changes nothing.',
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    query: z.object({ ...session, channel_id }),
    body: z.object({ file: z.file({ error: mustBe(say('field.table_file')) }).describe('xlsx or csv, 8 MiB at most') }),
    upload: { largestFile: 8 * MEBIBYTE },
    data: CheckArranged,
    errors: [404, 507],
  }),
  checkTemplate: operation({
    method: 'GET',
    path: '/api/check/template',
    summary: 'The rules of a session as a file: expectations, groups and order, no results',
    description: 'Taken up in another session by `POST /api/check/apply_template`. It names points by code, no ids of this project.',
    tag: 'check',
    effect: 'query',
    query: z.object(session),
    body: Nothing,
    data: z.unknown(),
    download: { mediaTypes: ['application/json'] },
    errors: [404],
  }),
  applyCheckTemplate: operation({
    method: 'POST',
    path: '/api/check/apply_template',
    summary: 'Give the items of a session the expectations, groups and order of a template',
    description:
      'By code. A file that is no template, of a newer version, or with an item that has not the shape is refused (422) and changes nothing; what names no item of the session is listed. ' +
      'Items are changed in slices: after a kill or a full disk in between (507) the same request does the rest.',
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    query: z.object({ ...session, channel_id }),
    body: z.object({
      file: z.file({ error: mustBe(say('field.check_template')) }).describe('as GET /api/check/template has it, 16 MiB at most'),
    }),
    upload: { largestFile: 16 * MEBIBYTE },
    data: CheckArranged,
    errors: [404, 507],
  }),
} as const;
