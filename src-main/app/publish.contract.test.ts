import { createHmac } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { confirmation } from '../services/publish/settings.ts';
import { FakeBroker, textOf } from '../services/publish/testing/fake-broker.ts';
import { readPayload } from '../services/publish/testing/read-payload.ts';
import { certificateText } from '../transport/testing/certificates.ts';
import type { BrokerAddress, BrokerMessage, WebPost } from '../transport/types.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

const MQTT = { kind: 'mqtt', url: 'mqtt://broker:1883', client_id: '', user: 'plant', prefix: 'site/bay1', qos: 1, retain: true } as const;
const HOOK = { kind: 'webhook', url: 'https://server/hook', every_ms: 1000 } as const;
const OTHER = { devices: [], frame_types: [], codes: [] };
const PASSWORD = 'pa55-of-the-broker';

/** What a broker and a web server in memory saw; `refuses` keeps them from answering. */
let seen: { connects: BrokerAddress[]; messages: BrokerMessage[]; posts: WebPost[]; closed: number };
let refuses = false;
/** What the web server answers. */
let status = 204;
let manual: ManualCore;
let point: number;

beforeEach(async () => {
  seen = { connects: [], messages: [], posts: [], closed: 0 };
  refuses = false;
  status = 204;
  manual = await startManualCore({
    openBroker: async (address) => {
      if (refuses) throw new AppError('TRANSPORT_REFUSED', say('publish.refused', { url: address.url }));
      seen.connects.push(address);
      return {
        subscribe: async () => {},
        publish: async (message) => void seen.messages.push(message),
        onLost() {},
        async close() {
          seen.closed += 1;
        },
      };
    },
    postToWeb: async (post) => {
      seen.posts.push(post);
      return refuses ? 500 : status;
    },
  });
  const { data } = await api().call('addChannel', { name: 'Bay/1', protocol_type: 1, conn_type: 1, port: 1502 });
  const added = { frame_type: 3 as const, code: 'P+Q', name: 'Power', address: 0, decode: '0x21', unit: 'kW' };
  point = (await api().call('addPoints', { channel_id: data.id, points: [added] })).data.items[0]?.id ?? 0;
  await api().call('startDevice', { channel_id: data.id });
});
afterEach(() => manual.close());

const api = () => manual.core.api;
const put = async (given: Partial<InputOf<'setPublisher'>> = {}) =>
  (await api().call('setPublisher', { name: 'Plant', enabled: true, target: MQTT, ...OTHER, ...given })).data;
const list = async () => (await api().call('publishers', {})).data.items;
const first = async () => (await list())[0] ?? expect.fail('there is none');
const set = async (value: number) => {
  await api().call('updatePoint', { point_id: point, frame_type: 3, value });
  await manual.clock.advance(1100);
};
const project = async () => (await api().call('projectInfo', {})).data.path;
const warnings = async () => (await api().call('serviceInfo', {})).data.warnings.map(({ code }) => code);
const values = () => seen.messages.filter(({ topic }) => !topic.endsWith('/status'));

