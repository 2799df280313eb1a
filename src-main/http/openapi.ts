import { z } from 'zod';
import { Access } from '#shared/contract/access.ts';
import { KeptCapture } from '#shared/contract/captures.ts';
import { Channel, ProtocolDescriptor, SerialPortInfo } from '#shared/contract/channels.ts';
import { CheckItem, CheckResult, CheckRun, CheckSession, CheckVerification } from '#shared/contract/check.ts';
import { ErrorCodeSchema, ErrorEnvelope, FieldIssueSchema, MessageSchema } from '#shared/contract/common.ts';
import { roleOf } from '#shared/contract/effect.ts';
import { AuditEntry, EventEntry } from '#shared/contract/events.ts';
import { exampleOfJson } from '#shared/contract/example.ts';
import { ExplainNodeSchema, FrameEntry, FrameStatisticsRow } from '#shared/contract/frames.ts';
import { DeviceModel, DocumentReport, ModelNode, ModelTreeNode } from '#shared/contract/iec61850.ts';
import { type Operation, operations } from '#shared/contract/index.ts';
import { DoctorJob, FindJob, Job, ScanJob, Verdict } from '#shared/contract/jobs.ts';
import { DeviceTemplate } from '#shared/contract/library.ts';
import { LineStats } from '#shared/contract/line.ts';
import { ListMapping } from '#shared/contract/list-mapping.ts';
import { ComparedReadings, ListAnalysis, ListProfile } from '#shared/contract/list-operations.ts';
import { ListedWrite, NamedPoint } from '#shared/contract/lists.ts';
import {
  type Stream,
  StreamChannel,
  StreamEnded,
  StreamEvents,
  StreamHello,
  StreamMissed,
  type Streams,
  StreamTask,
  StreamValue,
  StreamValues,
  streams,
} from '#shared/contract/live.ts';
import { ImportReport, TableChange, TableIssue } from '#shared/contract/point-files.ts';
import { CommandResult, NewPoint, Point } from '#shared/contract/points.ts';
import { PointHistory, PointStep } from '#shared/contract/points-edit.ts';
import { MissingPart, ProjectInfo, ProjectTextReport, RecentProject } from '#shared/contract/projects.ts';
import { Publisher } from '#shared/contract/publish.ts';
import { Remote, RemoteView } from '#shared/contract/remotes.ts';
import { ServiceInfo, ServiceSettings } from '#shared/contract/service.ts';
import { CapturedConversation, LookedCapture, Series, TakenCapture } from '#shared/contract/simulation.ts';
import { Comparison } from '#shared/contract/table-compare.ts';
import { TableJob } from '#shared/contract/table-job.ts';
import { ReadTaskConfig, TaskSnapshot } from '#shared/contract/tasks.ts';
import { UpdateNotice } from '#shared/contract/updates.ts';
import { COMMON_ERRORS, errorResponses } from './openapi-errors.ts';

type Json = Record<string, unknown>;

/** What a body is, and one of them. */
interface Media {
  readonly schema: Json;
  readonly example: unknown;
}

