/** What the service says about wrong requests, tables and files has a Chinese text without English words. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ImportReport } from '#shared/contract/point-files.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { fill, type Message } from '#shared/messages/message.ts';
import { doctor } from '../../src-renderer/i18n/zh/doctor.ts';
import { files } from '../../src-renderer/i18n/zh/files.ts';
import { identifierOf, timeDigits, writableItem } from '../drivers/dlt645/client/operation-params.ts';
import { chinese, latinLeft } from '../drivers/testing/explained.ts';
import { createLazyDrivers } from './lazy-drivers.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

const MODBUS = 1;
const SERVER = 2;
const IEC104 = 3;
const METER = 4;
const IED = 5;

let core: RunningCore;
beforeAll(async () => {
  core = await startCore({}, { drivers: createLazyDrivers() });
  for (const [name, protocol_type, conn_type] of [
    ['MB', 1, 2],
    ['MBS', 1, 1],
    ['104', 3, 2],
    ['645', 4, 2],
    ['IED', 5, 2],
  ] as const) {
    await core.api.call('addChannel', { name, protocol_type, conn_type, timeout_ms: 10, port: 1 });
  }
  await core.api.call('addPoints', { channel_id: MODBUS, points: [{ frame_type: 3, code: 'SET', address: 2, max_limit: 5 }] });
});
afterAll(() => core.close());
beforeAll(async () => {
  for (const path of ['/api/openapi.json', '/api/channel/protocols']) collectIdentifiers(await (await fetch(core.url + path)).json());
});

type Request = readonly [method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown];

const points = (channel_id: number, ...items: object[]): Request => [
  'POST',
  '/api/device/add_points',
  { channel_id, points: items.map((item, at) => ({ frame_type: 0, code: `P${at}`, ...item })) },
];
const channel = (change: object): Request => ['POST', '/api/channel/add', { name: 'N', protocol_type: 1, conn_type: 2, ...change }];

const REQUESTS: readonly Request[] = [
  ['POST', '/api/channel/add', {}],
  channel({ protocol_type: 9, conn_type: 7, name: '' }),
  channel({ protocol_type: 1, conn_type: 0 }),
  channel({ name: 'a\u0001b', ip: 'a b', note: 'x\u0000', port: 70_000, retries: 1.5, auto_start: 'yes' }),
  channel({ name: 'unknown', nmae: 1, some_field: 2, protocol: { unheard: 1 } }),
  channel({ name: 'zone', protocol_type: 3, protocol: { time_zone: 'Mars', t1_s: 5, t2_s: 10, k: 'many', summer_time: 'never' } }),
  channel({ name: 'window', protocol_type: 3, protocol: { k: 3, w: 3 } }),
  channel({
    name: 'ied',
    protocol_type: 5,
    protocol: {
      remote_session_selector: 'xyz',
      local_session_selector: '00'.repeat(99),
      remote_ap_title: 'q',
      tls_key: '-----BEGIN X',
      tpdu_size: 3,
    },
  }),
  channel({ name: 'tls', protocol_type: 5, protocol: { tls_certificate: 'PRIVATE KEY-----' } }),
  ['GET', '/api/channel/point_hint?protocol_type=1&address=1'],
  ['GET', '/api/channel/point_hint?protocol_type=4&address=zz'],
  ['GET', '/api/device/table?channel_id=1&page=0&page_size=x'],
  ['GET', '/api/device/table?channel_id=1&page=1&page_size=10&pagesize=3'],
  ['GET', '/api/device/table'],
  ['POST', '/api/device/delete_points?channel_id=1', { channel_id: 1, point_ids: [99] }],
  ['POST', '/api/device/start-auto-read', { device_name: 'nobody' }],
  ['POST', '/api/device/start-auto-read', { device_name: 'MB', mode: 'sideways', point_types: [9] }],
  ['POST', '/api/device/start-auto-read', { device_name: 'MB', mode: 'dataset' }],
  ['POST', '/api/device/command', { channel_id: MODBUS, point_id: 1, frame_type: 3, step: 'jump' }],
  ['POST', '/api/device/command', { channel_id: MODBUS, point_id: 1, frame_type: 3, step: 'select', value: 9 }],
  ['POST', '/api/device/command', { channel_id: MODBUS, point_id: 1, frame_type: 3, step: 'operate', value: 9, options: { rush: 1 } }],
  ['PUT', '/api/device/update_point', { channel_id: MODBUS, point_id: 1, frame_type: 3, value: 1e30 }],
  ['POST', '/api/device/operation', { channel_id: METER, operation: 'jump' }],
  ['POST', '/api/device/operation', { channel_id: METER, operation: 'broadcast_time', params: { meter: '1', time: 'noon', extra: 1 } }],
  ['POST', '/api/device/operation', { channel_id: METER, operation: 'write_data', params: { meter: '999999999999', identifier: 'x' } }],
  ['POST', '/api/device/operation', { channel_id: IED, operation: 'read_attribute', params: { reference: 5 } }],
  ['POST', '/api/job/doctor', { channel_id: SERVER }],
  ['POST', '/api/job/find', { protocol_type: 3 }],
  ['POST', '/api/job/find', { protocol_type: 1, first_slave: 9, last_slave: 3, formats: [] }],
  ['POST', '/api/job/scan', { channel_id: IEC104 }],
  ['POST', '/api/job/scan', { channel_id: SERVER }],
  ['POST', '/api/job/scan', { channel_id: MODBUS, func_codes: [77] }],
  ['POST', '/api/job/scan', { channel_id: MODBUS, start: 65_000, quantity: 2000 }],
  ['PUT', '/api/channel/secrets', { channel_id: METER, secrets: { pasword_0: '1', operator_code: 'zz', password_02: 'x' } }],
  points(MODBUS, { decode: '0x99', address: 70_000 }, { func_code: 5, address: 1 }, { address: 1, slave_id: 300, mul_coe: 0 }),
  points(MODBUS, { address: 1, min_limit: 5, max_limit: 1, bit: 3 }, {}, { frame_type: 2, address: 1, reverse: true, bit: 40 }),
  points(MODBUS, { address: 1, related_code: 'nobody', bit: 0, adress: 3, protocol: { odd: 1 } }),
  points(IEC104, { address: 0 }, { address: 1, slave_id: 0, protocol: { type_id: 45 } }, { address: 2, protocol: { qualifier: 'q' } }),
  points(METER, { address: 1 }, { address: 0x02010100, decode: '0x41', protocol: { format: 'odd', meter_address: '12' } }),
  points(METER, { address: 0x02010100, slave_id: 5, protocol: { meter_address: '000000000007', record_time: 'noon' } }),
  points(
    IED,
    {},
    { reference: 'nothing' },
    { reference: 'LD0/LLN0' },
    { reference: 'LD0/LLN0.Foo.bar' },
    { reference: 'LD0/GGIO1.SPCSO1.Oper[CO]' },
    { frame_type: 2, reference: 'LD0/MMXU1.TotW.mag.f[MX]' },
    { frame_type: 3, reference: 'LD0/LLN0.SGCB.ActSG[SP]' },
  ),
];

interface Told {
  readonly text: string;
  readonly said: Message | undefined;
}

/** Every text of an answer that has, or should have, its message beside it. */
function toldIn(answer: unknown): readonly Told[] {
  if (Array.isArray(answer)) return answer.flatMap(toldIn);
  if (typeof answer !== 'object' || answer === null) return [];
  const fields = answer as Readonly<Record<string, unknown>>;
  const own = Object.entries(fields).flatMap(([name, value]): readonly Told[] => {
    if (name === 'message' && typeof value === 'string' && value !== 'success') {
      const { message_code: code, params } = fields;
      return [{ text: value, said: typeof code === 'string' ? ({ code, params } as Message) : undefined }];
    }
    return name === 'params' || name.endsWith('_message') ? [] : toldIn(value);
  });
  return own;
}

