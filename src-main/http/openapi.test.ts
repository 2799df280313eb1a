import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ErrorEnvelope } from '#shared/contract/common.ts';
import { EFFECTS } from '#shared/contract/effect.ts';
import { type Operation, operations } from '#shared/contract/index.ts';
import { type Stream, streams } from '#shared/contract/live.ts';
import { ROLES } from '#shared/domain/access.ts';
import { ERROR_CODES } from '#shared/domain/errors.ts';
import { VERSION } from '../platform/version.ts';
import { buildOpenApi } from './openapi.ts';

const document = buildOpenApi(VERSION);

/** The parts of OpenAPI 3.1 that the document uses, each with what the specification demands of it. */
const Reference = z.strictObject({ $ref: z.string().regex(/^#\/components\/(schemas|responses)\/\w+$/) });
const Schema = z.record(z.string(), z.unknown());
const Shown = z.strictObject({ schema: Schema, example: z.record(z.string(), z.unknown()) });
const Media = z.strictObject({ 'application/json': Shown });
const Form = z.strictObject({ 'multipart/form-data': Shown });
const Download = z.strictObject({
  description: z.string().min(1),
  headers: z.strictObject({ 'Content-Disposition': z.strictObject({ description: z.string(), schema: Schema }) }),
  content: z.record(z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/), z.strictObject({ schema: Schema })),
});
const Parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(['query', 'header']),
  required: z.boolean(),
  description: z.string().optional(),
  schema: Schema,
});
const StreamObject = z.strictObject({
  description: z.string().min(1),
  content: z.strictObject({ 'text/event-stream': z.strictObject({ schema: Schema, example: z.string() }) }),
});
const ResponseObject = z.strictObject({ description: z.string().min(1), content: Media });
const ErrorResponse = ResponseObject.extend({ 'x-error-codes': z.array(z.enum(Object.keys(ERROR_CODES))).min(1) });
const OperationObject = z.strictObject({
  operationId: z.string().min(1),
  'x-effect': z.enum(EFFECTS),
  'x-role': z.enum(ROLES),
  tags: z.array(z.string()).length(1),
  summary: z.string().min(5).max(120),
  description: z.string().optional(),
  parameters: z.array(Parameter),
  requestBody: z.strictObject({ required: z.boolean(), content: z.union([Media, Form]) }).optional(),
  responses: z.record(z.string().regex(/^\d{3}$/), z.union([Reference, ResponseObject, Download, StreamObject])),
});
const Document = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.string() })),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(z.string().startsWith('/api/'), z.partialRecord(z.enum(['get', 'post', 'put', 'delete']), z.unknown())),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[\w.-]+$/), Schema),
    responses: z.record(z.string(), ErrorResponse),
    securitySchemes: z.record(z.string(), Schema),
  }),
});

