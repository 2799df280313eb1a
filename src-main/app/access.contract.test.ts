import { afterEach, describe, expect, it } from 'vitest';
import type { ApiReply, ApiRequest } from '#shared/client/client.ts';
import { roleOf } from '#shared/contract/effect.ts';
import { type Operation, type OperationName, operations } from '#shared/contract/index.ts';
import { includesRole, ROLES, type Role } from '#shared/domain/access.ts';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const OWNER = 'token-of-the-start-0123456789';

async function aCore(config: Parameters<typeof startCore>[0] = { token: OWNER }): Promise<RunningCore> {
  let made = 0;
  const running = await startCore(config, { newToken: () => `token-made-${++made}-0123456789` });
  closings.push(() => running.close());
  return running;
}

const as = (token: string) => ({ authorization: `Bearer ${token}` });

interface Envelope {
  readonly data: Record<string, unknown>;
  readonly error?: string;
  readonly message: string;
}

function bodyOf(reply: ApiReply): Envelope {
  return reply.body as Envelope;
}

async function anAccess({ send }: RunningCore, name: string, role: Role): Promise<string> {
  const reply = await send({ method: 'POST', url: '/api/access/add', body: { name, role } }, as(OWNER));
  expect(reply.status).toBe(200);
  return String(bodyOf(reply).data.token);
}

describe('roles', () => {
  it('of every operation: what only looks, what works on the plant, and all that changes how it is set up', () => {
    const names = Object.keys(operations) as OperationName[];
    const roleOfName = (name: OperationName) => roleOf(operations[name] as Operation);
    // a query that is not for everybody, and each that may be asked without changing how something is set up, is named here
    expect(names.filter((name) => operations[name].effect === 'query' && roleOfName(name) !== 'view')).toEqual(['listAccesses']);
    expect(names.filter((name) => operations[name].effect === 'command').map(roleOfName)).toEqual(
      names.filter((name) => operations[name].effect === 'command').map(() => 'operate'),
    );
    expect(names.filter((name) => operations[name].effect === 'repeatable' && roleOfName(name) === 'operate')).toMatchSnapshot();
    expect(names.filter((name) => operations[name].effect === 'repeatable' && roleOfName(name) === 'view')).toEqual([]);
  });

  it.each(ROLES)('"%s": every operation asks for its role before it looks at anything else', async (role) => {
    const running = await aCore();
    const token = await anAccess(running, 'Li', role);
    for (const name of Object.keys(operations) as OperationName[]) {
      const { method, path, ...operation }: Operation = operations[name];
      // one that is allowed would do it
      if (includesRole(role, roleOf(operation)) && roleOf(operation) !== 'view') continue;
      const reply = await running.send({ method, url: path, ...(method === 'GET' ? {} : { body: { no_field: 1 } }) }, as(token));
      const isRefused = reply.status === 403 && bodyOf(reply).error === 'ACCESS_ROLE';
      expect([name, isRefused]).toEqual([name, !includesRole(role, roleOf(operation))]);
    }
    const kept = await running.send({ method: 'GET', url: '/api/access/list' }, as(OWNER));
    expect(bodyOf(kept).data).toMatchObject({ items: [{ name: 'Li', role, used_at: expect.any(String) }], is_open: false });
  });

  it('say in the refusal whose access it is and what it would need', async () => {
    const running = await aCore();
    const token = await anAccess(running, 'Li Wei', 'view');
    const reply = await running.send({ method: 'POST', url: '/api/channel/add', body: {} }, as(token));
    expect([reply.status, bodyOf(reply).error]).toEqual([403, 'ACCESS_ROLE']);
    expect(bodyOf(reply).message).toContain('Li Wei is for the role "view"; this needs "configure"');
  });

  it('hold from the next request on, when they are changed', async () => {
    const running = await aCore();
    const token = await anAccess(running, 'Li', 'view');
    const add: ApiRequest = {
      method: 'POST',
      url: '/api/channel/add',
      body: { name: 'S', protocol_type: 1, conn_type: 1, port: await freePort() },
    };
    expect((await running.send(add, as(token))).status).toBe(403);
    await running.send({ method: 'PUT', url: '/api/access/update', body: { name: 'Li', role: 'configure' } }, as(OWNER));
    expect((await running.send(add, as(token))).status).toBe(200);
  });

  it('a viewer is told that the service is read-only, and who he is', async () => {
    const running = await aCore();
    const info = async (token: string) => bodyOf(await running.send({ method: 'GET', url: '/api/service/info' }, as(token))).data;
    expect(await info(await anAccess(running, 'Li', 'view'))).toMatchObject({ read_only: true, caller: { name: 'Li', role: 'view' } });
    expect(await info(await anAccess(running, 'Wu', 'operate'))).toMatchObject({
      read_only: false,
      caller: { name: 'Wu', role: 'operate' },
    });
    expect(await info(OWNER)).toMatchObject({ read_only: false, caller: { name: null, role: 'configure' } });
  });
});

