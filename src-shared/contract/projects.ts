import { z } from 'zod';
import { MISSING_KINDS, RECENT_STATES } from '../domain/projects.ts';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { FieldIssueSchema, Id, lineOfText, MessageParamsSchema, MessageSchema, Nothing, queryInt, Timestamp } from './common.ts';
import { type DownloadedFile, operation } from './operation.ts';

/** Largest project file that is taken over HTTP, in octets. */
export const LARGEST_PROJECT_FILE = 1024 * 1024 * 1024;

/** Largest text form, in octets: 200,000 points with every key fit. */
export const LARGEST_PROJECT_TEXT = 128 * 1024 * 1024;

/** Media type of a project file. */
export const PROJECT_MEDIA_TYPE = 'application/vnd.sqlite3';

export const ProjectInfo = z.object({
  path: z.string(),
  name: z.string().describe('file name without its ending'),
  schema_version: z.int(),
  size_bytes: z.int(),
  channels: z.int(),
  points: z.int(),
});
export type ProjectInfo = z.infer<typeof ProjectInfo>;

export const RecentProject = z.object({
  path: z.string(),
  name: z.string().describe('file name without its ending'),
  opened_at: Timestamp.describe('when it was opened last'),
  state: z
    .enum(RECENT_STATES)
    .describe(
      'open: it is the open one; missing: deleted, renamed, moved, or its drive is not there; silent: its drive did not answer in time',
    ),
  reason: z.string().nullable().describe('why it cannot be opened now, and what to do; null where nothing is known against it'),
  reason_message: MessageSchema.nullable(),
});
export type RecentProject = z.infer<typeof RecentProject>;

export const MissingPart = z.object({
  kind: z.enum(MISSING_KINDS),
  channel_id: Id.describe('channel that needs it; of a protocol that is not known it is a channel which is not listed'),
  channel: z.string(),
  message: z.string().describe('what is missing, and what to do'),
  message_code: z.string(),
  params: MessageParamsSchema,
});
export type MissingPart = z.infer<typeof MissingPart>;

export const ProjectTextReport = z.object({
  mode: z.enum(['preview', 'add', 'new']),
  applied: z.boolean().describe('true when everything in the text is in a project now; false: nothing is'),
  version: z.int().nullable().describe('of the text form; null where it says none'),
  counts: z.object({ channels: z.int(), points: z.int(), errors: z.int(), warnings: z.int() }),
  channels: z
    .array(
      z.object({
        name: z.string(),
        protocol_type: z.int(),
        points: z.int(),
        is_taken: z.boolean().describe('the open project has a channel of this name'),
      }),
    )
    .describe('as the text has them'),
  errors: z.array(FieldIssueSchema).describe('wrong places, e.g. channels[2].points[14].address; the first 1000, then their number'),
  warnings: z.array(FieldIssueSchema).describe('what was not used, or is probably not meant'),
  project: ProjectInfo.nullable().describe('the project that is open now; null where nothing was applied'),
});
export type ProjectTextReport = z.infer<typeof ProjectTextReport>;

const projectPath = z
  .string()
  .trim()
  .min(1)
  .max(4096)
  .regex(...lineOfText)
  .describe('absolute path of a .loopcheck file on the computer the service runs on');