/** An OpenAPI 3.1 document as plain JSON. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly [more: string]: unknown };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly [more: string]: unknown;
}

/** Shapes that appear in answers under a name of their own. */
const NAMED_ANSWERS = {
  Access,
  Channel,
  ProtocolDescriptor,
  SerialPortInfo,
  Point,
  PointStep,
  PointHistory,
  CommandResult,
  ListedWrite,
  ImportReport,
  TableChange,
  TableIssue,
  ListAnalysis,
  ListProfile,
  ComparedReadings,
  DeviceTemplate,
  ReadTaskConfig,
  TaskSnapshot,
  FrameEntry,
  FrameStatisticsRow,
  ExplainNode: ExplainNodeSchema,
  EventEntry,
  AuditEntry,
  StreamHello,
  StreamValues,
  StreamValue,
  StreamChannel,
  StreamTask,
  StreamEvents,
  StreamMissed,
  StreamEnded,
  CheckSession,
  CheckItem,
  CheckResult,
  CheckRun,
  CheckVerification,
  ServiceInfo,
  ServiceSettings,
  ProjectInfo,
  RecentProject,
  UpdateNotice,
  Remote,
  RemoteView,
  LineStats,
  Comparison,
  Publisher,
  Series,
  CapturedConversation,
  LookedCapture,
  TakenCapture,
  KeptCapture,
  MissingPart,
  ProjectTextReport,
  Job,
  DoctorJob,
  FindJob,
  ScanJob,
  TableJob,
  Verdict,
  DeviceModel,
  DocumentReport,
  ModelNode,
  ModelTreeNode,
  FieldIssue: FieldIssueSchema,
  Message: MessageSchema,
  ErrorCode: ErrorCodeSchema,
  Error: ErrorEnvelope,
} as const;

const STREAM_SCHEMAS = {
  hello: 'StreamHello',
  values: 'StreamValues',
  channel: 'StreamChannel',
  task: 'StreamTask',
  events: 'StreamEvents',
  command: 'AuditEntry',
  missed: 'StreamMissed',
  ended: 'StreamEnded',
} as const satisfies Record<keyof Streams['eventStream']['events'], keyof typeof NAMED_ANSWERS>;

/** Shapes that appear in requests under a name of their own. */
const NAMED_REQUESTS = { NewPoint, NamedPoint, ListMapping } as const;

const TAGS = [
  { name: 'channels', description: 'Channels, each with one device; start and stop' },
  { name: 'points', description: 'Point tables, values, writes and commands' },
  { name: 'model', description: 'The information model of a device: tree, data sets, points made of it, and the file that describes it' },
  { name: 'tasks', description: 'Automatic and manual read tasks' },
  { name: 'jobs', description: 'Doctor, search and scan: asked for by name, with progress and cancel; and the identification of a device' },
  {
    name: 'check',
    description: 'The point-to-point check: sessions, items with their expectation, results that are appended, and the record',
  },
  { name: 'frames', description: 'What went over the line' },
  { name: 'events', description: 'Sequence of events, and the audit of writes' },
  { name: 'service', description: 'The service itself' },
  { name: 'project', description: 'The project file' },
];

/** The description of the whole interface, made from the contract; `version` is that of the program. */
export function buildOpenApi(version: string): OpenApiDocument {
  const answers = { ...NAMED_ANSWERS, ...operationSchemas('Data', (operation) => (operation.download ? null : operation.data)) };
  const requests = { ...NAMED_REQUESTS, ...operationSchemas('Body', (operation) => operation.body) };
  const answerSchemas = toSchemas(answers, 'output');
  const requestSchemas = toSchemas(requests, 'input');
  const schemas = { ...pick(answerSchemas, Object.keys(NAMED_ANSWERS)), ...pick(requestSchemas, Object.keys(NAMED_REQUESTS)) };
  const named = (id: string, schema: Json): Json => {
    if (schema.$ref !== undefined || !isWorthName(schema)) return schema;
    const name = id.charAt(0).toUpperCase() + id.slice(1);
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const data = named(`${name}Data`, answerSchemas[`${name}Data`] ?? {});
    const body = hasBody(operation) ? named(`${name}Body`, requestSchemas[`${name}Body`] ?? {}) : null;
    const described = describeOperation(name, operation, body && { schema: body, example: bodyExample(operation, body, schemas) }, {
      schema: envelope(data),
      example: { code: 200, message: 'success', data: exampleOfJson(data, inDocument(schemas), 'output') },
    });
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described };
  }
  for (const [name, stream] of Object.entries(streams)) {
    paths[stream.path] = {
      ...paths[stream.path],
      [stream.method.toLowerCase()]: describeStream(name, stream, streamExample(stream, schemas)),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Loopcheck',
      version,
      description:
        'Bring power and metering devices into service: channels, point tables, background reads, commands, frames. ' +
        'Every JSON answer is `{code, message, data}`; `code` equals the HTTP status, and a failure adds `error`, a stable code. ' +
        'Fields that are not known never fail a request: the answer lists them in `warnings`. An absent body counts as `{}`. ' +
        'Times are UTC, ISO 8601 with milliseconds and Z. ' +
        'The header `x-project-session` says which project a request is meant for (`project_session` of GET /api/service/info): ' +
        'when another one is open by now, the request is refused (409) and does nothing.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: TAGS,
    security: [{}, { token: [] }],
    paths,
    components: {
      schemas,
      responses: errorResponses(),
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'Needed when the service was started with a token' } },
    },
  };
}

