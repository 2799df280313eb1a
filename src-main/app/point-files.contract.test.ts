import { afterEach, describe, expect, it } from 'vitest';
import type { ApiReply, ApiTransport } from '#shared/client/client.ts';
import { createClient } from '#shared/client/client.ts';
import type { DataOf } from '#shared/contract/index.ts';
import { LARGEST_TABLE_FILE } from '#shared/contract/point-files.ts';
import { makeBridge } from '../http/bridge.ts';
import { type RunningCore, startCore, startPair, until } from './testing/running-core.ts';

const running: RunningCore[] = [];
afterEach(async () => {
  for (const core of running.splice(0)) await core.close();
});

/** A service with a stopped channel of the id 1. */
async function start(...parameters: Parameters<typeof startCore>): Promise<RunningCore> {
  const core = await startCore(...parameters);
  running.push(core);
  await core.api.call('addChannel', { name: '逆变器 1', protocol_type: 1, conn_type: 2 });
  return core;
}

type Mode = 'preview' | 'merge' | 'replace';
const HEADER = '测点类型,测点编码,测点名称,从机地址,寄存器地址,功能码,解析码,上限值,关联遥测编码';
const table = (...rows: string[]) => new File([[HEADER, ...rows].join('\n')], '点表.csv');
const send = async (core: RunningCore, mode: Mode, file: File, channel = 1): Promise<DataOf<'importPoints'>> =>
  (await core.api.call('importPoints', { channel_id: channel, mode, file })).data;
const pointsOf = async (core: RunningCore, channel = 1) =>
  (await core.api.call('pointTable', { channel_id: channel, page: 1, page_size: 10_000 })).data.items;

