import { z } from 'zod';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { FrameTypeSchema, Id, MessageParamsSchema, Nothing, queryInt } from './common.ts';
import { FieldChange } from './field-change.ts';
import { MappingField } from './list-mapping.ts';
import { type DownloadedFile, operation } from './operation.ts';

/** Largest point table file, in octets. */
export const LARGEST_TABLE_FILE = 32 * 1024 * 1024;

/** Most rows of one file; more is told and nothing is taken. */
export const MOST_TABLE_ROWS = 100_000;

/**
 * What can be wrong in a point table file, or worth a look. A word is stable: pages translate by it, scripts may branch on it. With each
 * go the names of its `params`.
 */
export const TABLE_RULES = [
  // the file as a whole
  'file_empty',
  'file_unreadable',
  'file_old_xls',
  'file_encrypted',
  'file_too_large',
  'file_too_slow',
  'file_encoding',
  'csv_broken',
  // its sheets and columns
  'sheets_missing',
  'sheet_unknown',
  'sheet_taken',
  'sheet_hidden',
  'rows_none',
  'rows_too_many',
  'header_missing',
  'header_twice',
  'header_row',
  'type_unknown',
  'columns_noted',
  'columns_left_out',
  'column_unnamed',
  'bit_cells_missing',
  'column_not_used',
  'merged',
  'formula',
  // one cell
  'formula_no_value',
  'cell_error',
  'cell_date',
  'required',
  'text_too_long',
  'text_not_plain',
  'not_number',
  'not_whole',
  'out_of_range',
  'not_yes_no',
  'not_settings',
  'type_wrong',
  'type_differs',
  'decode_unknown',
  'note_clipped',
  // one point against its protocol
  'function_invalid',
  'address_invalid',
  'slave_invalid',
  'meter_digits',
  'bit_invalid',
  'bit_left_out',
  'bit_as_address',
  'setting_invalid',
  'factor_zero',
  'limits_inverted',
  // the table as a whole
  'code_twice',
  'type_changed',
  'related_missing',
  'related_type',
  'no_feedback',
  'same_address',
  'overlap',
  'name_twice',
  'unit_differs',
  'text_unfit',
  'gap_costs',
  'decode_old',
  // a foreign list: why nothing can be imported yet
  'list_no_dialect',
  'list_no_table',
  'list_no_address',
  'list_question',
  'list_profile_gone',
  // what was concluded about it
  'list_tables',
  'list_sheet_left',
  'list_parts_left',
  'list_key_twice',
  'list_sheet_hidden',
  'list_profile',
  'list_base',
  'list_order',
  'list_function',
  'list_codes',
  'list_code_twice',
  'list_factor_header',
  'list_factor_unit',
  'list_factor_differs',
  'list_limits_raw',
  'list_cells_unused',
  'list_bits',
  'list_cut',
  'list_commands',
  'list_joined',
  'list_hidden',
  'list_object_base',
  'list_leading_zero',
  // rows that are no points
  'row_header',
  'row_group',
  'row_prose',
  'row_no_address',
  'row_address',
  'row_answer',
  'row_write_only',
  'row_bit',
  'row_type',
  'row_type_left',
  'row_reserved',
  'row_hidden',
  'row_factor',
  'row_error',
  'row_direction',
] as const;
export type TableRule = (typeof TABLE_RULES)[number];

const Only = z.enum(['merge', 'replace']).nullable().describe('the mode it holds for; null: both');

export const TableIssue = z.object({
  rule: z.enum(TABLE_RULES).describe('stable word'),
  params: MessageParamsSchema,
  sheet: z.string().describe('as the file names it; empty for csv and for the file as a whole'),
  row: z.int().nullable().describe('row of the sheet, 1 is the first; null for a sheet or the file as a whole'),
  column: z.string().describe('header of the column; empty where none is meant'),
  cell: z.string().describe('place of the cell, e.g. E12; empty where none is meant'),
  message: z.string(),
  only: Only,
});
export type TableIssue = z.infer<typeof TableIssue>;

/** What an import does with a bit where none is possible, other than 0. */
export const IMPOSSIBLE_BITS = ['refuse', 'leave', 'address'] as const;
export type ImpossibleBits = (typeof IMPOSSIBLE_BITS)[number];

export const TableChange = z.object({
  kind: z.enum(['added', 'changed', 'removed']),
  point_id: Id.nullable().describe('null for a point that is not stored yet'),
  frame_type: FrameTypeSchema,
  code: z.string(),
  name: z.string(),
  address: z.int(),
  reference: z.string().describe('of a point that is named by it; else empty'),
  decode: z.string().describe('code and letters, e.g. 0x45 float32 CDAB; empty for other protocols'),
  sheet: z.string(),
  row: z.int().nullable(),
  fields: z.array(FieldChange).describe('what differs in a changed point'),
  only: Only,
});
export type TableChange = z.infer<typeof TableChange>;

