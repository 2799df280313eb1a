import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { modbusRtuDriver } from '../drivers/modbus/rtu/driver.ts';
import { readTable } from '../services/point-files/table-formats.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type Pair, type RunningCore, startCore, startPair, until } from './testing/running-core.ts';

let running: RunningCore;
let count = 0;
beforeAll(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([modbusTcpDriver, modbusRtuDriver, dlt645Driver]) });
});
afterAll(() => running.close());

type Points = InputOf<'addPoints'>['points'];
const P = (code: string, address: number, more: Partial<Points[number]> = {}) =>
  ({ frame_type: 0, code, name: `Point ${code}`, address, decode: '0x20', ...more }) as Points[number];

async function channelWith(points: Points, settings: Partial<InputOf<'addChannel'>> = {}): Promise<number> {
  count += 1;
  const own = { name: `Channel ${count}`, protocol_type: 1 as const, conn_type: 2 as const, port: await freePort(), ...settings };
  const { id } = (await running.api.call('addChannel', own)).data;
  if (points.length > 0) await running.api.call('addPoints', { channel_id: id, points });
  return id;
}

const channel = (channel_id: number) => ({ of: 'channel', channel_id }) as const;
const compare = async (before: InputOf<'comparePoints'>['before'], after: InputOf<'comparePoints'>['after'], protocol_type?: 1) =>
  (await running.api.call('comparePoints', { before, after, ...(protocol_type && { protocol_type }) })).data;
const rowsOf = async (comparison_id: string, more: Omit<InputOf<'comparisonRows'>, 'comparison_id'> = {}) =>
  (await running.api.call('comparisonRows', { comparison_id, ...more })).data;
const take = async (comparison_id: string, chosen: Omit<InputOf<'takeDifferences'>, 'comparison_id'>) =>
  (await running.api.call('takeDifferences', { comparison_id, ...chosen })).data;
async function give(text: string, name = 'new.csv') {
  const { file_id } = (await running.api.call('giveCompareFile', { file: new File([text], name) })).data;
  return { of: 'file', file_id } as const;
}
async function table(channel_id: number) {
  const { items } = (await running.api.call('pointTable', { channel_id, page: 1, page_size: 1000 })).data;
  return items;
}
const facts = async (id: number) => (await table(id)).map(({ code, address, unit, mul_coe }) => [code, address, unit, mul_coe]);
async function idOf(channelId: number, code: string) {
  return (await table(channelId)).find((point) => point.code === code)?.id ?? 0;
}
const edit = async (channelId: number, code: string, change: object) =>
  running.api.call('editPoint', { point_id: await idOf(channelId, code), frame_type: 0, ...change });

const TABLE = '测点类型,测点编码,测点名称,寄存器地址,解析码,单位\n';