/** A request to the import as scripts make it, whatever its body. */
async function post(core: RunningCore, query: string, init: RequestInit): Promise<{ status: number; body: Record<string, unknown> }> {
  const reply = await fetch(`${core.url}/api/channel/import_points${query}`, { method: 'POST', ...init });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

describe('POST /api/channel/import_points', () => {
  it('preview changes nothing and says what merge and replace would do', async () => {
    const core = await start();
    await send(core, 'merge', table('遥测,A,电压,1,0x0010,3,0x42,250,', '遥信,B,,1,5,,,,'));
    const before = await pointsOf(core);
    const report = await send(core, 'preview', table('遥测,A,电压,1,0x0010,3,0x42,0,', '遥调,C,,1,30,,,,A'));
    expect(report).toMatchObject({
      mode: 'preview',
      applied: false,
      file: { name: '点表.csv', format: 'csv', encoding: 'utf-8', delimiter: ',' },
      counts: {
        rows: 2,
        yc: 1,
        yx: 0,
        yk: 0,
        yt: 1,
        errors: 0,
        merge: { added: 1, changed: 1, unchanged: 0, removed: 0 },
        replace: { added: 1, changed: 1, unchanged: 0, removed: 1 },
      },
    });
    expect(report.changes.map((change) => [change.kind, change.code, change.only, change.fields])).toEqual([
      ['removed', 'B', 'replace', []],
      ['changed', 'A', null, [{ field: 'max_limit', before: 250, after: 0 }]],
      ['added', 'C', null, []],
    ]);
    expect(await pointsOf(core)).toEqual(before);
  });

  it('merge adds and changes; points keep their ids; it lasts in the project file', async () => {
    const core = await start();
    expect(await send(core, 'merge', table('遥测,A,电压,1,0x0010,3,0x42,250,', '遥信,B,,1,5,,,,'))).toMatchObject({ applied: true });
    const [a, b] = await pointsOf(core);
    const report = await send(core, 'merge', table('遥信,B,断路器,1,6,,,,', '遥控,C,,1,7,,,,'));
    expect(report).toMatchObject({ applied: true, counts: { merge: { added: 1, changed: 1, unchanged: 0, removed: 0 }, replace: null } });
    const after = await pointsOf(core);
    expect(after.map((point) => [point.id, point.code, point.name, point.address])).toEqual([
      [a?.id, 'A', '电压', 16],
      [b?.id, 'B', '断路器', 6],
      [(b?.id ?? 0) + 1, 'C', 'C', 7],
    ]);
    await core.core.close();
    const again = await startCore({ dataDir: core.dir });
    running.push(again);
    expect(await pointsOf(again)).toEqual(after);
  });

  it('nothing changes while there is one error: every one is told with sheet, row, column and reason', async () => {
    const core = await start();
    await send(core, 'merge', table('遥测,A,,1,0,,,,'));
    for (const mode of ['merge', 'replace'] as const) {
      const report = await send(core, mode, table('遥测,NEW,,1,10,,,,', '遥测,BAD,,1,zehn,,0x46,,', '遥测,NEW,,1,20,,,,'));
      expect(report).toMatchObject({ applied: false, counts: { errors: 3 } });
      expect(report.errors.map((issue) => [issue.rule, issue.row, issue.column, issue.cell])).toEqual([
        ['not_number', 3, '寄存器地址', 'E3'],
        ['decode_unknown', 3, '解析码', 'G3'],
        ['code_twice', 4, '测点编码', 'B4'],
      ]);
      expect(report.errors[0]?.message).toBe('"zehn" is no number; numbers are written 16 or 0x0010.');
      expect((await pointsOf(core)).map((point) => point.code)).toEqual(['A']);
    }
  });

  it('a file that is no table is an answer with one error, not a failed request', async () => {
    const core = await start();
    const report = await send(core, 'replace', new File([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0])], 'old.xls'));
    expect(report).toMatchObject({ applied: false, file: { name: 'old.xls', format: null }, counts: { rows: 0, errors: 1 } });
    expect(report.errors[0]).toMatchObject({ rule: 'file_old_xls', row: null, sheet: '' });
  });

  it('4.7 rules 2 and 3: replace stops the tasks, swaps, and starts the automatic one again; values of kept points stay', async () => {
    const core = await start();
    const yc = (code: string, address: number) => ({ frame_type: 0 as const, code, address, decode: '0x20' });
    const pair = await startPair(core, { served: [yc('A', 0), yc('B', 1), yc('C', 2)], read: [yc('A', 0), yc('B', 1)] });
    const task = () => core.api.call('autoReadStatus', { device_name: pair.device }).then(({ data }) => data);
    await core.api.call('startAutoRead', { device_name: pair.device, cycle_interval_ms: 100, slave_id: 1 });
    await until(task, (snapshot) => snapshot.cycle_count > 1);
    const before = await task();
    const ids = new Map((await pointsOf(core, pair.clientId)).map((point) => [point.code, point.id]));
    const report = await send(core, 'replace', table('遥测,B,kept,1,1,3,0x20,,', '遥测,C,new,1,2,3,0x20,,'), pair.clientId);
    expect(report).toMatchObject({ applied: true, counts: { merge: null, replace: { added: 1, changed: 1, unchanged: 0, removed: 1 } } });
    const after = await until(task, (snapshot) => snapshot.cycle_count > 1 && snapshot.task_id !== before.task_id);
    expect(after).toMatchObject({ state: 'running', config: before.config, total: 2, fail: 0 });
    const points = await pointsOf(core, pair.clientId);
    expect(points.map((point) => [point.code, point.quality])).toEqual([
      ['B', 'good'],
      ['C', 'good'],
    ]);
    expect(points[0]?.id).toBe(ids.get('B'));
  });

  it('a point that is read from elsewhere now has no value before it is read there; one with a new name keeps its value', async () => {
    const core = await start();
    const yc = (code: string, address: number) => ({ frame_type: 0 as const, code, address, decode: '0x20' });
    const pair = await startPair(core, { served: [yc('A', 0), yc('B', 1)], read: [yc('A', 0), yc('B', 1)] });
    await core.api.call('manualRead', { device_name: pair.device });
    await until(
      () => pointsOf(core, pair.clientId),
      (points) => points.every((point) => point.quality === 'good'),
    );
    await send(core, 'merge', table('遥测,A,,1,7,3,0x20,,', '遥测,B,renamed,1,1,3,0x20,,'), pair.clientId);
    expect((await pointsOf(core, pair.clientId)).map((point) => [point.code, point.quality])).toEqual([
      ['A', 'never'],
      ['B', 'good'],
    ]);
  });

  it('merge leaves the tasks alone; the new points are read from the next round on', async () => {
    const core = await start();
    const yc = (code: string, address: number) => ({ frame_type: 0 as const, code, address, decode: '0x20' });
    const pair = await startPair(core, { served: [yc('A', 0), yc('B', 1)], read: [yc('A', 0)] });
    await core.api.call('startAutoRead', { device_name: pair.device, cycle_interval_ms: 100 });
    const task = () => core.api.call('autoReadStatus', { device_name: pair.device }).then(({ data }) => data);
    const before = await until(task, (snapshot) => snapshot.cycle_count > 0);
    await send(core, 'merge', table('遥测,B,,1,1,3,0x20,,'), pair.clientId);
    const after = await until(task, (snapshot) => snapshot.total === 2 && snapshot.cycle_count > before.cycle_count + 1);
    expect(after.task_id).toBe(before.task_id);
  });

  it('what a request lacks is told: mode, channel, file, form', async () => {
    const core = await start();
    const form = (name = 'file') => {
      const body = new FormData();
      body.append(name, table(), '点表.csv');
      return body;
    };
    const fileMessage = 'must be an xlsx or csv file, as a part of a form';
    expect(await post(core, '?channel_id=1', { body: form() })).toMatchObject({ status: 422, body: { data: [{ path: 'mode' }] } });
    expect(await post(core, '?channel_id=1&mode=merge', {})).toMatchObject({
      status: 422,
      body: { data: [{ path: 'file', message: `is missing; it ${fileMessage}` }] },
    });
    expect(await post(core, '?channel_id=1&mode=merge', { body: form('table') })).toMatchObject({
      status: 422,
      body: { data: [{ path: 'file' }] },
    });
    expect(await post(core, '?channel_id=77&mode=merge', { body: form() })).toMatchObject({ status: 404 });
    const json = { body: '{"file":"x"}', headers: { 'content-type': 'application/json' } };
    expect(await post(core, '?channel_id=1&mode=merge', json)).toMatchObject({ status: 415, body: { error: 'CONFIG_MEDIA_TYPE' } });
    const broken = { body: '--x\r\nnonsense', headers: { 'content-type': 'multipart/form-data; boundary=x' } };
    expect(await post(core, '?channel_id=1&mode=merge', broken)).toMatchObject({ status: 400 });
    const two = form();
    two.append('file', table(), 'b.csv');
    expect(await post(core, '?channel_id=1&mode=preview', { body: two })).toMatchObject({
      status: 422,
      body: { data: [{ path: 'file' }] },
    });
    const text = form();
    text.append('comment', 'x');
    expect(await post(core, '?channel_id=1&mode=preview', { body: text })).toMatchObject({
      status: 200,
      body: { warnings: [{ path: 'comment' }] },
    });
  });

  it('a form is no body for the other operations', async () => {
    const core = await start();
    const body = new FormData();
    body.append('file', table(), 'x.csv');
    const reply = await fetch(`${core.url}/api/channel/add`, { method: 'POST', body });
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([415, 'CONFIG_MEDIA_TYPE']);
  });

  it('a file that is too large answers 413', async () => {
    const core = await start();
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(LARGEST_TABLE_FILE + 1)]), 'huge.csv');
    expect(await post(core, '?channel_id=1&mode=preview', { body })).toMatchObject({ status: 413, body: { error: 'CONFIG_TOO_LARGE' } });
  });

  it('10,000 rows are previewed and imported', async () => {
    const core = await start();
    const rows = Array.from({ length: 10_000 }, (_, index) => `遥测,P${index},测点 ${index},1,${index * 2},3,0x42,,`);
    expect(await send(core, 'preview', table(...rows))).toMatchObject({ counts: { errors: 0, merge: { added: 10_000 } } });
    expect(await send(core, 'merge', table(...rows))).toMatchObject({ applied: true });
    expect((await core.api.call('pointTable', { channel_id: 1, page: 1, page_size: 1 })).data.total).toBe(10_000);
  });
});