describe('a publisher of MQTT', () => {
  it('says that it is online, with a will for when it is gone, and sends each value as JSON under its topic', async () => {
    await put();
    await set(5);
    expect(seen.connects).toMatchObject([
      { url: MQTT.url, user: 'plant', will: { topic: 'site/bay1/status', payload: 'offline', retain: true } },
    ]);
    expect(seen.messages[0]).toEqual({ topic: 'site/bay1/status', payload: 'online', qos: 1, retain: true });
    const last = values().at(-1);
    // what cannot stand in a level of a topic is replaced there, and whole in the payload
    expect(last).toMatchObject({ topic: 'site/bay1/Bay%2F1/YT/P%2BQ', qos: 1, retain: true });
    const { session, sequence } = await first();
    expect(JSON.parse(textOf(last?.payload ?? ''))).toEqual({
      device: 'Bay/1',
      code: 'P+Q',
      type: 'YT',
      name: 'Power',
      unit: 'kW',
      value: 5,
      quality: 'good',
      time: expect.stringMatching(/Z$/),
      sequence,
      session,
    });
    expect(await first()).toMatchObject({ state: 'running', waiting: 0, lost: 0, sent: sequence });
  });

  it('uses the password, and shows it nowhere', async () => {
    const { id } = await put();
    expect((await first()).secrets).toEqual({ password: false });
    await api().call('setPublisherSecrets', { id, secrets: { password: PASSWORD } });
    await set(1);
    expect(seen.connects.at(-1)?.password).toBe(PASSWORD);
    const shown = JSON.stringify([await list(), (await api().call('serviceInfo', {})).data]);
    const text = new TextDecoder().decode((await api().call('projectText', {})).data.bytes);
    expect([text.includes('site/bay1'), text.includes(PASSWORD), shown.includes(PASSWORD)]).toEqual([true, false, false]);
    expect(text).not.toContain('confirmed');
    const folder = dirname(await project());
    const holding = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
      try {
        return readFileSync(join(folder, name)).includes(PASSWORD);
      } catch {
        return false;
      }
    });
    expect(holding).toEqual(['secrets.json']);
    await expect(api().call('setPublisherSecrets', { id, secrets: { key: 'of another kind' } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });

  it('that is sent elsewhere loses its password: it was given for the other one', async () => {
    const { id } = await put();
    await api().call('setPublisherSecrets', { id, secrets: { password: PASSWORD } });
    await put({ id, name: 'Renamed' });
    expect((await first()).secrets).toEqual({ password: true });
    await put({ id, target: { ...MQTT, url: 'mqtt://other' } });
    expect((await first()).secrets).toEqual({ password: false });
    await set(1);
    expect(seen.connects.at(-1)).toMatchObject({ url: 'mqtt://other', password: undefined });
  });

  it('that fails is told among the warnings until it reaches its target again', async () => {
    refuses = true;
    await put();
    await set(1);
    expect(await first()).toMatchObject({ state: 'failing', error_message: { code: 'publish.refused' }, sent: 0 });
    expect(await warnings()).toEqual(['publishing_fails']);
    refuses = false;
    await manual.clock.advance(5000);
    expect([(await first()).state, await warnings()]).toEqual(['running', []]);
  });

  it('whose broker is away and comes back is told in the sequence of events, of the service and of no channel', async () => {
    refuses = true;
    await put();
    await set(1);
    refuses = false;
    await manual.clock.advance(5000);
    const events = async (input: InputOf<'listEvents'>) => (await api().call('listEvents', input)).data.items;
    const told = (await events({})).filter(({ channel_id }) => channel_id === null);
    expect(told).toMatchObject([
      {
        kind: 'system',
        point_id: null,
        text: 'Publishing Plant fails: mqtt://broker:1883 refused the connection; nothing listens on this port.',
        text_message: { code: 'publish.event_fails', params: { name: 'Plant', reason: { code: 'publish.refused' } } },
      },
      { kind: 'system', text_message: { code: 'publish.event_goes_on', params: { name: 'Plant' } } },
    ]);
    const kinds = async (input: InputOf<'listEvents'>) => new Set((await events(input)).map(({ kind }) => kind));
    expect((await kinds({ channel_id: 1 })).has('system')).toBe(false);
    expect((await kinds({ channel_id: 1, system: 'true' })).has('system')).toBe(true);
    await expect(api().call('listEvents', { system: 'yes' } as unknown as InputOf<'listEvents'>)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path: 'system' }],
    });
  });

  it('is tested under another client id, and nothing is published by it', async () => {
    const { id } = await put({ enabled: false });
    expect((await first()).state).toBe('off');
    await api().call('testPublisher', { id });
    expect([seen.connects.map(({ clientId }) => clientId.endsWith('-test')), seen.messages, seen.closed]).toEqual([[true], [], 1]);
    refuses = true;
    await expect(api().call('testPublisher', { id })).rejects.toMatchObject({ code: 'TRANSPORT_REFUSED' });
  });

  it('says offline when the project is left, and nothing more is sent', async () => {
    await put();
    await set(1);
    const opened = api().call('openProject', { path: `${await project()}.other.loopcheck`, create: true });
    await manual.clock.advance(5000);
    await opened;
    expect(seen.messages.at(-1)).toMatchObject({ topic: 'site/bay1/status', payload: 'offline' });
    expect([await list(), seen.closed]).toEqual([[], 1]);
  });
});

