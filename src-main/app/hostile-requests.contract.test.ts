import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Operation, type OperationName, operations } from '#shared/contract/index.ts';
import { createLazyDrivers } from './lazy-drivers.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

/** Requests to each operation. */
const RUNS = 12;
/** Statuses above 499 that say something of the device or the disk. */
const TELLING = new Set([502, 503, 504, 507]);
/** They end the service or change its project, or look for devices for minutes. */
const LEFT_OUT: ReadonlySet<OperationName> = new Set(['stopService']);

let core: RunningCore;
beforeAll(async () => {
  core = await startCore({}, { drivers: createLazyDrivers() });
  for (const [protocol_type, conn_type] of [
    [1, 2],
    [3, 1],
    [4, 2],
    [5, 2],
  ] as const) {
    await core.api.call('addChannel', { name: `channel ${protocol_type}`, protocol_type, conn_type, timeout_ms: 10, port: 1 });
  }
  await core.api.call('addPoints', {
    channel_id: 1,
    points: [
      { frame_type: 0, code: 'P', address: 1 },
      { frame_type: 3, code: 'SET', address: 2 },
    ],
  });
});
afterAll(() => core.close());

const bad = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'line\nbreak',
    '../../etc/passwd',
    '/tmp',
    `/${'x'.repeat(4000)}.loopcheck`,
    `/tmp/${'长'.repeat(200)}.loopcheck`,
    '/tmp/a\0b.loopcheck',
    'not an address',
    '999.999.999.999',
    '[::1]:502',
    'x'.repeat(10_000),
    -1,
    0,
    1,
    2,
    1.5,
    1e308,
    -0,
    2 ** 53,
    2 ** 31,
    [],
    {},
    [null],
    [[[[[]]]]],
    { __proto__: null, constructor: 1 },
    '__proto__',
    'constructor',
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

/** A value that a schema takes more or less: mostly right at the outside, mostly wrong somewhere inside. */
function nearly(schema: z.core.$ZodType, depth = 0): fc.Arbitrary<unknown> {
  const right = fitting(schema, depth);
  return right ? fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: bad }) : bad;
}

function fitting(schema: z.core.$ZodType, depth: number): fc.Arbitrary<unknown> | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    const inner = nearly(schema.unwrap(), depth);
    return fc.oneof(
      { weight: 3, arbitrary: inner },
      { weight: 1, arbitrary: fc.constant(schema instanceof z.ZodNullable ? null : undefined) },
    );
  }
  if (schema instanceof z.ZodObject && depth < 5) {
    return fc.record(Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [key, nearly(field, depth + 1)])));
  }
  if (schema instanceof z.ZodArray && depth < 5) return fc.array(nearly(schema.element, depth + 1), { maxLength: 4 });
  if (schema instanceof z.ZodEnum) return fc.constantFrom<unknown>(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom<unknown>(...schema.values);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber || schema instanceof z.ZodPipe || schema instanceof z.ZodUnion) return fc.integer({ min: 0, max: 6 });
  if (schema instanceof z.ZodString)
    return fc.constantFrom('a', 'channel 1', '127.0.0.1', 'operate', 'LD0/LLN0', join(core.dir, 'x.loopcheck'));
  if (schema instanceof z.ZodRecord) return fc.dictionary(fc.string({ maxLength: 10 }), bad, { maxKeys: 3 });
  return null;
}