function hasBody({ method, body }: Operation): boolean {
  return method !== 'GET' && Object.keys(body.shape).length > 0;
}

/** An object with fields, or a choice of shapes: what a generated client makes a type of. */
function isWorthName({ properties, anyOf, oneOf }: Json): boolean {
  return Object.keys(properties ?? {}).length > 0 || anyOf !== undefined || oneOf !== undefined;
}

/** Where references into the document lead. */
function inDocument(schemas: Readonly<Record<string, Json>>): Json {
  return { components: { schemas } };
}

function bodyExample({ example }: Operation, schema: Json, schemas: Readonly<Record<string, Json>>): Json {
  return { ...(exampleOfJson(schema, inDocument(schemas), 'input') as Json), ...example };
}

/** `body` is null where the operation takes none; `answer` where it is no file. */
function describeOperation(name: string, operation: Operation, body: Media | null, answer: Media): Json {
  const own = [...(operation.errors ?? []), ...(operation.effect === 'command' ? [507] : []), ...(operation.upload ? [429] : [])];
  const statuses = [...Object.keys(COMMON_ERRORS).map(Number), ...own];
  return {
    operationId: name,
    'x-effect': operation.effect,
    'x-role': roleOf(operation),
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    parameters: queryParameters(operation.query),
    ...(body ? { requestBody: { required: isBodyNeeded(operation), content: { [bodyType(operation)]: body } } } : {}),
    responses: {
      200: operation.download ? fileResponse(operation.download) : { description: 'success', content: { 'application/json': answer } },
      ...errorsOf(statuses),
    },
  };
}

/** A message of each kind, as they are written. */
function streamExample({ events }: Stream, schemas: Readonly<Record<string, Json>>): string {
  const texts = Object.keys(events).map((event) => {
    const data = exampleOfJson({ $ref: streamReference(event) }, inDocument(schemas), 'output');
    return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  });
  return texts.join('');
}

function describeStream(name: string, { tag, summary, description, query, errors, events }: Stream, example: string): Json {
  const kinds = Object.keys(events).map((event) => `\`${event}\``);
  const schema = {
    type: 'string',
    description: `server-sent events: ${kinds.join(', ')}; \`data\` of each is JSON, as x-events says`,
    'x-events': Object.fromEntries(Object.keys(events).map((event) => [event, { $ref: streamReference(event) }])),
  };
  return {
    operationId: name,
    'x-effect': 'query',
    'x-role': 'view',
    tags: [tag],
    summary,
    description,
    parameters: [
      ...queryParameters(query),
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description: 'place where a reader goes on; before `since`',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: { description: 'an answer that goes on', content: { 'text/event-stream': { schema, example } } },
      ...errorsOf([...COMMON_STREAM_ERRORS, ...errors]),
    },
  };
}

/** A request without a body cannot have a wrong one. */
const COMMON_STREAM_ERRORS = Object.keys(COMMON_ERRORS)
  .map(Number)
  .filter((status) => ![400, 413, 415].includes(status));

function errorsOf(statuses: readonly number[]): Json {
  const sorted = [...new Set(statuses)].sort((a, b) => a - b);
  return Object.fromEntries(sorted.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]));
}