describe('POST /api/points/compare', () => {
  it('a channel with another one, row by row', async () => {
    const one = await channelWith([P('A', 1), P('B', 2, { unit: 'V' }), P('C', 3)]);
    const other = await channelWith([P('A', 1), P('B', 2, { unit: 'kV' }), P('D', 3, { name: 'Point C' }), P('E', 9)]);
    const made = await compare(channel(one), channel(other));
    expect(made).toMatchObject({
      protocol_type: 1,
      counts: { added: 1, removed: 0, changed: 1, renamed: 1, faulty: 0, same: 1 },
      is_current: true,
      can_take: true,
      before: { of: 'channel', channel_id: one, points: 3, errors: [] },
      after: { of: 'channel', channel_id: other, points: 4 },
    });
    const { items, total } = await rowsOf(made.comparison_id);
    expect(total).toBe(3);
    expect(items.map(({ code, kind, matched, fields }) => [code, kind, matched, fields])).toEqual([
      ['B', 'changed', 'code', [{ field: 'unit', before: 'V', after: 'kV' }]],
      ['C', 'renamed', 'place', [{ field: 'code', before: 'C', after: 'D' }]],
      ['E', 'added', null, []],
    ]);
    expect(items[1]?.before).toMatchObject({ code: 'C', address: 3, point_id: await idOf(one, 'C') });
    expect((await running.api.call('comparison', { comparison_id: made.comparison_id })).data).toEqual(made);
  });

  it('in pages, by kind and by a word', async () => {
    const one = await channelWith([P('A', 1), P('B', 2)]);
    const other = await channelWith([P('A', 5, { name: 'Voltage' }), P('C', 9), P('D', 10)]);
    const { comparison_id } = await compare(channel(one), channel(other));
    expect((await rowsOf(comparison_id, { kind: 'added' })).items.map(({ code }) => code)).toEqual(['C', 'D']);
    expect((await rowsOf(comparison_id, { search: 'VOLT' })).items.map(({ code }) => code)).toEqual(['A']);
    const second = await rowsOf(comparison_id, { page: 2, page_size: 2 });
    expect([second.total, second.items.map(({ code }) => code)]).toEqual([4, ['C', 'D']]);
  });

  it('with a file: rows with errors are told, and compared as far as they can be', async () => {
    const own = await channelWith([P('A', 1, { unit: 'V' }), P('B', 2)]);
    const file = await give(`${TABLE}遥测,A,Point A,none,0x20,kV\n遥测,B,Point B,7,0x20,\n遥测,N,Point N,8,0x20,\n`);
    const made = await compare(channel(own), file);
    expect(made.counts).toMatchObject({ faulty: 1, changed: 1, added: 1, removed: 0 });
    expect(made.after).toMatchObject({ of: 'file', name: 'new.csv', points: 3, counts: { errors: 1 } });
    const { items } = await rowsOf(made.comparison_id);
    expect(items[0]).toMatchObject({
      kind: 'faulty',
      fields: [{ field: 'unit', before: 'V', after: 'kV' }],
      faults: [{ rule: 'not_number', row: 2, cell: 'D2' }],
      touches: null,
    });
    expect(items[2]?.after).toMatchObject({ point_id: null, row: 4 });
  });

  it('with a file that is none: told, and nothing can be taken that it does not say', async () => {
    const own = await channelWith([P('A', 1)]);
    const made = await compare(channel(own), await give('\u0000\u0001', 'photo.png'));
    expect(made.after.errors.map(({ rule }) => rule)).toEqual(['file_unreadable']);
    expect(made.counts).toMatchObject({ removed: 1 });
  });

  it('two files of the protocol that is named; nothing can be taken over', async () => {
    const [one, other] = [await give(`${TABLE}遥测,A,x,1,0x20,V\n`), await give(`${TABLE}遥测,A,x,2,0x20,V\n`, 'other.csv')];
    const made = await compare(one, other, 1);
    expect(made).toMatchObject({ counts: { changed: 1 }, can_take: false, touches: null });
    await expect(take(made.comparison_id, { codes: ['A'] })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(compare(one, other)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('with itself as it was before a step; steps that were undone are none', async () => {
    const own = await channelWith([P('A', 1), P('B', 2)]);
    await edit(own, 'A', { unit: 'V' });
    await edit(own, 'A', { unit: 'kV', mul_coe: 10 });
    await running.api.call('deletePoints', { channel_id: own, point_ids: [await idOf(own, 'B')] });
    await edit(own, 'A', { code: 'Z' });
    await running.api.call('undoPoints', { channel_id: own });
    const { items: steps } = (await running.api.call('pointHistory', { channel_id: own })).data;
    const step = (name: string) => steps.filter((each) => each.name === name).at(-1)?.id ?? 0;
    const made = await compare(channel(own), { of: 'step', channel_id: own, step_id: step('Edit "A"') });
    expect(
      (await rowsOf(made.comparison_id)).items.map(({ code, kind, fields }) => [code, kind, fields.map(({ field }) => field)]),
    ).toEqual([
      ['A', 'changed', ['mul_coe', 'unit']],
      ['B', 'added', []],
    ]);
    const first = await compare(channel(own), { of: 'step', channel_id: own, step_id: step('Add 2 points') });
    expect(first.counts).toMatchObject({ removed: 1, added: 0 });
    await expect(compare(channel(own), { of: 'step', channel_id: own, step_id: 99_999 })).rejects.toMatchObject({
      code: 'CONFIG_NOT_FOUND',
    });
    await expect(take(made.comparison_id, { codes: ['A', 'B'] })).resolves.toMatchObject({ changed: 1, added: 1 });
    expect(await facts(own)).toEqual([
      ['A', 1, '', 1],
      ['B', 2, '', 1],
    ]);
  });

  it('Modbus over a network with Modbus over a line, and no other two protocols', async () => {
    const tcp = await channelWith([P('A', 1)]);
    const rtu = await channelWith([P('A', 2)], { protocol_type: 2, conn_type: 0, com_port: 'COM3' });
    expect((await compare(channel(tcp), channel(rtu))).counts.changed).toBe(1);
    const meter = await channelWith([], { protocol_type: 4 });
    await expect(compare(channel(tcp), channel(meter))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('DL/T 645'),
    });
    await expect(compare(channel(tcp), channel(tcp))).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('of what is not there is 404; files and comparisons give way to newer ones', async () => {
    const own = await channelWith([P('A', 1)]);
    const first = await give(TABLE);
    await expect(compare(channel(999), channel(own))).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    const made = await compare(channel(own), first);
    for (let at = 0; at < 8; at++) await give(TABLE);
    await expect(compare(channel(own), first)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND', said: { code: 'table.no_file' } });
    const last = await give(TABLE);
    for (let at = 0; at < 8; at++) await compare(channel(own), last);
    await expect(rowsOf(made.comparison_id)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND', said: { code: 'table.no_comparison' } });
  });
});

describe('POST /api/points/take_over', () => {
  let own: number;
  let other: number;
  let id: string;
  beforeEach(async () => {
    own = await channelWith([P('A', 1), P('B', 2, { unit: 'V' }), P('C', 3), P('GONE', 4)]);
    other = await channelWith([
      P('A', 1, { mul_coe: 0.1 }),
      P('B', 2, { unit: 'kV', frame_type: 3 }),
      P('D', 3, { name: 'Point C' }),
      P('E', 9),
    ]);
    id = (await compare(channel(own), channel(other))).comparison_id;
  });

  it('takes chosen rows over, in one step that can be undone', async () => {
    const before = await table(own);
    const done = await take(id, { codes: ['A', 'C', 'E'] });
    expect(done).toMatchObject({ added: 1, changed: 2, removed: 0 });
    expect(await facts(own)).toEqual([
      ['A', 1, '', 0.1],
      ['B', 2, 'V', 1],
      ['D', 3, '', 1],
      ['GONE', 4, '', 1],
      ['E', 9, '', 1],
    ]);
    expect(await idOf(own, 'D')).toBe(before.find(({ code }) => code === 'C')?.id);
    const { undo } = (await running.api.call('pointHistory', { channel_id: own })).data;
    expect(undo?.name).toContain('Take over 3 points from "Channel');
    await running.api.call('undoPoints', { channel_id: own, step_id: done.step_id ?? 0 });
    expect(await table(own)).toEqual(before);
  });

  it('takes all of some kinds over; then both tables are the same there, and a point of another type is a new one', async () => {
    const was = await idOf(own, 'B');
    expect(await take(id, { kinds: ['added', 'removed', 'changed', 'renamed'] })).toMatchObject({ added: 2, changed: 2, removed: 2 });
    expect((await compare(channel(own), channel(other))).counts).toMatchObject({ same: 4, added: 0, removed: 0, changed: 0, renamed: 0 });
    expect(await idOf(own, 'B')).not.toBe(was);
    expect((await running.api.call('comparison', { comparison_id: id })).data.is_current).toBe(false);
  });

  it('leaves what was edited meanwhile: 409 names it, nothing is changed, other rows can be taken', async () => {
    await edit(own, 'A', { note: 'mine' });
    await edit(other, 'E', { address: 10 });
    expect((await running.api.call('comparison', { comparison_id: id })).data.is_current).toBe(false);
    const before = await table(own);
    const refused = take(id, { codes: ['A', 'C', 'E'] });
    await expect(refused).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      data: { codes: ['A', 'E'] },
      message: expect.stringContaining('"A"'),
    });
    expect(await table(own)).toEqual(before);
    expect(await take(id, { codes: ['C', 'GONE'] })).toMatchObject({ changed: 1, removed: 1 });
    await expect(take(id, { codes: ['GONE'] })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it('refuses a code that another point has, as every change does, and names the rows', async () => {
    await running.api.call('addPoints', { channel_id: own, points: [P('E', 50)] });
    await expect(take(id, { codes: ['E'] })).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('"E"') });
    await expect(take(id, { codes: ['NONE'] })).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [{ path: 'codes' }] });
    await expect(take(id, {})).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('takes from a file what it says, and nothing of a row with errors', async () => {
    const file = await give(`${TABLE}遥测,A,New name,1,0x20,V\n遥测,B,Point B,x,0x20,V\n`);
    const made = await compare(channel(own), file);
    await expect(take(made.comparison_id, { codes: ['A', 'B'] })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('"B"'),
    });
    await edit(own, 'C', { mul_coe: 5 });
    expect(await take(made.comparison_id, { kinds: ['changed', 'faulty'] })).toMatchObject({ changed: 1 });
    expect(await facts(own)).toContainEqual(['A', 1, 'V', 1]);
  });
});

describe('what a difference touches', () => {
  let pair: Pair;
  const READ: Points = [
    P('U', 10),
    P('SP', 11, { frame_type: 3 }),
    P('ST', 12, { frame_type: 1, func_code: 3 }),
    P('K', 0, { frame_type: 2, func_code: 5, related_code: 'ST' }),
  ];
  beforeEach(async () => {
    pair = await startPair(running, { served: READ, read: READ });
  });
  afterEach(async () => {
    await running.api.call('stopDevice', { channel_id: pair.clientId });
    await running.api.call('stopDevice', { channel_id: pair.serverId });
  });

  async function withOther(points: Points) {
    const { comparison_id, touches } = await compare(channel(pair.clientId), channel(await channelWith(points)));
    const { items } = await rowsOf(comparison_id);
    return { touches, row: (code: string) => items.find((item) => item.code === code)?.touches };
  }

  it('values, tasks that run and would not be restarted, and related points', async () => {
    await running.api.call('startAutoRead', { device_name: pair.device, point_types: [0, 1] });
    const { touches, row } = await withOther([
      P('U', 20),
      P('SP', 11, { frame_type: 3, name: 'Set point' }),
      READ[3] as Points[number],
      P('NEW', 30),
    ]);
    expect(touches).toMatchObject({
      values_lost: 2,
      tasks: [{ kind: 'automatic', restarts: false, read_otherwise: 1, enters: 1, leaves: 1 }],
      related: 1,
    });
    expect(row('U')).toMatchObject({ value_lost: true, tasks: [{ kind: 'automatic', effect: 'read_otherwise' }] });
    expect(row('SP')).toMatchObject({ value_lost: false, tasks: [] });
    expect(row('ST')).toMatchObject({ tasks: [{ effect: 'leaves' }], related: ['K'], related_count: 1, related_lost: true });
    expect(row('NEW')).toMatchObject({ value_lost: false, tasks: [{ effect: 'enters' }] });
    await running.api.call('stopAutoRead', { device_name: pair.device });
  });

  it('results of checks: passed items whose mapping would change, or would be as it was again, and points that would be gone', async () => {
    const { id: session_id } = (await running.api.call('addCheck', { name: `Visit ${count}` })).data;
    await running.api.call('addCheckItems', { session_id, channel_id: pair.clientId });
    const { items } = (await running.api.call('checkItems', { session_id })).data;
    for (const { id, frame_type } of await table(pair.clientId)) {
      await running.api.call('readSinglePoint', { channel_id: pair.clientId, point_id: id, frame_type });
    }
    for (const { item } of items) await running.api.call('enterCheckResult', { session_id, item, verdict: 'passed', operator: 'Li' });
    const { touches, row } = await withOther([P('U', 20), P('SP', 11, { frame_type: 3, name: 'Set point' }), READ[3] as Points[number]]);
    expect(touches?.checks).toEqual({ check_again: 1, passed_again: 0, point_gone: 1 });
    expect(row('U')?.checks).toMatchObject([{ session_id, becomes: 'check_again' }]);
    expect(row('SP')?.checks).toEqual([]);
    expect(row('ST')?.checks).toMatchObject([{ becomes: 'point_gone' }]);
    const point = (await table(pair.clientId)).find(({ code }) => code === 'U');
    await running.api.call('editPoint', { point_id: point?.id ?? 0, frame_type: 0, address: 20 });
    const back = await withOther(READ);
    expect(back.row('U')?.checks).toMatchObject([{ becomes: 'passed_again' }]);
  });

  it('setpoints that were written and could not be brought back any more', async () => {
    const setpoint = (await table(pair.clientId)).find(({ code }) => code === 'SP');
    await running.api.call('readSinglePoint', { channel_id: pair.clientId, point_id: setpoint?.id ?? 0, frame_type: 3 });
    await running.api.call('updatePoint', { point_id: setpoint?.id ?? 0, frame_type: 3, value: 7 });
    const moved = await withOther([...READ.slice(0, 1), P('SP', 40, { frame_type: 3 }), ...READ.slice(2)]);
    expect([moved.touches?.setpoints, moved.row('SP')?.setpoint_lost]).toEqual([1, true]);
    const named = await withOther([...READ.slice(0, 1), P('SP', 11, { frame_type: 3, name: 'Set point' }), ...READ.slice(2)]);
    expect([named.touches?.setpoints, named.row('SP')?.setpoint_lost]).toEqual([0, false]);
  });

  it('sends nothing to a device', async () => {
    const sent = async () => (await running.api.call('listChannels', {})).data.find(({ id }) => id === pair.clientId)?.health.tx_bytes;
    const before = await sent();
    await withOther([P('U', 20)]);
    await until(sent, (now) => now === before);
  });
});

describe('GET /api/points/comparison_export', () => {
  it('has a line a point, with what differs as before → after; hexadecimal addresses as files have them', async () => {
    const one = await channelWith([P('A', 16), P('B', 2, { unit: 'V' })]);
    const other = await channelWith([P('A', 16, { decode: '0x42' }), P('C', 3, { name: '=1+1' })]);
    const { comparison_id } = await compare(channel(one), channel(other));
    const csv = (await running.api.call('exportComparison', { comparison_id, format: 'csv', lang: 'en' })).data as DownloadedFile;
    expect(csv.name).toBe('comparison.csv');
    const lines = new TextDecoder().decode(csv.bytes).split('\r\n');
    expect(lines[0]?.split(',').slice(0, 7)).toEqual([
      'Difference',
      'Code after',
      'point type',
      'point code',
      'point name',
      'slave address',
      'register address',
    ]);
    expect(lines[1]).toContain('changed,,遥测,A,Point A,1,0x0010');
    expect(lines[1]).toContain('0x20 → 0x42');
    expect(lines[2]).toMatch(/^removed,,遥测,B,Point B,1,0x0002/);
    expect(lines[3]).toMatch(/^added,,遥测,C,'=1\+1/);
    const xlsx = (await running.api.call('exportComparison', { comparison_id, lang: 'zh' })).data as DownloadedFile;
    const { sheets } = await readTable(xlsx.bytes);
    expect(sheets.map(({ name }) => name)).toEqual(['差异', '对比']);
    expect(sheets[0]?.rows[1]?.slice(0, 4)).toEqual(['修改', null, '遥测', 'A']);
    expect(sheets[1]?.rows).toContainEqual(['修改', 1]);
  });
});