describe('a webhook', () => {
  it('posts batches with a signature over timestamp and body', async () => {
    const { id } = await put({ target: HOOK });
    await api().call('setPublisherSecrets', { id, secrets: { key: 'key-of-the-hook' } });
    await set(5);
    await set(6);
    const last = seen.posts.at(-1) ?? expect.fail('no post');
    const { 'x-loopcheck-signature': signature, 'x-loopcheck-timestamp': timestamp } = last.headers;
    expect(signature).toBe(`sha256=${createHmac('sha256', 'key-of-the-hook').update(`${timestamp}.${last.body}`).digest('hex')}`);
    expect(Math.abs(Number(timestamp) - manual.clock.wallMs() / 1000)).toBeLessThan(3);
    expect(JSON.parse(last.body)).toMatchObject({ publisher: 'Plant', items: [{ code: 'P+Q', value: 6 }] });
    expect(JSON.stringify(seen.posts)).not.toContain('key-of-the-hook');
  });

  it.each([
    [200, null, ''],
    [299, null, ''],
    [300, 'publish.redirect', 'is not followed'],
    [399, 'publish.redirect', 'is not followed'],
    [400, 'publish.status', '400'],
    [199, 'publish.status', '199'],
  ])('answered by %i is %s', async (answer, code, words) => {
    status = answer;
    await put({ target: HOOK });
    await set(5);
    const { state, error, error_message } = await first();
    if (code === null) expect([state, error]).toEqual(['running', null]);
    else expect([state, error_message]).toEqual(['failing', { code, params: { url: HOOK.url, status: answer } }]);
    if (code !== null) expect(error).toContain(words);
  });

  it('that is not taken is sent again, in the same order', async () => {
    await put({ target: HOOK });
    await set(5);
    refuses = true;
    await set(6);
    await set(7);
    expect(await first()).toMatchObject({ state: 'failing', error_message: { code: 'publish.status', params: { status: 500 } } });
    refuses = false;
    const posts = seen.posts.length;
    await manual.clock.advance(20_000);
    const items = seen.posts.slice(posts).flatMap(({ body }) => JSON.parse(body).items);
    expect(items.map(({ value }) => value).slice(0, 2)).toEqual([6, 7]);
    expect(await first()).toMatchObject({ state: 'running', waiting: 0, lost: 0 });
  });
});

describe('the authority of an encrypted target', () => {
  const ca = certificateText('ca');

  it('goes along with it, to brokers and to webhooks', async () => {
    await put({ target: { ...MQTT, url: 'mqtts://broker', ca } });
    await put({ name: 'Hook', target: { ...HOOK, ca } });
    await set(5);
    expect([seen.connects.at(-1)?.ca, seen.posts.at(-1)?.ca]).toEqual([ca, ca]);
    await api().call('testPublisher', { id: 1 });
    expect(seen.connects.at(-1)?.ca).toBe(ca);
  });

  it.each([
    ['for nothing', { ...MQTT, ca }, 'mqtts://'],
    ['with a key in it', { ...HOOK, ca: `${ca}${certificateText('station.key')}` }, 'certificates in PEM form'],
    ['that is none', { ...HOOK, ca: 'my CA' }, 'certificates in PEM form'],
    ['that is broken', { ...HOOK, ca: '-----BEGIN CERTIFICATE-----\nabcd\n-----END CERTIFICATE-----' }, 'cannot be read'],
  ])('%s is refused', async (_, target, words) => {
    await expect(put({ target })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path: 'target.ca', message: expect.stringContaining(words) }],
    });
  });

  it('that is another one in the file is not the confirmed one', () => {
    const one = { id: 1, target: HOOK };
    expect(confirmation({ ...one, target: { ...HOOK, ca } })).not.toBe(confirmation(one));
  });
});

