import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { sclText } from '../drivers/iec61850/model/testing/files.ts';
import type { ServerFaults } from '../drivers/iec61850/server/faults.ts';
import { serve } from '../drivers/iec61850/server/server.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import { pacedClock } from '../platform/testing/paced-clock.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, silentPeer, startCore, until } from './testing/running-core.ts';

/** Time limits of ten seconds pass in half of one. */
const fastClock = pacedClock({ factor: 20 });

/** What the simulated device does wrong; looked at when it is started. */
let faults: ServerFaults = {};
const faultyDriver: ProtocolDriver = { ...iec61850Driver, serve: (io) => serve(io, { faults }) };

const IND1 = { frame_type: 1 as const, code: 'IND1', reference: 'BAY1LD0/GGIO1.Ind1.stVal[ST]' };
const TOTW = { frame_type: 0 as const, code: 'P', reference: 'BAY1MEAS/MMXU1.TotW.mag.f[MX]' };
const DELAY = { frame_type: 3 as const, code: 'DELAY', reference: 'Protection/PTOC1.OpDlTmms.setVal[SP]' };
const TEXT = { frame_type: 1 as const, code: 'TEXT', reference: 'BAY1LD0/LLN0.NamPlt.d[DC]' };

let running: RunningCore;
let port = 0;
let served = 0;
let client = 0;
let count = 0;
let device = '';
/** Only where a device is silent is the end of its time waited for. */
let timeoutMs = 0;

beforeAll(async () => {
  running = await startCore({}, { clock: fastClock, drivers: createDriverRegistry([faultyDriver]) });
});
beforeEach(() => {
  timeoutMs = 60_000;
});
afterAll(() => running.close());
afterEach(async () => {
  const { api } = running;
  for (const { id } of (await api.call('listChannels', {})).data) await api.call('deleteChannel', { channel_id: id });
  faults = {};
});

type Protocol = Readonly<Record<string, unknown>>;
const post = (url: string, body: unknown) => running.send({ method: 'POST', url: `/api/device/${url}`, body });
const put = (url: string, body: unknown) => running.send({ method: 'PUT', url: `/api/device/${url}`, body });
const messageOf = ({ body }: { body: unknown }) => (body as { message: string }).message;
const dataOf = ({ body }: { body: unknown }) => (body as { data: unknown }).data;
const stateOf = async () => (await running.api.call('listChannels', {})).data.find(({ id }) => id === client);
const model = async () => (await running.api.call('deviceModel', { channel_id: client })).data;

/** A client channel of the port; its start is left to the test. */
async function addClient(protocol: Protocol = {}): Promise<void> {
  count += 1;
  device = `Client ${count}`;
  const added = {
    name: device,
    protocol_type: 5 as const,
    conn_type: 2 as const,
    port,
    timeout_ms: timeoutMs,
    protocol: { keep_alive_s: 0, ...protocol },
  };
  client = (await running.api.call('addChannel', added)).data.id;
  await running.api.call('addPoints', { channel_id: client, points: [IND1, TOTW, DELAY, TEXT] });
}

const start = () => post('start', { channel_id: client });

/** A device with faults and a client that runs. */
async function pair(wrong: ServerFaults, protocol: Protocol = { learn_model: false }, serving: Protocol = {}): Promise<void> {
  const { api } = running;
  faults = wrong;
  port = await freePort();
  served = (await api.call('addChannel', { name: `Bay ${port}`, protocol_type: 5, conn_type: 1, port, protocol: serving })).data.id;
  await api.call('storeDocument', { channel_id: served, mode: 'store', file: new File([sclText('bay.cid')], 'bay.cid') });
  expect((await post('start', { channel_id: served })).status).toBe(200);
  await addClient(protocol);
  expect(messageOf(await start())).toBe('success');
}

/** Starts the device anew with other faults. */
async function mend(better: ServerFaults = {}): Promise<void> {
  await running.api.call('stopDevice', { channel_id: served });
  faults = better;
  await running.api.call('startDevice', { channel_id: served });
}

