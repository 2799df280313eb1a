import { request as httpRequest, METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations } from '#shared/contract/index.ts';
import { AppError, fieldIssue } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { Logger } from '../platform/logger.ts';
import { silentLogger } from '../platform/logger.ts';
import { listeningServer, recordingHandlers, type SeenCall } from './testing/http-fixture.ts';

let app: FastifyInstance;
let url: string;
let port: number;
let answer: (call: SeenCall) => unknown;
const logged: { fields: object; message: string }[] = [];
const logger: Logger = { ...silentLogger, error: (fields, message) => logged.push({ fields, message }) };
const recorder = recordingHandlers((call) => answer(call));

beforeAll(async () => {
  ({ app, url, port } = await listeningServer({ handlers: recorder.handlers, logger }));
});
afterAll(() => app.close());
beforeEach(() => {
  answer = () => ({ fine: true });
  recorder.calls.length = 0;
  logged.length = 0;
});

interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function send(
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} };
}

const json = { 'content-type': 'application/json' };
const post = (path: string, value: unknown) => send('POST', path, JSON.stringify(value), json);

describe('envelope', () => {
  it('wraps an answer in code, message and data', async () => {
    const reply = await send('GET', '/api/channel/list');
    expect(reply.body).toEqual({ code: 200, message: 'success', data: { fine: true } });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    ['no body', undefined, {}],
    ['an empty body', '', json],
    ['blanks', ' \n', json],
    ['an empty form, as curl -d "" sends it', '', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('counts %s as {}', async (_what, body, headers) => {
    const reply = await send('POST', '/api/service/stop', body, headers);
    expect(reply.status).toBe(200);
    expect(recorder.calls[0]?.request).toEqual({});
  });

  it('takes a byte order mark before the JSON', async () => {
    const reply = await send('POST', '/api/device/start', '\uFEFF{"channel_id":1}', json);
    expect(reply.status).toBe(200);
  });

  it.each([
    ['TRANSPORT_REFUSED', 503],
    ['TIMEOUT_RESPONSE', 504],
    ['STATE_CONFLICT', 409],
    ['CONFIG_NOT_FOUND', 404],
  ] as const)('answers %s with status %i and the stable code', async (code, status) => {
    answer = () => {
      throw new AppError(code, quoted('What was wrong.'), { data: { snapshot: 1 } });
    };
    const reply = await send('GET', '/api/channel/list');
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual({
      code: status,
      message: 'What was wrong.',
      message_code: 'common.text',
      params: { text: 'What was wrong.' },
      error: code,
      data: { snapshot: 1 },
    });
  });

  it('gives a refusal of the device kind and detail', async () => {
    answer = () => {
      throw new AppError('PROTOCOL_MALFORMED', quoted('The answer was cut.'));
    };
    const reply = await send('GET', '/api/channel/list');
    expect(reply.body).toEqual({
      code: 502,
      message: 'The answer was cut.',
      message_code: 'common.text',
      params: { text: 'The answer was cut.' },
      error: 'PROTOCOL_MALFORMED',
      data: { kind: 'PROTOCOL_MALFORMED', detail: 'The answer was cut.' },
    });
  });

  it('keeps the stack of an internal fault in the log', async () => {
    answer = () => {
      throw new TypeError('secret detail');
    };
    const reply = await send('GET', '/api/channel/list?x=1');
    expect(reply.status).toBe(500);
    expect(reply.body).toMatchObject({ code: 500, error: 'INTERNAL', data: null });
    expect(JSON.stringify(reply.body)).not.toMatch(/secret detail|at .*\.ts/);
    expect(logged[0]?.fields).toMatchObject({ path: '/api/channel/list', err: { message: 'secret detail' } });
  });
});

describe('bad input', () => {
  it.each(['{', '{"channel_id":1', 'channel_id=1', '[1,', '{"a":1}x'])('answers 400 to the body %s', async (body) => {
    const reply = await send('POST', '/api/device/start', body, json);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 400, error: 'CONFIG_NOT_JSON', data: null });
    expect(recorder.calls).toHaveLength(0);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data; boundary=x', 'nonsense'])(
    'answers 415 to content type %s',
    async (type) => {
      const reply = await send('POST', '/api/device/start', '{"channel_id":1}', { 'content-type': type });
      expect(reply.status).toBe(415);
      expect(reply.body).toMatchObject({ code: 415, error: 'CONFIG_MEDIA_TYPE', data: null });
    },
  );

  it('answers 400 to text that is not UTF-8, in place of a name of question marks', async () => {
    const name = new Uint8Array([0xb5, 0xe7, 0xb1, 0xed]);
    const [before, after] = ['{"name":"', '","protocol_type":1,"conn_type":2}'].map((text) => new TextEncoder().encode(text));
    const reply = await send('POST', '/api/channel/add', new Uint8Array([...(before ?? []), ...name, ...(after ?? [])]), json);
    expect(reply.body).toMatchObject({ code: 400, error: 'CONFIG_NOT_JSON', message_code: 'http.not_utf8', data: null });
    expect(recorder.calls).toHaveLength(0);
  });

  it.each(['gzip', 'br'])('answers 415 to a body packed as %s', async (encoding) => {
    const reply = await send('POST', '/api/device/start', '{"channel_id":1}', { ...json, 'content-encoding': encoding });
    expect(reply.body).toMatchObject({ code: 415, error: 'CONFIG_MEDIA_TYPE', message_code: 'http.packed' });
    expect(recorder.calls).toHaveLength(0);
  });

  it('answers 415 to a body without content type', async () => {
    const reply = await send('POST', '/api/device/start', new TextEncoder().encode('{"channel_id":1}'));
    expect(reply.status).toBe(415);
  });

  it.each(['null', '[]', '"text"', '7'])('answers 422 to a body that is %s', async (body) => {
    const reply = await send('POST', '/api/device/start', body, json);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ data: [{ path: '', message: expect.stringContaining('must be an object') }] });
  });

  it.each([
    ['channel_id', {}, 'is missing; it must be a whole number from 1 to 9007199254740991'],
    ['channel_id', { channel_id: '1' }, 'must be a whole number from 1 to 9007199254740991, not "1"'],
    ['channel_id', { channel_id: 1.5 }, 'must be a whole number from 1 to 9007199254740991, not 1.5'],
    ['channel_id', { channel_id: 0 }, 'must be at least 1, not 0'],
    ['channel_id', { channel_id: null }, 'must be a whole number from 1 to 9007199254740991, not null'],
    ['channel_id', { channel_id: 2 ** 60 }, 'must be at most 9007199254740991'],
  ])('says what is right for %s in %j', async (path, body, message) => {
    const reply = await post('/api/device/start', body);
    expect(reply.status).toBe(422);
    expect(reply.body.data).toMatchObject([{ path, message: expect.stringContaining(message) }]);
    expect(reply.body.message).toContain(`channel_id: ${message}`);
  });

  it('lists every wrong place with its dotted path', async () => {
    const reply = await post('/api/device/add_points', {
      channel_id: 1,
      points: [
        { frame_type: 0, code: 'A' },
        { frame_type: 9, code: '', reverse: 'yes' },
      ],
    });
    expect(reply.body.data).toMatchObject([
      {
        path: 'points.1.frame_type',
        message: 'must be one of 0, 1, 2, 3 (0 YC telemetry, 1 YX signalling, 2 YK control, 3 YT setpoint), not 9',
      },
      { path: 'points.1.code', message: 'must not be empty' },
      { path: 'points.1.reverse', message: 'must be true or false, not "yes"' },
    ]);
  });

  it.each([
    [{ cycle_interval_ms: 99 }, 'cycle_interval_ms', 'must be at least 100, not 99'],
    [{ cycle_interval_ms: 3_600_001 }, 'cycle_interval_ms', 'must be at most 3600000, not 3600001'],
    [{ request_interval_ms: -1 }, 'request_interval_ms', 'must be at least 0, not -1'],
    [{ mode: 'fast' }, 'mode', 'must be one of batch, single, dataset, not "fast"'],
    [{ point_types: 'all' }, 'point_types', 'must be a list, not "all"'],
    [{ dlt645_prefix: 256 }, 'dlt645_prefix', 'must be at most 255, not 256'],
  ])('holds the bounds of start-auto-read: %j', async (fields, path, message) => {
    const reply = await post('/api/devices/start-auto-read', { device_name: 'a', ...fields });
    expect(reply.status).toBe(422);
    expect(reply.body.data).toMatchObject([{ path, message }]);
  });

  it.each([
    ['channel_id=1&page=0&page_size=5', 'page', 'must be at least 1, not 0'],
    ['channel_id=1&page=1&page_size=10001', 'page_size', 'must be at most 10000, not 10001'],
    ['channel_id=x&page=1&page_size=5', 'channel_id', 'must be a whole number, at least 1'],
    ['page=1&page_size=5', 'channel_id', 'is missing; it must be a whole number, at least 1'],
    ['channel_id=1&channel_id=2&page=1&page_size=5', 'channel_id', 'must be a whole number, at least 1'],
    ['channel_id=1&page=1.5&page_size=5', 'page', 'must be a whole number from 1 to 1000000000'],
    ['channel_id=1&page=1&page_size=5&sort=nothing', 'sort', 'must be one of id, code'],
    ['channel_id=1&page=1&page_size=99999999999999999999', 'page_size', 'must be at most'],
  ])('holds the query %s', async (query, path, message) => {
    const reply = await send('GET', `/api/device/table?${query}`);
    expect(reply.status).toBe(422);
    expect(reply.body.data).toMatchObject([{ path, message: expect.stringContaining(message) }]);
  });

  it('bounds what it says about a request with thousands of wrong places', async () => {
    const points = Array.from({ length: 5000 }, () => ({ frame_type: 9, code: 'x' }));
    const reply = await post('/api/device/add_points', { channel_id: 1, points });
    expect(reply.body.data).toHaveLength(1001);
    expect(reply.body.data).toContainEqual(expect.objectContaining({ path: '', message: 'and 4000 more places' }));
    expect(String(reply.body.message).length).toBeLessThan(1500);
  });

  it('never repeats the value of a field that is a secret', async () => {
    const { fieldSaid } = await import('#shared/messages/field-words.ts');
    const said = fieldSaid({ code: 'invalid_type', expected: 'string', input: 4711, path: ['protocol', 'password'] });
    expect(JSON.stringify(said)).not.toContain('4711');
  });
});

