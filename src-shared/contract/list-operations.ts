import { z } from 'zod';
import { LIST_QUESTIONS } from '../domain/list-mapping.ts';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { Id, lineOfText, MessageParamsSchema, MessageSchema, Nothing, queryInt } from './common.ts';
import { ListMapping, MappingField, Role, Word } from './list-mapping.ts';
import { type DownloadedFile, operation } from './operation.ts';
import { LARGEST_TABLE_FILE, TableIssue } from './point-files.ts';
import { NewPoint } from './points.ts';

/** The profile file that is exchanged, in octets. */
export const LARGEST_PROFILE_FILE = 256 * 1024;
/** Profiles of the data folder. */
export const MOST_PROFILES = 200;
/** Sample rows of a question, and points of `compare_readings`. */
export const MOST_COMPARED = 12;

const ListColumn = z.object({
  index: z.int(),
  letter: z.string().describe('as a spreadsheet names it'),
  header: z.string(),
  role: Role,
  source: z.enum(['header', 'content', 'profile', 'given', 'none']).describe('what says the role'),
  samples: z.array(z.string()).describe('some cells of it, the first ones that differ'),
  filled: z.int().describe('rows of the table in which something stands'),
  readable: z.int().describe('of these, the ones that can be read as the role'),
});
export type ListColumn = z.infer<typeof ListColumn>;

const ListTable = z.object({
  sheet: z.string(),
  header_row: z.int(),
  header_rows: z.int(),
  first_row: z.int(),
  last_row: z.int(),
  left: z.int(),
  taken: z.boolean(),
  rows: z.int().describe('rows in which something stands'),
  points: z.int().describe('rows that were understood as points'),
  columns: z.array(ListColumn),
});
export type ListTable = z.infer<typeof ListTable>;

const ListQuestion = z.object({
  id: z.string().describe('key of the answer in `answers`'),
  kind: z.enum(LIST_QUESTIONS),
  params: MessageParamsSchema,
  choices: z.array(z.string()).describe('possible answers; `leave` leaves the rows out'),
  proposed: z.string().nullable().describe('the likelier one, which is still asked for; null: none'),
  answer: z.string().nullable().describe('the answer of the mapping that was given; null: none yet'),
  rows: z.int().describe('rows that depend on it'),
  samples: z.array(z.object({ sheet: z.string(), row: z.int(), text: z.string() })).describe('some of them'),
  candidates: z
    .array(z.object({ choice: z.string(), points: z.array(NewPoint) }))
    .describe('what some rows are under each answer, for compare_readings; empty where reading would not tell'),
});
export type ListQuestion = z.infer<typeof ListQuestion>;

export const ListAnalysis = z.object({
  file: z.object({
    name: z.string(),
    format: z.enum(['xlsx', 'csv', 'text', 'json', 'yaml']).nullable(),
    encoding: z.string(),
    delimiter: z.string(),
  }),
  sheets: z.array(
    z.object({ name: z.string(), rows: z.int(), hidden: z.boolean(), lines: z.array(z.array(z.string())).describe('its first rows') }),
  ),
  tables: z.array(ListTable),
  profile: z.object({ id: z.string(), name: z.string() }).nullable().describe('the profile that was used'),
  fitting: z
    .array(z.object({ id: z.string(), name: z.string(), share: z.number() }))
    .describe('profiles whose headers the list has, the best first'),
  questions: z.array(ListQuestion).describe('the open ones first'),
  counts: z.object({
    rows: z.int().describe('rows of the tables in which something stands'),
    understood: z.int().describe('rows that became points'),
    left_out: z.int(),
    open: z.int().describe('rows that wait for an answer'),
    points: z.int(),
    yc: z.int(),
    yx: z.int(),
    yk: z.int(),
    yt: z.int(),
    writable: z.int().describe('rows that can be written'),
  }),
  errors: z.array(TableIssue).describe('why nothing can be imported yet'),
  left_out: z.array(TableIssue).describe('rows that are no points, each with its reason; the first 2000'),
  told: z.array(TableIssue).describe('what was concluded and is worth a look; the first 2000'),
  points: z
    .array(z.object({ sheet: z.string(), row: z.int(), point: NewPoint }))
    .describe('the first 200 points as they would be imported'),
  headers: z.array(z.string()).describe('all headers of the tables: what a profile is found by'),
});
export type ListAnalysis = z.infer<typeof ListAnalysis>;

/** A named mapping: what a file has to look like, and how it is read. */
export const ListProfile = z.object({
  id: z.string().min(1).max(100).describe('of built-in ones fixed; of own ones made from the name'),
  name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(...lineOfText),
  about: z.string().max(500).describe('what lists it is for'),
  built_in: z.boolean(),
  headers: z.array(Word).min(1).max(256).describe('headers of the lists it is for'),
  formats: z.array(z.enum(['xlsx', 'csv', 'text', 'json', 'yaml'])).describe('empty: any'),
  mapping: ListMapping.omit({ profile: true, tables: true }),
});
export type ListProfile = z.infer<typeof ListProfile>;