async function ask([method, path, body]: Request): Promise<unknown> {
  const response = await fetch(core.url + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return response.json();
}

async function upload(path: string, name: string, content: string): Promise<unknown> {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  return (await fetch(core.url + path, { method: 'POST', body: form })).json();
}

/** Names of fields and their values, as requests have them: they are the same in every language. */
const identifiers = new Set<string>();

function collectIdentifiers(schema: unknown): void {
  if (Array.isArray(schema)) for (const item of schema) collectIdentifiers(item);
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') for (const name of Object.keys(value as object)) identifiers.add(name);
    if (key === 'enum' || key === 'names') for (const word of value as unknown[]) identifiers.add(String(word));
    if (key === 'const' || key === 'name') identifiers.add(String(value));
    collectIdentifiers(value);
  }
}

/** Names of protocols, and elements of SCL files. */
const PROPER: ReadonlySet<string> = new Set(['Modbus', 'Server']);

/** English words of a text that are neither names nor what was given. */
function englishIn(text: string, given: string): readonly string[] {
  const words = latinLeft(text).map((word) => word.replace(/[.!?…]$/, ''));
  return words.filter((word) => !identifiers.has(word) && !PROPER.has(word) && !given.includes(word));
}

function expectChinese(answer: unknown, given: string): void {
  const told = toldIn(answer);
  expect(told.length, JSON.stringify(answer)).toBeGreaterThan(0);
  for (const { text, said } of told) {
    expect(said, text).toBeDefined();
    if (said) expect([text, englishIn(chinese(said), given)]).toEqual([text, []]);
  }
}

