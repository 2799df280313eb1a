import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { streams } from '#shared/contract/live.ts';
import { makeBridge } from '../http/bridge.ts';
import { EventReader } from '../services/live/testing/event-reader.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const YC = { frame_type: 0, decode: '0x21' } as const;
const YT = { frame_type: 3, decode: '0x21' } as const;

/** A service with two served tables, whose values a test sets. */
async function service(config: Parameters<typeof startCore>[0] = {}): Promise<RunningCore> {
  const running = await startCore(config);
  closings.push(() => running.close());
  const { api } = running.core;
  for (const name of ['One', 'Two']) {
    const { id } = (await api.call('addChannel', { name, protocol_type: 1, conn_type: 1, port: await freePort() })).data;
    const points = [
      { ...YC, code: 'P', name: '有功', address: 0, max_limit: 100 },
      { ...YT, code: 'S', address: 1 },
      { ...YC, code: 'A,B', address: 2 },
    ];
    await api.call('addPoints', { channel_id: id, points });
  }
  return running;
}

async function reader({ url }: RunningCore, query = '', headers: Record<string, string> = {}): Promise<EventReader> {
  const opened = await EventReader.open(url, query, headers);
  closings.push(() => opened.close());
  await opened.until('hello');
  return opened;
}

async function started(running: RunningCore): Promise<RunningCore> {
  await running.api.call('startDevice', { channel_id: 1 });
  return running;
}

const set = ({ api }: RunningCore, value: number, id = 1, type: 0 | 3 = 0) =>
  api.call('updatePoint', { point_id: id, frame_type: type, value });
/** Items of all values messages, in the order they came. */
const items = (seen: EventReader) => seen.of('values').flatMap((data) => data.items as Record<string, unknown>[]);
const hasValue = (value: number) => (data: Record<string, unknown>) =>
  (data.items as { value: number }[]).some((item) => item.value === value);

/** Every event has the shape of the contract. */
function expectShapes({ events }: EventReader): void {
  for (const { event, data } of events) {
    const schema = streams.eventStream.events[event as keyof typeof streams.eventStream.events];
    expect([event, schema?.safeParse(data).error?.issues]).toEqual([event, undefined]);
  }
}

