import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { writeTable } from '../services/point-files/table-formats.ts';
import { beginCheck, enter, itemsOf, S, U } from './testing/checks.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

let running: RunningCore;
let id: number;
beforeEach(async () => {
  running = await startCore();
});
afterEach(async () => {
  await running.close();
});

const points = ['B10', 'b2', 'A1', 'B1'].map((code, at) => ({ ...U, code, address: at }));
const listed = async (core = running, session = id) => (await itemsOf(core, session)).map(({ code, group }) => [code, group]);
const codes = async () => (await listed()).map(([code]) => code);
const namesOf = async () => new Map((await itemsOf(running, id)).map(({ code, item }) => [code, item]));
const group = async (name: string, ...of: string[]) => {
  const names = await namesOf();
  await running.api.call('editCheckItems', { session_id: id, items: of.map((code) => names.get(code) ?? ''), group: name });
};
const order = async (by: 'table' | 'group' | 'code') => (await running.api.call('orderCheckItems', { session_id: id, by })).data.changed;
const list = async (content: string | Uint8Array<ArrayBuffer>, channel_id?: number) =>
  (await running.api.call('orderByCableList', { session_id: id, channel_id, file: new File([content], 'cables') })).data;
const templateOf = async (core = running, session = id) => {
  const { bytes } = (await core.api.call('checkTemplate', { session_id: session })).data as DownloadedFile;
  return Buffer.from(bytes).toString('utf8');
};
const apply = async (text: string, core = running, session = id, channel_id?: number) =>
  (await core.api.call('applyCheckTemplate', { session_id: session, channel_id, file: new File([text], 't.json') })).data;

describe('the order of items', () => {
  beforeEach(async () => {
    id = await beginCheck(running, points);
  });

  it('is that of the table, the natural one of codes, or by groups in natural order with those without one behind', async () => {
    expect(await order('code')).toBe(4);
    expect(await codes()).toEqual(['A1', 'B1', 'b2', 'B10']);
    expect(await order('code')).toBe(0);
    await group('Bay 10', 'b2', 'A1');
    await group('Bay 2', 'B10');
    await order('group');
    expect(await listed()).toEqual([
      ['B10', 'Bay 2'],
      ['A1', 'Bay 10'],
      ['b2', 'Bay 10'],
      ['B1', ''],
    ]);
    await order('table');
    expect(await codes()).toEqual(['B10', 'b2', 'A1', 'B1']);
  });

  it('comes from a cable list with its groups; what it names for no item is told, what it does not name stays behind', async () => {
    const rows = 'Cable list of panel 3\n,,\n编码,屏柜,端子\nB1,,X3:1\nnone,P1,X3:2\n,,spare\nA1,P1,X4:1\nB1,P9,X9:9\n';
    const answer = await list(rows);
    expect(answer).toMatchObject({ left: 2, misfit_count: 2 });
    expect(answer.misfits).toEqual([
      { row: 5, channel: '', code: 'none', why: 'unknown' },
      { row: 8, channel: '', code: 'B1', why: 'twice' },
    ]);
    expect(await listed()).toEqual([
      ['B1', 'X3'],
      ['A1', 'P1'],
      ['B10', ''],
      ['b2', ''],
    ]);
  });

  it('comes from a workbook as well, the page in place of a group', async () => {
    const header = ['Signal', 'Page'];
    const sheet = { name: 'S', header, rows: [['b2', 12]], choices: {}, textColumns: [], isTable: true };
    const octets = new Uint8Array(await writeTable('xlsx', [sheet]));
    expect(await list(octets)).toMatchObject({ left: 3, misfits: [] });
    expect((await listed())[0]).toEqual(['b2', '12']);
  });

  it.each([
    ['a table without codes', 'a,b\n1,2\n'],
    ['codes without a place', 'code,note\nA1,x\n'],
    ['no table', new Uint8Array([0, 1, 2])],
  ])('is refused from %s, and stays', async (_, content) => {
    await expect(list(content)).rejects.toMatchObject({ status: 422, data: [{ path: 'file' }] });
    expect(await codes()).toEqual(['B10', 'b2', 'A1', 'B1']);
  });
});