export const projectOperations = {
  projectInfo: operation({
    method: 'GET',
    path: '/api/project/info',
    summary: 'The open project file',
    description: 'Its place, size and counts. `schema_version` is that of the file; an older program refuses a newer file and says so.',
    tag: 'project',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: ProjectInfo,
  }),
  openProject: operation({
    method: 'POST',
    path: '/api/project/open',
    summary: 'Stop everything and continue with another project file',
    description:
      'The file is checked and locked before the present project is closed; a refusal (newer, locked, damaged, not a project) changes nothing.',
    tag: 'project',
    effect: 'repeatable',
    line: true,
    query: Nothing,
    body: z.object({ path: projectPath, create: z.boolean().default(false).describe('make a new project when there is no file') }),
    data: ProjectInfo,
    errors: [404, 409, 507],
  }),
  backupProject: operation({
    method: 'POST',
    path: '/api/project/backup',
    summary: 'Write a consistent copy of the open project to a new file',
    description: 'Works also when the open file was deleted, renamed or moved; a copy that would be damaged is refused.',
    tag: 'project',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ path: projectPath }),
    data: z.object({ path: z.string(), size_bytes: z.int() }),
    errors: [409, 507],
  }),
  renameProject: operation({
    method: 'POST',
    path: '/api/project/rename',
    summary: 'Give the open project file another name or place on the same drive',
    description:
      'All channels stop, and those with `auto_start` start again. Passwords and codes come along. Nothing is replaced; a refusal leaves the project open as it was.',
    tag: 'project',
    effect: 'repeatable',
    line: true,
    query: Nothing,
    body: z.object({ path: projectPath }),
    data: ProjectInfo,
    errors: [409, 507],
  }),
  recentProjects: operation({
    method: 'GET',
    path: '/api/project/recent',
    summary: 'Projects that were open before, and whether they can be opened now',
    description: 'The last opened first, 20 at most. Each file is looked at without being opened or locked.',
    tag: 'project',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.object({
      folder: z.string().describe('where projects lie that were given no other place'),
      items: z.array(RecentProject),
    }),
  }),
  forgetProject: operation({
    method: 'DELETE',
    path: '/api/project/recent',
    summary: 'Take a project off the list of recent ones; its file stays',
    description: '409: it is the one that is open.',
    tag: 'project',
    effect: 'repeatable',
    query: z.object({ path: z.string().min(1).max(4096) }),
    body: Nothing,
    data: z.object({ forgotten: z.boolean().describe('false: it was not on the list') }),
    errors: [409, 507],
  }),
  openDemo: operation({
    method: 'POST',
    path: '/api/project/demo',
    summary: 'Continue with a simulated plant, restored and running, in a project of its own',
    description:
      'As a start with --demo does it. The simulation ends when another project is opened. It answers when the plant runs, which takes seconds.',
    tag: 'project',
    effect: 'repeatable',
    line: true,
    query: Nothing,
    body: Nothing,
    data: ProjectInfo,
    errors: [409, 503, 507],
  }),
  missingParts: operation({
    method: 'GET',
    path: '/api/project/missing',
    summary: 'What the open project needs and this computer does not have',
    description:
      'Empty when all is there. A project that was made elsewhere, or moved, comes without serial ports, passwords and the files that its settings name.',
    tag: 'project',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.object({ items: z.array(MissingPart) }),
  }),
  downloadProject: operation({
    method: 'GET',
    path: '/api/project/file',
    summary: 'The open project as a file',
    description: 'A consistent copy, made as POST /api/project/backup makes it. Passwords and codes are not in it.',
    tag: 'project',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    download: { mediaTypes: [PROJECT_MEDIA_TYPE] },
    data: z.custom<DownloadedFile>(),
    errors: [409, 507],
  }),
  projectText: operation({
    method: 'GET',
    path: '/api/project/text',
    summary: 'The open project, or one channel of it, as JSON text for version control',
    description:
      'Stable order, a line for each point, without ids, times, passwords and files of devices: two texts differ where the configuration does. docs/guide/projects.md describes it.',
    tag: 'project',
    effect: 'query',
    query: z.object({ channel_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional().describe('left out: the whole project') }),
    body: Nothing,
    download: { mediaTypes: ['application/json'] },
    data: z.custom<DownloadedFile>(),
    errors: [404, 409, 507],
  }),
  importProjectText: operation({
    method: 'POST',
    path: '/api/project/text',
    summary: 'Preview a text form, add its channels to the open project, or make a new project of it',
    description:
      'All or none: nothing changes when there is an error, and the answer is then a 200 with `applied` false and the list. `add` puts the channels, stopped, into the open ' +
      'project; `new` makes the file `path` and opens it.',
    tag: 'project',
    effect: 'repeatable',
    line: true,
    query: z.object({ mode: z.enum(['preview', 'add', 'new']), path: projectPath.optional().describe('needed for `new`') }),
    body: z.object({
      file: z.file({ error: mustBe(say('field.project_text')) }).describe('JSON as GET /api/project/text has it, 128 MiB at most'),
    }),
    upload: { largestFile: LARGEST_PROJECT_TEXT, toDisk: true },
    data: ProjectTextReport,
    errors: [409, 507],
  }),
  uploadProject: operation({
    method: 'PUT',
    path: '/api/project/file',
    summary: 'Put a project file into the folder of projects; it is not opened yet',
    description:
      'The file is checked before it takes its place, and never takes the place of another one: a taken name gets a number. ' +
      'POST /api/project/open with the answered path opens it.',
    tag: 'project',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ file: z.file({ error: mustBe(say('field.project_file')) }).describe('a .loopcheck file, 1 GiB at most') }),
    upload: { largestFile: LARGEST_PROJECT_FILE, toDisk: true },
    data: z.object({ path: z.string(), name: z.string(), size_bytes: z.int() }),
    errors: [409, 507],
  }),
} as const;