describe('names', () => {
  it('are in the audit of what was written, and only there where there is one', async () => {
    const running = await aCore();
    const call = async (token: string, method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) => {
      const reply = await running.send({ method, url, ...(body === undefined ? {} : { body }) }, as(token));
      expect([url, reply.status, bodyOf(reply).message]).toEqual([url, 200, expect.any(String)]);
      return bodyOf(reply).data;
    };
    const channel = { name: 'S', protocol_type: 1, conn_type: 1, port: await freePort() };
    const { id } = (await call(OWNER, 'POST', '/api/channel/add', channel)) as { id: number };
    const point = { frame_type: 3, code: 'A', address: 0, decode: '0x20' };
    const added = await call(OWNER, 'POST', '/api/device/add_points', { channel_id: id, points: [point] });
    const pointId = (added.items as { id: number }[])[0]?.id;
    const token = await anAccess(running, '李伟', 'operate');
    await call(token, 'POST', '/api/device/start', { channel_id: id });
    await call(token, 'PUT', '/api/device/update_point', { point_id: pointId, frame_type: 3, value: 5 });
    await call(OWNER, 'PUT', '/api/device/update_point', { point_id: pointId, frame_type: 3, value: 6 });
    const { items } = (await call(token, 'GET', '/api/audit/list')) as { items: { value: number; caller?: string }[] };
    expect(items.map(({ value, caller }) => [value, caller])).toEqual([
      [6, undefined],
      [5, '李伟'],
    ]);
  });

  it.each([
    { name: '', role: 'view' },
    { name: '   ', role: 'view' },
    { name: 'a\nb', role: 'view' },
    { name: '\ud800', role: 'view' },
    { name: 'x'.repeat(41), role: 'view' },
    { name: 'Li', role: 'admin' },
    { name: 'Li' },
  ])('and roles that are none are refused: %o', async (body) => {
    const running = await aCore();
    const reply = await running.send({ method: 'POST', url: '/api/access/add', body }, as(OWNER));
    expect([reply.status, bodyOf(reply).error]).toEqual([422, 'CONFIG_INVALID']);
  });
});

describe('tokens', () => {
  it('that were removed are refused at once, and a stream that is open ends', async () => {
    const running = await aCore();
    const token = await anAccess(running, 'Li', 'view');
    const stream = await fetch(`${running.url}/api/events/stream`, { headers: as(token) });
    expect(stream.status).toBe(200);
    const other = await anAccess(running, 'Wu', 'view');
    const kept = await fetch(`${running.url}/api/events/stream`, { headers: as(other) });
    await running.send({ method: 'DELETE', url: '/api/access/remove?name=Li' }, as(OWNER));
    const reader = stream.body?.getReader();
    const read = async () => {
      for (;;) if ((await reader?.read())?.done !== false) return 'ended';
    };
    expect(await read().catch(() => 'broken off')).toMatch(/ended|broken off/);
    expect((await running.send({ method: 'GET', url: '/api/service/info' }, as(token))).status).toBe(401);
    expect((await running.send({ method: 'GET', url: '/api/service/info' }, as(other))).status).toBe(200);
    await kept.body?.cancel();
  });

  it('last over a start', async () => {
    const first = await startCore({ token: OWNER });
    const { dir } = first;
    const reply = await first.send({ method: 'POST', url: '/api/access/add', body: { name: 'Li', role: 'view' } }, as(OWNER));
    await first.core.close();
    const second = await aCore({ token: OWNER, dataDir: dir });
    closings.push(() => first.close());
    expect((await second.send({ method: 'GET', url: '/api/service/info' }, as(String(bodyOf(reply).data.token)))).status).toBe(200);
  });

  it('where the start has none: without one everything is open on this computer, a wrong one is refused as soon as there are accesses', async () => {
    const running = await aCore({ token: null });
    const info: ApiRequest = { method: 'GET', url: '/api/service/info' };
    expect((await running.send(info, as('left-over'))).status).toBe(200);
    const made = await running.send({ method: 'POST', url: '/api/access/add', body: { name: 'Li', role: 'view' } });
    expect((await running.send(info, as('left-over'))).status).toBe(401);
    expect((await running.send(info)).status).toBe(200);
    expect(bodyOf(await running.send(info, as(String(bodyOf(made).data.token)))).data).toMatchObject({ caller: { name: 'Li' } });
    expect(bodyOf(await running.send({ method: 'GET', url: '/api/access/list' })).data).toMatchObject({ is_open: true });
  });

  it('for other computers: an access is enough for the start, and nobody comes in without one', async () => {
    await expect(startCore({ token: null, host: '0.0.0.0' })).rejects.toMatchObject({ code: 'ACCESS_TOKEN' });
    const first = await startCore({ token: null });
    const made = await first.send({ method: 'POST', url: '/api/access/add', body: { name: 'Li', role: 'configure' } });
    await first.core.close();
    closings.push(() => first.close());
    const second = await aCore({ token: null, host: '0.0.0.0', dataDir: first.dir });
    const info: ApiRequest = { method: 'GET', url: '/api/service/info' };
    expect((await second.send(info)).status).toBe(401);
    expect((await second.send(info, as(String(bodyOf(made).data.token)))).status).toBe(200);
  });
});