describe('unknown fields', () => {
  it('warns of them, with the name that was probably meant, and goes on', async () => {
    const reply = await post('/api/device/start', { channel_id: 3, chanel_id: 4, colour: 'red' });
    expect(reply.status).toBe(200);
    expect(recorder.calls[0]?.request).toEqual({ channel_id: 3 });
    expect(reply.body.warnings).toEqual([
      fieldIssue('chanel_id', say('field.unknown_near', { near: 'channel_id' })),
      fieldIssue('colour', say('field.unknown')),
    ]);
  });

  it('finds them inside points, and not inside free objects', async () => {
    const point = { frame_type: 0, code: 'A', slaveId: 3, protocol: { anything: 1 } };
    const reply = await post('/api/device/add_points', { channel_id: 1, points: [point] });
    expect(reply.body.warnings).toMatchObject([
      { path: 'points.0.slaveId', message: 'is not a known field and was not used; did you mean slave_id?' },
    ]);
  });

  it('finds them in the query, and says where a body field belongs', async () => {
    const table = await send('GET', '/api/device/table?channel_id=1&page=1&page_size=5&pagesize=9');
    expect(table.body.warnings).toEqual([fieldIssue('pagesize', say('field.unknown_near', { near: 'page_size' }))]);
    const start = await send('POST', '/api/device/start?channel_id=1', '{"channel_id":2}', json);
    expect(start.body.warnings).toEqual([fieldIssue('channel_id', say('field.into_body'))]);
  });

  it('bounds the list for a wrong column in thousands of points', async () => {
    const points = Array.from({ length: 3000 }, (_, index) => ({ frame_type: 0, code: `P${index}`, extra: 1 }));
    const reply = await post('/api/device/add_points', { channel_id: 1, points });
    expect(reply.status).toBe(200);
    expect(reply.body.warnings).toHaveLength(101);
  });

  it('is not led astray by names of the prototype', async () => {
    const reply = await send('POST', '/api/device/start', '{"channel_id":1,"__proto__":{"x":1},"constructor":2}', json);
    expect(reply.status).toBe(200);
    expect(recorder.calls[0]?.request).toEqual({ channel_id: 1 });
  });

  it('carries what a use case warns of beside them', async () => {
    answer = ({ context }) => {
      context.warn('value', say('service.above_limit', { limit: 10, point: 'P' }));
      return {};
    };
    const reply = await send('GET', '/api/channel/list');
    expect(reply.body.warnings).toEqual([
      { path: 'value', message: 'is above max_limit 10 of P', message_code: 'service.above_limit', params: { limit: 10, point: 'P' } },
    ]);
  });
});