function queryText(query: unknown): string {
  if (typeof query !== 'object' || query === null) return '';
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(wellFormed(value))}`).join('&');
  return text === '' ? '' : `?${text.slice(0, 8000)}`;
}

function wellFormed(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();
}

/** Status and body of an answer that says neither "internal" nor nothing. */
async function expectTold(
  method: string,
  url: string,
  body: string | FormData | undefined,
  headers: Record<string, string>,
): Promise<void> {
  const response = await fetch(core.url + url, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  const about = `${method} ${url.slice(0, 300)} ${typeof body === 'string' ? body.slice(0, 600) : ''} → ${response.status} ${text.slice(0, 300)}`;
  expect(response.status < 500 || TELLING.has(response.status), about).toBe(true);
  if (response.status === 200) return;
  expect(JSON.parse(text), about).toMatchObject({ code: response.status, message: expect.stringMatching(/\S/) });
}

describe('no request is answered with an internal fault', () => {
  const names = (Object.keys(operations) as OperationName[]).filter((name) => !LEFT_OUT.has(name));
  it.each(names)('%s', { timeout: 240_000 }, async (name) => {
    const operation: Operation = operations[name];
    const hasBody = operation.method !== 'GET' && !operation.upload;
    await fc.assert(
      fc.asyncProperty(
        nearly(operation.query),
        fc.oneof({ weight: 6, arbitrary: nearly(operation.body) }, { weight: 1, arbitrary: bad }),
        async (query, body) => {
          const form = new FormData();
          if (operation.upload) form.append('file', new Blob([JSON.stringify(body) ?? '']), 'a.csv');
          const sent = operation.upload ? form : hasBody ? (JSON.stringify(body) ?? '') : undefined;
          await expectTold(
            operation.method,
            operation.path + queryText(query),
            sent,
            hasBody ? { 'content-type': 'application/json' } : {},
          );
        },
      ),
      { numRuns: RUNS, seed: 20_261_122 },
    );
  });
});

describe('what was once an internal fault', () => {
  const post = (url: string, body: object) => core.send({ method: 'POST', url, body });

  it.each(['not an address', '127.0.0.1:502', '[::1]', 'a b', '/'])('a search of %j', async (ip) => {
    expect(await post('/api/job/find', { protocol_type: 1, ip })).toMatchObject({ status: 422, body: { data: [{ path: 'ip' }] } });
  });

  it('a search of an address with a name of 255 characters', async () => {
    const reply = await post('/api/job/find', { protocol_type: 1, ip: 'x'.repeat(255), last_slave: 1, listen_ms: 0, timeout_ms: 10 });
    expect(reply.status).toBe(200);
  });

  it('a backup to a name with NUL, or longer than the drive takes', async () => {
    expect(await post('/api/project/backup', { path: '/tmp/a\0b.loopcheck' })).toMatchObject({
      status: 422,
      body: { data: [{ path: 'path' }] },
    });
    const deep = join(core.dir, ...Array.from({ length: 30 }, () => 'x'.repeat(150)), 'p.loopcheck').slice(0, 4000);
    expect((await post('/api/project/backup', { path: `${deep}.loopcheck` })).status).toBe(409);
    for (const name of ['x'.repeat(300), 'x'.repeat(230), '长'.repeat(80)]) {
      for (const operation of ['backup', 'open']) {
        const reply = await post(`/api/project/${operation}`, {
          path: join(core.dir, `${name}.loopcheck`),
          ...(operation === 'open' ? { create: true } : {}),
        });
        expect(reply, name).toMatchObject({
          status: 422,
          body: { data: [{ path: 'path', message: expect.stringMatching(/at most 200 octets/) }] },
        });
      }
    }
  });
});

describe('names', () => {
  let core: RunningCore;
  beforeAll(async () => {
    core = await startCore();
    await core.api.call('addChannel', { name: 'channel', protocol_type: 1, conn_type: 2 });
    await core.api.call('addPoints', { channel_id: 1, points: [{ frame_type: 0, code: 'P', address: 1 }] });
  });
  afterAll(() => core.close());

  const spoilt = ['a\0b', 'a\nb', 'a\u001bb', 'a\u007fb', 'a\u0085b', 'a\ud800b', '\udc00a'];

  it.each(spoilt)('%j is taken nowhere', async (text) => {
    const channel = { name: 'named', protocol_type: 1, conn_type: 2 };
    const point = { frame_type: 0, code: 'Q', address: 9 };
    const wrong: [string, 'POST' | 'PUT', object, string][] = [
      ['/api/channel/add', 'POST', { ...channel, name: text }, 'name'],
      ['/api/channel/add', 'POST', { ...channel, com_port: text }, 'com_port'],
      ['/api/channel/update', 'PUT', { channel_id: 1, name: text }, 'name'],
      ['/api/project/open', 'POST', { path: `/tmp/${text}.loopcheck` }, 'path'],
      ...['code', 'name', 'unit', 'category', 'item', 'related_code', 'command_type', 'reference'].map(
        (field): [string, 'POST', object, string] => [
          '/api/device/add_points',
          'POST',
          { channel_id: 1, points: [{ ...point, [field]: text }] },
          `points.0.${field}`,
        ],
      ),
      ['/api/device/edit_point', 'PUT', { point_id: 1, frame_type: 0, name: text }, 'name'],
    ];
    for (const [url, method, body, path] of wrong) {
      expect(await core.send({ method, url, body }), `${url} ${path}`).toMatchObject({ status: 422, body: { data: [{ path }] } });
    }
  });

  it('notes may have line breaks and tabs, and nothing else of that kind', async () => {
    const update = (note: string) => core.send({ method: 'PUT', url: '/api/channel/update', body: { channel_id: 1, note } });
    expect((await update('one\r\n\ttwo 😀')).status).toBe(200);
    for (const note of ['a\0b', 'a\ud800']) expect(await update(note)).toMatchObject({ status: 422, body: { data: [{ path: 'note' }] } });
  });

  it('of a file are told with their place', async () => {
    const file = new File(['测点类型,测点编码,测点名称,寄存器地址\n遥测,C1,"two\nlines",1\n'], 'a.csv');
    const { data } = await core.api.call('importPoints', { channel_id: 1, mode: 'preview', file });
    expect(data.errors).toMatchObject([{ rule: 'text_not_plain', row: 2 }]);
  });
});
