import { describe, expect, it, vi } from 'vitest';
import { testPoint } from '../../../drivers/testing/points.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { ChangeCounter } from '../../../runtime/values/change-counter.ts';
import { mqttOutlet, topicOf } from '../mqtt-outlet.ts';
import { PublishedTable } from '../published-table.ts';
import { FakeBroker, textOf } from '../testing/fake-broker.ts';
import { PublishedChannel } from '../testing/published-channel.ts';

const PREFIX = 'site/bay 1';
const MQTT = {
  kind: 'mqtt',
  url: 'mqtt://broker',
  client_id: '',
  user: '',
  prefix: PREFIX,
  qos: 1,
  retain: true,
  home_assistant: { prefix: 'homeassistant' },
} as const;
const CONFIG = /^homeassistant\/(sensor|binary_sensor)\/site_bay_1_[0-9a-f]{8}\/[0-9a-f]{20}\/config$/;

async function setUp(broker = new FakeBroker(), which: { codes?: string[] } = {}, owner = 'project/1') {
  const clock = new ManualClock();
  const changes = new ChangeCounter();
  const device = new PublishedChannel(clock, changes, { id: 1, name: 'PCS 1' }).add(
    testPoint({ id: 1, code: 'P', name: 'Active power', unit: 'kW' }),
    testPoint({ id: 2, code: 'Q', name: '', frame_type: 1, unit: 'x' }),
    testPoint({ id: 3, code: 'N', name: 'Ratio', unit: '%' }),
  );
  const runtimes = [device.runtime()];
  const table = new PublishedTable({ devices: [], frame_types: [], codes: [], ...which }, { list: () => runtimes });
  const identity = { clientId: 'c', password: undefined, session: 's', version: '1.0', owner };
  const outlet = mqttOutlet(broker.open, clock, table, MQTT, identity);
  const open = () => outlet.open(new AbortController().signal, () => {});
  const link = await open();
  const look = async () => {
    link.look?.();
    await clock.advance(0);
  };
  return { broker, device, runtimes, link, open, look, clock, changes };
}

/** What Home Assistant knows: entities by the code of their topic of values. */
function entities({ retained }: FakeBroker) {
  const configs = [...retained].filter(([topic]) => topic.startsWith('homeassistant/'));
  for (const [topic] of configs) expect(topic).toMatch(CONFIG);
  const read = configs.map(([topic, payload]) => [topic.split('/')[1], JSON.parse(textOf(payload))] as const);
  return Object.fromEntries(read.map(([component, config]) => [config.state_topic.split('/').at(-1) as string, { component, ...config }]));
}