describe('a project from elsewhere', () => {
  it('publishes nothing before somebody confirmed it here: a copy', async () => {
    await put();
    const copy = `${await project()}.copy.loopcheck`;
    await api().call('backupProject', { path: copy });
    const opened = api().call('openProject', { path: copy });
    await manual.clock.advance(5000);
    await opened;
    const before = seen.connects.length;
    await manual.clock.advance(100_000);
    expect([(await first()).state, seen.connects.length - before, await warnings()]).toEqual([
      'unconfirmed',
      0,
      ['publishing_unconfirmed'],
    ]);
    await expect(api().call('testPublisher', { id: 1 })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(seen.connects).toHaveLength(before);
    await api().call('confirmPublisher', { id: 1 });
    await manual.clock.advance(100);
    expect([(await first()).state, await warnings()]).toEqual(['running', []]);
  });

  it('publishes nothing either when it was read from its text form', async () => {
    await put({ devices: ['Bay/1'], codes: ['P*'] });
    const { bytes } = (await api().call('projectText', {})).data;
    const path = `${await project()}.text.loopcheck`;
    const read = api().call('importProjectText', { mode: 'new', path, file: new File([new Uint8Array(bytes)], 'plant.json') });
    await manual.clock.advance(5000);
    await read;
    expect(await first()).toMatchObject({ state: 'unconfirmed', name: 'Plant', target: MQTT, devices: ['Bay/1'], codes: ['P*'] });
  });

  it('that lies in the place of the confirmed one, with another target in it, publishes nothing', async () => {
    await put();
    const [path, aside] = [await project(), `${await project()}.aside.loopcheck`];
    await api().call('backupProject', { path: aside });
    const leave = async (to: string, create = false) => {
      const opened = api().call('openProject', { path: to, create });
      await manual.clock.advance(5000);
      await opened;
    };
    await leave(aside);
    await put({ id: 1, target: { ...MQTT, url: 'mqtt://elsewhere' } });
    await leave(`${path}.third.loopcheck`, true);
    copyFileSync(aside, path);
    await leave(path);
    expect(await first()).toMatchObject({ state: 'unconfirmed', target: { url: 'mqtt://elsewhere' } });
  });
});

describe('the list of publishers', () => {
  it('is in the order of their ids, whichever was set last, also when the project is opened again', async () => {
    await put();
    await put({ name: 'Second', target: { ...MQTT, prefix: 'second' } });
    await put({ id: 1, name: 'First' });
    const names = async () => (await list()).map(({ id, name }) => [id, name]);
    expect(await names()).toEqual([
      [1, 'First'],
      [2, 'Second'],
    ]);
    const path = await project();
    for (const to of [`${path}.other.loopcheck`, path]) {
      const opened = api().call('openProject', { path: to, create: to !== path });
      await manual.clock.advance(5000);
      await opened;
    }
    expect(await names()).toEqual([
      [1, 'First'],
      [2, 'Second'],
    ]);
  });

  it('has eight at most, and gives no id twice', async () => {
    const other = (at: number) => ({ name: `Plant ${at}`, enabled: false, target: { ...MQTT, prefix: `plant/${at}` } });
    for (let count = 0; count < 8; count++) await put(other(count));
    await expect(put(other(9))).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await api().call('deletePublisher', { id: 8 });
    expect((await put(other(9))).id).toBe(9);
    await expect(api().call('deletePublisher', { id: 8 })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
  });

  it('has a name and topics of its own', async () => {
    await put();
    const elsewhere = { ...MQTT, prefix: 'elsewhere' };
    const taken = (given: Partial<InputOf<'setPublisher'>>, words: string) =>
      expect(put(given)).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining(words) });
    await taken({ name: 'ｐｌａｎｔ', target: elsewhere }, 'Plant already');
    await taken({ name: 'Other' }, 'same topics');
    const { id } = await put({ name: 'Other', target: elsewhere });
    await taken({ id, name: 'Plant', target: elsewhere }, 'Plant already');
    await put({ id, name: 'Other', target: elsewhere, enabled: false });
    await put({ id, name: 'Other', target: { ...elsewhere, client_id: 'c' } });
    await taken({ name: 'Third', target: { ...MQTT, prefix: 'third', client_id: 'c' } }, 'the client c of this broker');
    await put({ name: 'Third', target: { ...MQTT, url: 'mqtt://another', client_id: 'c' } });
  });

  it.each([
    [{ target: { ...MQTT, url: 'mqtt://user:pw@broker' } }, 'target.url'],
    [{ target: { ...MQTT, url: 'http://broker' } }, 'target.url'],
    [{ target: { ...MQTT, prefix: 'a/#' } }, 'target.prefix'],
    [{ target: { ...MQTT, prefix: '' } }, 'target.prefix'],
    [{ target: { ...MQTT, prefix: '$SYS/a' } }, 'target.prefix'],
    [{ target: { ...HOOK, url: 'https://user@server/' } }, 'target.url'],
    [{ target: { ...HOOK, every_ms: 0 } }, 'target.every_ms'],
    [{ name: '' }, 'name'],
  ])('refuses %j, and says where', async (given, path) => {
    await expect(put(given as Partial<InputOf<'setPublisher'>>)).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [{ path }] });
  });

  it('counts in the numbers for Prometheus', async () => {
    await put();
    await set(5);
    const text = new TextDecoder().decode((await api().call('metrics', {})).data.bytes);
    expect(text).toContain('loopcheck_publisher_up{id="1",publisher="Plant"} 1\n');
    expect(text).toMatch(/loopcheck_publisher_sent_total\{id="1",publisher="Plant"\} [12]\n/);
  });
});