async function keyOf(code: string) {
  const { items } = (await running.api.call('pointTable', { channel_id: client, page: 1, page_size: 50 })).data;
  const found = items.find((item) => item.code === code);
  if (!found) throw new Error(`There is no point ${code}.`);
  return found;
}
const readOne = async (code: string) => {
  const { id, frame_type } = await keyOf(code);
  return post('read_single_point', { channel_id: client, point_id: id, frame_type });
};
const write = async (code: string, value: number) => {
  const { id, frame_type } = await keyOf(code);
  return put('update_point', { point_id: id, frame_type, value });
};
const operate = (operation: string, params: Record<string, unknown> = {}) => post('operation', { channel_id: client, operation, params });

async function round(mode: 'batch' | 'dataset' = 'batch') {
  await running.api.call('manualRead', { device_name: device, mode });
  const status = async () => (await running.api.call('manualReadStatus', { device_name: device })).data;
  return until(status, ({ state }) => state === 'idle' || state === 'failed');
}

describe('a reference that the device has not', () => {
  it('is told by a read, a write, an operation and a data set, in the words of the device', async () => {
    await pair({});
    const gone = { frame_type: 3 as const, code: 'GONE', reference: 'BAY1LD0/GGIO9.X.setVal[SP]' };
    await running.api.call('addPoints', { channel_id: client, points: [gone] });
    const read = await readOne('GONE');
    expect([read.status, messageOf(read)]).toEqual([502, expect.stringContaining('object-non-existent (10)')]);
    expect(dataOf(read)).toEqual({ kind: 'data-access-error', detail: 'object-non-existent (10)' });
    const written = await write('GONE', 1);
    expect([written.status, dataOf(written)]).toEqual([
      502,
      { kind: expect.any(String), detail: expect.stringContaining('object-non-existent') },
    ]);
    expect(dataOf(await operate('read_attribute', { reference: gone.reference }))).toMatchObject({ outcome: 'rejected' });
    const set = await operate('create_data_set', { name: 'BAY1LD0/LLN0$dsX', members: [gone.reference] });
    expect(dataOf(set)).toMatchObject({ outcome: 'rejected', stages: [{ detail: expect.stringContaining('object-undefined') }] });
    expect((await stateOf())?.status).toBe('running');
  });

  it.each([
    ['read_attribute', { reference: 'GGIO1' }, /no reference; it should look like LD\/LN\.DO\.DA\[FC\]/],
    ['read_attribute', { reference: 'BAY1LD0/GGIO1.Ind1.stVal' }, /functional constraint of .* is missing: LD\/LN\.DO\.DA\[FC\]/],
    ['delete_data_set', { name: 'dsX' }, /no data set; it should look like LD\/LLN0\$name or @name/],
    ['write_attribute', { reference: 'BAY1LD0/GGIO1.SPCSO1.Oper[CO]', value: 1 }, /command its point/],
  ])('%s of %j is refused before anything is sent', async (operation, params, words) => {
    await pair({});
    const reply = await operate(operation, params);
    expect([reply.status, messageOf(reply)]).toEqual([422, expect.stringMatching(words)]);
  });
});

describe('a value of the wrong type', () => {
  it('is refused before anything is sent, with what would be right', async () => {
    await pair({});
    const text = await operate('write_attribute', { reference: DELAY.reference, value: 'soon' });
    expect([text.status, messageOf(text)]).toEqual([422, expect.stringContaining('"soon" should be a whole number')]);
    const large = await write('DELAY', 1e12);
    expect([large.status, messageOf(large)]).toEqual([422, expect.stringMatching(/INT32 is -2147483648 to 2147483647, not 1000000000000/)]);
    expect((await stateOf())?.status).toBe('running');
  });

  it('that only the device finds wrong is its refusal in words', async () => {
    await pair({ accessErrors: new Map([['Protection/PTOC1$SP$OpDlTmms$setVal', 7]]) });
    const reply = await write('DELAY', 5);
    expect([reply.status, dataOf(reply)]).toEqual([502, { kind: 'data-access-error', detail: 'type-inconsistent (7)' }]);
  });
});