const ProfileFile = { mediaTypes: ['application/json'] } as const;
const ProfileId = z.object({ id: z.string().min(1).max(100) });

const Reading = z.object({
  choice: z.string(),
  address: z.int(),
  value: z.number().nullable().describe('null where there is none'),
  value_text: z.string(),
  unit: z.string(),
  raw_hex: z.string(),
  plausible: z.boolean().describe('false also where nothing was read'),
  error: z.string().nullable(),
  error_info: MessageSchema.optional(),
});

export const ComparedReadings = z.object({
  rows: z.array(z.object({ code: z.string(), name: z.string(), readings: z.array(Reading) })),
  plausible: z.string().nullable().describe('the choice under which clearly more values look like measured ones; null: none is'),
  requests: z.int().describe('exchanges with the device'),
});
export type ComparedReadings = z.infer<typeof ComparedReadings>;

export const listMappingOperations = {
  analyseList: operation({
    method: 'POST',
    path: '/api/channel/analyse_list',
    summary: 'How a foreign register list would be read into the point table of a channel',
    description:
      'For lists that are no point table of ours: xlsx, csv, text from the clipboard, JSON, YAML. Answers what each column was taken for, with samples, what is asked, what is told, ' +
      'and which rows are left out and why. Nothing is changed and nothing is asked of a device. The same `mapping` goes to import_points. docs/guide/point-tables.md describes it.',
    tag: 'points',
    effect: 'query',
    query: z.object({ channel_id: queryInt(1, Number.MAX_SAFE_INTEGER) }),
    body: z.object({
      file: z.file({ error: mustBe(say('field.table_file')) }).describe('xlsx, csv, text, JSON or YAML; 32 MiB and 100,000 rows at most'),
      mapping: MappingField,
    }),
    upload: { largestFile: LARGEST_TABLE_FILE },
    data: ListAnalysis,
    errors: [404],
  }),
  compareReadings: operation({
    method: 'POST',
    path: '/api/device/compare_readings',
    summary: 'Read some addresses of a list in each of the ways it may be meant',
    description:
      'The `candidates` of a question of analyse_list as they are. Every point takes one read, one exchange under the device lock at a time; only YC and YX are read, and the table is not ' +
      'changed. Ends when three reads in a row were not answered.',
    tag: 'points',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: Nothing,
    body: z.object({
      channel_id: Id,
      candidates: z
        .array(z.object({ choice: z.string().max(100), points: z.array(NewPoint).min(1).max(MOST_COMPARED) }))
        .min(2)
        .max(4),
    }),
    data: ComparedReadings,
    errors: [404, 409, 503],
  }),
  listProfiles: operation({
    method: 'GET',
    path: '/api/mapping/profiles',
    summary: 'Profiles of foreign lists: those that come with the program, and those of the data folder',
    description:
      'A profile says which columns of a foreign list mean what. Files that are none are listed with the reason, and left alone.',
    tag: 'points',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.object({
      items: z.array(ListProfile),
      unreadable: z
        .array(z.object({ file: z.string(), reason: z.string(), reason_info: MessageSchema }))
        .describe('files of the folder that are no profiles'),
    }),
  }),
  saveProfile: operation({
    method: 'PUT',
    path: '/api/mapping/profile',
    summary: 'Keep a mapping under a name; one of the same name is replaced',
    description: 'It lies in the data folder as a file of its own. 409: the name is that of a profile that comes with the program.',
    tag: 'points',
    effect: 'repeatable',
    example: { name: 'Plant list', headers: ['register', 'name'] },
    query: Nothing,
    body: ListProfile.pick({ name: true, headers: true, mapping: true }).extend({
      about: ListProfile.shape.about.default(''),
      formats: ListProfile.shape.formats.default([]),
    }),
    data: ListProfile,
    errors: [409, 507],
  }),
  deleteProfile: operation({
    method: 'DELETE',
    path: '/api/mapping/profile',
    summary: 'Delete a profile of the data folder',
    description: '409: it comes with the program and stays.',
    tag: 'points',
    effect: 'repeatable',
    query: ProfileId,
    body: Nothing,
    data: ListProfile,
    errors: [404, 409],
  }),
  profileFile: operation({
    method: 'GET',
    path: '/api/mapping/profile_file',
    summary: 'A profile as a file, for other people',
    description: 'JSON, as `POST /api/mapping/profile_file` takes it on another computer.',
    tag: 'points',
    effect: 'query',
    query: ProfileId,
    body: Nothing,
    download: ProfileFile,
    data: z.custom<DownloadedFile>(),
    errors: [404],
  }),
  addProfileFile: operation({
    method: 'POST',
    path: '/api/mapping/profile_file',
    summary: 'Take a profile from a file; one of the same name is replaced',
    description: '422 says what in the file is not as it has to be. 409: the name is that of a profile that comes with the program.',
    tag: 'points',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ file: z.file({ error: mustBe(say('field.table_file')) }).describe('JSON, 256 KiB at most') }),
    upload: { largestFile: LARGEST_PROFILE_FILE },
    data: ListProfile,
    errors: [409, 507],
  }),
} as const;