/** To what stands in an event of a stream. */
function streamReference(event: string): string {
  return `#/components/schemas/${STREAM_SCHEMAS[event as keyof Streams['eventStream']['events']]}`;
}

function bodyType(operation: Operation): string {
  return operation.upload ? 'multipart/form-data' : 'application/json';
}

function fileResponse({ mediaTypes, isShown }: NonNullable<Operation['download']>): Json {
  const content = Object.fromEntries(
    mediaTypes.map((type) => [type.split(';', 1)[0], { schema: isShown ? { type: 'string' } : { type: 'string', format: 'binary' } }]),
  );
  const headers = {
    'Content-Disposition': {
      description: isShown ? 'name of the text' : 'attachment with the name of the file',
      schema: { type: 'string' },
    },
  };
  return { description: isShown ? 'the text' : 'the file', headers, content };
}

function isBodyNeeded(operation: Operation): boolean {
  return !operation.body.safeParse({}).success;
}

function queryParameters(query: z.ZodObject): Json[] {
  const schema = z.toJSONSchema(query, { io: 'input', override: plainQueryTypes }) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(schema.properties ?? {}).map(([name, { description, ...field }]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    ...(description ? { description } : {}),
    schema: field,
  }));
}

/** A query field is text that spells a number; the description shows the number only. */
function plainQueryTypes({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.type === 'integer' || jsonSchema.type === 'boolean') delete jsonSchema.anyOf;
  readablePattern(jsonSchema);
}

/** Later versions may add fields to an answer, so no object is described as closed. */
function openObject({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  readablePattern(jsonSchema);
}

/** Categories of Unicode become ranges of characters: the patterns of most languages outside JavaScript know no other spelling. */
function readablePattern(jsonSchema: Json): void {
  const { pattern, allOf } = jsonSchema;
  // a text with two patterns
  for (const part of (allOf ?? []) as Json[]) readablePattern(part);
  if (typeof pattern !== 'string') return;
  jsonSchema.pattern = pattern.replaceAll('\\p{Cc}', '\\u0000-\\u001f\\u007f-\\u009f').replaceAll('\\p{Cs}', '\\ud800-\\udfff');
}

function envelope(data: Json): Json {
  return {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'integer', const: 200 },
      message: { type: 'string', const: 'success' },
      data,
      warnings: {
        type: 'array',
        items: { $ref: '#/components/schemas/FieldIssue' },
        description: 'fields that were not known and not used, and values that are allowed and probably not meant',
      },
    },
  };
}

/** Schemas of all operations under a name each; null leaves one out. */
function operationSchemas(suffix: string, schemaOf: (operation: Operation) => z.ZodType | null): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(operations).flatMap(([name, operation]) => {
      const schema = schemaOf(operation);
      return schema ? [[`${name}${suffix}`, schema]] : [];
    }),
  );
}

/** JSON Schemas of all given shapes, referring to each other by name. */
function toSchemas(named: Record<string, z.ZodType>, io: 'input' | 'output'): Record<string, Json> {
  const registry = z.registry<{ id?: string | undefined }>();
  const aliases = new Map<z.ZodType, string>();
  for (const [id, schema] of Object.entries(named)) {
    if (aliases.has(schema)) continue;
    aliases.set(schema, id);
    registry.add(schema, { id });
  }
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}`, override: openObject });
  return Object.fromEntries(
    Object.entries(named).map(([id, schema]) => {
      const owner = aliases.get(schema) ?? id;
      const isNamed = owner in NAMED_ANSWERS || owner in NAMED_REQUESTS;
      return [id, owner !== id && isNamed ? { $ref: `#/components/schemas/${owner}` } : plain(schemas[owner] as Json)];
    }),
  );
}

function plain({ $schema, $id, ...schema }: Json): Json {
  return schema;
}

function pick(schemas: Record<string, Json>, names: readonly string[]): Record<string, Json> {
  return Object.fromEntries(names.map((name) => [name, schemas[name] ?? {}]));
}