describe('a publisher that keeps records while its target is away', () => {
  const KEEP = { mb: 1, hours: 24 };
  const leave = async (to: string, create = false) => {
    const opened = api().call('openProject', { path: to, create });
    await manual.clock.advance(5000);
    await opened;
  };
  const sequences = () =>
    values()
      .map(({ payload }) => JSON.parse(textOf(payload)))
      .map(({ session, sequence, value }) => [session, sequence, value]);

  it('goes on when the project is opened again, under the same session, and nothing is lost or given twice', async () => {
    await put({ keep: KEEP });
    await set(1);
    refuses = true;
    await put({ id: 1, name: 'Anew', keep: KEEP });
    for (const value of [2, 3, 4]) await set(value);
    const before = await first();
    expect(before).toMatchObject({
      state: 'failing',
      waiting: 3,
      lost: 0,
      buffer: { records: 3, dropped: 0, error: null, oldest: expect.any(String) },
    });
    const path = await project();
    await leave(`${path}.other.loopcheck`, true);
    refuses = false;
    await leave(path);
    await manual.clock.advance(3000);
    expect((await first()).session).toBe(before.session);
    const got = sequences();
    expect(new Set(got.map(([session]) => session))).toEqual(new Set([before.session]));
    expect(got.map(([, sequence]) => sequence)).toEqual(got.map((_, index) => index + 1));
    expect(got.map(([, , value]) => value)).toEqual(expect.arrayContaining([2, 3, 4]));
    expect(await first()).toMatchObject({ state: 'running', waiting: 0, buffer: { records: 0, octets: 0, oldest: null } });
  });

  it('takes what waits along when the project is renamed', async () => {
    refuses = true;
    await put({ keep: KEEP });
    await set(1);
    await set(2);
    const { session } = await first();
    const path = await project();
    const renamed = api().call('renameProject', { path: `${path}.renamed.loopcheck` });
    await manual.clock.advance(5000);
    await renamed;
    expect(await project()).not.toBe(path);
    expect([existsSync(`${path}.buffer.db`), existsSync(`${await project()}.buffer.db`)]).toEqual([false, true]);
    refuses = false;
    await api().call('confirmPublisher', { id: 1 });
    await manual.clock.advance(3000);
    const got = sequences();
    expect(got.map(([of, sequence]) => [of, sequence])).toEqual(got.map((_, index) => [session, index + 1]));
    expect(got.length).toBeGreaterThan(1);
  });

  it('tells that the disk takes nothing, and sends from memory meanwhile', async () => {
    const path = `${await project()}.buffer.db`;
    // a folder under its name is as good as a full disk
    mkdirSync(path);
    await put({ keep: KEEP });
    await set(5);
    expect(await first()).toMatchObject({ state: 'running', buffer: { error_message: { code: 'buffer.file' } } });
    expect(await warnings()).toEqual(['publishing_not_kept']);
    expect(sequences().map(([, , value]) => value)).toContain(5);
    rmdirSync(path);
    await manual.clock.advance(20_000);
    expect([await warnings(), (await first()).buffer]).toMatchObject([[], { error: null }]);
  });

  it('begins anew where its file was damaged, and tells it', async () => {
    const path = await project();
    writeFileSync(`${path}.buffer.db`, 'no database, though it is long enough to look like one '.repeat(30));
    await put({ keep: KEEP });
    await set(5);
    expect([await warnings(), existsSync(`${path}.buffer.db.aside-1`)]).toEqual([['publishing_aside'], true]);
    expect(sequences().map(([, , value]) => value)).toContain(5);
  });

  it('forgets what waits when it is deleted, and when it is to keep nothing any more', async () => {
    refuses = true;
    await put({ keep: KEEP });
    await set(1);
    await put({ keep: KEEP, name: 'Second', target: { ...MQTT, prefix: 'second' } });
    await set(2);
    await put({ id: 1 });
    await api().call('deletePublisher', { id: 2 });
    await manual.clock.advance(1000);
    expect((await first()).buffer).toBeNull();
    expect((await put({ id: 1, keep: KEEP })).buffer).toBeNull();
    await manual.clock.advance(500);
    expect((await first()).buffer).toMatchObject({ records: 1 });
  });

  it('that cannot know what was taken is refused', async () => {
    await expect(put({ keep: KEEP, target: { ...MQTT, qos: 0 } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path: 'keep' }],
    });
    await expect(put({ keep: { mb: 0, hours: 1 } })).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [{ path: 'keep.mb' }] });
  });
});