describe('Home Assistant', () => {
  it('gets an entity for each point: unit and class, topics of value and availability, one device', async () => {
    const { broker, look } = await setUp();
    await look();
    const { P, Q, N } = entities(broker);
    expect(P).toEqual({
      component: 'sensor',
      name: 'Active power',
      unique_id: expect.stringMatching(/^loopcheck_[0-9a-f]{20}$/),
      state_topic: 'site/bay 1/PCS 1/YC/P',
      value_template: '{{ value_json.value }}',
      unit_of_measurement: 'kW',
      device_class: 'power',
      state_class: 'measurement',
      qos: 1,
      availability: [
        { topic: 'site/bay 1/status' },
        { topic: 'site/bay 1/PCS 1/YC/P', value_template: "{{ 'online' if value_json.quality == 'good' else 'offline' }}" },
      ],
      availability_mode: 'all',
      device: { identifiers: [expect.stringMatching(/^loopcheck_[0-9a-f]{20}$/)], name: 'PCS 1' },
      origin: { name: 'Loopcheck', sw_version: '1.0' },
    });
    // a state has no unit, a point without a name its code
    expect(Q).toMatchObject({ component: 'binary_sensor', name: 'Q', device: P?.device });
    expect(Q).not.toHaveProperty('unit_of_measurement');
    expect(Q?.value_template).toBe("{{ {0: 'OFF', 1: 'ON'}.get(value_json.value, 'None') }}");
    expect(N).toMatchObject({ unit_of_measurement: '%' });
    expect(N).not.toHaveProperty('device_class');
    expect(new Set([P, Q, N].map((one) => one?.unique_id)).size).toBe(3);
  });

  it('gets no topic of commands, and the topics of values are those that are published', async () => {
    const { broker, link, look } = await setUp();
    await look();
    const told = JSON.stringify(entities(broker));
    expect(told).not.toMatch(/command|"set/);
    const about = { device: 'PCS 1', code: 'P', frameType: 0, name: '', unit: '' } as const;
    await link.send([{ about, value: 1, quality: 'good', at: 0, sequence: 1 }]);
    expect(broker.messages.at(-1)?.topic).toBe(entities(broker).P?.state_topic);
    expect(topicOf(PREFIX, about)).toBe(entities(broker).P?.state_topic);
  });

  it('is told once, and again only of what changed', async () => {
    const { broker, device, look } = await setUp();
    await look();
    const before = broker.messages.length;
    await look();
    await look();
    expect(broker.messages.length).toBe(before);
    device.add(testPoint({ id: 4, code: 'New' }));
    await look();
    const told = broker.messages.slice(before).filter(({ topic }) => topic.startsWith('homeassistant/'));
    expect(told.map(({ payload }) => JSON.parse(textOf(payload)).name)).toEqual(['P4']);
  });

  it('forgets a point that is deleted or renamed, and a device that is gone', async () => {
    const { broker, device, runtimes, look } = await setUp();
    await look();
    device.table.remove([1]);
    device.table.update(testPoint({ id: 3, code: 'M' }));
    await look();
    expect(Object.keys(entities(broker)).sort()).toEqual(['M', 'Q']);
    runtimes.splice(0);
    await look();
    expect(entities(broker)).toEqual({});
    const before = broker.messages.length;
    await look();
    expect(broker.messages.length).toBe(before);
  });

  it('is told nothing any more once its entities are taken back, by a broker that is slow either', async () => {
    const broker = new FakeBroker();
    const { device, look, link, clock } = await setUp(broker);
    await look();
    device.add(...Array.from({ length: 40 }, (_, at) => testPoint({ id: 10 + at, code: `C${at}` })));
    const slow = Promise.withResolvers<void>();
    broker.slow = slow.promise;
    await look();
    const retired = link.retire?.();
    slow.resolve();
    await clock.advance(0);
    await retired;
    await clock.advance(0);
    // some were under way to the broker when the end began, and go out of it again
    expect(entities(broker)).toEqual({});
    const said = broker.messages.filter(({ payload }) => payload !== '' && textOf(payload).includes('/C39'));
    expect(said).toEqual([]);
  });

  it('forgets what another process announced and is no point now, and nothing of others', async () => {
    const first = await setUp();
    await first.look();
    const { broker } = first;
    const own = [...broker.retained.keys()].find((topic) => CONFIG.test(topic)) ?? '';
    const [, , node = ''] = own.split('/');
    const id = 'f'.repeat(20);
    const ours = JSON.stringify({ unique_id: 'loopcheck_1', state_topic: `${PREFIX}/a` });
    const foreign: [string, string][] = [
      [`homeassistant/sensor/${node}/${id}/config`, JSON.stringify({ unique_id: 'x1', state_topic: `${PREFIX}/a` })],
      [`homeassistant/binary_sensor/${node}/${id}/config`, JSON.stringify({ unique_id: 'loopcheck_1', state_topic: 'site/bay_1/a' })],
      [`homeassistant/sensor/${node}/${'e'.repeat(20)}/config`, 'not JSON'],
      [`homeassistant/sensor/${node}/${'d'.repeat(20)}/config`, 'null'],
      // no shape of a topic of ours, whatever stands there
      [`homeassistant/sensor/${node}/other/config`, ours],
      [`homeassistant/switch/${node}/${id}/config`, ours],
      [`homeassistant/sensor/elsewhere/${id}/config`, ours],
    ];
    for (const [topic, payload] of foreign) broker.say(topic, payload, true);
    const second = await setUp(broker, { codes: ['P'] });
    await second.look();
    const left = [...broker.retained.keys()].filter((topic) => topic.startsWith('homeassistant/'));
    expect(left).toEqual(expect.arrayContaining(foreign.map(([topic]) => topic)));
    expect(left.length).toBe(1 + foreign.length);
    // one that the broker tells late; what nobody asked for is left alone
    const onNews = broker.connects.at(-1)?.onNews;
    const late = `homeassistant/sensor/${node}/${'c'.repeat(20)}/config`;
    const elsewhere = `elsewhere/sensor/${node}/${'c'.repeat(20)}/config`;
    for (const topic of [late, elsewhere]) {
      broker.retained.set(topic, new Uint8Array(1));
      onNews?.({ topic, payload: new TextEncoder().encode(ours), isRetained: true });
    }
    await second.look();
    expect([broker.retained.has(late), broker.retained.has(elsewhere)]).toEqual([false, true]);
  });

  it('forgets what was deleted while the broker was away, also where that comes back without what it had kept', async () => {
    const { broker, device, look, open, clock } = await setUp();
    await look();
    const topic = [...broker.retained].find(([, payload]) => textOf(payload).includes('PCS 1/YC/P'))?.[0];
    broker.lose();
    broker.retained.clear();
    device.table.remove([1]);
    broker.isThere = true;
    const from = broker.messages.length;
    const link = await open();
    link.look?.();
    await clock.advance(0);
    const said = broker.messages.slice(from).filter((message) => message.topic.startsWith('homeassistant/'));
    expect(said.filter(({ payload }) => payload === '').map((message) => message.topic)).toEqual([topic]);
    expect(Object.keys(entities(broker)).sort()).toEqual(['N', 'Q']);
  });

  it('keeps what another project announced under the same first levels', async () => {
    const one = await setUp();
    await one.look();
    const other = await setUp(one.broker, { codes: ['N'] }, 'other project/1');
    await other.look();
    const kept = () => [...one.broker.retained.keys()].filter((topic) => CONFIG.test(topic));
    expect(kept().length).toBe(4);
    await other.link.retire?.();
    expect(kept().length).toBe(3);
  });

  it('is looked after in a time that grows with the number of entities alone', async () => {
    const broker = new FakeBroker();
    const { runtimes, look, clock, changes } = await setUp(broker);
    for (let id = 10; id < 310; id++)
      runtimes.push(new PublishedChannel(clock, changes, { id, name: `D${id}` }).add(testPoint({ id: 1000 + id, code: 'P' })).runtime());
    const onNews = broker.connects.at(-1)?.onNews;
    const [, , node = ''] = (broker.subscriptions[0] ?? '').split('/');
    const payload = new TextEncoder().encode(JSON.stringify({ unique_id: 'loopcheck_1', state_topic: `${PREFIX}/a` }));
    for (let count = 0; count < 3000; count++) {
      const topic = `homeassistant/sensor/${node}/${String(count).padStart(20, '0')}/config`;
      onNews?.({ topic, payload, isRetained: true });
    }
    const asked = [vi.spyOn(Map.prototype, 'has'), vi.spyOn(Set.prototype, 'has')];
    await look();
    for (let count = 0; count < 10; count++) await clock.advance(50);
    const count = asked.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    for (const spy of asked) spy.mockRestore();
    expect(broker.messages.filter(({ payload: said }) => said === '').length).toBe(3000);
    expect(count).toBeLessThan(30_000);
  });

  it('forgets all of a publisher that is deleted, and keeps all of one that is only closed', async () => {
    const { broker, link, look } = await setUp();
    await look();
    await link.close();
    expect(Object.keys(entities(broker)).length).toBe(3);
    expect(textOf(broker.retained.get(`${PREFIX}/status`) ?? '')).toBe('offline');
    const again = await setUp(broker);
    await again.look();
    await again.link.retire?.();
    await again.link.close();
    expect(entities(broker)).toEqual({});
  });

  it('a broker that does not let its messages be read is told', async () => {
    const broker = new FakeBroker();
    broker.refuses = () => true;
    await expect(setUp(broker)).rejects.toMatchObject({ said: { code: 'publish.subscription' } });
    expect(broker.closed).toBe(1);
    expect(textOf(broker.retained.get(`${PREFIX}/status`) ?? '')).toBe('offline');
  });
});