describe('size', () => {
  it('answers 413 to a huge body', async () => {
    const reply = await send('POST', '/api/device/start', JSON.stringify({ channel_id: 1, pad: 'x'.repeat(5_000_000) }), json);
    expect(reply.status).toBe(413);
    expect(reply.body).toMatchObject({ code: 413, error: 'CONFIG_TOO_LARGE', data: null });
  });

  it('answers 413 before the body is sent when its length says so', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest({ port, method: 'POST', path: '/api/device/add_points', headers: { ...json, 'content-length': 1e10 } });
      request.on('response', (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.on('error', reject);
      request.write('{');
    });
    expect(status).toBe(413);
  });

  it('takes 100,000 points with every field', async () => {
    const point = { frame_type: 0, name: 'n'.repeat(60), address: 1, slave_id: 1, func_code: 3, decode: '0x41', mul_coe: 0.1, add_coe: 0 };
    const more = { unit: 'kW', min_limit: -1e6, max_limit: 1e6, category: 'c'.repeat(20), item: 'i'.repeat(20), note: 'n'.repeat(100) };
    const points = Array.from({ length: 100_000 }, (_, index) => ({ code: `CODE-${index}`, ...point, ...more }));
    answer = ({ request }) => ({ count: (request.points as unknown[]).length });
    const reply = await post('/api/device/add_points', { channel_id: 1, points });
    expect(reply.body.data).toEqual({ count: 100_000 });
  });
});