/** A core whose publishers speak with this broker, with the point of all tests. */
async function withBroker(broker: FakeBroker): Promise<void> {
  await manual.close();
  manual = await startManualCore({ openBroker: broker.open });
  const { data } = await api().call('addChannel', { name: 'Bay/1', protocol_type: 1, conn_type: 1, port: 1502 });
  const added = { frame_type: 3 as const, code: 'P+Q', name: 'Power', address: 0, decode: '0x21', unit: 'kW' };
  point = (await api().call('addPoints', { channel_id: data.id, points: [added] })).data.items[0]?.id ?? 0;
  await api().call('startDevice', { channel_id: data.id });
}

describe('a publisher that tells Home Assistant of its points', () => {
  const ASSISTANT = { ...MQTT, home_assistant: { prefix: 'homeassistant' } };
  const told = ({ retained }: FakeBroker) =>
    [...retained].filter(([topic]) => topic.startsWith('homeassistant/')).map(([, payload]) => JSON.parse(textOf(payload)).state_topic);

  it('announces them, and takes back what is deleted, told elsewhere, or published no more', async () => {
    const broker = new FakeBroker();
    await withBroker(broker);
    const { id } = await put({ target: ASSISTANT });
    await set(5);
    expect(told(broker)).toEqual(['site/bay1/Bay%2F1/YT/P+Q'.replace('+', '%2B')]);
    await put({ id, target: { ...ASSISTANT, prefix: 'moved' } });
    await set(6);
    expect(told(broker)).toEqual(['moved/Bay%2F1/YT/P%2BQ']);
    // the same publisher, which sends nothing of it now
    await put({ id, codes: ['other'], target: { ...ASSISTANT, prefix: 'moved' } });
    await manual.clock.advance(200);
    expect(told(broker)).toEqual([]);
    await put({ id, target: { ...ASSISTANT, prefix: 'moved' } });
    await manual.clock.advance(200);
    expect(told(broker).length).toBe(1);
    await put({ id, target: { ...MQTT, prefix: 'moved' } });
    await manual.clock.advance(200);
    expect(told(broker)).toEqual([]);
    await put({ id, target: ASSISTANT });
    await manual.clock.advance(200);
    expect(told(broker).length).toBe(1);
    await api().call('deletePublisher', { id });
    await manual.clock.advance(200);
    expect(told(broker)).toEqual([]);
    expect(textOf(broker.retained.get('site/bay1/status') ?? '')).toBe('offline');
  });

  it('keeps them known while it is off, or the project is left', async () => {
    const broker = new FakeBroker();
    await withBroker(broker);
    const { id } = await put({ target: ASSISTANT });
    await set(5);
    await put({ id, enabled: false, target: ASSISTANT });
    await manual.clock.advance(200);
    expect([told(broker).length, textOf(broker.retained.get('site/bay1/status') ?? '')]).toEqual([1, 'offline']);
  });

  it('that is set anew begins when the one before it has ended: it takes back, says offline, disconnects; and nothing of it comes later', async () => {
    const broker = new FakeBroker();
    await withBroker(broker);
    const { id } = await put({ target: { ...ASSISTANT, client_id: 'fixed' } });
    await set(5);
    const slow = Promise.withResolvers<void>();
    broker.slow = slow.promise;
    const from = broker.messages.length;
    await put({ id, target: { ...ASSISTANT, client_id: 'fixed', home_assistant: { prefix: 'elsewhere' } } });
    await manual.clock.advance(1000);
    expect([broker.connects.length, broker.closed, (await first()).state]).toEqual([1, 0, 'connecting']);
    slow.resolve();
    await manual.clock.advance(200);
    expect([broker.connects.length, broker.closed]).toEqual([2, 1]);
    const said = broker.messages.slice(from).filter(({ topic }) => !topic.includes('/YT/'));
    expect(
      said.map(({ topic, payload }) => [
        topic.split('/')[0],
        payload === '' || payload === 'offline' || payload === 'online' ? payload : '…',
      ]),
    ).toEqual([
      ['homeassistant', ''],
      ['site', 'offline'],
      ['site', 'online'],
      ['elsewhere', '…'],
    ]);
    // the same for one that takes the topics of one that was deleted
    const again = Promise.withResolvers<void>();
    broker.slow = again.promise;
    await api().call('deletePublisher', { id });
    await put({ target: ASSISTANT });
    await manual.clock.advance(1000);
    expect(broker.connects.length).toBe(2);
    again.resolve();
    await manual.clock.advance(200);
    expect([broker.connects.length, textOf(broker.retained.get('site/bay1/status') ?? '')]).toEqual([3, 'online']);
  });

  it('waits for a broker that is silent at the end no longer than some seconds', async () => {
    const broker = new FakeBroker();
    await withBroker(broker);
    const { id } = await put({ target: ASSISTANT });
    await set(5);
    broker.slow = new Promise(() => {});
    await put({ id, target: { ...ASSISTANT, prefix: 'moved' } });
    await manual.clock.advance(5000);
    expect(broker.connects.length).toBe(1);
    await manual.clock.advance(10_000);
    expect(broker.connects.length).toBe(2);
    broker.slow = Promise.resolve();
  });

  it('refuses first levels that are none', async () => {
    await expect(put({ target: { ...ASSISTANT, home_assistant: { prefix: 'a/#' } } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path: 'target.home_assistant.prefix' }],
    });
  });
});