describe('the list of items', () => {
  it('is what is open for tomorrow, and sorted by what is asked for', async () => {
    id = await beginCheck(running, points);
    await enter(running, id, 'B10', 'accepted', 'spare');
    await enter(running, id, 'A1', 'failed');
    await enter(running, id, 'b2', 'blocked');
    const ask = async (asked: { state?: 'open'; sort?: 'code' | 'state' | 'last' | 'group'; order?: 'asc' | 'desc' }) =>
      (await running.api.call('checkItems', { session_id: id, ...asked })).data.items.map(({ code }) => code);
    expect(await ask({ state: 'open' })).toEqual(['b2', 'A1', 'B1']);
    expect(await ask({ state: 'open', sort: 'code' })).toEqual(['A1', 'B1', 'b2']);
    expect(await ask({ sort: 'code', order: 'desc' })).toEqual(['B10', 'b2', 'B1', 'A1']);
    expect(await ask({ sort: 'state' })).toEqual(['B1', 'A1', 'b2', 'B10']);
    expect(await ask({ sort: 'last', order: 'desc' })).toEqual(['b2', 'A1', 'B10', 'B1']);
    // equal ones stay in the order of the session, both ways
    expect(await ask({ sort: 'group', order: 'desc' })).toEqual(await codes());
  });
});

describe('a template', () => {
  beforeEach(async () => {
    id = await beginCheck(running, [...points, S]);
    const names = await namesOf();
    const expectation = { kind: 'values' as const, references: [{ value: 12, tolerance: 0, percent: 1 }] };
    await running.api.call('editCheckItems', { session_id: id, items: [names.get('A1') ?? ''], expectation, group: 'Bay 1', before: null });
    await enter(running, id, 'A1', 'failed');
  });

  it('carries expectations, groups and order into another session, and no result', async () => {
    const text = await templateOf();
    expect(JSON.parse(text)).toMatchObject({ format: 'loopcheck-check-template', version: 1 });
    expect(text).not.toContain('failed');
    const other = await startCore();
    try {
      const there = await beginCheck(other, [S, ...points]);
      expect(await apply(text, other, there)).toMatchObject({ left: 0, misfits: [] });
      expect(await listed(other, there)).toEqual(await listed());
      const [last] = (await itemsOf(other, there)).slice(-1);
      expect(last).toMatchObject({ code: 'A1', state: 'not_checked', expectation: { references: [{ value: 12, percent: 1 }] } });
      expect(await apply(text, other, there)).toMatchObject({ changed: 0 });
    } finally {
      await other.close();
    }
  });

  it('lists what does not fit: codes that are not there, items of another type; the channel decides between equal codes', async () => {
    const second = await beginCheck(running, [{ ...U, code: 'A1' }], 'Second');
    const rule = { kind: 'text', text: 'x' };
    const items = [
      { channel: 'Elsewhere', code: 'A1', frame_type: 0, group: 'G', expectation: rule },
      { channel: '', code: 'S', frame_type: 0, group: 'G', expectation: rule },
      { channel: '', code: 'none', frame_type: 0, group: 'G', expectation: rule },
    ];
    const text = JSON.stringify({ format: 'loopcheck-check-template', version: 1, items });
    const answer = await apply(text);
    expect(answer.misfits.map(({ row, why }) => [row, why])).toEqual([
      [2, 'other_type'],
      [3, 'unknown'],
    ]);
    expect((await listed())[0]).toEqual(['A1', 'G']);
    const both = (await running.api.call('addCheckItems', { session_id: id, channel_id: 2 })).data;
    expect(both.added).toBe(1);
    const one = (channel: string) =>
      JSON.stringify({ format: 'loopcheck-check-template', version: 1, items: [{ ...items[0], channel, group: channel }] });
    await apply(one('Of Second'));
    expect((await itemsOf(running, id)).filter(({ code }) => code === 'A1').map((item) => item.group)).toEqual(['Of Second', 'G']);
    await apply(one('Elsewhere'), running, id, 1);
    expect((await itemsOf(running, id)).filter(({ code }) => code === 'A1').map((item) => item.group)).toEqual(['Elsewhere', 'Of Second']);
    expect((await itemsOf(running, second))[0]?.group).toBe('');
  });

  it.each([
    ['no JSON', '{'],
    ['something else', '{"format":"loopcheck-check","version":1,"items":[]}'],
    ['a newer one', '{"format":"loopcheck-check-template","version":2,"items":[]}'],
    [
      'one whose second item is broken',
      JSON.stringify({
        format: 'loopcheck-check-template',
        version: 1,
        items: [{ channel: '', code: 'b2', frame_type: 0, group: 'X', expectation: { kind: 'text', text: '' } }, { code: 'A1' }],
      }),
    ],
  ])('is refused whole: %s', async (_, text) => {
    const before = await listed();
    await expect(apply(text)).rejects.toMatchObject({ status: 422, data: [{ path: 'file' }] });
    expect(await listed()).toEqual(before);
  });
});
