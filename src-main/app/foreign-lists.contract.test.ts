import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import { freePort, type RunningCore, silentPeer, startCore, startPair } from './testing/running-core.ts';

const running: RunningCore[] = [];
afterEach(async () => {
  for (const core of running.splice(0)) await core.close();
});

async function start(): Promise<RunningCore> {
  const core = await startCore();
  running.push(core);
  await core.api.call('addChannel', { name: '逆变器 1', protocol_type: 1, conn_type: 2 });
  return core;
}

const LIST = ['Address;Name;Type;Unit;Scale', '517;Output frequency;uint16;Hz;100', '524;Energy;uint32;kWh;1', '538;Speed;T9;rpm;1'].join(
  '\n',
);
const file = (text = LIST) => new File([text], 'drive.csv');
const asText = (mapping: ListMapping) => JSON.stringify(mapping);
const ANSWERS = { base: 'plain1', order: 'CDAB', factor_way: 'by', 'type:t9': 'int16' };

describe('a foreign list', () => {
  it('is told as one by the import, looked at, answered, and imported all or none', async () => {
    const { api } = await start();
    const refused = (await api.call('importPoints', { channel_id: 1, mode: 'preview', file: file() })).data;
    expect([refused.foreign, refused.applied, refused.counts.errors]).toEqual([true, false, 1]);

    const open = (await api.call('analyseList', { channel_id: 1, file: file() })).data;
    expect(open.questions.map(({ id, answer, rows }) => [id, answer, rows])).toEqual([
      ['base', null, 3],
      ['type:t9', null, 1],
      ['order', null, 1],
      ['factor_way', null, 1],
    ]);
    expect(open.tables[0]?.columns.map(({ header, role }) => [header, role])).toEqual([
      ['Address', 'address'],
      ['Name', 'name'],
      ['Type', 'type'],
      ['Unit', 'unit'],
      ['Scale', 'factor'],
    ]);
    expect(open.errors.map(({ rule }) => rule)).toEqual(['list_question', 'list_question', 'list_question', 'list_question']);

    const half = { channel_id: 1, mode: 'merge', file: file(), mapping: asText({ answers: { base: 'plain1' } }) } as const;
    expect((await api.call('importPoints', half)).data).toMatchObject({ applied: false, counts: { errors: 3 } });
    const done = (await api.call('importPoints', { ...half, mapping: asText({ answers: ANSWERS }) })).data;
    expect(done).toMatchObject({ applied: true, foreign: true, counts: { rows: 3, merge: { added: 3 } } });
    const { items } = (await api.call('pointTable', { channel_id: 1, page: 1, page_size: 10 })).data;
    expect(items.map(({ code, address, decode, mul_coe, unit }) => [code, address, decode, mul_coe, unit])).toEqual([
      ['Output_frequency', 516, '0x20', 0.01, 'Hz'],
      ['Energy', 523, '0x43', 1, 'kWh'],
      ['Speed', 537, '0x21', 1, 'rpm'],
    ]);
    const again = (await api.call('importPoints', { ...half, mapping: asText({ answers: ANSWERS }) })).data;
    expect(again.counts.merge).toEqual({ added: 0, changed: 0, unchanged: 3, removed: 0 });
  });

  it.each([
    ['no JSON', 'nonsense', 'mapping'],
    ['a role that nobody has', '{"headers":[{"header":"a","role":"colour"}]}', 'mapping.headers.0.role'],
    ['a table without a place', '{"tables":[{"sheet":""}]}', 'mapping.tables.0.header_row'],
  ])('with a mapping that is %s is a 422 that names the field', async (_, mapping, path) => {
    const { api } = await start();
    await expect(api.call('analyseList', { channel_id: 1, file: file(), mapping })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path }],
    });
  });

  it.each(['', '\u0000\u0001', '{"a": 1', 'just one sentence', 'a,b,c'])('that is none (%j) is an answer with an error', async (text) => {
    const { api } = await start();
    const { errors, tables } = (await api.call('analyseList', { channel_id: 1, file: file(text) })).data;
    expect([errors.length, tables.filter(({ taken }) => taken).length]).toEqual([1, 0]);
  });
});