describe('access that is denied', () => {
  it('fails the point with its words, and not its neighbours', async () => {
    await pair({
      accessErrors: new Map([
        ['BAY1LD0/GGIO1$ST$Ind1$stVal', 3],
        ['Protection/PTOC1$SP$OpDlTmms$setVal', 3],
      ]),
    });
    expect(await round()).toMatchObject({ total: 4, success: 2, fail: 2, last_error: expect.stringContaining('object-access-denied (3)') });
    expect(await keyOf('P')).toMatchObject({ quality: 'good', value: 1234.5, error: null });
    expect(await keyOf('IND1')).toMatchObject({ quality: 'invalid', error: expect.stringContaining('object-access-denied (3)') });
    const written = await write('DELAY', 5);
    expect([written.status, dataOf(written)]).toEqual([502, { kind: 'data-access-error', detail: 'object-access-denied (3)' }]);
    const constant = await operate('write_attribute', { reference: 'BAY1LD0/Q1CSWI1.Pos.ctlModel[CF]', value: 1 });
    expect(dataOf(constant)).toMatchObject({ outcome: 'rejected', stages: [{ detail: 'object-access-denied (3)' }] });
  });

  it('a member of a data set is left out, and the event log says which', async () => {
    await pair({ accessErrors: new Map([['BAY1LD0/GGIO1$ST$Ind1', 3]]) }, {});
    await until(model, ({ state }) => state === 'known');
    expect(await round('dataset')).toMatchObject({ total: 2, success: 2, fail: 0 });
    const { data } = await running.api.call('iec61850DatasetDetail', { channel_id: client, dataset: 'BAY1LD0/LLN0.dsStat' });
    expect(Object.keys(data.values)).not.toContain('BAY1LD0/GGIO1$ST$Ind1$stVal');
    expect(data.values).toHaveProperty('BAY1LD0/GGIO1$ST$Ind2$stVal');
    const events = (await running.api.call('listEvents', { channel_id: client, limit: 50 })).data.items;
    expect(JSON.stringify(events)).toContain(
      'BAY1LD0/GGIO1$ST$Ind1 could not be read. The device refused this item: object-access-denied (3).',
    );
  });
});

describe('a file', () => {
  const store = (text: string, channel: number, mode = 'store') =>
    running.send({
      method: 'POST',
      url: `/api/channel/document?channel_id=${channel}&mode=${mode}`,
      file: { name: 'x.cid', bytes: new TextEncoder().encode(text) },
    });

  it.each([
    ['is no XML', 'hello', /line 1: this is no XML; an SCL file begins with <\?xml or <SCL/],
    ['is no SCL', '<?xml version="1.0"?>\n<Project/>', /line 2: this is XML, but no SCL: its root is Project and should be SCL/],
    ['is cut off', sclText('bay.cid').slice(0, 3000), /line \d+/],
    ['declares entities', '<!DOCTYPE SCL [<!ENTITY a "b">]><SCL/>', /document type declaration is refused/],
  ])('that %s is told with its line, and nothing is kept', async (_name, text, words) => {
    port = await freePort();
    await addClient();
    const reply = await store(text, client);
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([422, expect.stringMatching(words)]);
    expect((await model()).document).toBeNull();
  });

  it.each([
    [
      'has no device with a server',
      '<SCL><IED name="A"><AccessPoint name="P"/></IED></SCL>',
      /no IED of this file has an access point with a Server.* there is no model in it/,
    ],
    [
      'has a type that is missing',
      '<SCL><IED name="A"><AccessPoint name="P"><Server><LDevice inst="L"><LN0 lnClass="LLN0" inst="" lnType="T"/></LDevice></Server></AccessPoint></IED></SCL>',
      /has the type .+T.+, and DataTypeTemplates has no LNodeType of this id/,
    ],
  ])('that %s is remarked upon, and refuses the start', async (_name, text, words) => {
    const peer = await silentPeer();
    port = peer.port;
    await addClient();
    const reply = await store(text, client);
    expect([reply.status, JSON.stringify(dataOf(reply))]).toEqual([200, expect.stringMatching(words)]);
    const started = await start();
    await peer.close();
    expect([started.status, messageOf(started)]).toEqual([422, expect.stringMatching(words)]);
    expect(await model()).toMatchObject({ state: 'failed', error: expect.stringMatching(words) });
  });

  it('that lacks the device of the settings refuses the start of both ends, with the devices it has', async () => {
    await pair({});
    await running.api.call('stopDevice', { channel_id: client });
    expect((await store(sclText('station-ed21.scd'), client, 'store')).status).toBe(422);
    expect((await store(sclText('bay.cid'), client)).status).toBe(200);
    for (const channel_id of [client, served]) {
      await running.api.call('stopDevice', { channel_id });
      await running.api.call('updateChannel', { channel_id, protocol: { ied_name: 'BAY9' } });
      const reply = await post('start', { channel_id });
      expect([reply.status, messageOf(reply)]).toEqual([422, expect.stringMatching(/has no IED "BAY9" with a server; it has BAY1/)]);
    }
  });
});