describe('a publisher of Sparkplug B', () => {
  const SPARKPLUG = {
    kind: 'sparkplug',
    url: 'mqtt://broker:1883',
    client_id: '',
    user: 'u',
    group: 'Site',
    node: 'Bay1',
    host: '',
  } as const;
  const births = ({ messages }: FakeBroker) =>
    messages.filter(({ topic }) => topic.split('/')[2] === 'NBIRTH').map(({ payload }) => readPayload(payload).metrics[0]?.value);

  it('is born, tells values, and numbers its connections on when the project is opened again', async () => {
    const broker = new FakeBroker();
    await withBroker(broker);
    const { id } = await put({ target: SPARKPLUG });
    await api().call('setPublisherSecrets', { id, secrets: { password: PASSWORD } });
    await manual.clock.advance(200);
    await set(5);
    expect(broker.connects.at(-1)).toMatchObject({ user: 'u', password: PASSWORD, will: { topic: 'spBv1.0/Site/NDEATH/Bay1' } });
    expect(births(broker)).toEqual([0, 1]);
    const last = broker.messages.at(-1);
    expect(last?.topic).toBe('spBv1.0/Site/DDATA/Bay1/Bay%2F1');
    expect(readPayload(last?.payload ?? '').metrics).toMatchObject([{ alias: point, value: 5 }]);
    expect(await first()).toMatchObject({ state: 'running', lost: 0, waiting: 0, secrets: { password: true } });
    const path = await project();
    for (const to of [`${path}.other.loopcheck`, path]) {
      const opened = api().call('openProject', { path: to, create: to !== path });
      await manual.clock.advance(5000);
      await opened;
    }
    await manual.clock.advance(200);
    expect(births(broker)).toEqual([0, 1, 2]);
    expect(broker.messages.filter(({ topic }) => topic.split('/')[2] === 'NDEATH').length).toBe(2);
  });

  it('is tested without being born, and without its will', async () => {
    const broker = new FakeBroker();
    await withBroker(broker);
    await put({ enabled: false, target: SPARKPLUG });
    await api().call('testPublisher', { id: 1 });
    expect([broker.messages, broker.connects.map(({ clientId, will }) => [clientId.endsWith('-test'), will.topic])]).toEqual([
      [],
      [[true, 'loopcheck/test']],
    ]);
  });

  it.each([
    [{ group: '' }, 'target.group'],
    [{ group: 'STATE' }, 'target.group'],
    [{ node: 'a/b' }, 'target.node'],
    [{ node: 'a+' }, 'target.node'],
    [{ host: '#' }, 'target.host'],
    [{ url: 'http://broker' }, 'target.url'],
  ])('refuses %j, and says where', async (given, path) => {
    await expect(put({ target: { ...SPARKPLUG, ...given } })).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [{ path }] });
  });

  it('has its node for itself, and keeps nothing on the disk, because nothing is confirmed', async () => {
    await put({ target: SPARKPLUG });
    await expect(put({ name: 'Other', target: { ...SPARKPLUG, host: 'x' } })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await put({ name: 'Other', target: { ...SPARKPLUG, node: 'Bay2' } });
    await expect(put({ id: 1, target: SPARKPLUG, keep: { mb: 1, hours: 1 } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path: 'keep' }],
    });
  });
});