const Tally = z.object({ added: z.int(), changed: z.int(), unchanged: z.int(), removed: z.int() });

export const ImportReport = z.object({
  mode: z.enum(['preview', 'merge', 'replace']),
  applied: z.boolean().describe('true when the table is now as the file says'),
  foreign: z.boolean().describe('the file is no table of ours; analyse_list says how it would be read, and `mapping` reads it'),
  file: z.object({
    name: z.string(),
    format: z.enum(['xlsx', 'csv', 'text', 'json', 'yaml']).nullable().describe('null: none of them'),
    encoding: z.string().describe('of a csv: utf-8, utf-16le, utf-16be or gb18030 (which contains GBK)'),
    delimiter: z.string().describe('of a csv'),
  }),
  counts: z.object({
    rows: z.int().describe('rows that hold a point'),
    yc: z.int(),
    yx: z.int(),
    yk: z.int(),
    yt: z.int(),
    errors: z.int(),
    warnings: z.int(),
    merge: Tally.nullable().describe('what merge does; null when replace was asked for'),
    replace: Tally.nullable().describe('what replace does; null when merge was asked for'),
  }),
  errors: z.array(TableIssue).describe('nothing changes while there is one; the first 2000, the count says how many'),
  warnings: z.array(TableIssue).describe('allowed and probably worth a look; the first 2000'),
  changes: z.array(TableChange).describe('what goes, what changes, what comes; the first 1000 of each, the counts say how many'),
});
export type ImportReport = z.infer<typeof ImportReport>;

const ChannelId = queryInt(1, Number.MAX_SAFE_INTEGER);
const Format = z.enum(['xlsx', 'csv']);

/** Media types of the two formats. */
export const TABLE_MEDIA_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const;

const tableFile = { mediaTypes: Object.values(TABLE_MEDIA_TYPES) } as const;

export const pointFileOperations = {
  importPoints: operation({
    method: 'POST',
    path: '/api/channel/import_points',
    summary: 'Preview, merge or replace the point table from an xlsx or csv file',
    description:
      'All or none: nothing changes when there is an error, and the answer is then a 200 with `applied` false and the whole list. `merge` adds new ' +
      'points and changes those whose code is there; what the file has no column for stays. `replace` makes the table what the file says: it stops the ' +
      'tasks of the channel, swaps, and starts the automatic one again. Points that keep their code keep their id. Columns are found by header. ' +
      'docs/guide/point-tables.md describes the file.',
    tag: 'points',
    effect: 'repeatable',
    line: true,
    query: z.object({
      channel_id: ChannelId,
      mode: z.enum(['preview', 'merge', 'replace']),
      pasted: z
        .enum(['all', '0', '1', '2', '3'])
        .optional()
        .describe(
          'the file is text from the clipboard: UTF-8, divided by tabs, with or without a header line. Without one the columns are those of the export: ' +
            'of the CSV (`all`), or of the sheet of this type of point, which is also that of rows that name none',
        ),
      impossible_bits: z
        .enum(IMPOSSIBLE_BITS)
        .optional()
        .describe(
          'what becomes of a bit where none is possible, such as bit 2 of a coil: an error (`refuse`, the default), left out (`leave`), or counted on from ' +
            'the address (`address`: coil 256 with bit 2 is coil 258). Bit 0 is always left out',
        ),
    }),
    body: z.object({
      file: z.file({ error: mustBe(say('field.table_file')) }).describe('xlsx or csv, 32 MiB and 100,000 rows at most'),
      mapping: MappingField.describe(
        'reads a foreign list, as JSON (schema ListMapping of analyse_list); {}: as found. Left out: the file is a table of ours',
      ),
    }),
    upload: { largestFile: LARGEST_TABLE_FILE },
    data: ImportReport,
    errors: [404, 409, 507],
  }),
  exportPoints: operation({
    method: 'GET',
    path: '/api/channel/export_points',
    summary: 'The point table of a channel as a file',
    description: 'The file imports into the same points. xlsx: four sheets; csv: one table, UTF-8 with BOM.',
    tag: 'points',
    effect: 'query',
    query: z.object({ channel_id: ChannelId, format: Format.optional().describe('default xlsx') }),
    body: Nothing,
    download: tableFile,
    data: z.custom<DownloadedFile>(),
    errors: [404],
  }),
  pointsTemplate: operation({
    method: 'GET',
    path: '/api/channel/points_template',
    summary: 'An empty point table to fill in',
    description: 'With `channel_id` it also has the optional columns that mean something to the protocol of that channel.',
    tag: 'points',
    effect: 'query',
    query: z.object({ channel_id: ChannelId.optional(), format: Format.optional().describe('default xlsx') }),
    body: Nothing,
    download: tableFile,
    data: z.custom<DownloadedFile>(),
    errors: [404],
  }),
} as const;