describe('more than a PDU holds', () => {
  it('a question that is too long is not sent, and says how long it may be', async () => {
    await pair({}, { learn_model: false, max_pdu_size: 400 });
    const members = Array.from({ length: 20 }, () => IND1.reference);
    const reply = await operate('create_data_set', { name: 'BAY1LD0/LLN0$dsX', members });
    expect([reply.status, messageOf(reply)]).toEqual([
      422,
      expect.stringMatching(/The request has \d+ octets; the device takes at most 400\./),
    ]);
    expect((await stateOf())?.status).toBe('running');
  });

  it('an answer that is too long is read in parts', async () => {
    await pair({}, {}, { max_pdu_size: 200 });
    await until(model, ({ state }) => state === 'known');
    for (const name of ['d', 'vendor']) {
      const long = { reference: `BAY1LD0/LLN0.NamPlt.${name}[DC]`, value: 'x'.repeat(100) };
      expect(dataOf(await operate('write_attribute', long))).toMatchObject({ outcome: 'accepted' });
    }
    const whole = await operate('read_attribute', { reference: 'BAY1LD0/LLN0.NamPlt[DC]' });
    const text = 'x'.repeat(100);
    expect(dataOf(whole)).toMatchObject({
      outcome: 'accepted',
      stages: [{ detail: 'read in 2 parts' }],
      result: { value: { d: text, vendor: text } },
    });
    expect(await round()).toMatchObject({ total: 4, success: 4, fail: 0 });
    expect(await keyOf('TEXT')).toMatchObject({ value_text: 'x'.repeat(100) });
  });
});