describe('routes', () => {
  it.each([
    ['GET', '/api/nothing', 'There is no GET /api/nothing'],
    ['GET', '/api/channel/lst', 'did you mean /api/channel/list?'],
    ['GET', '/api/device/start', 'use POST'],
    ['PATCH', '/api/channel/list', 'use GET'],
    ['GET', '/api', 'There is no GET /api'],
    ['GET', '/api/%', 'percent sign'],
    ['GET', '/API/channel/list', 'did you mean /api/channel/list?'],
  ])('answers 404 to %s %s', async (method, path, hint) => {
    const reply = await send(method, path);
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ code: 404, error: 'CONFIG_NOT_FOUND', data: null });
    expect(reply.body.message).toContain(hint);
  });

  it('has every operation of the contract', async () => {
    for (const { method, path } of Object.values(operations)) {
      const { status } = await send(method, path);
      expect(status, `${method} ${path}`).not.toBe(404);
    }
  });

  it('knows a path by what it means, and answers HEAD where it answers GET', async () => {
    expect((await send('GET', '/api/channel/%6cist')).status).toBe(200);
    expect((await send('HEAD', '/api/channel/list')).status).toBe(200);
    expect((await send('HEAD', '/api/device/start')).status).toBe(404);
    expect(recorder.calls).toHaveLength(2);
  });

  it('tells a path that nobody answers before the body is looked at', async () => {
    const reply = await send('POST', '/api/channel/ad', '{', { 'content-type': 'text/plain' });
    expect(reply.status).toBe(404);
    expect(reply.body.message).toContain('did you mean /api/channel/add?');
  });

  it('answers octets that are no HTTP in the envelope', async () => {
    const { connect } = await import('node:net');
    const text = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      let all = '';
      socket.on('data', (chunk) => {
        all += chunk;
      });
      socket.on('close', () => resolve(all));
    });
    expect(text).toMatch(/^HTTP\/1\.1 400/);
    expect(text).toContain('"code":400');
  });

  it('refuses new work while the service stops', async () => {
    const closing = await listeningServer({ isClosing: () => true });
    const reply = await fetch(`${closing.url}/api/channel/list`);
    expect(reply.status).toBe(409);
    await closing.app.close();
  });

  it('ends at once although a connection is kept open', async () => {
    const other = await listeningServer();
    const held = httpRequest({ port: other.port, path: '/api/channel/list', agent: undefined, headers: { connection: 'keep-alive' } });
    await new Promise((resolve) => {
      held.on('response', (response) => response.resume().on('end', resolve));
      held.end();
    });
    held.on('error', () => {});
    await other.app.close();
    expect(other.app.server.listening).toBe(false);
  });
});