describe('the stream of events', () => {
  it('tells states at the beginning, then values, states, tasks and commands as they change', async () => {
    const running = await service();
    const seen = await reader(running);
    expect(seen.head).toMatch(/^HTTP\/1\.1 200 [\s\S]*content-type: text\/event-stream; charset=utf-8/i);
    expect(await seen.until('channel')).toMatchObject({ channel_id: 1, device_name: 'One', status: 'stopped' });
    await started(running);
    await seen.until('channel', ({ status }) => status === 'running');
    await running.api.call('startAutoRead', { device_name: 'One', cycle_interval_ms: 100 });
    await set(running, 250);
    expect(await seen.until('values', hasValue(250))).toMatchObject({
      channel_id: 1,
      device_name: 'One',
      items: expect.arrayContaining([
        expect.objectContaining({
          id: 1,
          frame_type: 0,
          code: 'P',
          value: 250,
          quality: 'good',
          alarm: 'high',
          updated_at: expect.any(String),
        }),
      ]),
    });
    expect(await seen.until('command', ({ outcome }) => outcome === 'accepted')).toMatchObject({
      code: 'P',
      value: 250,
      channel_name: 'One',
    });
    expect(seen.of('command')[0]).toMatchObject({ outcome: 'open', closed_at: null });
    await seen.until('task', ({ kind, task }) => kind === 'automatic' && (task as { cycle_count: number }).cycle_count > 1);
    await running.api.call('stopDevice', { channel_id: 1 });
    await seen.until('events', (data) => (data.items as { text: string }[]).some(({ text }) => /stopped/.test(text)));
    await running.api.call('deletePoints', { channel_id: 1, point_ids: [3] });
    await seen.until('values', ({ deleted }) => String(deleted) === '3');
    await running.api.call('deleteChannel', { channel_id: 2 });
    await seen.until('channel', ({ channel_id, status }) => channel_id === 2 && status === null);
    expectShapes(seen);
  });

  it('sends a value that is read again and is the same no second time', async () => {
    const running = await started(await service());
    const seen = await reader(running, '?kinds=values,task&channel_id=1');
    await set(running, 5);
    await seen.until('values', hasValue(5));
    await running.api.call('startAutoRead', { device_name: 'One', cycle_interval_ms: 100 });
    await seen.until('task', ({ task }) => (task as { cycle_count: number }).cycle_count >= 3);
    await set(running, 6);
    await seen.until('values', hasValue(6));
    // the address that no point was set at is read once as well
    expect(items(seen).filter(({ id, value }) => id === 1 && value === 5)).toHaveLength(1);
  });

  it('narrows to kinds, channels, types and codes', async () => {
    const running = await started(await service());
    await running.api.call('startDevice', { channel_id: 2 });
    const all = await reader(running, '?kinds=values');
    const channel = await reader(running, '?kinds=values&channel_id=2');
    const type = await reader(running, '?kinds=values&frame_type=3&channel_id=1,2');
    const codes = await reader(running, `?kinds=values&code=S&code=${encodeURIComponent('A,B')}`);
    for (const [id, kind, value] of [
      [1, 0, 11],
      [4, 0, 12],
      [2, 3, 13],
      [3, 0, 14],
      [6, 0, 15],
    ] as const)
      await set(running, value, id, kind);
    await all.until('values', hasValue(15));
    await codes.until('values', hasValue(15));
    await channel.until('values', hasValue(15));
    await type.until('values', hasValue(13));
    expect(new Set(items(channel).map(({ id }) => id))).toEqual(new Set([4, 6]));
    expect(new Set(items(type).map(({ id }) => id))).toEqual(new Set([2]));
    expect(new Set(items(codes).map(({ id }) => id))).toEqual(new Set([2, 3, 6]));
    expect(new Set(all.events.map(({ event }) => event))).toEqual(new Set(['hello', 'values']));
  });

  it.each([
    ['?channel_id=77', 404, /no channel 77/],
    ['?channel_id=x', 422, /whole numbers from 1/],
    ['?channel_id=', 422, /whole numbers from 1/],
    ['?frame_type=4', 422, /whole numbers from 0 to 3/],
    ['?code=NONE&code=P', 404, /code NONE\./],
    ['?code=', 422, /codes of points/],
    ['?kinds=value', 422, /kinds/],
    [`?since=${'9'.repeat(300)}`, 422, /since/],
  ])('refuses %s with %i in the envelope', async (query, status, words) => {
    const running = await service();
    const reply = await running.send({ method: 'GET', url: `/api/events/stream${query}` });
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([status, expect.stringMatching(words)]);
  });

  it('says which parameters it did not know', async () => {
    const seen = await reader(await service(), '?chanel_id=1');
    expect(seen.of('hello')[0]).toMatchObject({ warnings: [{ path: 'chanel_id', message: expect.stringContaining('channel_id') }] });
  });

  it('goes on where a reader was, by header or since, and begins with all on request', async () => {
    const running = await started(await service());
    const first = await reader(running, '?kinds=values,events');
    await set(running, 21);
    await first.until('values', hasValue(21));
    first.close();
    const { lastId } = first;
    await set(running, 22);
    await set(running, 23);
    await set(running, 24, 2, 3);
    for (const again of [
      await reader(running, '?kinds=values', { 'last-event-id': lastId ?? '' }),
      await reader(running, `?kinds=values&since=${lastId}`),
    ]) {
      await again.until('values', hasValue(24));
      expect(items(again).map(({ id, value }) => [id, value])).toEqual([
        [1, 23],
        [2, 24],
      ]);
      expect(again.of('missed')).toEqual([]);
    }
    const all = await reader(running, '?kinds=values&since=all&channel_id=2');
    await all.until('values');
    expect(items(all).map(({ id, quality }) => [id, quality])).toEqual([4, 5, 6].map((id) => [id, 'never']));
  });

  it.each(['x', '0-0-0', '../../etc', `${'9'.repeat(12)}-1-1`, '{}', ' '.repeat(150)])(
    'tells a reader whose place %j means nothing here',
    async (place) => {
      const running = await started(await service());
      const seen = await reader(running, '?kinds=values&channel_id=1', { 'last-event-id': `q${place}` });
      expect(await seen.until('missed')).toMatchObject({ reason: 'unknown_place', from: null, read_again: [1] });
      await set(running, 31);
      await seen.until('values', hasValue(31));
      expectShapes(seen);
    },
  );

  it('tells a place that is not reached yet apart', async () => {
    const running = await service();
    const name = String((await reader(running)).of('hello')[0]?.place).split('-')[0];
    const seen = await reader(running, `?since=${name}-999999-0`);
    expect(await seen.until('missed')).toMatchObject({ reason: 'unknown_place' });
  });

  it('tells a reader that came back how many events newer ones have pushed out', async () => {
    const running = await started(await service());
    const first = await reader(running, '?kinds=events');
    const place = String(first.of('hello')[0]?.place);
    first.close();
    await running.api.call('updateSettings', { events_kept: 1000 });
    const channel = running.core.channel(1);
    for (let count = 0; count < 600; count++) {
      await channel?.stop();
      await channel?.start();
    }
    const { dropped } = (await running.api.call('listEvents', {})).data;
    expect(dropped).toBeGreaterThan(0);
    const again = await reader(running, `?kinds=events&since=${place}`);
    const missed = await again.until('missed');
    expect(missed).toMatchObject({ reason: 'away', from: place, events: dropped - Number(place.split('-')[2]) });
  });

  it('tells events of the service itself to those who ask for no channel', async () => {
    const running = await service();
    const [all, one] = await Promise.all([reader(running, '?kinds=events'), reader(running, '?kinds=events&channel_id=1')]);
    // nothing listens there
    const url = `mqtt://127.0.0.1:${await freePort()}`;
    const target = { kind: 'mqtt', url, client_id: '', user: '', prefix: 'plant', qos: 0, retain: false } as const;
    await running.api.call('setPublisher', { name: 'Plant', enabled: true, target, devices: [], frame_types: [], codes: [] });
    const fails = ({ items: found }: Record<string, unknown>) =>
      (found as { channel_id: number | null; text: string }[]).some(
        ({ channel_id, text }) => channel_id === null && /^Publishing Plant fails/.test(text),
      );
    await all.until('events', fails);
    // an event of the channel comes behind it
    await started(running);
    await one.until('events');
    expectShapes(all);
    const channels = one
      .of('events')
      .flatMap((data) => (data.items as { channel_id: number | null }[]).map(({ channel_id }) => channel_id));
    expect(new Set(channels)).toEqual(new Set([1]));
  });

  it('does not wait for a reader that never reads: it is told later what it missed, and its queue is bounded', async () => {
    const running = await started(await service());
    const many = Array.from({ length: 2000 }, (_, index) => ({ ...YC, code: `N${index}`, address: 100 + index }));
    await running.api.call('addPoints', { channel_id: 1, points: many });
    const [lazy, keen] = [await reader(running, '?kinds=values'), await reader(running, '?kinds=values')];
    lazy.pause();
    const points = running.core.channel(1)?.points;
    const ids = points?.configs().map(({ id }) => id) ?? [];
    const write = (value: number) =>
      points?.apply(
        ids.map((pointId) => ({
          kind: 'value',
          pointId,
          value,
          valueText: '',
          raw: new Uint8Array(2),
          quality: 'good',
          flags: [],
          sourceTime: null,
        })),
        0,
      );
    for (let value = 1; value <= 100; value++) {
      write(value);
      await keen.until('values', hasValue(value));
      keen.events.length = 0;
    }
    const taken = lazy.octets;
    lazy.resume();
    expect(await lazy.until('missed')).toMatchObject({ reason: 'slow', changes: expect.any(Number), events: 0 });
    await lazy.until('values', hasValue(100));
    await until(
      async () => new Map(items(lazy).map(({ id, value }) => [id, value])),
      (last) => last.size >= ids.length && [...last.values()].every((value) => value === 100),
    );
    // what the system holds for a socket is a few MiB; the 100 batches are 20
    expect(lazy.octets - taken).toBeLessThan(keen.octets / 2);
    expectShapes(lazy);
  });

  it('ends in order when the service stops or another project is opened', async () => {
    const running = await service();
    const seen = await reader(running);
    await running.api.call('openProject', { path: join(running.dir, 'other.loopcheck'), create: true });
    expect(await seen.until('ended')).toEqual({ reason: 'project_left' });
    const next = await reader(running, '', { 'last-event-id': seen.lastId ?? '' });
    expect(next.of('missed')).toMatchObject([{ reason: 'unknown_place' }]);
    const closing = running.core.close();
    expect(await next.until('ended')).toEqual({ reason: 'service_stops' });
    await closing;
    await until(
      async () => next.isClosed,
      (closed) => closed,
    );
  });

  it('takes 100 readers and refuses the next with 429; one that left makes room', async () => {
    const running = await service();
    const all = await Promise.all(Array.from({ length: 100 }, () => reader(running, '?kinds=command')));
    const ask = () => running.send({ method: 'GET', url: '/api/events/stream?kinds=command' });
    expect(await ask()).toMatchObject({ status: 429, body: { error: 'STATE_BUSY' } });
    all[0]?.close();
    const next = () => fetch(`${running.url}/api/events/stream?kinds=command`, { signal: ended.signal }).then(({ status }) => status);
    const ended = new AbortController();
    closings.push(() => ended.abort());
    await until(next, (status) => status === 200);
  });

  it('is not heard through the window, and asks for the token as everything does', async () => {
    const running = await service({ token: 'secret-of-the-test' });
    const bridge = makeBridge(running.core.fastify);
    expect(await bridge({ method: 'GET', url: '/api/events/stream' })).toMatchObject({
      status: 409,
      body: { message_code: 'live.only_http' },
    });
    const refused = await fetch(`${running.url}/api/events/stream`);
    expect(refused.status).toBe(401);
  });
});