const TABLES: readonly (readonly [name: string, channel: number, content: string])[] = [
  ['empty.csv', MODBUS, ''],
  ['page.csv', MODBUS, '<html><table>'],
  ['zeros.csv', MODBUS, 'a\0b'],
  ['broken.csv', MODBUS, '测点类型,测点编码,寄存器地址\n遥测,"A,1'],
  ['quote.csv', MODBUS, '测点类型,测点编码,寄存器地址\n遥测,"A"x,1'],
  ['header.csv', MODBUS, '测点类型,测点名称\n遥测,A'],
  ['nothing.csv', MODBUS, 'a,b\n1,2'],
  ['zip.xlsx', MODBUS, 'PK\u0003\u0004 and no more'],
  [
    'rows.csv',
    MODBUS,
    [
      '测点类型,测点编码,寄存器地址,从机地址,功能码,解析码,位偏移,下限值,上限值,乘系数,是否反转,关联遥信编码,自己的列',
      '遥测,A,70000,1,3,0x41,,,,,,,x',
      '遥测,B,1,300,5,0x43,3,,,,,,',
      '遥测,C,1,1,3,0x41,,5,1,0,,,',
      '遥信,D,1,1,3,0x20,99,,,,perhaps,nobody,',
      '遥信,E,1,1,3,0x99,0,,,,,,',
      '遥控,F,1,1,5,,,,,,是,,',
      '遥测,A,one,1.5,3,0x41,,,,,,,',
    ].join('\n'),
  ],
  ['104.csv', IEC104, '测点类型,测点编码,信息体地址,公共地址\n遥测,A,0,1\n遥测,B,5,0\n遥信,C,99999999,70000'],
  ['645.csv', METER, '测点类型,测点编码,数据标识,电表地址,解析码\n遥测,A,0x01,1,0x41\n遥测,B,0x02010100,99,0x41'],
  ['ied.csv', IED, '测点类型,测点编码,引用\n遥测,A,nothing\n遥控,B,LD0/MMXU1.TotW.mag.f[MX]\n遥测,C,LD0/LLN0'],
];

describe('a table that is wrong', () => {
  it.each(TABLES)('%s says so in words that have a Chinese text', async (name, channelId, content) => {
    const answer = (await upload(`/api/channel/import_points?channel_id=${channelId}&mode=preview`, name, content)) as {
      readonly data: ImportReport;
    };
    const { errors, warnings } = answer.data;
    expect(errors.length + warnings.length, JSON.stringify(answer)).toBeGreaterThan(0);
    for (const { rule, params, message } of [...errors, ...warnings]) {
      const text = fill(files.rule[rule], (each) => chinese(say('common.list', { parts: params[each] ?? '' })));
      expect([message, englishIn(text, content)]).toEqual([message, []]);
    }
  });
});

describe('a wrong request', () => {
  it.each(REQUESTS)('%s %s %j is answered in words that have a Chinese text', async (...request) => {
    expectChinese(await ask(request as unknown as Request), JSON.stringify(request));
  });

  it.each([
    ['a.scd', 'no file of any kind'],
    ['a.scd', '<?xml version="1.0" encoding="klingon"?><SCL/>'],
    ['a.scd', '<?xml version="1.0"?><other/>'],
    ['a.scd', '<SCL><IED name="A"/></SCL>'],
  ])('%s with %j as a document too', async (name, content) => {
    expectChinese(await upload(`/api/channel/document?channel_id=${IED}&mode=preview`, name, content), content);
    expectChinese(await upload(`/api/channel/document?channel_id=${MODBUS}&mode=preview`, name, content), content);
    expectChinese(await upload('/api/channel/document_devices?protocol_type=5', name, content), content);
    expectChinese(await upload('/api/channel/document_devices?protocol_type=1', name, content), content);
  });
});

describe('a parameter of an operation', () => {
  it.each([
    ['a day that is none', () => timeDigits('2026-13-45T00:00:00', 'time')],
    ['an identifier of the other edition', () => identifierOf('02010100', 1997)],
    ['a password', () => writableItem(0x04000c01, 2007, undefined)],
    ['a format that is none', () => writableItem(0x02010100, 2007, 'odd')],
    ['an item that nobody knows', () => writableItem(0xee010203, 2007, undefined)],
    ['an item that is only read', () => writableItem(0x02010100, 2007, undefined)],
  ])('%s is refused in words that have a Chinese text', (_, refused) => {
    const error = thrownBy(refused);
    expect([error.message, englishIn(chinese(error.said), 'odd')]).toEqual([error.message, []]);
  });
});

function thrownBy(work: () => unknown): AppError {
  try {
    work();
  } catch (thrown) {
    return toAppError(thrown);
  }
  throw new Error('nothing was refused');
}

describe('the connection doctor', () => {
  it.each([MODBUS, IEC104, IED])('on channel %i, which nobody answers, says in Chinese what it found', async (channelId) => {
    const { data: started } = await core.api.call('startDoctor', { channel_id: channelId });
    const job = await vi.waitUntil(
      async () => {
        const { data } = await core.api.call('jobStatus', { job_id: started.id });
        return data.kind === 'doctor' && data.state !== 'running' ? data : null;
      },
      { timeout: 20_000 },
    );
    const notes = job.findings.flatMap((verdict) => [verdict, ...verdict.notes]);
    expect(notes.length).toBeGreaterThan(0);
    for (const { code, params, text } of notes) {
      const sentence: { readonly text: string; readonly next?: string } = doctor.codes[code];
      const words = (each: string) => chinese(say('common.list', { parts: params[each] ?? '' }));
      const said = fill(`${sentence.text} ${sentence.next ?? ''}`, words);
      expect([text, englishIn(said, '')]).toEqual([text, []]);
    }
  });
});