describe('large requests', () => {
  it('are refused for the number of their entries while they arrive, and the caller gets the answer', async () => {
    const reply = await send('POST', '/api/device/add_points', `{"channel_id":1,"points":[${'{},'.repeat(2_000_000)}{}]}`, json);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({
      error: 'CONFIG_INVALID',
      data: [{ path: 'points', message: 'must have at most 100000 entries; the rest was not read' }],
    });
    expect(recorder.calls).toHaveLength(0);
  });

  it.each(['['.repeat(100), `{"a":${'{"a":'.repeat(80)}`])('are refused for their depth (%#)', async (body) => {
    const reply = await send('POST', '/api/device/start', body, json);
    expect(reply.body).toMatchObject({ code: 413, error: 'CONFIG_TOO_LARGE' });
  });

  it('that break off are no internal fault', async () => {
    const { connect } = await import('node:net');
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `POST /api/device/start HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"chan`,
        );
        socket.end();
      });
      socket.resume().on('close', () => resolve());
    });
    expect(logged).toEqual([]);
  });

  it('with a file are worked one after the other; beyond four that wait they get 429 and when to come again', async () => {
    const gate = Promise.withResolvers<void>();
    let working = 0;
    answer = async () => {
      working += 1;
      expect(working).toBe(1);
      await gate.promise;
      working -= 1;
      return {};
    };
    const upload = () => {
      const form = new FormData();
      form.append('file', new Blob(['x'.repeat(100_000)]), 'a.csv');
      return fetch(`${url}/api/channel/import_points?channel_id=1&mode=preview`, { method: 'POST', body: form });
    };
    const first = Array.from({ length: 8 }, upload);
    const refused: Response[] = [];
    for (const reply of first) void reply.then((response) => response.status === 429 && refused.push(response));
    await expect.poll(() => refused.length, { timeout: 120_000 }).toBe(3);
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
    expect(await refused[0]?.json()).toMatchObject({ code: 429, error: 'STATE_BUSY', data: null });
    gate.resolve();
    const statuses = (await Promise.all(first)).map((reply) => reply.status).sort();
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  });
});

describe('methods', () => {
  it.each(METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT'].includes(method)))(
    '%s is an unknown route, with and without a body',
    async (method) => {
      for (const path of ['/api/channel/list', '/', '/docs', '/x']) {
        for (const headers of [{}, json]) expect(await statusOf(method, path, headers), path).toBe(404);
      }
      expect(logged).toEqual([]);
    },
  );
});

/** `fetch` does not send every method. */
function statusOf(method: string, path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ port, method, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('checked answers', () => {
  it('fail loudly when a use case leaves the contract', async () => {
    const faults: object[] = [];
    const strict = await listeningServer({
      checkResponses: true,
      handlers: recordingHandlers(() => ({ stopping: true, more: 1 })).handlers,
      logger: { ...silentLogger, error: (fields) => faults.push(fields) },
    });
    const reply = await fetch(`${strict.url}/api/service/stop`, { method: 'POST' });
    expect(reply.status).toBe(500);
    expect(faults[0]).toMatchObject({ err: { message: expect.stringContaining('more: not in the contract') } });
    await strict.app.close();
  });
});