describe('profiles', () => {
  it('are kept in the data folder, proposed for like lists, exchanged and deleted', async () => {
    const core = await start();
    const { api } = core;
    const { headers } = (await api.call('analyseList', { channel_id: 1, file: file() })).data;
    const saved = (await api.call('saveProfile', { name: '变频器 ACS', headers, mapping: { answers: ANSWERS } })).data;
    expect(saved).toMatchObject({ id: 'own-变频器-acs', built_in: false });
    const used = (await api.call('analyseList', { channel_id: 1, file: file(LIST.replace('Speed', 'Torque')) })).data;
    expect([used.profile?.id, used.questions.filter(({ answer }) => answer === null).length, used.counts.points]).toEqual([saved.id, 0, 3]);
    const without = (await api.call('analyseList', { channel_id: 1, file: file(), mapping: asText({ profile: null }) })).data;
    expect([without.profile, without.fitting[0]?.id]).toEqual([null, saved.id]);

    const exported = (await api.call('profileFile', { id: saved.id })).data;
    expect((await api.call('deleteProfile', { id: saved.id })).data.name).toBe('变频器 ACS');
    await expect(api.call('profileFile', { id: saved.id })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    const added = (await api.call('addProfileFile', { file: new File([new Uint8Array(exported.bytes)], exported.name) })).data;
    expect(added).toEqual(saved);
    const { items } = (await api.call('listProfiles', {})).data;
    expect(items.filter(({ built_in }) => built_in).map(({ id }) => id)).toEqual([
      'kepware',
      'ignition',
      'home-assistant',
      'sunspec',
      'delta-dvp',
    ]);
    expect(items.at(-1)).toEqual(saved);
  });

  it('refuse what is none, and tell files of the folder that are none', async () => {
    const core = await start();
    const { api } = core;
    await expect(api.call('saveProfile', { name: 'Kepware (CSV)', headers: ['a'], mapping: {} })).rejects.toMatchObject({
      data: [{ path: 'name' }],
    });
    await expect(api.call('saveProfile', { name: '—', headers: ['a'], mapping: {} })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(api.call('deleteProfile', { id: 'kepware' })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(api.call('addProfileFile', { file: new File(['{}'], 'a.json') })).rejects.toMatchObject({ data: [{ path: 'file' }] });
    await api.call('saveProfile', { name: 'Good', headers: ['a'], mapping: {} });
    writeFileSync(join(core.dir, 'mappings', 'bad.mapping.json'), '{"kind":');
    const { items, unreadable } = (await api.call('listProfiles', {})).data;
    expect([items.at(-1)?.name, unreadable.map(({ file: name }) => name)]).toEqual(['Good', ['bad.mapping.json']]);
  });
});

describe('compared readings', () => {
  const point = (address: number, changes = {}) => ({ frame_type: 0, code: 'P', address, decode: '0x45', unit: 'V', ...changes }) as const;

  it('read each address in each of its ways, mark the plausible one, and change nothing', async () => {
    const core = await start();
    const { api } = core;
    const served = [point(10, { code: 'A' }), point(12, { code: 'B' })];
    const pair = await startPair(core, { served, read: [point(500)] });
    for (const { address, value } of [
      { address: 10, value: 231.5 },
      { address: 12, value: 230.5 },
    ]) {
      const { items } = (await api.call('pointTable', { channel_id: pair.serverId, page: 1, page_size: 10 })).data;
      const id = items.find((item) => item.address === address)?.id ?? 0;
      await api.call('updatePoint', { point_id: id, frame_type: 0, value });
    }
    const under = (choice: string, decode: string) => ({ choice, points: [point(10, { decode }), point(12, { decode })] });
    const request = { channel_id: pair.clientId, candidates: [under('ABCD', '0x42'), under('CDAB', '0x45')] };
    const { rows, plausible, requests } = (await api.call('compareReadings', request)).data;
    expect([plausible, requests]).toEqual(['CDAB', 4]);
    expect(
      rows.map(({ readings }) =>
        readings.map(({ choice, value, plausible: isPlausible }) => [choice, choice === 'CDAB' ? value : null, isPlausible]),
      ),
    ).toEqual([
      [
        ['ABCD', null, false],
        ['CDAB', 231.5, true],
      ],
      [
        ['ABCD', null, false],
        ['CDAB', 230.5, true],
      ],
    ]);
    expect(
      (await api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 10 })).data.items.map(({ address }) => address),
    ).toEqual([500]);
  });

  it('tell refusals, end when nobody answers, and refuse commands, servers and stopped channels', async () => {
    const core = await start();
    const { api } = core;
    const pair = await startPair(core, { served: [point(10)], read: [point(500)] });
    const both = (first: object, second: object) =>
      [
        { choice: 'plain0', points: [first] },
        { choice: 'plain1', points: [second] },
      ] as never;
    const { rows, plausible } = (await api.call('compareReadings', { channel_id: pair.clientId, candidates: both(point(10), point(900)) }))
      .data;
    expect(rows[0]?.readings.map(({ error }) => error === null)).toEqual([true, false]);
    expect(plausible).toBeNull();
    const refusals = [
      { channel_id: pair.clientId, candidates: both(point(10), point(9, { frame_type: 3 })) },
      { channel_id: pair.serverId, candidates: both(point(10), point(9)) },
    ];
    for (const request of refusals) await expect(api.call('compareReadings', request)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(api.call('compareReadings', { channel_id: 1, candidates: both(point(10), point(9)) })).rejects.toMatchObject({
      code: 'STATE_NOT_STARTED',
    });
  });

  it('end after three reads without an answer', async () => {
    const core = await start();
    const { api } = core;
    const silent = await silentPeer();
    const { id } = (await api.call('addChannel', { name: 'Silent', protocol_type: 1, conn_type: 2, port: silent.port, timeout_ms: 50 }))
      .data;
    await api.call('startDevice', { channel_id: id });
    const points = Array.from({ length: 12 }, (_, at) => point(at));
    const { requests, rows } = (
      await api.call('compareReadings', {
        channel_id: id,
        candidates: [
          { choice: 'a', points },
          { choice: 'b', points },
        ],
      })
    ).data;
    expect([requests, rows.length]).toEqual([3, 2]);
    await silent.close();
  });
});

it('a port that nobody listens on is told before anything is read', async () => {
  const core = await start();
  const { id } = (await core.api.call('addChannel', { name: 'Gone', protocol_type: 1, conn_type: 2, port: await freePort() })).data;
  const points = [{ frame_type: 0, code: 'P', address: 1 }] as never;
  await expect(
    core.api.call('compareReadings', {
      channel_id: id,
      candidates: [
        { choice: 'a', points },
        { choice: 'b', points },
      ],
    }),
  ).rejects.toMatchObject({ code: 'STATE_NOT_STARTED' });
});