describe('a server that does not answer', () => {
  beforeEach(() => {
    timeoutMs = 4000;
  });

  it.each([
    [
      'at all',
      async () => silentPeer(),
      /No association within 10 s .*connection request of the transport \(COTP\) without an answer\. Another service may have this port/,
    ],
    [
      'but HTTP',
      async () => speaker('HTTP/1.1 400 Bad Request\r\n\r\n'),
      /speaks HTTP on this port; TPKT .* would be right\. Check the port/,
    ],
    ['but by closing', async () => speaker(null), /connection request of the transport \(COTP\) was not answered.*tpdu_size/],
  ] as const)('%s refuses the start, with the layer and the next step', async (_name, open, words) => {
    const peer = await open();
    port = peer.port;
    await addClient();
    const reply = await start();
    await peer.close();
    expect([reply.status, messageOf(reply)]).toEqual([expect.any(Number), expect.stringMatching(words)]);
    expect([502, 504]).toContain(reply.status);
    expect(await stateOf()).toMatchObject({ status: 'error', last_error: expect.stringMatching(words) });
  });

  it.each([
    ['silent', 504, /answered the transport connection \(COTP\), and left the association request/],
    [
      'close',
      502,
      /association request \(session, presentation, ACSE\) was not answered.*password \(secret association_password, not set\)/,
    ],
    ['answer', 502, /refused the association \(ACSE\): no reason given/],
  ] as const)('associations (%s)', async (refuse, status, words) => {
    const { api } = running;
    faults = { refuse };
    port = await freePort();
    const { data } = await api.call('addChannel', { name: 'Refusing', protocol_type: 5, conn_type: 1, port });
    await api.call('startDevice', { channel_id: data.id });
    await addClient();
    const reply = await start();
    // a device that takes no octets says nothing of the transport either
    expect([reply.status, messageOf(reply)]).toEqual([status, expect.stringMatching(refuse === 'silent' ? /without an answer/ : words)]);
    if (status === 502) expect(dataOf(reply)).toMatchObject({ kind: expect.any(String), detail: expect.any(String) });
  });

  it('reads: points are stale, two in a row open the connection anew, and then all is well', async () => {
    await pair({ silent: ['read'] });
    expect(await round()).toMatchObject({
      fail: 4,
      success: 0,
      last_error: expect.stringMatching(/did not answer within 4000 ms|not connected|reconnect/i),
    });
    const single = await readOne('P');
    expect([503, 504]).toContain(single.status);
    await mend();
    await until(stateOf, (found) => found?.status === 'running');
    await until(
      () => readOne('P'),
      ({ status }) => status === 200,
    );
  });

  it('one service: the others go on', async () => {
    await pair({ silent: ['identify', 'write'] });
    expect(dataOf(await operate('identify'))).toMatchObject({
      outcome: 'unknown',
      stages: [{ detail: expect.stringContaining('did not answer within 4000 ms') }],
    });
    expect((await readOne('P')).status).toBe(200);
    const written = await write('DELAY', 5);
    expect([written.status, messageOf(written)]).toEqual([504, expect.stringContaining('did not answer within 4000 ms')]);
    expect((await readOne('P')).status).toBe(200);
    expect((await stateOf())?.status).toBe('running');
  });
});

describe('a server that falls silent while nobody reads', () => {
  it('is noticed by the keep-alive, and the connection opened anew', async () => {
    await pair({ silent: ['status', 'get-name-list'] }, { learn_model: false, keep_alive_s: 5 });
    const events = async () => JSON.stringify((await running.api.call('listEvents', { channel_id: client, limit: 50 })).data.items);
    await until(events, (text) => text.includes('2 requests in a row without an answer'));
    await mend();
    await until(
      () => readOne('P'),
      ({ status }) => status === 200,
    );
  });
});

describe('a peer that closes in the middle', () => {
  it('of learning: the model says why, and is learnt when the device is well again', async () => {
    await pair({ closeAfterAnswers: 9 }, {});
    const failed = await until(model, ({ state }) => state === 'failed');
    expect(failed.error).toMatch(/ended before the model was learnt|closed/);
    await mend();
    await until(model, ({ state }) => state === 'known');
  });

  it('of an answer: the read fails, the channel reconnects by itself', async () => {
    await pair({ closeAfterAnswers: 0 });
    const read = await readOne('P');
    expect([read.status, messageOf(read)]).toEqual([503, expect.stringMatching(/closed|lost/i)]);
    expect(await keyOf('P')).toMatchObject({ quality: expect.stringMatching(/never|stale/) });
    await mend();
    await until(
      () => readOne('P'),
      ({ status }) => status === 200,
    );
  });

  it('of a write: it stays unknown what became of it, and it is not sent again', async () => {
    await pair({ closeAfterAnswers: 1 });
    const { id, frame_type } = await keyOf('DELAY');
    const reply = await post('command', { channel_id: client, point_id: id, frame_type, step: 'operate', value: 5, options: {} });
    expect([reply.status, dataOf(reply)]).toEqual([200, expect.objectContaining({ outcome: 'unknown' })]);
    await mend();
    await until(
      () => readOne('DELAY'),
      ({ status }) => status === 200,
    );
  });
});

/** A peer that answers the first octets with a text, or closes. */
async function speaker(text: string | null): Promise<{ port: number; close(): Promise<void> }> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => (text === null ? socket.end() : socket.write(text)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