/** The pattern of a text of one line, as JSON spells it. */
const NamedLine = /\^\[\^\\\\u0000[^"]*\]\*\$/;

const described = Object.values(document.paths).flatMap((path) => Object.values(path));

describe('OpenAPI document', () => {
  it('has the shape OpenAPI 3.1 demands', () => {
    expect(Document.safeParse(document).error?.issues ?? []).toEqual([]);
    for (const operation of described) expect(OperationObject.safeParse(operation).error?.issues ?? []).toEqual([]);
  });

  it('describes every operation once, with a summary', () => {
    expect(described.map((operation) => operation.operationId).sort()).toEqual(
      [...Object.keys(operations), ...Object.keys(streams)].sort(),
    );
  });

  it('describes what its summary does not say; add `description` to the operation in src-shared/contract', () => {
    const without = described.filter(({ description }) => !description).map(({ operationId }) => String(operationId));
    expect(without).toEqual([]);
  });

  it('names the errors every operation can answer with', () => {
    for (const operation of described) {
      const statuses = Object.keys(operation.responses as object);
      const isStream = String(operation.operationId) in streams;
      const ofBodies = isStream ? [] : ['400', '413', '415'];
      expect(statuses).toEqual(expect.arrayContaining(['200', '401', '403', '422', '500', ...ofBodies]));
      const own = { ...operations, ...streams }[operation.operationId as keyof typeof operations].errors ?? [];
      expect(statuses).toEqual(expect.arrayContaining(own.map(String)));
    }
  });

  it('tells the codes of every failure, each at the status it answers with', () => {
    const { responses, schemas } = document.components as {
      responses: Record<string, { 'x-error-codes': string[] }>;
      schemas: Record<string, { enum?: string[] }>;
    };
    const told = Object.entries(responses).flatMap(([name, response]) => response['x-error-codes'].map((code) => [code, name]));
    const known = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, `Error${status}`]);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(known));
    expect(told).toHaveLength(known.length);
    expect(schemas.ErrorCode?.enum).toEqual(Object.keys(ERROR_CODES));
  });

  it('gives every body, and every answer with fields, a name of its own', () => {
    const nameless = (schema: Record<string, unknown> | undefined) => schema !== undefined && ('properties' in schema || 'anyOf' in schema);
    for (const operation of described) {
      const { requestBody, responses } = operation as {
        requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
        responses: Record<string, { content: Record<string, { schema: { properties?: { data?: Record<string, unknown> } } }> }>;
      };
      const data = responses[200]?.content['application/json']?.schema.properties?.data;
      const body = Object.values(requestBody?.content ?? {})[0]?.schema;
      expect([operation.operationId, nameless(data), nameless(body)]).toEqual([operation.operationId, false, false]);
    }
  });

  it.each(Object.entries<Operation>(operations))(
    'has an example of the body and the answer of %s that the contract takes',
    (name, operation) => {
      const { requestBody, responses } = described.find(({ operationId }) => operationId === name) as {
        requestBody?: { content: Record<string, { example: Record<string, unknown> }> };
        responses: Record<string, { content: Record<string, { example?: { code: number; message: string; data: unknown } }> }>;
      };
      const body = Object.values(requestBody?.content ?? {})[0]?.example;
      const given = operation.upload ? { ...body, file: new File(['x'], 'x') } : (body ?? {});
      expect(operation.body.safeParse(given).error?.issues).toBeUndefined();
      const unknown = Object.keys(given).filter((field) => !(field in operation.body.shape));
      expect(unknown).toEqual([]);
      if (requestBody) expect(Object.keys(given)).not.toEqual([]);
      if (operation.download) return;
      const answer = responses[200]?.content['application/json']?.example;
      expect(answer).toMatchObject({ code: 200, message: 'success' });
      expect(operation.data.safeParse(answer?.data).error?.issues).toBeUndefined();
      // one look is enough for the eye, and the document stays small
      expect(JSON.stringify([body, answer]).length).toBeLessThan(4000);
    },
  );

  it.each(Object.entries<Stream>(streams))('has an example of every message of %s that the contract takes', (name, { events }) => {
    const { responses } = described.find(({ operationId }) => operationId === name) as {
      responses: Record<string, { content: Record<string, { example: string }> }>;
    };
    const messages = responses[200]?.content['text/event-stream']?.example.split('\n\n').filter((text) => text !== '') ?? [];
    const told = messages.map((text) => /^event: (\w+)\ndata: (.*)$/.exec(text)?.slice(1) ?? [text]);
    expect(told.map(([event]) => event)).toEqual(Object.keys(events));
    for (const [event = '', data = ''] of told)
      expect([event, events[event]?.safeParse(JSON.parse(data)).error?.issues]).toEqual([event, undefined]);
  });

  it('has an example of every failure, with the status and a code of its answer', () => {
    const { responses } = document.components as {
      responses: Record<string, { 'x-error-codes': string[]; content: { 'application/json': { example: unknown } } }>;
    };
    for (const [name, { 'x-error-codes': codes, content }] of Object.entries(responses)) {
      const example = ErrorEnvelope.parse(content['application/json'].example);
      expect([`Error${example.code}`, codes]).toEqual([name, expect.arrayContaining([example.error])]);
      // a message that lacks a parameter has its braces left
      expect(example.message).not.toContain('{{');
    }
  });

  it('shows no more than three quarters of a megabyte to a program', () => {
    expect(JSON.stringify(document).length).toBeLessThan(786_432);
  });

  it('has no pattern that only JavaScript can read', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? '');
    expect(patterns.length).toBeGreaterThan(3);
    expect(patterns.filter((pattern) => /\\[pP]\{|\(\?</.test(pattern))).toEqual([]);
    const line = NamedLine.exec(JSON.stringify(document))?.[0] ?? '';
    const taken = new RegExp(JSON.parse(`"${line}"`) as string, 'u');
    expect(['Rack 1 电压', 'a\u0007', 'a\u0085', 'a\ud800', '😀'].map((text) => taken.test(text))).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it('has no reference into nothing', () => {
    const text = JSON.stringify(document);
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? ''));
    expect(references.size).toBeGreaterThan(10);
    for (const reference of references) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((place, key) => (place as Record<string, unknown> | undefined)?.[key], document);
      expect(target, reference).toBeDefined();
    }
  });

  it('asks for a body exactly where one is needed', () => {
    const bodyOf = (name: string) => described.find((operation) => operation.operationId === name)?.requestBody;
    expect(bodyOf('addChannel')).toMatchObject({ required: true });
    expect(bodyOf('updateSettings')).toMatchObject({ required: false });
    expect(bodyOf('listChannels')).toBeUndefined();
  });

  it('is the committed docs/openapi.json; after a change: npx vitest run src-main/http/openapi.test.ts -u', async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
  });
});