describe('GET /api/channel/export_points and points_template', () => {
  it.each(['xlsx', 'csv'] as const)('what is exported as %s imports into the same points', async (format) => {
    const core = await start();
    await send(core, 'merge', table('遥测,A,=1+1,1,0x0010,3,0x42,0,', '遥控,K,,1,3,,,,', '遥调,S,,7,30,,0x20,,A'));
    const { data } = await core.api.call('exportPoints', { channel_id: 1, format });
    expect(data.name).toBe(`逆变器 1-points.${format}`);
    const report = await send(core, 'preview', new File([new Uint8Array(data.bytes)], data.name));
    expect(report).toMatchObject({ counts: { errors: 0, merge: { unchanged: 3 }, replace: { unchanged: 3, removed: 0 } } });
    await core.api.call('addChannel', { name: 'copy', protocol_type: 1, conn_type: 2 });
    await send(core, 'replace', new File([new Uint8Array(data.bytes)], data.name), 2);
    const without = (points: Awaited<ReturnType<typeof pointsOf>>) => points.map((point) => ({ ...point, id: 0, channel_id: 0 }));
    expect(without(await pointsOf(core, 2))).toEqual(without(await pointsOf(core)));
  });

  it('are files to be saved, with a name and a type', async () => {
    const core = await start();
    const reply = await fetch(`${core.url}/api/channel/export_points?channel_id=1&format=csv`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toBe(
      `attachment; filename="___ 1-points.csv"; filename*=UTF-8''${encodeURIComponent('逆变器 1-points.csv')}`,
    );
    const template = await fetch(`${core.url}/api/channel/points_template`);
    expect(template.headers.get('content-disposition')).toContain('filename="point-table-template.xlsx"');
    expect(
      Buffer.from(await template.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    expect((await fetch(`${core.url}/api/channel/export_points?channel_id=9`)).status).toBe(404);
    expect((await fetch(`${core.url}/api/channel/export_points?channel_id=1&format=pdf`)).status).toBe(422);
  });
});

describe('the inner door', () => {
  it('carries files in and out as HTTP does', async () => {
    const core = await start();
    const bridge = makeBridge(core.core.fastify);
    /** What crosses IPC is copied; nothing but plain data and octets survives that. */
    const door: ApiTransport = async (request) => structuredClone(await bridge(structuredClone(request))) as ApiReply;
    const inner = createClient(door);
    const { data } = await inner.call('importPoints', { channel_id: 1, mode: 'merge', file: table('遥测,A,电压,1,0x0010,3,0x42,250,') });
    expect(data).toMatchObject({ applied: true, file: { name: '点表.csv' } });
    const [overIpc, overHttp] = await Promise.all([
      inner.call('exportPoints', { channel_id: 1, format: 'csv' }),
      core.api.call('exportPoints', { channel_id: 1, format: 'csv' }),
    ]);
    expect(overIpc.data).toEqual(overHttp.data);
    await expect(inner.call('exportPoints', { channel_id: 9 })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
  });
});
